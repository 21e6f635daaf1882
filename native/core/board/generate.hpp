// Random boards: where the mines of a seed are, which cells the start rule protects, and which safe
// cells are given.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "board/topology.hpp"

namespace mineproof {

// What the start rule protects: nothing, the first cell, or the first cell and its neighbours.
enum class Start { any, safe, zero };

// The most mines that a board can hold under a start rule.
std::int64_t most_mines(const Topology& topology, Start start);

// The mines of a seed, one byte per cell: the first cells of the seed's permutation that the start
// rule does not protect. If too few cells are left, protected neighbours get mines as well, those
// last in the permutation first. `first` matters only under `safe` and `zero`. Throws
// std::invalid_argument if the mines do not fit.
std::vector<std::uint8_t> lay_mines(const Topology& topology, std::int64_t mines,
                                    std::uint64_t seed, Start start, std::int32_t first);

// The cells that the start rule makes known to be safe: `first`, then its neighbours. Throws
// std::invalid_argument if the board breaks the rule, that is, if `first` is mined, or if one of
// its neighbours is although there is room elsewhere.
std::vector<std::int32_t> protected_cells(const Topology& topology,
                                          std::span<const std::uint8_t> mines, Start start,
                                          std::int32_t first);

// The last `count` safe cells of the seed's permutation, ascending. Mines are laid from the front
// of the permutation, so another mine rarely changes which cells are given. Throws
// std::invalid_argument if there are fewer safe cells.
std::vector<std::int32_t> given_safe(std::span<const std::uint8_t> mines, std::int64_t count,
                                     std::uint64_t seed);

}  // namespace mineproof
