#include "proofs/proof.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "board/checkpoint.hpp"
#include "board/index.hpp"

namespace mineproof {

namespace {

// About ten milliseconds of work per cell: groups filled and clues of corrections examined.
constexpr std::int64_t most_work = 1'000'000;

}  // namespace

Prover::Prover(const Posterior& posterior, std::size_t most_sets,
               std::span<const std::int32_t> ranks)
    : posterior_(posterior),
      evidence_(posterior.evidence()),
      most_sets_(most_sets),
      ranks_(ranks),
      counterexamples_(evidence_, posterior.sample(1, 0)),
      by_clues_(posterior.settled_by_clues()),
      use_(at(evidence_.topology.cells()), Use::open),
      last_round_(at(evidence_.topology.cells()), 0) {}

Proof Prover::prove(std::int32_t cell) {
    assert(posterior_.is_certain(cell));
    if (!counterexamples_.unknown(cell)) return {{{}}, false, true, true, true};
    Cells around;
    for (const auto clue : evidence_.topology.neighbours(cell))
        if (evidence_.counts_as_clue(clue)) around.push_back(clue);
    std::pair key{std::move(around), counterexamples_.mined(cell)};
    auto known = known_.find(key);
    if (known == known_.end()) {
        cell_ = cell;
        // Step 1. By clues or by the total?
        with_total_ = !by_clues_[at(cell)];
        known = known_.emplace(std::move(key), search()).first;
    }
    return known->second;
}

Proof Prover::search() {
    checkpoint(most_work / 10);
    work_left_ = most_work;
    stopped_ = false;
    corrections_.clear();
    found_.clear();
    rank_found_ = std::numeric_limits<std::int32_t>::max();
    Cells chosen;
    // Step 2. Sets are tried by size, so the first ones found are the smallest.
    for (std::size_t size = 0; size <= Counterexamples::most_clues; ++size) {
        extend(chosen, size);
        if (stopped_ || !found_.empty()) break;
    }
    if (found_.empty()) return shrink();
    std::sort(found_.begin(), found_.end());
    return {std::move(found_), with_total_, true, !stopped_, true};
}

// Finds all proofs of at most `size` clues that contain the chosen clues and no excluded one.
void Prover::extend(Cells& chosen, std::size_t size) {
    auto next = next_correction(size - chosen.size());
    if (!next.correction && !next.too_many) {
        if (test_set(chosen)) return;
        next = next_correction(size - chosen.size());
    }
    if (stopped_ || next.too_many) return;
    const auto correction = *next.correction;  // a copy, because the search finds more
    Cells tried;
    for (const auto clue : correction) {
        if (!may_choose(clue)) continue;
        use_[at(clue)] = Use::chosen;
        chosen.push_back(clue);
        extend(chosen, size);
        chosen.pop_back();
        use_[at(clue)] = Use::excluded;
        tried.push_back(clue);
        if (stopped_ || outranked(chosen)) break;
    }
    for (const auto clue : tried)
        use_[at(clue)] = Use::open;
}

// Whether to stop here, because a proof was found or the work limit is reached. If not, there is a
// new correction.
bool Prover::test_set(const Cells& chosen) {
    switch (counterexamples_.find(cell_, chosen, with_total_, work_left_)) {
        case Counterexamples::Answer::found: {
            const auto& broken = counterexamples_.broken();
            const auto shorter = [](const Cells& a, const Cells& b) { return a.size() < b.size(); };
            corrections_.insert(
                std::upper_bound(corrections_.begin(), corrections_.end(), broken, shorter),
                broken);
            return false;
        }
        case Counterexamples::Answer::none:
            record(chosen);
            return true;
        case Counterexamples::Answer::gave_up:
            break;
    }
    stopped_ = true;
    return true;
}

void Prover::record(const Cells& chosen) {
    if (!ranks_.empty()) {
        found_.clear();
        rank_found_ = 0;
        for (const auto clue : chosen)
            rank_found_ = std::max(rank_found_, ranks_[at(clue)]);
    }
    stopped_ = found_.size() == most_sets_;
    if (stopped_) return;
    found_.push_back(chosen);
    std::sort(found_.back().begin(), found_.back().end());
}

bool Prover::may_choose(std::int32_t clue) const {
    return use_[at(clue)] == Use::open && (ranks_.empty() || ranks_[at(clue)] < rank_found_);
}

bool Prover::outranked(const Cells& chosen) const {
    return !ranks_.empty() && std::any_of(chosen.begin(), chosen.end(), [&](std::int32_t clue) {
        return ranks_[at(clue)] >= rank_found_;
    });
}

Prover::NextCorrection Prover::next_correction(std::size_t clues_left) {
    NextCorrection result;
    std::size_t fewest = 0;
    std::size_t apart = 0;  // corrections without a common clue; each needs a clue of its own
    ++round_;
    for (const auto& correction : corrections_) {
        work_left_ -= static_cast<std::int64_t>(correction.size());
        std::size_t choices = 0;
        bool is_met = false;
        bool shares = false;
        for (const auto clue : correction) {
            is_met = is_met || use_[at(clue)] == Use::chosen;
            if (!may_choose(clue)) continue;
            ++choices;
            shares = shares || last_round_[at(clue)] == round_;
        }
        if (is_met) continue;
        if (!result.correction || choices < fewest) {
            result.correction = &correction;
            fewest = choices;
        }
        if (shares) continue;
        if (choices == 0 || ++apart > clues_left) {
            result.too_many = true;
            return result;
        }
        for (const auto clue : correction)
            last_round_[at(clue)] = round_;
    }
    if (work_left_ < 0) stopped_ = true;
    return result;
}

// If the search takes too long, an irreducible set has to do. On a huge board even that may take
// too long, and then the next cell gets less work.
Proof Prover::shrink() {
    std::vector<std::int8_t> cells(evidence_.cells.begin(), evidence_.cells.end());
    cells[at(cell_)] = counterexamples_.mined(cell_) ? cell::known_safe : cell::exploded;
    const Evidence flipped{evidence_.topology, cells, evidence_.prior, evidence_.channel,
                           evidence_.trust_flags};
    Cells around;
    for (const auto clue : evidence_.topology.neighbours(cell_))
        if (evidence_.counts_as_clue(clue)) around.push_back(clue);
    const auto clash = with_total_ ? explain_total_clash(flipped, work_limit_)
                                   : explain_clash(flipped, around, work_limit_);
    if (!clash.irreducible) work_limit_ /= 2;
    return {{clash.clues}, with_total_, false, false, clash.irreducible};
}

}  // namespace mineproof
