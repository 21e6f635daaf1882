#include "agents/assignments.hpp"

#include <algorithm>
#include <utility>

#include "agents/clues.hpp"
#include "board/cell_set.hpp"
#include "board/index.hpp"

namespace mineproof {

Limit::Limit(const Clues& clues, std::int32_t its_clue, int fewest, int largest)
    : clue(its_clue), least(fewest), most(largest) {
    clues.for_each_unknown(clue, [&](std::int32_t cell) { cells_[size_++] = cell; });
}

std::vector<Limits> borders(const Limits& limits, std::size_t board_cells) {
    // A border is a chain of limits. Its last one says when something was last added to it, and so
    // where it stands among the others.
    struct Chain {
        std::int32_t first, last, joined_to;
    };
    std::vector<Chain> chains;
    std::vector<std::int32_t> next(limits.size(), -1);  // by limit
    std::vector<std::int32_t> label(board_cells, -1);   // by cell: its chain
    const auto find = [&](std::int32_t chain) {
        while (chain >= 0 && chains[at(chain)].joined_to != chain)
            chain = chains[at(chain)].joined_to = chains[at(chains[at(chain)].joined_to)].joined_to;
        return chain;
    };
    std::vector<std::int32_t> touched;
    for (std::int32_t number = 0; number < std::ssize(limits); ++number) {
        touched.clear();
        for (const auto cell : limits[at(number)].cells())
            if (const auto chain = find(label[at(cell)]);
                chain >= 0 && std::ranges::find(touched, chain) == touched.end())
                touched.push_back(chain);
        std::ranges::sort(touched, {}, [&](std::int32_t chain) { return chains[at(chain)].last; });
        // The limit is a chain of its own, which is joined to the others.
        const auto own = static_cast<std::int32_t>(chains.size());
        chains.push_back({number, number, own});
        touched.push_back(own);
        auto& joined = chains[at(touched.front())];
        for (const auto other : std::span(touched).subspan(1)) {
            next[at(joined.last)] = chains[at(other)].first;
            joined.last = chains[at(other)].last;
            chains[at(other)].joined_to = touched.front();
        }
        for (const auto cell : limits[at(number)].cells())
            label[at(cell)] = touched.front();
    }
    std::vector<Limits> found;
    for (std::int32_t chain = 0; chain < std::ssize(chains); ++chain) {
        if (find(chain) != chain) continue;
        auto& border = found.emplace_back();
        for (auto limit = chains[at(chain)].first; limit >= 0; limit = next[at(limit)])
            border.push_back(limits[at(limit)]);
    }
    return found;
}

CellLimits::CellLimits(std::span<const Limit> limits) {
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs;  // of a cell and a limit
    for (std::size_t i = 0; i < limits.size(); ++i)
        for (const auto cell : limits[i].cells())
            pairs.emplace_back(cell, static_cast<std::int32_t>(i));
    std::ranges::sort(pairs);
    for (const auto& [cell, limit] : pairs) {
        if (cells_.empty() || cells_.back() != cell) {
            cells_.push_back(cell);
            begin_.push_back(limits_.size());
        }
        limits_.push_back(limit);
    }
    begin_.push_back(limits_.size());
}

std::span<const std::int32_t> CellLimits::of(std::int32_t cell) const {
    const auto i = at(std::ranges::lower_bound(cells_, cell) - cells_.begin());
    return std::span(limits_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
}

std::vector<std::int32_t> clue_by_clue(std::span<const Limit> limits) {
    const CellLimits around(limits);
    std::vector<std::int32_t> order;
    std::vector<std::size_t> waiting;  // by limit: its cells that are not in order
    for (const auto& limit : limits)
        waiting.push_back(limit.cells().size());
    CellSet ordered;
    ordered.reset(around.cells().empty() ? 0 : at(around.cells().back()) + 1);
    while (order.size() < around.cells().size()) {
        // Limits with some cells in order come before others.
        const auto rank = [&](std::size_t i) {
            return std::pair{waiting[i] == limits[i].cells().size(), waiting[i]};
        };
        auto best = limits.size();
        for (std::size_t i = 0; i < limits.size(); ++i)
            if (waiting[i] > 0 && (best == limits.size() || rank(i) < rank(best))) best = i;
        for (const auto cell : limits[best].cells()) {
            if (ordered.contains(cell)) continue;
            ordered.set(cell, true);
            order.push_back(cell);
            for (const auto limit : around.of(cell))
                --waiting[at(limit)];
        }
    }
    return order;
}

Assignments::Assignments(std::span<const Limit> limits, std::span<const std::int32_t> cells,
                         std::int64_t steps)
    : mined_(cells.size()), next_(cells.size()), steps_(steps), done_(cells.empty()) {
    for (const auto& limit : limits)
        rest_.push_back({static_cast<int>(limit.cells().size()), limit.least, limit.most});
    const CellLimits around(limits);
    for (const auto cell : cells) {
        begin_.push_back(limits_of_.size());
        const auto some = around.of(cell);
        limits_of_.insert(limits_of_.end(), some.begin(), some.end());
    }
    begin_.push_back(limits_of_.size());
}

bool Assignments::next() {
    while (!done_) {
        if (decided_) undo(place_);
        if (next_[place_] == Next::back) {
            next_[place_] = Next::mine;
            done_ = place_ == 0;
            decided_ = !done_;
            place_ -= decided_;
            continue;
        }
        if (steps_ == 0) {
            done_ = exhausted_ = true;
            return false;
        }
        --steps_;
        const bool mine = next_[place_] == Next::mine;
        next_[place_] = mine ? Next::free : Next::back;
        decided_ = !breaks(place_, mine);
        if (!decided_) continue;
        decide(place_, mine);
        if (place_ + 1 == mined_.size()) return true;
        ++place_;
        decided_ = false;
    }
    return false;
}

bool Assignments::breaks(std::size_t place, bool mine) const {
    for (auto i = begin_[place]; i < begin_[place + 1]; ++i) {
        const auto& rest = rest_[at(limits_of_[i])];
        if (mine ? rest.most <= 0 : rest.least >= rest.room) return true;
    }
    return false;
}

void Assignments::decide(std::size_t place, int mine) {
    mined_[place] = static_cast<std::uint8_t>(mine);
    for (auto i = begin_[place]; i < begin_[place + 1]; ++i) {
        auto& rest = rest_[at(limits_of_[i])];
        --rest.room;
        rest.least -= mine;
        rest.most -= mine;
    }
}

void Assignments::undo(std::size_t place) {
    const int mine = mined_[place];
    for (auto i = begin_[place]; i < begin_[place + 1]; ++i) {
        auto& rest = rest_[at(limits_of_[i])];
        ++rest.room;
        rest.least += mine;
        rest.most += mine;
    }
}

}  // namespace mineproof
