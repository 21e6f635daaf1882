#include "counting/frontier.hpp"

#include <algorithm>

#include "board/checkpoint.hpp"
#include "board/index.hpp"
#include "counting/reading.hpp"

namespace mineproof {

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
          reader_(evidence.channel),
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
        form_components();
    }

  private:
    void read_clue(std::int32_t cell) {
        const auto code = evidence_.cells[at(cell)];
        const bool is_query = cell == query_;
        if (!is_query && !evidence_.counts_as_clue(cell)) return;
        const Reading reading{.cell = cell,
                              .seen = Reading::symbol(code),
                              .degree = static_cast<std::int8_t>(topology_.degree(cell)),
                              .known = static_cast<std::int8_t>(around_[at(cell)] / 16),
                              .unknown = static_cast<std::int8_t>(around_[at(cell)] % 16),
                              .query = is_query};
        if (is_query) {
            query_reading_ = static_cast<std::int32_t>(readings_.size());
        } else if (reading.unknown == 0) {
            if (reader_.likelihood(reading, 0) == 0.0) out_.clash_.assign(1, cell);
            return;
        }
        clue_at_[at(cell)] = static_cast<std::int32_t>(readings_.size());
        readings_.push_back(reading);
    }

    // Settles what single clues imply until nothing changes. Returns false on a clash.
    bool settle() {
        std::vector<std::int32_t> queue;
        queue.reserve(readings_.size());
        queued_.assign(readings_.size(), 0);
        for (std::size_t id = 0; id < readings_.size(); ++id)
            enqueue(id, queue);
        Work work;
        while (!queue.empty()) {
            work.add(1);
            const auto& reading = readings_[at(queue.back())];
            queued_[at(queue.back())] = 0;
            queue.pop_back();
            const auto range = reader_.bounds(reading);
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
        if (queued_[id] || !reader_.decides(readings_[id])) return;
        queued_[id] = 1;
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

    void form_components() {
        ComponentBuilder builder(topology_);
        builder.clues().reserve(readings_.size());
        for (const auto& reading : readings_)
            if (reader_.informs(reading)) builder.clues().push_back(reader_.clue_of(reading));
        if (query_reading_ >= 0) out_.query_known_ = readings_[at(query_reading_)].known;
        out_.clash_ = builder.build(out_.knowledge_, out_.components_);
        out_.interior_ -= static_cast<std::int64_t>(out_.components_.cells.size());
    }

    Frontier& out_;
    const Evidence& evidence_;
    const Topology& topology_;
    std::span<const std::uint8_t> around_;
    Reader reader_;
    std::int32_t query_;
    std::int32_t query_reading_ = -1;
    std::vector<std::int32_t> clue_at_;
    std::vector<Reading> readings_;
    std::vector<std::uint8_t> queued_;
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

}  // namespace mineproof
