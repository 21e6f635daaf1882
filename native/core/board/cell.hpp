// What a player sees of one cell: a clue from 0 to 8, or one of the codes below.
#pragma once

#include <cstdint>

namespace mineproof {

// The most neighbours that a cell of any topology has, and so the largest clue.
inline constexpr int max_degree = 8;

}  // namespace mineproof

namespace mineproof::cell {

inline constexpr std::int8_t closed = -1;
inline constexpr std::int8_t flagged = -2;
inline constexpr std::int8_t no_clue = -3;     // open, but its clue was lost
inline constexpr std::int8_t exploded = -4;    // a mine that was opened
inline constexpr std::int8_t known_safe = -5;  // closed, but known to hold no mine
inline constexpr std::int8_t pending = -6;     // open, but its clue has not arrived yet

constexpr bool is_code(std::int8_t code) {
    return pending <= code && code <= max_degree;
}
constexpr bool is_clue(std::int8_t code) {
    return code >= 0;
}
constexpr bool is_open(std::int8_t code) {
    return code >= 0 || code == no_clue || code == pending;
}
constexpr bool is_closed(std::int8_t code) {
    return code == closed || code == flagged || code == known_safe;
}

}  // namespace mineproof::cell
