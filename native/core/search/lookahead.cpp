#include "search/lookahead.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "board/cell.hpp"
#include "board/checkpoint.hpp"
#include "board/index.hpp"
#include "board/model.hpp"
#include "posterior/posterior.hpp"

namespace mineproof {

namespace {

// What a safe cell may show.
struct Replies {
    explicit Replies(const Channel& channel, int degree) {
        for (int clue = 0; clue <= degree; ++clue)
            codes[at(count++)] = static_cast<std::int8_t>(clue);
        if (channel.loses_clues) codes[at(count++)] = cell::no_clue;
    }
    std::array<std::int8_t, symbols> codes{};
    int count = 0;
};

struct Outlook {
    double log_weight;
    double safety;  // of the safest cell
    bool progress;  // some cell is certainly safe
};

Outlook look(const Position& position, const Conclusion& conclusion) {
    std::vector<std::int32_t> safe, mined;
    position.known(safe, mined);
    double risk = 1.0;
    for (const auto box : conclusion.box_risk)
        risk = std::min(risk, box);
    if (position.interior() > 0) risk = std::min(risk, conclusion.interior_risk);
    const bool progress = !safe.empty() || risk == 0.0;
    // If only mines are left, the game is won.
    const bool over = risk == 1.0;
    return {conclusion.log_weight, progress || over ? 1.0 : 1.0 - risk, progress || over};
}

}  // namespace

std::vector<Candidate> select(const Position& position, const Conclusion& conclusion,
                              const Selection& selection) {
    const auto& topology = position.topology();
    std::vector<double> risk(at(topology.cells()), std::numeric_limits<double>::quiet_NaN());
    double least = 1.0;
    const auto all = [](double) { return true; };
    for_each_unknown(position, conclusion, all, [&](std::int32_t cell, double value) {
        risk[at(cell)] = value;
        least = std::min(least, value);
    });
    const double limit = 1.0 - (1.0 - least) * selection.least_safety;
    std::vector<Candidate> near;
    std::vector<std::pair<double, Candidate>> inside;
    for (std::int32_t cell = 0; cell < topology.cells(); ++cell) {
        if (!(risk[at(cell)] <= limit)) continue;
        const Candidate candidate{cell, risk[at(cell)], 0.0, 0.0};
        if (position.knowledge(cell) != Knowledge::unknown) {
            near.push_back(candidate);
            continue;
        }
        // A zero opens most, and a cell that touches the frontier tells about it.
        double chance_of_zero = 0.0;
        double touching = 0.0;
        for (const auto neighbour : topology.neighbours(cell)) {
            const auto beside = risk[at(neighbour)];
            if (std::isnan(beside)) continue;
            chance_of_zero += std::log1p(-std::min(beside, 0.999));
            touching += position.knowledge(neighbour) != Knowledge::unknown;
        }
        inside.emplace_back(-chance_of_zero - 0.05 * touching, candidate);
    }
    std::ranges::stable_sort(inside, {}, [](const auto& entry) { return entry.first; });
    if (inside.size() > selection.most_inside) inside.resize(selection.most_inside);
    for (const auto& entry : inside)
        near.push_back(entry.second);
    std::ranges::stable_sort(near, [](const Candidate& a, const Candidate& b) {
        return std::tuple(a.risk, a.cell) < std::tuple(b.risk, b.cell);
    });
    if (near.size() > selection.most) near.resize(selection.most);
    return near;
}

void look_ahead(Position& position, const Conclusion& conclusion, Candidate& candidate) {
    const Replies replies(*position.question().channel, position.topology().degree(candidate.cell));
    double all = 0.0;
    double survived = 0.0;
    double progress = 0.0;
    for (int i = 0; i < replies.count; ++i) {
        checkpoint(position.topology().cells());
        if (position.open(candidate.cell, replies.codes[at(i)]) && position.counted())
            if (const auto after = conclude(position.layouts(), position.outside())) {
                const auto outlook = look(position, *after);
                const double weight = std::exp(outlook.log_weight - conclusion.log_weight);
                all += weight;
                survived += weight * outlook.safety;
                progress += outlook.progress ? weight : 0.0;
            }
        position.undo();
    }
    // Weights share an unknown factor unless the total is known, so they only say how the chance to
    // be safe is divided.
    const double share = all > 0.0 ? (1.0 - candidate.risk) / all : 0.0;
    candidate.survival = survived * share;
    candidate.progress = progress * share;
}

std::vector<Candidate> compare_guesses(Position& position, const Conclusion& conclusion,
                                       const Selection& selection) {
    auto candidates = select(position, conclusion, selection);
    std::vector<Candidate> compared;
    std::size_t best = 0;
    for (auto& candidate : candidates) {
        // The next cell may be perfectly safe, but not more.
        if (!compared.empty() && 1.0 - candidate.risk < compared[best].survival - tie) continue;
        look_ahead(position, conclusion, candidate);
        compared.push_back(candidate);
        const auto& first = compared[best];
        const double gain = candidate.survival - first.survival;
        if (gain > tie || (gain > -tie && candidate.progress > first.progress + tie))
            best = compared.size() - 1;
    }
    if (!compared.empty()) std::swap(compared[0], compared[best]);
    std::ranges::stable_sort(compared.begin() + std::min<std::ptrdiff_t>(1, std::ssize(compared)),
                             compared.end(), std::greater{}, &Candidate::survival);
    return compared;
}

}  // namespace mineproof
