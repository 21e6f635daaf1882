#include "counting/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "board/index.hpp"
#include "board/random.hpp"
#include "counting/clue_order.hpp"

namespace mineproof {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
// Clues that bear on each other, past which a component is hopelessly wide.
constexpr std::size_t most_clues = 100'000;

// A clue of a table under construction, and how many of its cells the table holds.
struct Open {
    std::int32_t clue;
    std::int32_t inside;
};

// How many partial sums a clue can have with `inside` of its cells taken in.
double sums(const Clue& clue, std::int32_t inside) {
    const int least = std::max(0, clue.fewest - (clue.capacity - inside));
    const int most = std::min<int>(clue.most, inside);
    return std::max(1, most - least + 1);
}

// Follows an order of the clues: closing one brings together every table and box it touches.
class Planner {
  public:
    // Gives up as soon as the cost passes `limit`, or more clues are open at once than any state
    // could hold; then the plan has no steps.
    Plan run(const Component& component, std::span<const std::int32_t> order, double limit) {
        component_ = &component;
        plan_ = {};
        plan_.steps.reserve(component.boxes.size() + component.clues.size());
        plan_.touches.reserve(component.boxes.size() * 4);
        plan_.open.reserve(component.boxes.size() * 4);
        table_of_.assign(component.boxes.size(), -1);
        tables_used_ = 0;
        too_wide_ = order.empty();
        for (const auto clue : order) {
            close(clue);
            if (plan_.cost > limit || too_wide_) return Plan{.cost = unlimited};
        }
        assign_slots();
        return std::move(plan_);
    }

  private:
    struct Table {
        std::vector<Open> open;
        double size = 1.0;
        std::int32_t step = -1;
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
        if (pieces_.size() == 1 && pieces_[0].table >= 0) return;  // closed on the way
        auto result = take_largest_table();
        while (!pieces_.empty()) {
            const auto best = cheapest_piece(tables_[at(result)]);
            const auto piece = pieces_[best];
            pieces_.erase(pieces_.begin() + static_cast<std::ptrdiff_t>(best));
            result = piece.table >= 0 ? join(result, piece.table) : take_in(result, piece.box);
        }
    }

    // The largest table comes first, so that nothing is built twice at its size.
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

    // Tables of earlier runs are used again, for the memory they hold.
    std::int32_t new_table() {
        if (tables_used_ == tables_.size()) tables_.emplace_back();
        auto& table = tables_[tables_used_];
        table.open.clear();
        table.size = 1.0;
        table.step = -1;
        table.merged_into = -1;
        return static_cast<std::int32_t>(tables_used_++);
    }

    std::size_t cheapest_piece(const Table& table) {
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
        for (const auto clue : info.clue_list())
            box_open_.push_back({clue, info.size});
        return box_open_;
    }

    // Union of two open lists, those that are complete left out: into merged_.
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
        return open.inside == clue.capacity && !clue.probe;
    }

    double size_of(std::span<const Open> open) const {
        double size = 1.0;
        for (const auto& item : open)
            size *= sums(component_->clues[at(item.clue)], item.inside);
        return size;
    }

    std::int32_t take_in(std::int32_t table, std::int32_t box) {
        auto& target = tables_[at(table)];
        Step step{.left = target.step, .box = box};
        step.touch_begin = static_cast<std::int32_t>(plan_.touches.size());
        const auto added = open_of_box(box);
        for (const auto& open : added) {
            const auto known = std::find_if(target.open.begin(), target.open.end(),
                                            [&](const Open& o) { return o.clue == open.clue; });
            touch(open.clue, open.inside + (known == target.open.end() ? 0 : known->inside));
        }
        plan_.cost += target.size * (component_->boxes[at(box)].size + 1);
        merge(target.open, added);
        table_of_[at(box)] = table;
        finish(target, step);
        return table;
    }

    std::int32_t join(std::int32_t left, std::int32_t right) {
        auto& target = tables_[at(left)];
        auto& other = tables_[at(right)];
        Step step{.left = target.step, .right = other.step};
        step.touch_begin = static_cast<std::int32_t>(plan_.touches.size());
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
        finish(target, step);
        return left;
    }

    void touch(std::int32_t id, std::int32_t inside) {
        const auto& clue = component_->clues[at(id)];
        const int outside = clue.capacity - inside;
        plan_.touches.push_back({.clue = id,
                                 .slot = -1,
                                 .least = static_cast<std::int8_t>(clue.fewest - outside),
                                 .most = clue.most,
                                 .closes = outside == 0 && !clue.probe});
    }

    void finish(Table& table, Step step) {
        step.touch_end = static_cast<std::int32_t>(plan_.touches.size());
        std::swap(table.open, merged_);
        table.size = size_of(table.open);
        too_wide_ = too_wide_ || table.open.size() > most_open;
        table.step = static_cast<std::int32_t>(plan_.steps.size());
        step.open_begin = static_cast<std::int32_t>(plan_.open.size());
        for (const auto& open : table.open)
            plan_.open.push_back(open.clue);
        step.open_end = static_cast<std::int32_t>(plan_.open.size());
        plan_.steps.push_back(step);
    }

    // A clue keeps one slot for life. Lifetimes are subtrees of the tree of steps, so giving slots
    // from the root downwards, each the lowest that is free, needs no more than are open at once.
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
        for (auto step = plan_.steps.rbegin(); step != plan_.steps.rend(); ++step) {
            used_.assign(used_.size(), false);
            for (const auto clue : plan_.open_after(*step)) {
                if (slot_of_[at(clue)] < 0)
                    give(clue);  // only a probe, at the root
                else
                    mark(slot_of_[at(clue)]);
            }
            for (auto i = at(step->touch_begin); i < at(step->touch_end); ++i) {
                auto& touch = plan_.touches[i];
                if (touch.closes) give(touch.clue);
                touch.slot = slot_of_[at(touch.clue)];
            }
            plan_.slots = std::max(plan_.slots, static_cast<int>(used_.size()));
        }
    }

    const Component* component_ = nullptr;
    Plan plan_;
    std::vector<Table> tables_;
    std::size_t tables_used_ = 0;
    std::vector<std::int32_t> table_of_, slot_of_;
    std::vector<bool> used_;
    std::vector<Piece> pieces_;
    std::vector<Open> merged_, box_open_;
    bool too_wide_ = false;
};

// Below this many moves the first plan is good enough: looking further would cost more.
constexpr double cheap = 3000.0;
// Random variants tried grow with the logarithm of the cost past this.
constexpr double dear = 1e5;
// Moves that can be made in the time it takes to place one clue in an order.
constexpr double moves_per_clue = 100.0;

}  // namespace

int Plan::width() const {
    return steps.empty() ? static_cast<int>(most_open) + 1 : slots;
}

Plan make_plan(const Component& component, double affordable) {
    // Most plans cost as much as the counting they are for, so the planner keeps its memory.
    thread_local Planner planner;
    Plan best;
    best.cost = unlimited;
    const auto consider = [&](std::span<const std::int32_t> order) {
        auto plan = planner.run(component, order, best.cost);
        if (plan.cost < best.cost) best = std::move(plan);
    };
    if (component.clues.size() <= SmallClueGraph::most_clues) {
        consider(SmallClueGraph(component).order());
        if (best.cost <= cheap) return best;
    }
    if (component.clues.size() > most_clues) return best;
    const ClueGraph graph(component);
    Random random(component.clues.size());
    consider(graph.order(ClueGraph::Rule::size, 0.0, random));
    consider(graph.order(ClueGraph::Rule::fill, 0.0, random));
    consider(graph.sweep(0));
    consider(graph.sweep(graph.sweep(0).back()));
    if (best.cost <= dear || best.steps.empty()) return best;
    // Looking is worth no more than what it may save, or than counting may cost.
    const double looks = std::min(best.cost, affordable) /
                         (moves_per_clue * static_cast<double>(component.clues.size()));
    const double variants = std::min(20.0 * std::log10(best.cost / dear) + 10.0, looks);
    for (int i = 0; i < variants; ++i)
        consider(graph.order(i % 2 ? ClueGraph::Rule::fill : ClueGraph::Rule::size, 2.0, random));
    return best;
}

Plan plan_in_order(const Component& component, std::span<const std::int32_t> clue_order) {
    return Planner().run(component, clue_order, unlimited);
}

}  // namespace mineproof
