#include "agents/noisy_or.hpp"

#include <algorithm>

#include "agents/decimal.hpp"

namespace mineproof {

Decision NoisyOrPlayer::choose(const Question&) {
    for (const auto cell : clues().changed())
        suspects_.set(cell, clues().openable().contains(cell) && suspicions_[at(cell)].clues > 0);
    if (auto safe = clues().open_known_safe()) return *safe;
    const auto is_zero = [&](std::int32_t clue) { return clues().shown(clue) == 0; };
    if (const auto zero = clues().all().find(is_zero); zero >= 0) return open_around(zero);
    read_new_clues();
    const bool hit = clues().hits() > hits_;
    hits_ = clues().hits();
    if (clues().openable().empty()) return clues().guess(random(), "no cell is left");
    choose_flag();
    choose_opening(hit);
    Decision decision{{}, [this] { return explain(); }};
    decision.actions.reserve(2);
    if (flagged_ >= 0)
        decision.actions.push_back({{MoveKind::flag, flagged_}, false, risk(flagged_)});
    if (opened_ >= 0) decision.actions.push_back({{MoveKind::open, opened_}, false, risk(opened_)});
    return decision;
}

void NoisyOrPlayer::start(const Question& question) {
    const auto size = question.cells.size();
    read_.reset(size);
    suspicions_.assign(size, {});
    suspects_.reset(size);
    hits_ = 0;
}

void NoisyOrPlayer::read_new_clues() {
    clues().all().for_each([&](std::int32_t clue) {
        if (read_.contains(clue)) return;
        read_.set(clue, true);
        // A clue is spread over all its neighbours that are not open, including known mines.
        const int around = clues().mines(clue) + clues().unknown(clue);
        const double share = std::min(1.0, static_cast<double>(clues().shown(clue)) / around);
        clues().for_each_unknown(clue, [&](std::int32_t cell) {
            auto& suspicion = suspicions_[at(cell)];
            suspicion.against[at(suspicion.clues++)] = clue;
            suspicion.safety *= 1 - share;
            suspicion.chance = round9(1 - suspicion.safety);
            suspects_.set(cell, true);
        });
    });
}

Decision NoisyOrPlayer::open_around(std::int32_t zero) const {
    Decision decision;
    clues().for_each_unknown(zero, [&](std::int32_t cell) {
        decision.actions.push_back(certainly(MoveKind::open, cell));
    });
    decision.reason = [this, zero] { return clues().name(zero) + " has no mine around it"; };
    return decision;
}

// Flags the largest chance, if it is large enough.
void NoisyOrPlayer::choose_flag() {
    double largest = 0.0;
    flagged_ = -1;
    suspects_.for_each([&](std::int32_t cell) {
        if (suspicions_[at(cell)].chance <= largest) return;
        largest = suspicions_[at(cell)].chance;
        flagged_ = cell;
    });
    if (largest < threshold_) flagged_ = -1;
    if (flagged_ >= 0) suspects_.set(flagged_, false);
}

// Opens the smallest chance, or after a hit or without any chances a random cell.
void NoisyOrPlayer::choose_opening(bool hit) {
    opened_ = -1;
    why_ = nullptr;
    const auto& openable = clues().openable();
    const auto cells = openable.size() - (flagged_ >= 0);
    if (cells == 0) return;
    if (hit || suspects_.empty()) {
        const auto number = static_cast<std::int32_t>(random().below(at(cells)));
        opened_ = openable.nth(number);
        if (flagged_ >= 0 && opened_ >= flagged_) opened_ = openable.nth(number + 1);
        why_ = hit ? "a random closed cell after a hit" : "no closed cell is next to a clue";
        return;
    }
    suspects_.for_each([&](std::int32_t cell) {
        if (opened_ < 0 || suspicions_[at(cell)].chance < suspicions_[at(opened_)].chance)
            opened_ = cell;
    });
}

double NoisyOrPlayer::risk(std::int32_t cell) const {
    const auto& suspicion = suspicions_[at(cell)];
    return suspicion.clues > 0 ? suspicion.chance : no_risk;
}

std::string NoisyOrPlayer::explain() const {
    std::string text;
    if (flagged_ >= 0) text = "the largest chance of a mine is " + account(flagged_);
    if (opened_ < 0) return text;
    if (flagged_ >= 0) text += "; ";
    return text + (why_ ? why_ : "the smallest chance of a mine is " + account(opened_));
}

std::string NoisyOrPlayer::account(std::int32_t cell) const {
    const auto& suspicion = suspicions_[at(cell)];
    auto text = three_digits(suspicion.chance) + ", by ";
    for (int i = 0; i < suspicion.clues; ++i)
        text += (i > 0 ? ", " : "") + clues().name(suspicion.against[at(i)]);
    return text;
}

}  // namespace mineproof
