#include "search/small_board.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "board/checkpoint.hpp"
#include "board/index.hpp"

namespace mineproof {

namespace {

using Mask = std::uint64_t;

Mask bit(std::int32_t cell) {
    return Mask{1} << cell;
}

Mask all_cells(const Topology& topology) {
    if (topology.cells() > SmallBoard::most_cells)
        throw std::invalid_argument("the board has more than 64 cells");
    return ~Mask{0} >> (SmallBoard::most_cells - topology.cells());
}

// All masks of a number of cells of `among`.
void choose(Mask among, int count, Mask chosen, std::vector<Mask>& result) {
    if (count == 0) {
        result.push_back(chosen);
        return;
    }
    for (; std::popcount(among) >= count; among &= among - 1)
        choose(among & (among - 1), count - 1, chosen | (among & -among), result);
}

std::vector<Mask> list_layouts(const Topology& topology, int mines, Start start,
                               std::int32_t first) {
    const auto all = all_cells(topology);
    Mask neighbours = 0;
    if (start == Start::zero)
        for (const auto near : topology.neighbours(first))
            neighbours |= bit(near);
    const auto free = all & ~neighbours & ~(start == Start::any ? 0 : bit(first));
    const int spare = mines - std::popcount(free);
    if (spare > std::popcount(neighbours)) throw std::invalid_argument("no room for the mines");
    std::vector<Mask> layouts;
    if (spare > 0)  // the neighbours take the mines for which there is no room elsewhere
        choose(neighbours, spare, free, layouts);
    else
        choose(free, mines, 0, layouts);
    std::ranges::sort(layouts);
    return layouts;
}

Ending list_ending(const Topology& topology, const std::vector<Mask>& layouts) {
    std::vector<std::int32_t> cells;
    std::vector<std::uint8_t> shown;
    shown.reserve(at(topology.cells()) * layouts.size());
    for (std::int32_t cell = 0; cell < topology.cells(); ++cell) {
        checkpoint(static_cast<std::int64_t>(layouts.size()) / 4);
        cells.push_back(cell);
        Mask around = 0;
        for (const auto near : topology.neighbours(cell))
            around |= bit(near);
        for (const auto layout : layouts)
            shown.push_back(layout & bit(cell)
                                ? Ending::mine
                                : static_cast<std::uint8_t>(std::popcount(layout & around)));
    }
    return {std::move(cells), layouts.size(), std::move(shown)};
}

// Whether the image of every cell has the images of its neighbours around it.
template <class Image>
bool keeps_neighbours(const Topology& topology, Image image) {
    for (std::int32_t cell = 0; cell < topology.cells(); ++cell) {
        Mask around = 0, around_image = 0;
        for (const auto near : topology.neighbours(cell))
            around |= bit(near);
        for (const auto near : topology.neighbours(std::countr_zero(image(bit(cell)))))
            around_image |= bit(near);
        if (image(around) != around_image) return false;
    }
    return true;
}

// The symmetries of a rectangle that leave the cells of `fixed` where they are. A board of hexagons
// does not have all of them, and a torus has others, which would save little.
std::vector<LayoutSymmetry> list_symmetries(const Topology& topology,
                                            const std::vector<Mask>& layouts, Mask fixed) {
    std::vector<LayoutSymmetry> symmetries;
    const auto rows = topology.rows();
    const auto cols = topology.cols();
    Work work;
    for (int turn = 0; turn < (rows == cols ? 8 : 4); ++turn) {
        const auto image = [&](Mask mask) {
            Mask result = 0;
            for (; mask; mask &= mask - 1) {
                const auto cell = std::countr_zero(mask);
                auto row = cell / cols;
                auto col = cell % cols;
                if (turn & 1) row = rows - 1 - row;
                if (turn & 2) col = cols - 1 - col;
                if (turn & 4) std::swap(row, col);
                result |= bit(row * cols + col);
            }
            return result;
        };
        if (image(fixed) != fixed || !keeps_neighbours(topology, image)) continue;
        auto& symmetry = symmetries.emplace_back();
        symmetry.reserve(layouts.size());
        for (const auto layout : layouts) {
            work.add(20);
            symmetry.push_back(static_cast<std::uint32_t>(
                std::ranges::lower_bound(layouts, image(layout)) - layouts.begin()));
        }
    }
    return symmetries;
}

}  // namespace

std::optional<std::size_t> count_layouts(std::size_t cells, std::size_t mines, std::size_t most) {
    std::size_t count = 1;
    for (std::size_t i = 1; i <= mines; ++i) {
        count = count * (cells - mines + i) / i;  // a binomial, so the quotient is whole
        if (count > most) return std::nullopt;
    }
    return count;
}

SmallBoard::SmallBoard(const Topology& topology, int mines, Start start, std::int32_t first,
                       std::int64_t work)
    : SmallBoard(topology, list_layouts(topology, mines, start, first), start, first, work) {}

SmallBoard::SmallBoard(const Topology& topology, const std::vector<std::uint64_t>& layouts,
                       Start start, std::int32_t first, std::int64_t work)
    : ending_(list_ending(topology, layouts)),
      search_(ending_, work,
              list_symmetries(topology, layouts, start == Start::any ? 0 : bit(first))) {}

}  // namespace mineproof
