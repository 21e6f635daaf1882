#include "play/player.hpp"

#include <algorithm>
#include <cmath>
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
    Decision decision{{}, [] { return "the position cannot be judged: a random cell"; }};
    if (!places.empty())
        decision.actions.push_back({{MoveKind::open, places[random.below(places.size())]}});
    return decision;
}

double lowest_risk(const Position& position, const Conclusion& conclusion) {
    double lowest = position.interior() > 0 ? conclusion.interior_risk
                                            : std::numeric_limits<double>::infinity();
    for (const auto risk : conclusion.box_risk)
        lowest = std::min(lowest, risk);
    return lowest;
}

}  // namespace

void ExactPlayer::begin(std::uint64_t seed) {
    random_ = Random(seed);
    position_.reset();
    chains_.reset();
    opened_.clear();
    ignored_.clear();
}

Decision ExactPlayer::decide(const Question& question) {
    if (preference_ == Preference::short_chain) follow(question);
    opened_.clear();
    if (chains_) seen_ = question.cells;
    Judgement judgement;
    try {
        if (belief_ == Belief::told) {
            judgement = judge(question);
        } else if (auto found = judge_as_exact(question)) {
            judgement = std::move(*found);
        } else {
            return open_any(question.cells, random_);
        }
    } catch (const BudgetExceeded&) {
        return open_any(question.cells, random_);
    } catch (...) {
        position_.reset();  // it may have been stopped in the middle of a move
        throw;
    }
    Decision decision{{}, [] { return "proved: true in every layout that fits"; }};
    // Flags come first, because opening a cell may end the game.
    for (const auto place : judgement.mined)
        if (question.cells[at(place)] != cell::flagged)
            decision.actions.push_back(certainly(MoveKind::flag, place));
    const bool guesses = judgement.safe.empty() && judgement.best >= 0;
    // A flag on a safe cell is the mistake of a wrong model, and is removed.
    for (const auto place : guesses ? std::vector{judgement.best} : judgement.safe)
        if (question.cells[at(place)] == cell::flagged)
            decision.actions.push_back({{MoveKind::unflag, place}});
    for (const auto place : judgement.safe)
        decision.actions.push_back(certainly(MoveKind::open, place));
    if (guesses) {
        decision.actions.push_back({{MoveKind::open, judgement.best}, false, judgement.risk});
        decision.reason = [why = judgement.why] { return why; };
        decision.ending = judgement.ending;
    }
    if (chains_)
        for (const auto& action : decision.actions)
            if (action.move.kind == MoveKind::open) opened_.push_back(action.move.cell);
    return decision;
}

// Takes all clues for exact, but those that clashed for none. Returns nothing if the position
// cannot be judged even so.
std::optional<ExactPlayer::Judgement> ExactPlayer::judge_as_exact(const Question& question) {
    auto believed = question;
    believed.channel = std::make_shared<Channel>();
    while (true) {
        for (const auto clue : ignored_)
            believed.cells[at(clue)] = cell::no_clue;
        try {
            return judge(believed);
        } catch (const Contradiction& clash) {
            if (clash.clues.empty()) return std::nullopt;
            ignored_.push_back(clash.clues.front());
        }
    }
}

ExactPlayer::Judgement ExactPlayer::judge(const Question& question) {
    return chains_ ? judge_afresh(question) : judge_following(question);
}

// Follows the game from one decision to the next. The player flags only mines that it has proved,
// so trusting its flags saves proving them again. But a wrong model may prove what is false.
ExactPlayer::Judgement ExactPlayer::judge_following(const Question& question) {
    if (!position_ || !position_->follow(question.cells)) {
        auto followed = question;
        followed.trust_flags = belief_ == Belief::told;
        position_.emplace(std::move(followed), cache_, budget_);
    }
    auto& position = *position_;
    if (!position.possible() || !position.within(budget_)) return judge_afresh(question);
    Judgement result;
    const bool complete = position.total_is_slack();
    if (complete)
        position.settled(result.safe, result.mined);
    else
        position.known(result.safe, result.mined);
    if (!complete || result.safe.empty()) {
        const auto conclusion = conclude(position.layouts(), position.outside());
        if (!conclusion) return judge_afresh(question);
        const double lowest = lowest_risk(position, *conclusion);
        if (lowest < 1.0 && lowest + tie >= 1.0) return judge_afresh(question);
        const auto is_certain = [&](double risk) {
            return !complete && (risk == 0.0 || risk == 1.0);
        };
        for_each_unknown(position, *conclusion, is_certain, [&](std::int32_t place, double risk) {
            (risk == 0.0 ? result.safe : result.mined).push_back(place);
        });
        const auto is_least = [&](double risk) { return lowest < 1.0 && risk <= lowest + tie; };
        for_each_unknown(position, *conclusion, is_least, [&](std::int32_t place, double risk) {
            if (result.best >= 0 && result.best < place) return;
            result.best = place;
            result.risk = risk;
        });
        if (result.safe.empty() && result.best >= 0) guess(position, *conclusion, result);
    }
    std::ranges::sort(result.safe);
    std::ranges::sort(result.mined);
    return result;
}

void ExactPlayer::guess(Position&, const Conclusion&, Judgement&) {}

// Judges a position without the last one: if chains need the clues that prove a mine, if the
// position is too wide to follow, or to say why nothing fits.
ExactPlayer::Judgement ExactPlayer::judge_afresh(Question question) {
    question.trust_flags = !chains_ && belief_ == Belief::told;
    const Posterior posterior(std::move(question), budget_, Precision::may_estimate, &cache_);
    Judgement result{.safe = posterior.safe(), .mined = posterior.mined()};
    const auto& risk = posterior.risk();
    auto least = least_risky(risk);
    // If every closed cell is a mine, there is nothing to open.
    if (std::ranges::all_of(least, [&](std::int32_t place) { return risk[at(place)] == 1.0; }))
        least.clear();
    if (chains_) {
        if (posterior.exact()) chains_->settle(posterior);
        const auto length = [&](std::int32_t place) {
            return chains_->likely_length(place, seen_);
        };
        std::ranges::stable_sort(result.safe, {}, length);
        std::ranges::stable_sort(least, {}, length);
    }
    if (least.empty()) return result;
    result.best = least.front();
    result.risk = risk[at(result.best)];
    return result;
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
