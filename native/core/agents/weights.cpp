#include "agents/weights.hpp"

#include <algorithm>
#include <limits>

#include "agents/channels.hpp"
#include "agents/decimal.hpp"

namespace mineproof {

Decision WeightsPlayer::choose(const Question& question) {
    follow();
    weigh();
    const bool told = question.prior.kind == Prior::Kind::total;
    const auto flags = told ? question.prior.mines - clues().hits() : 0;
    picked_.clear();
    is_picked_.reset(weight_.size());
    if (subtract_)
        pick_one_by_one(flags);
    else
        pick_heaviest(flags);
    if (auto safe = clues().open_known_safe()) return *safe;
    const auto closed = heavy_.size() + light_.size();
    if (closed == topology().cells()) return clues().guess(random(), "the first cell is random");
    auto decision = move_flags();
    if (closed == is_picked_.size()) return decision;
    auto cell = unreliable_ ? away_from_clues() : -1;
    if (cell >= 0) {
        decision.reason = [] {
            return "clues are unreliable, and no cell around this one is open";
        };
    } else {
        cell = lightest();
        decision.reason = [this, cell] {
            return "the lowest weight, " + three_digits(round9(weight_[at(cell)]));
        };
    }
    decision.actions.push_back({{MoveKind::open, cell}});
    return decision;
}

void WeightsPlayer::start(const Question& question) {
    unreliable_ = is_optimistic(*question.channel) || is_cautious(*question.channel);
    const auto size = question.cells.size();
    left_.assign(size, 0);
    unknown_.assign(size, 0);
    share_.assign(size, 0.0);
    weight_.assign(size, 0.0);
    heavy_.reset(size);
    light_.reset(size);
    for (std::int32_t cell = 0; cell < topology().cells(); ++cell)
        light_.set(cell, true);
    order_.clear();
}

void WeightsPlayer::follow() {
    for (const auto cell : clues().changed()) {
        if (is_unknown(cell)) continue;  // only a flag has moved
        heavy_.set(cell, false);
        light_.set(cell, clues().codes()[at(cell)] == cell::known_safe);
        assess(cell);
        for (const auto near : topology().neighbours(cell))
            assess(near);
    }
}

void WeightsPlayer::assess(std::int32_t clue) {
    if (!cell::is_clue(clues().codes()[at(clue)])) return;
    int mines = 0, unknown = 0;
    for (const auto near : topology().neighbours(clue)) {
        mines += clues().codes()[at(near)] == cell::exploded;
        unknown += is_unknown(near);
    }
    const int left = clues().shown(clue) - mines;
    left_[at(clue)] = static_cast<std::int8_t>(left);
    unknown_[at(clue)] = static_cast<std::int8_t>(unknown);
    share_[at(clue)] = left > 0 && unknown > 0 ? static_cast<double>(left) / unknown : 0.0;
    if (share_[at(clue)] == 0.0) return;
    for (const auto near : topology().neighbours(clue)) {
        if (!is_unknown(near) || heavy_.contains(near)) continue;
        heavy_.set(near, true);
        light_.set(near, false);
        order_.push_back(near);
    }
}

// Adds what each clue says, clue by clue in row order, to the weights.
void WeightsPlayer::weigh() {
    heavy_.for_each([&](std::int32_t cell) {
        double weight = weight_[at(cell)];
        for (const auto near : topology().neighbours(cell))
            weight += share_[at(near)];
        weight_[at(cell)] = weight;
    });
}

void WeightsPlayer::pick(std::int32_t cell) {
    picked_.push_back(cell);
    is_picked_.set(cell, true);
}

// Positive if the first cell is heavier. Weights are rounded, so that the same shares in another
// order give the same weight.
double WeightsPlayer::compare(std::int32_t one, std::int32_t other) const {
    return compare9(weight_[at(one)], weight_[at(other)]);
}

// Sorts the heavy cells, of equal ones the last first. From turn to turn little changes, unless
// many cells are new.
void WeightsPlayer::sort() {
    const auto comes_first = [&](std::int32_t one, std::int32_t other) {
        const auto difference = compare(one, other);
        return difference > 0.0 || (difference == 0.0 && one > other);
    };
    std::erase_if(order_, [&](std::int32_t cell) { return !heavy_.contains(cell); });
    std::size_t moved = 0;
    for (std::size_t i = 1; i < order_.size(); ++i) {
        const auto cell = order_[i];
        auto place = i;
        for (; place > 0 && comes_first(cell, order_[place - 1]); --place)
            order_[place] = order_[place - 1];
        order_[place] = cell;
        moved += i - place;
        if (moved > 16 * order_.size()) {
            std::ranges::sort(order_, comes_first);
            return;
        }
    }
}

// Of equal cells the last one is picked first.
void WeightsPlayer::pick_heaviest(std::int64_t flags) {
    sort();
    for (const auto cell : order_)
        if (std::ssize(picked_) < flags) pick(cell);
    for (auto cell = topology().cells() - 1; cell >= 0 && std::ssize(picked_) < flags; --cell)
        if (light_.contains(cell)) pick(cell);
}

// Each cell that is picked takes its mine from the clues around it; of equal cells the first one is
// picked first.
void WeightsPlayer::pick_one_by_one(std::int64_t flags) {
    left_now_ = left_;
    unknown_now_ = unknown_;
    share_now_ = share_;
    light_waiting_ = light_;
    waiting_.clear();
    waits_.assign(weight_.size(), 0.0);
    heavy_.for_each([&](std::int32_t cell) {
        waiting_.push_back(cell);
        waits_[at(cell)] = 1.0;
    });
    auto heavy = heaviest_waiting();
    while (std::ssize(picked_) < flags) {
        const auto light = light_waiting_.first();
        if (light < 0 && heavy < 0) return;
        const auto difference = light < 0 ? 1.0 : heavy < 0 ? -1.0 : compare(heavy, light);
        if (difference > 0.0 || (difference == 0.0 && heavy < light)) {
            waiting_.erase(std::ranges::lower_bound(waiting_, heavy));
            take_mine(heavy);
            pick(heavy);
            heavy = heaviest_waiting();
        } else {
            light_waiting_.set(light, false);
            pick(light);
        }
    }
}

std::int32_t WeightsPlayer::heaviest_waiting() const {
    if (waiting_.empty()) return -1;
    double most = -std::numeric_limits<double>::infinity();
    for (const auto cell : waiting_)
        if (weight_[at(cell)] > most) most = weight_[at(cell)];
    return *std::ranges::find_if(
        waiting_, [&](std::int32_t cell) { return compare9(weight_[at(cell)], most) == 0.0; });
}

void WeightsPlayer::take_mine(std::int32_t cell) {
    waits_[at(cell)] = 0.0;
    for (const auto clue : topology().neighbours(cell)) {
        const double before = share_now_[at(clue)];
        if (before == 0.0) continue;
        const int left = --left_now_[at(clue)];
        const int unknown = --unknown_now_[at(clue)];
        const double after = left > 0 && unknown > 0 ? static_cast<double>(left) / unknown : 0.0;
        share_now_[at(clue)] = after;
        weight_[at(cell)] -= before;
        for (const auto near : topology().neighbours(clue)) {
            const double waits = waits_[at(near)];
            weight_[at(near)] = weight_[at(near)] - waits * before + waits * after;
        }
    }
}

Decision WeightsPlayer::move_flags() const {
    Decision decision{{}, [] { return "the flags move to the heaviest cells"; }};
    clues().flagged().for_each([&](std::int32_t cell) {
        if (!is_picked_.contains(cell)) decision.actions.push_back({{MoveKind::unflag, cell}});
    });
    for (const auto cell : picked_)
        if (!clues().flagged().contains(cell)) decision.actions.push_back({{MoveKind::flag, cell}});
    return decision;
}

// The first of the lightest cells that are not picked.
std::int32_t WeightsPlayer::lightest() const {
    auto lightest = light_.find([&](std::int32_t cell) { return !is_picked_.contains(cell); });
    heavy_.for_each([&](std::int32_t cell) {
        if (is_picked_.contains(cell)) return;
        const auto difference = lightest < 0 ? -1.0 : compare(cell, lightest);
        if (difference < 0.0 || (difference == 0.0 && cell < lightest)) lightest = cell;
    });
    return lightest;
}

// The first cell that is not picked and has no open neighbour, or -1. It has no weight.
std::int32_t WeightsPlayer::away_from_clues() const {
    return light_.find([&](std::int32_t cell) {
        return !is_picked_.contains(cell) &&
               std::ranges::none_of(topology().neighbours(cell), [&](std::int32_t near) {
                   return cell::is_open(clues().codes()[at(near)]);
               });
    });
}

}  // namespace mineproof
