// Where to guess: looks at every clue that a cell may show, and at the best cell after it.
#pragma once

#include <cstdint>
#include <vector>

#include "posterior/conclusion.hpp"
#include "posterior/position.hpp"

namespace mineproof {

// Which cells to compare.
struct Selection {
    std::size_t most = 12;        // cells
    double least_safety = 0.85;   // relative to the safest cell
    std::size_t most_inside = 4;  // of the cells beyond the frontier, which are equally safe
};

struct Candidate {
    std::int32_t cell;
    double risk;
    double survival;  // the chance to survive this cell and the best one after it
    double progress;  // the chance that this cell is safe and makes another one safe
};

// The cells to compare, by ascending risk.
std::vector<Candidate> select(const Position& position, const Conclusion& conclusion,
                              const Selection& selection);

// Fills in survival and progress. Tries every clue on the position and takes it back.
void look_ahead(Position& position, const Conclusion& conclusion, Candidate& candidate);

// Selects, looks ahead and puts the best candidate first: the one with the highest survival, among
// equals the one with the most progress. A cell may be left out once it cannot be the best. No
// closed cell may be certainly safe.
std::vector<Candidate> compare_guesses(Position& position, const Conclusion& conclusion,
                                       const Selection& selection);

}  // namespace mineproof
