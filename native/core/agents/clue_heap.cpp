#include "agents/clue_heap.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace mineproof {

namespace {

std::string counted(std::int64_t number, const char* noun) {
    auto text = std::to_string(number);
    for (auto place = static_cast<std::ptrdiff_t>(text.size()) - 3; place > 0; place -= 3)
        text.insert(at(place), ",");
    return text + " " + noun + (number == 1 ? "" : "s");
}

// Calls `use` with the bits of all ways to choose this many of the places, until it returns false.
template <class Use>
bool for_each_choice(std::span<const std::int32_t> places, int number, Use use) {
    std::array<std::size_t, max_degree> chosen{};
    for (int i = 0; i < number; ++i)
        chosen[at(i)] = at(i);
    while (true) {
        if (!use(std::span(chosen).first(at(number)))) return false;
        int last = number - 1;
        while (last >= 0 && chosen[at(last)] == places.size() - at(number - last))
            --last;
        if (last < 0) return true;
        ++chosen[at(last)];
        for (int i = last + 1; i < number; ++i)
            chosen[at(i)] = chosen[at(i - 1)] + 1;
    }
}

}  // namespace

void JointClues::clear(std::size_t cells) {
    if (place_.size() != cells) place_.assign(cells, -1);
    for (const auto cell : cells_)
        place_[at(cell)] = -1;
    clues_.clear();
    cells_.clear();
    words_ = 0;
    layouts_.clear();
    mines_.assign(1, 0);
}

bool JointClues::touches(const Clues& clues, std::int32_t clue) const {
    bool touches = false;
    clues.for_each_unknown(clue, [&](std::int32_t cell) { touches |= has(cell); });
    return touches;
}

bool JointClues::join(const Clues& clues, std::int32_t clue, const std::optional<Rest>& rest) {
    std::vector<std::int32_t> shared, added;
    clues.for_each_unknown(
        clue, [&](std::int32_t cell) { (has(cell) ? shared : added).push_back(cell); });
    const auto all = cells_.size() + added.size();
    const auto words = (all + 63) / 64;
    const auto beyond = rest ? rest->cells - static_cast<std::int64_t>(all) : 0;
    std::vector<std::uint64_t> layouts;
    std::vector<std::int32_t> mines;
    for (std::size_t way = 0; way < mines_.size(); ++way) {
        const auto* const before = layouts_.data() + way * words_;
        int missing = clues.left(clue);
        for (const auto cell : shared)
            missing -=
                static_cast<int>(before[place_[at(cell)] / 64] >> (place_[at(cell)] % 64) & 1);
        if (missing < 0 || missing > static_cast<int>(added.size())) continue;
        if (rest) {
            const auto spare = rest->mines - mines_[way] - missing;
            if (spare < 0 || spare > beyond) continue;
        }
        const bool few = for_each_choice(added, missing, [&](std::span<const std::size_t> chosen) {
            if (mines.size() == most_ways) return false;
            const auto begin = layouts.size();
            layouts.insert(layouts.end(), before, before + words_);
            layouts.resize(begin + words, 0);
            for (const auto one : chosen) {
                const auto place = cells_.size() + one;
                layouts[begin + place / 64] |= std::uint64_t{1} << (place % 64);
            }
            mines.push_back(mines_[way] + missing);
            return true;
        });
        if (!few) return false;
    }
    if (mines.empty()) return false;
    clues_.push_back(clue);
    for (const auto cell : added) {
        place_[at(cell)] = static_cast<std::int32_t>(cells_.size());
        cells_.push_back(cell);
    }
    words_ = words;
    layouts_ = std::move(layouts);
    mines_ = std::move(mines);
    return true;
}

void JointClues::conclude(const Clues& clues, const std::optional<Rest>& rest,
                          std::vector<Action>& actions) const {
    std::vector<std::uint64_t> always(words_, ~std::uint64_t{0}), ever(words_, 0);
    for (std::size_t i = 0; i < layouts_.size(); ++i) {
        always[i % words_] &= layouts_[i];
        ever[i % words_] |= layouts_[i];
    }
    bool beyond_mined = false;
    bool beyond_free = false;
    if (rest && std::ranges::all_of(mines_, [&](auto mines) { return mines == mines_[0]; })) {
        const auto spare = rest->mines - mines_[0];
        beyond_free = spare == 0;
        beyond_mined =
            !beyond_free && spare == rest->cells - static_cast<std::int64_t>(cells_.size());
    }
    const auto bit = [&](const std::vector<std::uint64_t>& words, std::int32_t cell) {
        return (words[at(place_[at(cell)] / 64)] >> (place_[at(cell)] % 64) & 1) != 0;
    };
    std::vector<std::int32_t> near = cells_;
    std::ranges::sort(near);
    // All closed cells if the others are settled too, else those around the clues.
    const auto for_each = [&](bool beyond, auto use) {
        if (beyond)
            clues.openable().for_each(use);
        else
            std::ranges::for_each(near, use);
    };
    for_each(beyond_mined, [&](std::int32_t cell) {
        if (has(cell) ? bit(always, cell) : beyond_mined)
            actions.push_back({{MoveKind::flag, cell}, true, 1.0});
    });
    for_each(beyond_free, [&](std::int32_t cell) {
        if (has(cell) ? !bit(ever, cell) : beyond_free)
            actions.push_back({{MoveKind::open, cell}, true, 0.0});
    });
}

Decision ClueHeapPlayer::choose(const Question& question) {
    queue_influenced();
    std::optional<JointClues::Rest> rest;
    if (const auto left = clues().mines_left(question.prior))
        rest = {*left, clues().openable().size()};
    if (auto safe = clues().open_known_safe()) return *safe;
    if (auto solved = solve_next()) return *solved;
    if (auto settled = settle_rest(rest)) return *settled;
    if (backtracks_)
        if (auto common = backtrack(rest)) return *common;
    return clues().guess(random(), "no clue can be solved");
}

// Puts new clues, and those next to anything new, on the first heap.
void ClueHeapPlayer::queue_influenced() {
    if (!begun_)
        for (auto* heap : {&heap_, &waiting_})
            for (auto& set : *heap)
                set.reset(clues().codes().size());
    begun_ = true;
    const auto queue = [&](std::int32_t clue) {
        if (!clues().all().contains(clue)) return;
        heap_[at(clues().shown(clue))].set(clue, true);
        waiting_[at(clues().shown(clue))].set(clue, false);
    };
    for (const auto cell : clues().changed()) {
        queue(cell);
        for (const auto near : clues().topology().neighbours(cell))
            queue(near);
    }
}

std::optional<Decision> ClueHeapPlayer::solve_next() {
    for (std::size_t shown = 0; shown < heap_.size(); ++shown)
        while (!heap_[shown].empty()) {
            const auto clue = heap_[shown].first();
            // A solved clue stays on the heap until it has no unknown neighbours.
            if (clues().settles(clue)) return clues().settle(clue);
            heap_[shown].set(clue, false);
            if (clues().all().contains(clue)) waiting_[shown].set(clue, true);
        }
    return std::nullopt;
}

// If none or all of the closed cells are mines by the total.
std::optional<Decision> ClueHeapPlayer::settle_rest(
    const std::optional<JointClues::Rest>& rest) const {
    if (!rest || rest->cells == 0 || (rest->mines != 0 && rest->mines != rest->cells))
        return std::nullopt;
    const bool mined = rest->mines != 0;
    Decision decision;
    clues().openable().for_each([&](std::int32_t cell) {
        decision.actions.push_back(
            {{mined ? MoveKind::flag : MoveKind::open, cell}, true, mined ? 1.0 : 0.0});
    });
    decision.reason = [mined] {
        return mined ? "only mines are left, by the mine total"
                     : "all mines are found, by the mine total";
    };
    return decision;
}

std::optional<Decision> ClueHeapPlayer::backtrack(const std::optional<JointClues::Rest>& rest) {
    stuck_.clear();
    for (const auto& set : waiting_)
        set.for_each([&](std::int32_t clue) {
            if (clues().all().contains(clue)) stuck_.push_back(clue);
        });
    rest_ = rest;
    joined_.assign(clues().codes().size(), 0);
    for (const auto first : stuck_) {
        if (joined_[at(first)]) continue;
        joint_.clear(clues().codes().size());
        others_ = stuck_;
        // One clue after the other, always the smallest that touches those before.
        for (auto next = std::ranges::find(others_, first); next != others_.end();
             next = std::ranges::find_if(
                 others_, [&](std::int32_t clue) { return joint_.touches(clues(), clue); })) {
            const auto clue = *next;
            others_.erase(next);
            if (!joint_.join(clues(), clue, rest)) continue;
            Decision decision;
            joint_.conclude(clues(), rest, decision.actions);
            if (!decision.actions.empty()) {
                decision.reason = [this] {
                    std::string text = "common to the " +
                                       counted(static_cast<std::int64_t>(joint_.ways()), "way") +
                                       " to meet ";
                    for (const auto one : joint_.clues())
                        text += (one == joint_.clues().front() ? "" : " and ") + clues().name(one);
                    return rest_ ? text + " with " + counted(rest_->mines, "mine") + " left" : text;
                };
                return decision;
            }
            for (const auto one : joint_.clues())
                joined_[at(one)] = 1;
        }
    }
    return std::nullopt;
}

}  // namespace mineproof
