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

// What makes a position promising: its safest cell, its second safest one, and how many cells are
// certainly safe. These weights were fitted to the chance to win after guesses made at random.
struct Outlook {
    double second = 0.33;      // weight of the second safest cell; the safest has the rest
    double certainty = 0.018;  // weight of the logarithm of the number of safe cells

    // The safeties are 1 for cells that are certainly safe.
    double value(double safest, double second_safest, std::size_t safe_cells) const;
    // No position has a higher value.
    double most() const;
};

struct Candidate {
    std::int32_t cell;
    double risk;
    double value;     // the chance that it is safe, times the mean outlook after its clue
    double progress;  // the chance that this cell is safe and makes another one safe
};

// The cells to compare, by ascending risk.
std::vector<Candidate> select(const Position& position, const Conclusion& conclusion,
                              const Selection& selection);

// Fills in value and progress. Tries every clue on the position and takes it back. A clue that was
// tried before allocates nothing.
void look_ahead(Position& position, const Conclusion& conclusion, const Outlook& outlook,
                Concluder& concluder, Candidate& candidate);

// Selects, looks ahead and puts the best candidate first: the one with the highest value, among
// equals the one with the most progress. A cell may be left out once it cannot be the best. No
// closed cell may be certainly safe.
std::vector<Candidate> compare_guesses(Position& position, const Conclusion& conclusion,
                                       const Selection& selection, const Outlook& outlook);

}  // namespace mineproof
