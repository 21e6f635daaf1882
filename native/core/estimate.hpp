// Risks where exact counting is too dear: an unbiased sampler with a check on itself.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "frontier.hpp"
#include "layouts.hpp"
#include "outside.hpp"

namespace mineproof {

struct Estimate {
    struct Value {
        double mean, error;  // the error is a standard error
    };
    std::vector<std::vector<Value>> box_risk;  // by component, by box
    Value interior_risk{};
    double log_weight = 0.0;
};

// `parts` holds the components counted exactly, and nothing for those too wide. Throws
// BudgetExceeded if the estimate would not be trustworthy.
Estimate estimate(const Frontier& frontier, std::span<const std::shared_ptr<const Layouts>> parts,
                  const Outside& outside, Budget budget);

}  // namespace mineproof
