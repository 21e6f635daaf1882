#include "counting/frontier.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>

#include "board/checkpoint.hpp"
#include "board/index.hpp"

namespace mineproof {

// A clue while its neighbours are being settled.
struct Frontier::Reading {
    std::int32_t cell;
    std::int8_t seen;
    std::int8_t degree;
    std::int8_t known = 0;    // known mines around it
    std::int8_t unknown = 0;  // unknown cells around it
    bool query = false;
    bool queued = false;
};

KnownCells::KnownCells(const Evidence& evidence, std::int32_t query) {
    // Arithmetic without branches, so that the compiler can use vector instructions.
    const auto flagged =
        static_cast<unsigned>(evidence.trust_flags ? Knowledge::mined : Knowledge::unknown);
    const auto exploded = static_cast<unsigned>(Knowledge::mined);
    const auto* codes = evidence.cells.data();
    const auto cells = evidence.cells.size();
    std::vector<std::uint8_t> values(cells);
    for (std::size_t i = 0; i < cells; ++i)
        values[i] = static_cast<std::uint8_t>((codes[i] == cell::closed ? 1U : 0U) |
                                              (codes[i] == cell::flagged ? flagged : 0U) |
                                              (codes[i] == cell::exploded ? exploded : 0U));
    if (query != no_query && values[at(query)] == 1) values[at(query)] = 0;
    around.resize(cells);
    evidence.topology.add_up_neighbours(values, around);
    knowledge.resize(cells);
    for (std::size_t i = 0; i < cells; ++i) {
        knowledge[i] = Knowledge{values[i]};
        mined += values[i] / 16;
        unknown += values[i] % 16;
    }
}

class Frontier::Builder {
  public:
    Builder(Frontier& out, const Evidence& evidence, const KnownCells& known_cells,
            std::int32_t query)
        : out_(out),
          evidence_(evidence),
          topology_(evidence.topology),
          around_(known_cells.around),
          query_(query) {
        out_.known_mines_ = known_cells.mined;
        out_.interior_ = known_cells.unknown;
        clue_at_.assign(evidence.cells.size(), -1);
    }

    void read_all() {
        const auto cells = static_cast<std::int32_t>(evidence_.cells.size());
        readings_.reserve(evidence_.cells.size() / 2);
        Work work;
        for (std::int32_t cell = 0; cell < cells; ++cell, work.add(1))
            read_clue(cell);
    }

    void read(std::span<const std::int32_t> clues) {
        readings_.reserve(clues.size());
        for (const auto cell : clues)
            read_clue(cell);
    }

    void run() {
        if (!out_.clash_.empty() || !settle()) return;
        form_boxes();
        if (!merge_equal_clues()) return;
        split_into_components();
    }

  private:
    void read_clue(std::int32_t cell) {
        const auto code = evidence_.cells[at(cell)];
        const bool is_query = cell == query_;
        if (!is_query && !evidence_.counts_as_clue(cell)) return;
        const Reading reading{.cell = cell,
                              .seen = code < 0 ? static_cast<std::int8_t>(no_clue_symbol) : code,
                              .degree = static_cast<std::int8_t>(topology_.degree(cell)),
                              .known = static_cast<std::int8_t>(around_[at(cell)] / 16),
                              .unknown = static_cast<std::int8_t>(around_[at(cell)] % 16),
                              .query = is_query};
        if (is_query) {
            query_reading_ = static_cast<std::int32_t>(readings_.size());
        } else if (reading.unknown == 0) {
            if (likelihood(reading, 0) == 0.0) out_.clash_.assign(1, cell);
            return;
        }
        clue_at_[at(cell)] = static_cast<std::int32_t>(readings_.size());
        readings_.push_back(reading);
    }

    double likelihood(const Reading& reading, int mines) const {
        const int count = reading.known + mines;
        if (evidence_.channel.exact) return count == reading.seen ? 1.0 : 0.0;
        return evidence_.channel.likelihood(reading.degree, count, reading.seen);
    }

    // The fewest and the most unknown mines that the clue allows, or nothing if it allows none.
    std::optional<std::pair<int, int>> bounds(const Reading& reading) const {
        if (reading.query) return std::pair{0, static_cast<int>(reading.unknown)};
        if (evidence_.channel.exact) {
            const int left = reading.seen - reading.known;
            if (left < 0 || left > reading.unknown) return std::nullopt;
            return std::pair{left, left};
        }
        int fewest = 0;
        int most = reading.unknown;
        while (fewest <= most && likelihood(reading, fewest) == 0.0)
            ++fewest;
        while (fewest <= most && likelihood(reading, most) == 0.0)
            --most;
        if (fewest > most) return std::nullopt;
        return std::pair{fewest, most};
    }

    // Whether the clue may settle a cell or show a clash.
    bool decides(const Reading& reading) const {
        if (!evidence_.channel.exact) return true;
        const int left = reading.seen - reading.known;
        return left <= 0 || left >= reading.unknown;
    }

    // Settles what single clues imply until nothing changes. Returns false on a clash.
    bool settle() {
        std::vector<std::int32_t> queue;
        queue.reserve(readings_.size());
        for (std::size_t id = 0; id < readings_.size(); ++id)
            enqueue(id, queue);
        Work work;
        while (!queue.empty()) {
            work.add(1);
            auto& reading = readings_[at(queue.back())];
            queue.pop_back();
            reading.queued = false;
            const auto range = bounds(reading);
            if (!range) {
                out_.clash_.assign(1, reading.cell);
                return false;
            }
            if (reading.unknown == 0 || reading.query) continue;
            const auto [fewest, most] = *range;
            if (most == 0)
                settle_around(reading.cell, Knowledge::safe, queue);
            else if (fewest == reading.unknown)
                settle_around(reading.cell, Knowledge::mined, queue);
        }
        return true;
    }

    void enqueue(std::size_t id, std::vector<std::int32_t>& queue) {
        auto& reading = readings_[id];
        if (reading.queued || !decides(reading)) return;
        reading.queued = true;
        queue.push_back(static_cast<std::int32_t>(id));
    }

    void settle_around(std::int32_t clue_cell, Knowledge knowledge,
                       std::vector<std::int32_t>& queue) {
        for (const auto cell : topology_.neighbours(clue_cell)) {
            if (out_.knowledge_[at(cell)] != Knowledge::unknown) continue;
            const bool mine = knowledge == Knowledge::mined;
            out_.knowledge_[at(cell)] = knowledge;
            (mine ? out_.mined_ : out_.safe_).push_back(cell);
            out_.known_mines_ += mine;
            --out_.interior_;
            for (const auto other : topology_.neighbours(cell)) {
                const auto id = clue_at_[at(other)];
                if (id < 0) continue;
                auto& reading = readings_[at(id)];
                reading.unknown = static_cast<std::int8_t>(reading.unknown - 1);
                reading.known = static_cast<std::int8_t>(reading.known + mine);
                enqueue(at(id), queue);
            }
        }
    }

    // Whether the clue still carries information: some counts weigh more than others.
    bool informs(const Reading& reading) const {
        if (reading.unknown == 0) return false;
        if (evidence_.channel.exact || reading.query) return true;
        const double first = likelihood(reading, 0);
        for (int mines = 1; mines <= reading.unknown; ++mines)
            if (likelihood(reading, mines) != first) return true;
        return false;
    }

    Clue clue_of(const Reading& reading) const {
        const auto [fewest, most] = *bounds(reading);
        Clue clue{.cell = reading.cell,
                  .fewest = static_cast<std::int8_t>(fewest),
                  .most = static_cast<std::int8_t>(most),
                  .capacity = static_cast<std::uint8_t>(reading.unknown),
                  .query = reading.query};
        if (reading.query) {
            clue.weight.fill(1.0);
        } else if (evidence_.channel.exact) {
            clue.weight[static_cast<std::size_t>(fewest)] = 1.0;
        } else {
            // A common factor does not change any answer. With the largest weight at 1, plain
            // doubles are enough for most channels.
            double largest = 0.0;
            for (int mines = fewest; mines <= most; ++mines)
                largest = std::max(largest, likelihood(reading, mines));
            for (int mines = fewest; mines <= most; ++mines)
                clue.weight[static_cast<std::size_t>(mines)] = likelihood(reading, mines) / largest;
        }
        return clue;
    }

    void form_boxes() {
        std::vector<std::int32_t> live_id(readings_.size(), -1);
        clues_.reserve(readings_.size());
        boxes_.reserve(readings_.size());
        members_.reserve(readings_.size() * 2);
        for (std::size_t i = 0; i < readings_.size(); ++i) {
            if (!informs(readings_[i])) continue;
            live_id[i] = static_cast<std::int32_t>(clues_.size());
            clues_.push_back(clue_of(readings_[i]));
        }
        if (query_reading_ >= 0) out_.query_known_ = readings_[at(query_reading_)].known;
        for (std::int32_t id = 0; id < static_cast<std::int32_t>(clues_.size()); ++id) {
            const auto first_box = boxes_.size();
            for (const auto cell : topology_.neighbours(clues_[at(id)].cell)) {
                if (out_.knowledge_[at(cell)] != Knowledge::unknown) continue;
                out_.knowledge_[at(cell)] = Knowledge::boxed;
                --out_.interior_;
                put_into_box(cell, live_id, first_box);
            }
        }
    }

    // A cell can only join boxes that were created at its first clue.
    void put_into_box(std::int32_t cell, const std::vector<std::int32_t>& live_id,
                      std::size_t first_box) {
        Box box;
        for (const auto other : topology_.neighbours(cell)) {
            const auto reading = clue_at_[at(other)];
            if (reading < 0 || live_id[at(reading)] < 0) continue;
            box.clue[box.clues++] = live_id[at(reading)];
        }
        auto id = first_box;
        while (id < boxes_.size() &&
               !(boxes_[id].clues == box.clues && boxes_[id].clue == box.clue))
            ++id;
        if (id == boxes_.size()) {
            for (const auto clue_id : box.clue_list()) {
                auto& clue = clues_[at(clue_id)];
                clue.box[clue.boxes++] = static_cast<std::int32_t>(id);
            }
            boxes_.push_back(box);
        }
        ++boxes_[id].size;
        members_.push_back({static_cast<std::int32_t>(id), cell});
    }

    // Two clues around the same boxes are equivalent to one with the product of their weights.
    bool merge_equal_clues() {
        for (std::int32_t id = 0; id < static_cast<std::int32_t>(clues_.size()); ++id) {
            auto& clue = clues_[at(id)];
            if (clue.boxes == 0 || clue.query) continue;
            auto& box = boxes_[at(clue.box[0])];
            for (int i = box.clues - 1; i >= 0; --i) {
                const auto other_id = box.clue[static_cast<std::size_t>(i)];
                auto& other = clues_[at(other_id)];
                if (other_id <= id || other.query || other.boxes != clue.boxes ||
                    other.box != clue.box || !product_is_normal(clue, other))
                    continue;
                if (!absorb(clue, other)) return false;
                for (const auto b : other.box_list())
                    drop_clue(boxes_[at(b)], other_id);
                other.boxes = 0;
            }
        }
        return true;
    }

    // Tiny weights are not merged: Wide numbers multiply them later.
    static bool product_is_normal(const Clue& a, const Clue& b) {
        for (std::size_t i = 0; i < a.weight.size(); ++i)
            if (a.weight[i] > 0.0 && b.weight[i] > 0.0 && !std::isnormal(a.weight[i] * b.weight[i]))
                return false;
        return true;
    }

    bool absorb(Clue& clue, const Clue& other) {
        int fewest = clue.capacity + 1;
        int most = -1;
        for (int mines = 0; mines <= clue.capacity; ++mines) {
            auto& weight = clue.weight[static_cast<std::size_t>(mines)];
            weight *= other.weight[static_cast<std::size_t>(mines)];
            if (weight == 0.0) continue;
            fewest = std::min(fewest, mines);
            most = mines;
        }
        if (most < 0) {
            out_.clash_ = {clue.cell, other.cell};
            return false;
        }
        clue.fewest = static_cast<std::int8_t>(fewest);
        clue.most = static_cast<std::int8_t>(most);
        return true;
    }

    static void drop_clue(Box& box, std::int32_t clue) {
        const auto end = box.clue.begin() + box.clues;
        std::copy(std::find(box.clue.begin(), end, clue) + 1, end,
                  std::find(box.clue.begin(), end, clue));
        --box.clues;
    }

    std::int32_t root(std::int32_t clue) {
        while (parent_[at(clue)] != clue) {
            parent_[at(clue)] = parent_[at(parent_[at(clue)])];
            clue = parent_[at(clue)];
        }
        return clue;
    }

    void split_into_components() {
        parent_.resize(clues_.size());
        std::iota(parent_.begin(), parent_.end(), 0);
        for (const auto& box : boxes_) {
            for (const auto clue : box.clue_list()) {
                // The smaller index becomes the root, so components are in reading order.
                const auto a = root(box.clue[0]);
                const auto b = root(clue);
                parent_[at(std::max(a, b))] = std::min(a, b);
            }
        }
        number_clues();
        number_boxes();
        place_cells();
    }

    void number_clues() {
        component_of_.assign(clues_.size(), -1);
        new_clue_.assign(clues_.size(), -1);
        std::vector<std::int32_t> sizes;
        for (std::size_t id = 0; id < clues_.size(); ++id) {
            if (clues_[id].boxes == 0) continue;
            const auto top = root(static_cast<std::int32_t>(id));
            if (component_of_[at(top)] < 0) {
                component_of_[at(top)] = static_cast<std::int32_t>(sizes.size());
                sizes.push_back(0);
            }
            component_of_[id] = component_of_[at(top)];
            new_clue_[id] = sizes[at(component_of_[id])]++;
        }
        out_.ranges_.resize(sizes.size());
        std::int32_t begin = 0;
        for (std::size_t component = 0; component < sizes.size(); ++component) {
            out_.ranges_[component].clue_begin = begin;
            begin += sizes[component];
            out_.ranges_[component].clue_end = begin;
        }
        out_.clues_.resize(at(begin));
    }

    void number_boxes() {
        std::vector<std::int32_t> sizes(out_.ranges_.size(), 0);
        std::vector<std::int32_t> local(boxes_.size());
        for (std::size_t id = 0; id < boxes_.size(); ++id)
            local[id] = sizes[at(component_of_[at(boxes_[id].clue[0])])]++;
        std::int32_t begin = 0;
        for (std::size_t component = 0; component < sizes.size(); ++component) {
            out_.ranges_[component].box_begin = begin;
            begin += sizes[component];
            out_.ranges_[component].box_end = begin;
        }
        out_.boxes_.resize(boxes_.size());
        new_box_.resize(boxes_.size());
        for (std::size_t id = 0; id < boxes_.size(); ++id) {
            auto box = boxes_[id];
            const auto& range = out_.ranges_[at(component_of_[at(box.clue[0])])];
            for (int i = 0; i < box.clues; ++i) {
                auto& clue = box.clue[static_cast<std::size_t>(i)];
                clue = new_clue_[at(clue)];
            }
            new_box_[id] = range.box_begin + local[id];
            out_.boxes_[at(new_box_[id])] = box;
        }
        for (std::size_t id = 0; id < clues_.size(); ++id) {
            if (clues_[id].boxes == 0) continue;
            const auto& range = out_.ranges_[at(component_of_[id])];
            auto clue = clues_[id];
            for (int i = 0; i < clue.boxes; ++i) {
                auto& box = clue.box[static_cast<std::size_t>(i)];
                box = local[at(box)];
            }
            out_.clues_[at(range.clue_begin + new_clue_[id])] = clue;
        }
    }

    void place_cells() {
        std::int32_t begin = 0;
        for (auto& box : out_.boxes_) {
            box.first = begin;
            begin += box.size;
        }
        out_.box_cells_.resize(at(begin));
        std::vector<std::int32_t> filled(out_.boxes_.size(), 0);
        for (const auto& [box, cell] : members_) {
            const auto id = at(new_box_[at(box)]);
            out_.box_cells_[at(out_.boxes_[id].first + filled[id]++)] = cell;
        }
    }

    struct Member {
        std::int32_t box, cell;
    };

    Frontier& out_;
    const Evidence& evidence_;
    const Topology& topology_;
    std::span<const std::uint8_t> around_;
    std::int32_t query_;
    std::int32_t query_reading_ = -1;
    std::vector<std::int32_t> clue_at_;
    std::vector<Reading> readings_;
    std::vector<Clue> clues_;
    std::vector<Box> boxes_;
    std::vector<Member> members_;
    std::vector<std::int32_t> parent_, component_of_, new_clue_, new_box_;
};

Frontier::Frontier(const Evidence& evidence, std::int32_t query) {
    KnownCells known_cells(evidence, query);
    knowledge_ = std::move(known_cells.knowledge);
    Builder builder(*this, evidence, known_cells, query);
    builder.read_all();
    builder.run();
}

Frontier::Frontier(const Evidence& evidence, const KnownCells& known_cells,
                   std::span<const std::int32_t> clues)
    : knowledge_(known_cells.knowledge) {
    Builder builder(*this, evidence, known_cells, no_query);
    builder.read(clues);
    builder.run();
}

Component Frontier::component(std::size_t index) const {
    assert(index < ranges_.size());
    const auto& range = ranges_[index];
    return {std::span(boxes_).subspan(at(range.box_begin), at(range.box_end - range.box_begin)),
            std::span(clues_).subspan(at(range.clue_begin), at(range.clue_end - range.clue_begin))};
}

int Component::cells() const {
    int total = 0;
    for (const auto& box : boxes)
        total += box.size;
    return total;
}

}  // namespace mineproof
