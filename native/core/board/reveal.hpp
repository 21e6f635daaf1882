// What opening a safe cell shows: the cell and, around zeros, all that follows.
#pragma once

#include <cstdint>
#include <vector>

#include "board/topology.hpp"

namespace mineproof {

// Opens what follows from zeros that are open. `show(cell)` shows a cell and returns whether its
// neighbours follow; `can_open(cell)` says whether one of them may. Leaves `zeros` empty.
template <class Show, class CanOpen>
void cascade(const Topology& topology, std::vector<std::int32_t>& zeros, Show show,
             CanOpen can_open) {
    while (!zeros.empty()) {
        const auto zero = zeros.back();
        zeros.pop_back();
        for (const auto near : topology.neighbours(zero))
            if (can_open(near) && show(near)) zeros.push_back(near);
    }
}

// Opens a safe cell and what follows from it. `zeros` is memory to work in.
template <class Show, class CanOpen>
void reveal(const Topology& topology, std::int32_t cell, std::vector<std::int32_t>& zeros,
            Show show, CanOpen can_open) {
    zeros.clear();
    if (show(cell)) zeros.push_back(cell);
    cascade(topology, zeros, show, can_open);
}

}  // namespace mineproof
