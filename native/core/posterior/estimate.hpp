// Estimates risks when exact counting is too expensive: random walks through layouts, every step of
// which is exact.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "counting/frontier.hpp"
#include "counting/layouts.hpp"
#include "posterior/outside.hpp"
#include "posterior/question.hpp"

namespace mineproof {

// By cell; meaningless if the cell is not closed or a single clue settles it.
struct Estimate {
    std::vector<double> risk;
    std::vector<double> error;  // a standard error
    // Cells of wide components that few clues settle already.
    std::vector<std::int32_t> safe, mined;
};

// What an estimate may spend, whatever the size of the board.
struct EstimateLimits {
    // To count single components that the budget of the question left out.
    Budget per_component{.nodes = 3'000'000, .bytes = std::int64_t{1} << 27};
    // To redraw one large block, in planned transitions, and in addition for every box.
    double per_redraw = 5'000.0;
    double per_box = 25.0;
    // For all redraws together. They take about ten seconds.
    double transitions = 100e6;
    std::size_t cells = 5000;
};

// `parts` are the counted components, with null for those that are too wide. Some of these may be
// counted now. Throws BudgetExceeded if the estimate is not reliable, and Contradiction if no
// layout fits.
Estimate estimate(const Question& question, const Frontier& frontier,
                  std::vector<std::shared_ptr<const Layouts>>& parts, const Outside& outside,
                  const EstimateLimits& limits = {});

}  // namespace mineproof
