#include "board/measures.hpp"

#include <vector>

#include "board/index.hpp"
#include "board/reveal.hpp"

namespace mineproof {

Measures measure(const Topology& topology, std::span<const std::uint8_t> mines) {
    std::vector<std::uint8_t> counts(mines.size());
    topology.add_up_neighbours(mines, counts);
    std::vector<std::uint8_t> seen(mines.begin(), mines.end());
    std::vector<std::int32_t> scratch;
    const auto unseen = [&](std::int32_t cell) { return !seen[at(cell)]; };
    Measures result;
    for (std::int32_t cell = 0; cell < topology.cells(); ++cell) {
        if (seen[at(cell)] || counts[at(cell)] != 0) continue;
        // An edge cell that an earlier opening shows too does not connect the two.
        const auto show = [&](std::int32_t shown) {
            seen[at(shown)] = 1;
            return counts[at(shown)] == 0;
        };
        reveal(topology, cell, scratch, show, unseen);
        ++result.openings;
    }
    for (std::int32_t cell = 0; cell < topology.cells(); ++cell) {
        if (seen[at(cell)]) continue;
        // An island is what would open if each of its cells opened its neighbours.
        const auto show = [&](std::int32_t shown) {
            seen[at(shown)] = 1;
            ++result.bbbv;
            return true;
        };
        reveal(topology, cell, scratch, show, unseen);
        ++result.islands;
    }
    result.bbbv += result.openings;
    return result;
}

}  // namespace mineproof
