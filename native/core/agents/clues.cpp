#include "agents/clues.hpp"

#include <algorithm>
#include <cstring>

namespace mineproof {

bool Clues::read(const Question& question) {
    const auto size = question.cells.size();
    changed_.clear();
    const bool begins = codes_.size() != size || topology_ != question.topology;
    if (begins) {
        topology_ = question.topology;
        codes_.assign(size, cell::closed);
        mines_.assign(size, 0);
        unknown_.resize(size);
        for (auto* set : {&openable_, &known_safe_, &flagged_, &all_, &settling_})
            set->reset(size);
        hits_ = 0;
        for (std::int32_t cell = 0; cell < topology_->cells(); ++cell) {
            unknown_[at(cell)] = static_cast<std::uint8_t>(topology_->degree(cell));
            openable_.set(cell, true);
        }
    }
    // Few cells change, so most blocks of codes are the same.
    constexpr std::size_t block = 32;
    const auto* const now = question.cells.data();
    for (std::size_t begin = 0; begin < size; begin += block) {
        const auto end = std::min(begin + block, size);
        if (std::memcmp(codes_.data() + begin, now + begin, end - begin) == 0) continue;
        for (auto i = begin; i < end; ++i)
            if (codes_[i] != now[i]) see(static_cast<std::int32_t>(i), now[i]);
    }
    for (const auto cell : changed_) {
        assess(cell);
        for (const auto near : topology_->neighbours(cell))
            assess(near);
    }
    return begins;
}

void Clues::see(std::int32_t cell, std::int8_t code) {
    const auto is_mine = [](std::int8_t one) {
        return one == cell::flagged || one == cell::exploded;
    };
    auto& before = codes_[at(cell)];
    const int mines = is_mine(code) - is_mine(before);
    const int unknown = (code == cell::closed) - (before == cell::closed);
    hits_ += (code == cell::exploded) - (before == cell::exploded);
    before = code;
    changed_.push_back(cell);
    openable_.set(cell, code == cell::closed || code == cell::known_safe);
    known_safe_.set(cell, code == cell::known_safe);
    flagged_.set(cell, code == cell::flagged);
    for (const auto near : topology_->neighbours(cell)) {
        mines_[at(near)] = static_cast<std::uint8_t>(mines_[at(near)] + mines);
        unknown_[at(near)] = static_cast<std::uint8_t>(unknown_[at(near)] + unknown);
    }
}

void Clues::assess(std::int32_t clue) {
    const bool speaks = cell::is_clue(codes_[at(clue)]) && unknown(clue) > 0;
    all_.set(clue, speaks);
    settling_.set(clue, speaks && (left(clue) == unknown(clue) || left(clue) == free_at(clue)));
}

std::string Clues::name(std::int32_t clue) const {
    return "the " + std::to_string(shown(clue)) + " at " + topology_->name(clue);
}

std::optional<Decision> Clues::open_known_safe() const {
    if (known_safe_.empty()) return std::nullopt;
    Decision decision{{}, [] { return "known to be safe from the start"; }};
    known_safe_.for_each(
        [&](std::int32_t cell) { decision.actions.push_back(certainly(MoveKind::open, cell)); });
    return decision;
}

std::optional<Decision> Clues::settle_first() const {
    if (settling_.empty()) return std::nullopt;
    return settle(settling_.first());
}

Decision Clues::settle(std::int32_t clue) const {
    Decision decision;
    if (left(clue) == unknown(clue)) {
        for_each_unknown(clue, [&](std::int32_t cell) {
            decision.actions.push_back(certainly(MoveKind::flag, cell));
        });
        decision.reason = [this, clue] {
            return name(clue) + " needs all its closed neighbours to be mines";
        };
        return decision;
    }
    const bool certain = free_at(clue) == 0;
    for_each_unknown(clue, [&](std::int32_t cell) {
        decision.actions.push_back({{MoveKind::open, cell}, certain, certain ? 0.0 : no_risk});
    });
    decision.reason = [this, clue] {
        const auto text = name(clue) + " has all its mines";
        if (free_at(clue) == 0) return text;
        return text + ", if it had " + std::to_string(assumed_degree_) + " neighbours";
    };
    return decision;
}

Decision Clues::guess(Random& random, const char* why) const {
    const auto pick = [&](const CellSet& cells) {
        return cells.nth(static_cast<std::int32_t>(random.below(at(cells.size()))));
    };
    if (!openable_.empty()) return {{{{MoveKind::open, pick(openable_)}}}, [why] { return why; }};
    if (flagged_.empty()) return {};
    const auto cell = pick(flagged_);
    return {{{{MoveKind::unflag, cell}}, {{MoveKind::open, cell}}},
            [why] { return std::string(why) + ": a flag must be wrong"; }};
}

}  // namespace mineproof
