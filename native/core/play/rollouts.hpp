// Guesses tried on sampled boards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "posterior/posterior.hpp"
#include "search/lookahead.hpp"

namespace mineproof {

// The chances to win by opening each of some cells and playing on quickly: a row per board, which
// is drawn from the posterior. Games do not end at a mine: the chance that a guess is safe is
// multiplied in, and if the cell is a mine, another board is drawn in which it is not. Endings
// count by their exact chances. So the mean of a column is the chance to win, with much less noise
// than the share of games won. Clues must be exact and the total known. Throws BudgetExceeded if a
// position is too wide.
std::vector<double> roll_out(const Posterior& posterior, std::span<const std::int32_t> cells,
                             std::size_t boards, std::uint64_t seed);

// The candidate that wins most, as far as the boards can tell: the less they agree, the more the
// look-ahead counts. The first candidate must be the best by look-ahead.
const Candidate& try_on_boards(const Posterior& posterior, std::span<const Candidate> candidates,
                               std::size_t boards);

}  // namespace mineproof
