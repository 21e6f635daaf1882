// Estimates risks when exact counting is too expensive: random walks through layouts, every step of
// which is exact.
#pragma once

#include <memory>
#include <span>
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
};

// `parts` are the counted components, with null for those that are too wide. Throws BudgetExceeded
// if the estimate is not reliable.
Estimate estimate(const Question& question, const Frontier& frontier,
                  std::span<const std::shared_ptr<const Layouts>> parts, const Outside& outside);

}  // namespace mineproof
