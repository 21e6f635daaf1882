#include "counting/plan.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "board/checkpoint.hpp"
#include "board/index.hpp"
#include "board/random.hpp"
#include "counting/clue_order.hpp"

namespace mineproof {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
// Components with more clues are too wide for any budget.
constexpr std::size_t most_clues = 100'000;
// Transitions computed in the time it takes to place one clue in an order.
constexpr double transitions_per_clue = 100.0;

// An open clue of a planned table, and how many of its cells the table contains.
struct Open {
    std::int32_t clue;
    std::int32_t inside;
};

// How many partial sums a clue can have if the table contains `inside` of its cells.
double sums(const Clue& clue, std::int32_t inside) {
    const int least = std::max(0, clue.fewest - (clue.capacity - inside));
    const int most = std::min<int>(clue.most, inside);
    return std::max(1, most - least + 1);
}

// Turns an order of the clues into a plan. Closing a clue joins all tables and boxes that it
// touches.
class Planner {
  public:
    // Returns a plan without stages as soon as the cost exceeds `limit`, or more clues are open
    // than a state can hold.
    Plan run(const Component& component, std::span<const std::int32_t> order, double limit) {
        component_ = &component;
        plan_ = {};
        plan_.stages.reserve(component.boxes.size() + component.clues.size());
        plan_.touches.reserve(component.boxes.size() * 4);
        plan_.open.reserve(component.boxes.size() * 4);
        table_of_.assign(component.boxes.size(), -1);
        tables_used_ = 0;
        too_wide_ = order.empty();
        Work work;
        for (const auto clue : order) {
            close(clue);
            work.add(static_cast<std::int64_t>(transitions_per_clue));
            if (plan_.cost > limit || too_wide_) return Plan{.cost = unlimited};
        }
        assign_slots();
        return std::move(plan_);
    }

  private:
    struct PlannedTable {
        std::vector<Open> open;
        double size = 1.0;
        std::int32_t stage = -1;
        std::int32_t merged_into = -1;
    };

    std::int32_t table_of(std::int32_t box) {
        auto table = table_of_[at(box)];
        if (table < 0) return -1;
        while (tables_[at(table)].merged_into >= 0)
            table = tables_[at(table)].merged_into;
        table_of_[at(box)] = table;
        return table;
    }

    void close(std::int32_t clue) {
        pieces_.clear();
        for (const auto box : component_->clues[at(clue)].box_list()) {
            const auto table = table_of(box);
            if (table < 0)
                pieces_.push_back({-1, box});
            else if (std::none_of(pieces_.begin(), pieces_.end(),
                                  [&](const Piece& piece) { return piece.table == table; }))
                pieces_.push_back({table, -1});
        }
        if (pieces_.size() == 1 && pieces_[0].table >= 0) return;  // closed already
        auto result = take_largest_table();
        while (!pieces_.empty()) {
            const auto best = cheapest_piece(tables_[at(result)]);
            const auto piece = pieces_[best];
            pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(best));
            result = piece.table >= 0 ? join(result, piece.table) : take_in(result, piece.box);
        }
    }

    // Starting with the largest table avoids copying it.
    std::int32_t take_largest_table() {
        std::size_t best = pieces_.size();
        for (std::size_t i = 0; i < pieces_.size(); ++i)
            if (pieces_[i].table >= 0 &&
                (best == pieces_.size() ||
                 tables_[at(pieces_[i].table)].size > tables_[at(pieces_[best].table)].size))
                best = i;
        if (best == pieces_.size()) return new_table();
        const auto table = pieces_[best].table;
        pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(best));
        return table;
    }

    // Reuses the tables of earlier runs, because their memory is allocated already.
    std::int32_t new_table() {
        if (tables_used_ == tables_.size()) tables_.emplace_back();
        auto& table = tables_[tables_used_];
        table.open.clear();
        table.size = 1.0;
        table.stage = -1;
        table.merged_into = -1;
        return static_cast<std::int32_t>(tables_used_++);
    }

    std::size_t cheapest_piece(const PlannedTable& table) {
        std::size_t best = 0;
        if (pieces_.size() == 1) return best;
        double best_size = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            merge(table.open, open_of(pieces_[i]));
            const double size = size_of(merged_);
            if (size < best_size) {
                best_size = size;
                best = i;
            }
        }
        return best;
    }

    struct Piece {
        std::int32_t table, box;
    };

    std::span<const Open> open_of(const Piece& piece) {
        return piece.table >= 0 ? std::span<const Open>(tables_[at(piece.table)].open)
                                : open_of_box(piece.box);
    }

    std::span<const Open> open_of_box(std::int32_t box) {
        box_open_.clear();
        const auto& info = component_->boxes[at(box)];
        assert(std::ranges::is_sorted(info.clue_list()));
        for (const auto clue : info.clue_list())
            box_open_.push_back({clue, info.size});
        return box_open_;
    }

    // Writes the union of two lists of open clues to merged_, without the clues that are complete.
    void merge(std::span<const Open> a, std::span<const Open> b) {
        merged_.clear();
        std::size_t i = 0;
        std::size_t j = 0;
        while (i < a.size() || j < b.size()) {
            Open open;
            if (j == b.size() || (i < a.size() && a[i].clue < b[j].clue)) {
                open = a[i++];
            } else {
                open = b[j++];
                if (i < a.size() && a[i].clue == open.clue) open.inside += a[i++].inside;
            }
            if (!closed(open)) merged_.push_back(open);
        }
    }

    bool closed(const Open& open) const {
        const auto& clue = component_->clues[at(open.clue)];
        return open.inside == clue.capacity;
    }

    double size_of(std::span<const Open> open) const {
        double size = 1.0;
        for (const auto& item : open)
            size *= sums(component_->clues[at(item.clue)], item.inside);
        return size;
    }

    std::int32_t take_in(std::int32_t table, std::int32_t box) {
        auto& target = tables_[at(table)];
        Stage stage{.left = target.stage, .box = box};
        stage.touch_begin = static_cast<std::int32_t>(plan_.touches.size());
        const auto added = open_of_box(box);
        for (const auto& open : added) {
            const auto known = std::find_if(target.open.begin(), target.open.end(),
                                            [&](const Open& o) { return o.clue == open.clue; });
            touch(open.clue, open.inside + (known == target.open.end() ? 0 : known->inside));
        }
        plan_.cost += target.size * (component_->boxes[at(box)].size + 1);
        merge(target.open, added);
        table_of_[at(box)] = table;
        finish(target, stage);
        return table;
    }

    std::int32_t join(std::int32_t left, std::int32_t right) {
        auto& target = tables_[at(left)];
        auto& other = tables_[at(right)];
        Stage stage{.left = target.stage, .right = other.stage};
        stage.touch_begin = static_cast<std::int32_t>(plan_.touches.size());
        double pairs = target.size * other.size;
        for (const auto& open : other.open) {
            const auto shared = std::find_if(target.open.begin(), target.open.end(),
                                             [&](const Open& o) { return o.clue == open.clue; });
            if (shared == target.open.end()) continue;
            touch(open.clue, open.inside + shared->inside);
            const auto& clue = component_->clues[at(open.clue)];
            if (plan_.touches.back().closes && clue.fewest == clue.most)
                pairs /= std::max(sums(clue, open.inside), sums(clue, shared->inside));
        }
        plan_.cost += pairs;
        merge(target.open, other.open);
        other.merged_into = left;
        other.open.clear();
        finish(target, stage);
        return left;
    }

    void touch(std::int32_t id, std::int32_t inside) {
        const auto& clue = component_->clues[at(id)];
        const int outside = clue.capacity - inside;
        plan_.touches.push_back({.clue = id,
                                 .slot = -1,
                                 .least = static_cast<std::int8_t>(clue.fewest - outside),
                                 .most = clue.most,
                                 .closes = outside == 0});
    }

    void finish(PlannedTable& table, Stage stage) {
        stage.touch_end = static_cast<std::int32_t>(plan_.touches.size());
        std::swap(table.open, merged_);
        table.size = size_of(table.open);
        too_wide_ = too_wide_ || table.open.size() > most_open;
        table.stage = static_cast<std::int32_t>(plan_.stages.size());
        stage.open_begin = static_cast<std::int32_t>(plan_.open.size());
        for (const auto& open : table.open)
            plan_.open.push_back(open.clue);
        stage.open_end = static_cast<std::int32_t>(plan_.open.size());
        plan_.stages.push_back(stage);
    }

    // Every clue keeps one slot. The stages at which a clue is open form a subtree, so assigning
    // the lowest free slot from the root downwards needs no more slots than there are clues open at
    // the same time.
    void assign_slots() {
        slot_of_.assign(component_->clues.size(), -1);
        used_.clear();
        const auto mark = [&](std::int32_t slot) {
            if (used_.size() <= at(slot)) used_.resize(at(slot) + 1, false);
            used_[at(slot)] = true;
        };
        const auto give = [&](std::int32_t clue) {
            const auto free = std::find(used_.begin(), used_.end(), false) - used_.begin();
            slot_of_[at(clue)] = static_cast<std::int32_t>(free);
            mark(slot_of_[at(clue)]);
        };
        for (auto stage = plan_.stages.rbegin(); stage != plan_.stages.rend(); ++stage) {
            used_.assign(used_.size(), false);
            for (const auto clue : plan_.open_after(*stage))
                mark(slot_of_[at(clue)]);
            for (auto i = at(stage->touch_begin); i < at(stage->touch_end); ++i) {
                auto& touch = plan_.touches[i];
                if (touch.closes) give(touch.clue);
                touch.slot = slot_of_[at(touch.clue)];
            }
            plan_.slots = std::max(plan_.slots, static_cast<int>(used_.size()));
        }
    }

    const Component* component_ = nullptr;
    Plan plan_;
    std::vector<PlannedTable> tables_;
    std::size_t tables_used_ = 0;
    std::vector<std::int32_t> table_of_, slot_of_;
    std::vector<bool> used_;
    std::vector<Piece> pieces_;
    std::vector<Open> merged_, box_open_;
    bool too_wide_ = false;
};

// If the first plan has fewer transitions, a search for a better one costs more than it saves.
constexpr double cheap = 3000.0;
// Above this cost, random variants are tried. Their number grows with the logarithm of the cost.
constexpr double dear = 1e5;
}  // namespace

int Plan::width() const {
    return stages.empty() ? static_cast<int>(most_open) + 1 : slots;
}

Plan make_plan(const Component& component, double affordable) {
    // Planning a small component costs as much as counting it, so the planner keeps its memory.
    thread_local Planner planner;
    Plan best;
    best.cost = unlimited;
    const auto consider = [&](std::span<const std::int32_t> order) {
        auto plan = planner.run(component, order, best.cost);
        if (plan.cost < best.cost) best = std::move(plan);
    };
    // Step 2.1. One greedy order, which is enough for most components.
    if (component.clues.size() <= SmallClueGraph::most_clues) {
        consider(SmallClueGraph(component).order());
        if (best.cost <= cheap) return best;
    }
    if (component.clues.size() > most_clues) return best;
    // Step 2.2. Orders by least size and by least fill, and walks from two ends.
    const ClueGraph graph(component);
    Random random(component.clues.size());
    consider(graph.order(ClueGraph::Rule::size, 0.0, random));
    consider(graph.order(ClueGraph::Rule::fill, 0.0, random));
    consider(graph.sweep(0));
    consider(graph.sweep(graph.sweep(0).back()));
    if (best.cost <= dear || best.stages.empty()) return best;
    // Step 2.3. Random variants. The search should not cost more than it can save, or than counting
    // may cost.
    const double looks = std::min(best.cost, affordable) /
                         (transitions_per_clue * static_cast<double>(component.clues.size()));
    const double variants = std::min(20.0 * std::log10(best.cost / dear) + 10.0, looks);
    for (int i = 0; i < variants; ++i)
        consider(graph.order(i % 2 ? ClueGraph::Rule::fill : ClueGraph::Rule::size, 2.0, random));
    return best;
}

Plan plan_in_order(const Component& component, std::span<const std::int32_t> clue_order) {
    return Planner().run(component, clue_order, unlimited);
}

}  // namespace mineproof
