// Random boards: where the mines of a seed lie, and which safe cells are given.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "board/topology.hpp"

namespace mineproof {

// What the start rule protects: nothing, the first cell, or it and its neighbours.
enum class Start { any, safe, zero };

// A mask of `mines` mines: the first cells, in the seed's permutation, that are not protected.
// Where too few are left, protected neighbours are given up, last in the permutation first.
// `first` counts under `safe` and `zero` only. Throws std::invalid_argument where mines do not
// fit.
std::vector<std::uint8_t> lay_mines(const Topology& topology, std::int64_t mines,
                                    std::uint64_t seed, Start start, std::int32_t first);

// The last `count` safe cells of the seed's permutation, ascending. A permutation does not favour
// a safe cell over another, and its end does not move when mines are added at its beginning.
// Throws std::invalid_argument where there are fewer safe cells.
std::vector<std::int32_t> given_safe(std::span<const std::uint8_t> mines, std::int64_t count,
                                     std::uint64_t seed);

}  // namespace mineproof
