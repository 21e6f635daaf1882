// Many observations of boards of the same size, answered by several threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "posterior/solver.hpp"

namespace mineproof {

// What was found out about an observation.
enum class Finding : std::uint8_t {
    exact,     // exact risks
    estimate,  // estimated risks
    nothing,   // too wide for the budget, and an estimate would not be reliable
    clash      // no layout fits
};

struct ManyAnswers {
    std::vector<double> risk;  // by observation, then by cell; NaN where there is none
    std::vector<Finding> found;
};

// `question` says what the observations have in common. `cells` has the codes of all of them,
// `mines` the totals; without any, the prior is that of the question.
ManyAnswers infer_many(const Question& question, std::span<const std::int8_t> cells,
                       std::span<const std::int64_t> mines, Budget budget, int threads);

}  // namespace mineproof
