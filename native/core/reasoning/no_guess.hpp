// Boards that can be solved from the first cell without a guess.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "board/generate.hpp"
#include "board/topology.hpp"
#include "reasoning/reasoner.hpp"

namespace mineproof {

struct NoGuessBoard {
    std::vector<std::uint8_t> mines;  // one byte per cell
    Technique technique;              // the hardest that is needed
};

// Looks for a board that the techniques up to `hardest` solve; if it is `needed`, for one that
// simpler techniques do not solve. Each of the steps changes a board or checks one from its start.
//
// The search starts with the board of the seed and solves it. Where the reasoner is stuck, a few
// mines are moved so that it can go on, as in Simon Tatham's Mines. A board is found when it is
// solved from the start without any change. The start rule must not be `any`. Throws
// std::invalid_argument if the mines do not fit.
std::optional<NoGuessBoard> find_no_guess(std::shared_ptr<const Topology> topology,
                                          std::int64_t mines, Start start, std::int32_t first,
                                          Technique hardest, bool needed, std::uint64_t seed,
                                          std::int64_t steps);

}  // namespace mineproof
