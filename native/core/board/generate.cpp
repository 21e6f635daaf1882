#include "board/generate.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <ranges>
#include <stdexcept>
#include <string>

#include "board/index.hpp"
#include "board/random.hpp"

namespace mineproof {
namespace {

// The first cell, then its neighbours; what the rule protects before any mine is laid.
std::vector<std::int32_t> shielded(const Topology& topology, Start start, std::int32_t first) {
    std::vector<std::int32_t> cells;
    assert(start == Start::any || (0 <= first && first < topology.cells()));
    if (start != Start::any) cells.push_back(first);
    if (start == Start::zero)
        std::ranges::copy(topology.neighbours(first), std::back_inserter(cells));
    return cells;
}

[[noreturn]] void refuse(const Topology& topology, const char* where, Start start,
                         std::int32_t first) {
    throw std::invalid_argument(std::string("a mine ") + where + " the first cell, " +
                                topology.name(first) + ", which start '" +
                                (start == Start::safe ? "safe" : "zero") + "' forbids");
}

}  // namespace

std::int64_t most_mines(const Topology& topology, Start start) {
    return topology.cells() - (start == Start::any ? 0 : 1);
}

std::vector<std::uint8_t> lay_mines(const Topology& topology, std::int64_t mines,
                                    std::uint64_t seed, Start start, std::int32_t first) {
    const auto most = most_mines(topology, start);
    if (mines < 0 || mines > most) {
        throw std::invalid_argument(std::to_string(mines) + " mines: the board has room for 0 to " +
                                    std::to_string(most));
    }
    const auto order = permutation(seed, topology.cells());
    std::vector<std::uint8_t> is_protected(at(topology.cells()), 0);
    for (const auto cell : shielded(topology, start, first))
        is_protected[at(cell)] = 1;
    auto missing = mines - std::ranges::count(is_protected, 0);
    for (const auto cell : order | std::views::reverse) {
        if (missing <= 0) break;
        if (!is_protected[at(cell)] || cell == first) continue;
        is_protected[at(cell)] = 0;
        --missing;
    }

    std::vector<std::uint8_t> mask(at(topology.cells()), 0);
    auto next = order.begin();
    for (std::int64_t left = mines; left > 0; ++next) {
        if (is_protected[at(*next)]) continue;
        mask[at(*next)] = 1;
        --left;
    }
    return mask;
}

std::vector<std::int32_t> protected_cells(const Topology& topology,
                                          std::span<const std::uint8_t> mines, Start start,
                                          std::int32_t first) {
    auto cells = shielded(topology, start, first);
    if (cells.empty()) return cells;
    if (mines[at(first)]) refuse(topology, "at", start, first);
    const auto is_mine = [&](std::int32_t cell) { return mines[at(cell)] != 0; };
    const auto near = std::ranges::count_if(cells, is_mine);
    const auto far = topology.cells() - static_cast<std::int64_t>(cells.size());
    // Neighbours may be mined only if every other cell is.
    if (near > 0 && std::ranges::count(mines, 1) - near < far)
        refuse(topology, "next to", start, first);
    std::erase_if(cells, is_mine);
    return cells;
}

std::vector<std::int32_t> given_safe(std::span<const std::uint8_t> mines, std::int64_t count,
                                     std::uint64_t seed) {
    const auto safe = std::ranges::count(mines, 0);
    if (count < 0 || count > safe) {
        throw std::invalid_argument(std::to_string(count) + " given safe cells: the board has " +
                                    std::to_string(safe) + " safe cells");
    }
    std::vector<std::int32_t> given;
    if (count == 0) return given;
    const auto order = permutation(seed, static_cast<std::int32_t>(mines.size()));
    for (const auto cell : order | std::views::reverse) {
        if (static_cast<std::int64_t>(given.size()) == count) break;
        if (!mines[at(cell)]) given.push_back(cell);
    }
    std::ranges::sort(given);
    return given;
}

}  // namespace mineproof
