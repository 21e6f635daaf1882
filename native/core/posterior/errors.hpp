// Why inference may fail to give a posterior.
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

    std::vector<std::int32_t> clues;  // they clash
    bool total;                       // only together with the mine total
    bool irreducible;                 // every clue is needed; false if checking took too long
};

// The question is too wide for its budget, and an estimate is not wanted or not reliable.
struct BudgetExceeded : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace mineproof
