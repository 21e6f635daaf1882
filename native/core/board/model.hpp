// The generative model: how mines are laid, and what a clue shows of the true count.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "board/cell.hpp"

namespace mineproof {

// The symbol of the channel's table for "open, but no clue shown".
inline constexpr int no_clue_symbol = max_degree + 1;
inline constexpr int symbols = max_degree + 2;

// P(seen | true count, neighbours). The game draws clues from this table, inference inverts it.
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
    std::int64_t mines = 0;  // all mines of the board, if kind is `total`
    double density = 0.0;    // chance of a mine under each cell, if kind is `density`

    friend bool operator==(const Prior&, const Prior&) = default;
};

}  // namespace mineproof
