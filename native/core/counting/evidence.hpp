// What inference may use: what is seen, how mines were laid, and how clues come about.
#pragma once

#include <cstdint>
#include <span>

#include "board/cell.hpp"
#include "board/index.hpp"
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

    // Whether the cell says something about its neighbours: it shows a clue, or it shows none under
    // a channel that may lose clues.
    bool counts_as_clue(std::int32_t cell) const {
        const auto code = cells[at(cell)];
        return cell::is_clue(code) || (code == cell::no_clue && channel.loses_clues);
    }
};

}  // namespace mineproof
