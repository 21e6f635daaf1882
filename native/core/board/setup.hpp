// All conditions of a game except its seed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "board/generate.hpp"
#include "board/model.hpp"
#include "board/topology.hpp"

namespace mineproof {

struct Rules {
    bool keep_going = false;  // an exploded mine does not end the game
    bool cascade = true;      // a zero opens its neighbours; never under a noisy channel
    // If set, clues are late: after each later opening, one arrives with this chance.
    std::optional<double> arrival = {};
};

struct Setup {
    // Instead of a first cell: what the start rule says, or drawn by the seed.
    static constexpr std::int32_t by_rule = -1;
    static constexpr std::int32_t drawn = -2;

    std::shared_ptr<const Topology> topology;
    std::int64_t mines = 0;
    Start start = Start::safe;
    Rules rules = {};
    std::int64_t given_safe = 0;
    std::shared_ptr<const Channel> channel;
    std::int32_t first = by_rule;

    // Whether the mines are laid around the cell that is opened first, whichever it is.
    bool laid_by_opening() const { return first == by_rule && start != Start::any; }
};

// The cell that the game of a seed opens first; -1 if the player chooses it.
std::int32_t first_cell(const Setup& setup, std::uint64_t seed);

// Where the mines are, one byte per cell, and which cells are known to be safe from the start.
struct Laid {
    std::vector<std::uint8_t> mines;
    std::vector<std::int32_t> known_safe;
};

// Lays the mines of a seed around a first cell.
Laid lay(const Setup& setup, std::uint64_t seed, std::int32_t first);
// Finds what is known of given mines. Throws std::invalid_argument if they break the start rule.
std::vector<std::int32_t> known_safe(const Setup& setup, std::uint64_t seed, std::int32_t first,
                                     std::span<const std::uint8_t> mines);

}  // namespace mineproof
