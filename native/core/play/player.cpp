#include "play/player.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "board/index.hpp"
#include "posterior/errors.hpp"

namespace mineproof {

namespace {

// Opens a random cell, because nothing is known about any of them.
Decision open_any(std::span<const std::int8_t> cells, Random& random) {
    std::vector<std::int32_t> places;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i] == cell::closed || cells[i] == cell::known_safe)
            places.push_back(static_cast<std::int32_t>(i));
    Decision decision{{}, Reason::cannot_judge};
    if (!places.empty())
        decision.actions.push_back({{MoveKind::open, places[random.below(places.size())]},
                                    false,
                                    std::numeric_limits<double>::quiet_NaN()});
    return decision;
}

}  // namespace

void ExactPlayer::begin(std::uint64_t seed) {
    random_ = Random(seed ^ agent_stream);
    chains_.reset();
    opened_.clear();
}

Decision ExactPlayer::decide(Question question) {
    auto decision = choose(std::move(question));
    opened_.clear();
    for (const auto& action : decision.actions)
        if (action.move.kind == MoveKind::open) opened_.push_back(action.move.cell);
    return decision;
}

Decision ExactPlayer::choose(Question question) {
    const auto cells = question.cells;
    if (preference_ == Preference::short_chain) follow(question);
    // The player flags only mines that it has proved, so trusting its flags saves proving them
    // again. But chains need the clues that prove a mine.
    question.trust_flags = !chains_;
    std::optional<Posterior> posterior;
    try {
        posterior.emplace(std::move(question), budget_, Precision::may_estimate);
    } catch (const BudgetExceeded&) {
        return open_any(cells, random_);
    }
    Decision decision{{}, Reason::proved};
    // Flags come first, because opening a cell may end the game.
    for (const auto place : posterior->mined())
        if (cells[at(place)] != cell::flagged)
            decision.actions.push_back({{MoveKind::flag, place}, true, 1.0});
    auto safe = posterior->safe();
    const auto& risk = posterior->risk();
    auto least = least_risky(risk);
    // If every closed cell is a mine, there is nothing to open.
    if (std::ranges::all_of(least, [&](std::int32_t place) { return risk[at(place)] == 1.0; }))
        least.clear();
    if (chains_) {
        if (posterior->exact()) chains_->settle(*posterior);
        const auto length = [&](std::int32_t place) {
            return chains_->likely_length(place, cells);
        };
        std::ranges::stable_sort(safe, {}, length);
        std::ranges::stable_sort(least, {}, length);
    }
    for (const auto place : safe)
        decision.actions.push_back({{MoveKind::open, place}, true, 0.0});
    if (!safe.empty() || least.empty()) return decision;
    const auto best = least.front();
    decision.actions.push_back({{MoveKind::open, best}, false, risk[at(best)]});
    decision.reason = Reason::least_risky;
    return decision;
}

// Records what was opened since the last decision; at the first decision, all open cells.
void ExactPlayer::follow(const Question& question) {
    if (!chains_) {
        chains_.emplace(question.topology, question.channel->exact);
        for (std::size_t i = 0; i < question.cells.size(); ++i)
            if (cell::is_open(question.cells[i])) opened_.push_back(static_cast<std::int32_t>(i));
    }
    chains_->open(opened_, question.cells);
}

}  // namespace mineproof
