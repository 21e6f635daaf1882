// How much there is to open on a board.
#pragma once

#include <cstdint>
#include <span>

#include "board/topology.hpp"

namespace mineproof {

struct Measures {
    std::int32_t openings = 0;  // connected regions of zeros
    std::int32_t islands = 0;   // connected regions of safe cells that no opening shows
    std::int32_t bbbv = 0;      // the fewest cells to open that win: openings and cells of islands
};

Measures measure(const Topology& topology, std::span<const std::uint8_t> mines);

}  // namespace mineproof
