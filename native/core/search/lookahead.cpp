#include "search/lookahead.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

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

// More safe cells than this add nothing.
constexpr std::size_t enough = 20;

// The safest cells of a position.
struct Safest {
    double first = 0.0;  // safety
    double second = 0.0;
    std::size_t certain = 0;  // number of cells that are certainly safe
};

// Cells of one box count once, unless they are certainly safe: a clue that settles one of them
// usually settles the others.
Safest safest(const Position& position, const Conclusion& conclusion) {
    Safest result;
    const auto add = [&](double risk, std::size_t cells) {
        if (risk == 0.0) {
            result.certain += cells;
            return;
        }
        result.second = std::max(result.second, std::min(result.first, 1.0 - risk));
        result.first = std::max(result.first, 1.0 - risk);
    };
    position.for_each_known(
        [&](std::int32_t, Knowledge knowledge) { result.certain += knowledge == Knowledge::safe; });
    auto risk = conclusion.box_risk.begin();
    for (std::size_t i = 0; i < position.components(); ++i)
        for (const auto& box : position.component(i).boxes)
            add(*risk++, box.size);
    if (position.interior() > 0) add(conclusion.interior_risk, at(position.interior()));
    if (result.first == 0.0) return {1.0, 1.0, enough};  // nothing is uncertain: the game is won
    if (result.second == 0.0) result.second = result.first;
    for (std::size_t i = 0; i < std::min<std::size_t>(result.certain, 2); ++i)
        result.second = std::exchange(result.first, 1.0);
    return result;
}

}  // namespace

double Outlook::value(double safest, double second_safest, std::size_t safe_cells) const {
    return (1.0 - second) * safest + second * second_safest +
           certainty * std::log1p(static_cast<double>(std::min(safe_cells, enough)));
}

double Outlook::most() const {
    return value(1.0, 1.0, enough);
}

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

void look_ahead(Position& position, const Conclusion& conclusion, const Outlook& outlook,
                Concluder& concluder, Candidate& candidate) {
    const Replies replies(*position.question().channel, position.topology().degree(candidate.cell));
    double all = 0.0;
    double value = 0.0;
    double progress = 0.0;
    for (int i = 0; i < replies.count; ++i) {
        checkpoint(position.topology().cells());
        if (position.open(candidate.cell, replies.codes[at(i)]) && position.counted())
            if (const auto* after = concluder.conclude(position.layouts(), position.outside())) {
                const auto [first, second, certain] = safest(position, *after);
                const double weight = std::exp(after->log_weight - conclusion.log_weight);
                all += weight;
                value += weight * outlook.value(first, second, certain);
                progress += certain > 0 ? weight : 0.0;
            }
        position.undo();
    }
    // Weights share an unknown factor unless the total is known, so they only say how the chance to
    // be safe is divided.
    const double share = all > 0.0 ? (1.0 - candidate.risk) / all : 0.0;
    candidate.value = value * share;
    candidate.progress = progress * share;
}

std::vector<Candidate> compare_guesses(Position& position, const Conclusion& conclusion,
                                       const Selection& selection, const Outlook& outlook) {
    auto candidates = select(position, conclusion, selection);
    Concluder concluder;
    std::vector<Candidate> compared;
    std::size_t best = 0;
    for (auto& candidate : candidates) {
        const double bound = (1.0 - candidate.risk) * outlook.most();
        if (!compared.empty() && bound < compared[best].value - tie) continue;
        look_ahead(position, conclusion, outlook, concluder, candidate);
        compared.push_back(candidate);
        const auto& first = compared[best];
        const double gain = candidate.value - first.value;
        if (gain > tie || (gain > -tie && candidate.progress > first.progress + tie))
            best = compared.size() - 1;
    }
    if (!compared.empty()) std::swap(compared[0], compared[best]);
    std::ranges::stable_sort(compared.begin() + std::min<std::ptrdiff_t>(1, std::ssize(compared)),
                             compared.end(), std::greater{}, &Candidate::value);
    return compared;
}

}  // namespace mineproof
