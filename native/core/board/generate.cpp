#include "board/generate.hpp"

#include <algorithm>
#include <ranges>
#include <stdexcept>
#include <string>

#include "board/index.hpp"
#include "board/random.hpp"

namespace mineproof {
namespace {

std::vector<std::uint8_t> protect(const Topology& topology, Start start, std::int32_t first) {
    std::vector<std::uint8_t> is_protected(at(topology.cells()), 0);
    if (start != Start::any) is_protected.at(at(first)) = 1;
    if (start == Start::zero) {
        for (const auto neighbour : topology.neighbours(first))
            is_protected[at(neighbour)] = 1;
    }
    return is_protected;
}

void give_up_neighbours(std::vector<std::uint8_t>& is_protected, std::int64_t missing,
                        std::span<const std::int32_t> order, std::int32_t first) {
    for (const auto cell : order | std::views::reverse) {
        if (missing <= 0) return;
        if (is_protected[at(cell)] && cell != first) {
            is_protected[at(cell)] = 0;
            --missing;
        }
    }
}

}  // namespace

std::vector<std::uint8_t> lay_mines(const Topology& topology, std::int64_t mines,
                                    std::uint64_t seed, Start start, std::int32_t first) {
    const std::int64_t most = topology.cells() - (start == Start::any ? 0 : 1);
    if (mines < 0 || mines > most) {
        throw std::invalid_argument(std::to_string(mines) + " mines: the board has room for 0 to " +
                                    std::to_string(most));
    }
    const auto order = permutation(seed, topology.cells());
    auto is_protected = protect(topology, start, first);
    const auto free = std::ranges::count(is_protected, 0);
    give_up_neighbours(is_protected, mines - free, order, first);

    std::vector<std::uint8_t> mask(at(topology.cells()), 0);
    auto next = order.begin();
    for (std::int64_t left = mines; left > 0; ++next) {
        if (is_protected[at(*next)]) continue;
        mask[at(*next)] = 1;
        --left;
    }
    return mask;
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
