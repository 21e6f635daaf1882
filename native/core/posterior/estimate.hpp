// Risks where exact counting is too dear: chains of layouts, each step of which is exact.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "counting/frontier.hpp"
#include "counting/layouts.hpp"
#include "posterior/outside.hpp"
#include "posterior/question.hpp"

namespace mineproof {

// By cell; meaningless where a cell is not closed or is certain by a single clue.
struct Estimate {
    std::vector<double> risk;
    std::vector<double> error;  // a standard error
};

// `parts` holds the components counted exactly, and nothing for those too wide. Throws
// BudgetExceeded if the estimate would not be trustworthy.
Estimate estimate(const Question& question, const Frontier& frontier,
                  std::span<const std::shared_ptr<const Layouts>> parts, const Outside& outside);

}  // namespace mineproof
