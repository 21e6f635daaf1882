// What inference may use: what is seen, how mines were laid, and how clues come about.
#pragma once

#include <cstdint>
#include <span>

#include "board/model.hpp"
#include "board/topology.hpp"

namespace mineproof {

// A view: it owns nothing.
struct Evidence {
    const Topology& topology;
    std::span<const std::int8_t> cells;  // codes of cell.hpp
    Prior prior;
    const Channel& channel;
    bool trust_flags = false;
};

// Evidence may come with a query: a cell whose true count is asked for. The cell is taken to be
// safe, and its count is left open.
inline constexpr std::int32_t no_query = -1;

}  // namespace mineproof
