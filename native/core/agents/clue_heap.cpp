#include "agents/clue_heap.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace mineproof {

namespace {

std::string counted(std::int64_t number, const char* noun) {
    auto text = std::to_string(number);
    for (auto place = static_cast<std::ptrdiff_t>(text.size()) - 3; place > 0; place -= 3)
        text.insert(at(place), ",");
    return text + " " + noun + (number == 1 ? "" : "s");
}

}  // namespace

void JointClues::clear(std::size_t cells) {
    if (place_.size() != cells) place_.assign(cells, -1);
    for (const auto cell : cells_)
        place_[at(cell)] = -1;
    clues_.clear();
    cells_.clear();
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
    const auto beyond = rest ? rest->cells - std::ssize(cells_) - std::ssize(added) : 0;
    std::vector<std::uint8_t> choice(added.size()), layouts;
    std::vector<std::int32_t> mines;
    for (std::size_t way = 0; way < mines_.size(); ++way) {
        const auto before = std::span(layouts_).subspan(way * cells_.size(), cells_.size());
        int missing = clues.left(clue);
        for (const auto cell : shared)
            missing -= before[at(place_[at(cell)])];
        if (missing < 0 || missing > static_cast<int>(added.size())) continue;
        if (rest) {
            const auto spare = rest->mines - mines_[way] - missing;
            if (spare < 0 || spare > beyond) continue;
        }
        for (std::size_t i = 0; i < added.size(); ++i)
            choice[i] = static_cast<int>(i) < missing;
        do {
            if (mines.size() == most_ways) return false;
            layouts.insert(layouts.end(), before.begin(), before.end());
            layouts.insert(layouts.end(), choice.begin(), choice.end());
            mines.push_back(mines_[way] + missing);
        } while (std::ranges::prev_permutation(choice).found);
    }
    if (mines.empty()) return false;
    clues_.push_back(clue);
    for (const auto cell : added) {
        place_[at(cell)] = static_cast<std::int32_t>(cells_.size());
        cells_.push_back(cell);
    }
    layouts_ = std::move(layouts);
    mines_ = std::move(mines);
    return true;
}

void JointClues::conclude(const Clues& clues, const std::optional<Rest>& rest,
                          std::vector<Action>& actions) const {
    static_assert(most_ways <= std::numeric_limits<std::uint8_t>::max());
    std::vector<std::uint8_t> mined(cells_.size(), 0);  // ways, by place
    for (auto row = layouts_.begin(); row != layouts_.end(); row += std::ssize(cells_))
        for (std::size_t i = 0; i < mined.size(); ++i)
            mined[i] = static_cast<std::uint8_t>(mined[i] + row[static_cast<std::ptrdiff_t>(i)]);
    // All other closed cells are settled by the total if all ways leave it none of them, or all.
    bool rest_mined = false;
    bool rest_free = false;
    if (rest && std::ranges::all_of(mines_, [&](auto mines) { return mines == mines_[0]; })) {
        const auto spare = rest->mines - mines_[0];
        rest_free = spare == 0;
        rest_mined = !rest_free && spare == rest->cells - std::ssize(cells_);
    }
    const auto is_certain = [&](std::size_t ways) { return ways == 0 || ways == mines_.size(); };
    if (!rest_mined && !rest_free && std::ranges::none_of(mined, is_certain)) return;
    const auto add = [&](MoveKind kind, bool rest_too, std::size_t ways) {
        clues.openable().for_each([&](std::int32_t cell) {
            if (has(cell) ? mined[at(place_[at(cell)])] == ways : rest_too)
                actions.push_back(certainly(kind, cell));
        });
    };
    add(MoveKind::flag, rest_mined, mines_.size());
    add(MoveKind::open, rest_free, 0);
}

void ClueHeapPlayer::start(const Question& question) {
    for (auto* heap : {&heap_, &waiting_})
        for (auto& set : *heap)
            set.reset(question.cells.size());
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
    const auto queue = [&](std::int32_t clue) {
        if (!clues().all().contains(clue)) return;
        heap_[at(clues().shown(clue))].set(clue, true);
        waiting_[at(clues().shown(clue))].set(clue, false);
    };
    for (const auto cell : clues().changed()) {
        queue(cell);
        for (const auto near : topology().neighbours(cell))
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
        decision.actions.push_back(certainly(mined ? MoveKind::flag : MoveKind::open, cell));
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
