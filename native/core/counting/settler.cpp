#include "counting/settler.hpp"

namespace mineproof {

KnownCells::KnownCells(const Evidence& evidence) {
    // Arithmetic without branches, so that the compiler can use vector instructions.
    const auto flagged =
        static_cast<unsigned>(evidence.trust_flags ? Knowledge::mined : Knowledge::unknown);
    const auto exploded = static_cast<unsigned>(Knowledge::mined);
    const auto* codes = evidence.cells.data();
    const auto cells = evidence.cells.size();
    std::vector<std::uint8_t> values(cells);
    for (std::size_t i = 0; i < cells; ++i)
        values[i] = static_cast<std::uint8_t>((codes[i] == cell::closed ? 1U : 0U) |
                                              (codes[i] == cell::flagged ? flagged : 0U) |
                                              (codes[i] == cell::exploded ? exploded : 0U));
    around.resize(cells);
    evidence.topology.add_up_neighbours(values, around);
    knowledge.resize(cells);
    for (std::size_t i = 0; i < cells; ++i) {
        knowledge[i] = Knowledge{values[i]};
        mined += values[i] / 16;
        unknown += values[i] % 16;
    }
}

// Counts the cell as settled this way, or no longer.
void Settler::put(std::int32_t cell, Knowledge knowledge, int sign) {
    known_.knowledge[at(cell)] = knowledge;
    known_.unknown -= sign;
    known_.mined += knowledge == Knowledge::mined ? sign : 0;
    const int change = sign * (static_cast<int>(knowledge) - static_cast<int>(Knowledge::unknown));
    for (const auto other : topology_.neighbours(cell))
        known_.around[at(other)] = static_cast<std::uint8_t>(known_.around[at(other)] + change);
}

}  // namespace mineproof
