// What inference may answer instead of a posterior.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace mineproof {

// No layout fits.
struct Contradiction : std::runtime_error {
    Contradiction(std::vector<std::int32_t> clue_cells, bool with_total, bool none_spare)
        : std::runtime_error("no layout fits"),
          clues(std::move(clue_cells)),
          total(with_total),
          irreducible(none_spare) {}

    std::vector<std::int32_t> clues;  // they cannot be met together
    bool total;                       // with the mine total, not by themselves
    bool irreducible;                 // none of them can go; false if that took too long to tell
};

// The question is too wide for its budget, and no trustworthy estimate came about.
struct BudgetExceeded : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace mineproof
