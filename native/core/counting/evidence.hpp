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

// A cell whose true count is asked for: it is taken to be safe, and its count is left open.
inline constexpr std::int32_t no_probe = -1;

}  // namespace mineproof
