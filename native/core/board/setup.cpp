#include "board/setup.hpp"

#include <algorithm>

#include "board/random.hpp"

namespace mineproof {

std::int32_t first_cell(const Setup& setup, std::uint64_t seed) {
    // Keeps the random numbers of the first cell apart from those of the mines and of the player.
    constexpr std::uint64_t stream = 0x5851F42D4C957F2D;
    const auto& board = *setup.topology;
    if (setup.first == Setup::drawn)
        return static_cast<std::int32_t>(
            Random(seed ^ stream).below(static_cast<std::uint64_t>(board.cells())));
    if (setup.first != Setup::by_rule) return setup.first;
    if (setup.start == Start::any) return -1;
    if (setup.start == Start::safe) return 0;
    return std::min(3, board.rows() - 1) * board.cols() + std::min(3, board.cols() - 1);
}

Laid lay(const Setup& setup, std::uint64_t seed, std::int32_t first) {
    auto mines = lay_mines(*setup.topology, setup.mines, seed, setup.start, first);
    auto known = known_safe(setup, seed, first, mines);
    return {std::move(mines), std::move(known)};
}

std::vector<std::int32_t> known_safe(const Setup& setup, std::uint64_t seed, std::int32_t first,
                                     std::span<const std::uint8_t> mines) {
    std::vector<std::int32_t> known;
    if (first >= 0) known = protected_cells(*setup.topology, mines, setup.start, first);
    const auto given = given_safe(mines, setup.given_safe, seed);
    known.insert(known.end(), given.begin(), given.end());
    return known;
}

}  // namespace mineproof
