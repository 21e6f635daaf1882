// The question put to inference: what is seen, how mines were laid, and how clues come about.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "cell.hpp"
#include "topology.hpp"

namespace mineproof {

// The symbol of the channel's table that stands for "open, but no clue shown".
inline constexpr int no_clue_symbol = max_degree + 1;
inline constexpr int symbols = max_degree + 2;

// P(seen | true count, neighbours), the same table the game draws clues from.
struct Channel {
    bool exact = true;
    bool loses_clues = false;  // an open cell may show nothing
    std::array<double, (max_degree + 1) * (max_degree + 1) * symbols> table{};

    double likelihood(int neighbours, int true_count, int seen) const {
        return table[place(neighbours, true_count, seen)];
    }
    double& likelihood(int neighbours, int true_count, int seen) {
        return table[place(neighbours, true_count, seen)];
    }

  private:
    static std::size_t place(int neighbours, int true_count, int seen) {
        const auto row = neighbours * (max_degree + 1) + true_count;
        return static_cast<std::size_t>(row * symbols + seen);
    }
};

// How mines were laid before anything was seen.
struct Prior {
    enum class Kind { total, density, unknown };
    Kind kind = Kind::unknown;
    std::int64_t mines = 0;  // all mines of the board, where kind is `total`
    double density = 0.0;    // chance of a mine under each cell, where kind is `density`
};

// All that inference may use. A view: it owns nothing.
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
