#include "player.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "errors.hpp"
#include "index.hpp"

namespace mineproof {

namespace {

// Risks closer than this are equal.
constexpr double tie = 1e-9;

// Any cell that may be opened is as good as another.
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

// The first of the cells of lowest risk, or -1 where every closed cell is a mine.
std::int32_t least_risky(std::span<const double> risk) {
    double lowest = 1.0;
    for (const auto value : risk)
        if (value < lowest) lowest = value;
    if (lowest == 1.0) return -1;
    const auto first = std::ranges::find_if(risk, [&](double r) { return r <= lowest + tie; });
    return static_cast<std::int32_t>(first - risk.begin());
}

}  // namespace

Decision ExactPlayer::decide(Question question) {
    const auto cells = question.cells;
    // It flags only what it has proved, so its flags save proving it again.
    question.trust_flags = true;
    std::optional<Posterior> posterior;
    try {
        posterior.emplace(std::move(question), budget_, Width::may_estimate);
    } catch (const BudgetExceeded&) {
        return open_any(cells, random_);
    }
    Decision decision{{}, Reason::proved};
    // Flags first: they stand even where the opening ends the game.
    for (const auto place : posterior->mined())
        if (cells[at(place)] != cell::flagged)
            decision.actions.push_back({{MoveKind::flag, place}, true, 1.0});
    const auto safe = posterior->safe();
    for (const auto place : safe)
        decision.actions.push_back({{MoveKind::open, place}, true, 0.0});
    if (!safe.empty()) return decision;
    const auto best = least_risky(posterior->risk());
    if (best < 0) return decision;
    decision.actions.push_back({{MoveKind::open, best}, false, posterior->risk()[at(best)]});
    decision.reason = Reason::least_risky;
    return decision;
}

}  // namespace mineproof
