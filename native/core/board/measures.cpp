#include "board/measures.hpp"

#include <vector>

#include "board/index.hpp"

namespace mineproof {

Measures measure(const Topology& topology, std::span<const std::uint8_t> mines) {
    std::vector<std::uint8_t> counts(mines.size());
    topology.add_up_neighbours(mines, counts);
    std::vector<std::uint8_t> seen(mines.begin(), mines.end());
    std::vector<std::int32_t> stack;
    // Visits all unseen cells that are connected with a cell, by cells that `spreads` accepts.
    const auto visit = [&](std::int32_t start, auto spreads) {
        std::int32_t visited = 0;
        seen[at(start)] = 1;
        stack.push_back(start);
        while (!stack.empty()) {
            const auto cell = stack.back();
            stack.pop_back();
            ++visited;
            if (!spreads(cell)) continue;
            for (const auto neighbour : topology.neighbours(cell)) {
                if (seen[at(neighbour)]) continue;
                seen[at(neighbour)] = 1;
                stack.push_back(neighbour);
            }
        }
        return visited;
    };
    Measures result;
    for (std::int32_t cell = 0; cell < topology.cells(); ++cell) {
        if (seen[at(cell)] || counts[at(cell)] != 0) continue;
        // An edge cell that an earlier opening shows too does not connect the two.
        visit(cell, [&](std::int32_t at_cell) { return counts[at(at_cell)] == 0; });
        ++result.openings;
    }
    for (std::int32_t cell = 0; cell < topology.cells(); ++cell) {
        if (seen[at(cell)]) continue;
        result.bbbv += visit(cell, [](std::int32_t) { return true; });
        ++result.islands;
    }
    result.bbbv += result.openings;
    return result;
}

}  // namespace mineproof
