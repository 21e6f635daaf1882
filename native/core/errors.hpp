// What inference may answer instead of a posterior.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace mineproof {

// No layout fits: these clues cannot be met together (with the mine total, where it takes part).
struct Contradiction : std::runtime_error {
    Contradiction(std::vector<std::int32_t> clue_cells, bool with_total)
        : std::runtime_error("no layout fits"), clues(std::move(clue_cells)), total(with_total) {}

    std::vector<std::int32_t> clues;
    bool total;
};

// The question is too wide for its budget, and no trustworthy estimate came about.
struct BudgetExceeded : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace mineproof
