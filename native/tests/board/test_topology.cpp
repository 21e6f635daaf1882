#include <algorithm>
#include <stdexcept>
#include <vector>

#include "board/topology.hpp"
#include "tests/check.hpp"

using mineproof::Topology;
using mineproof::TopologyKind;

namespace {

void small_boards() {
    const auto board = Topology::rectangle(3, 4);
    CHECK(board.cells() == 12);
    CHECK(std::ranges::equal(board.neighbours(0), std::vector{1, 4, 5}));
    CHECK(std::ranges::equal(board.neighbours(5), std::vector{0, 1, 2, 4, 6, 8, 9, 10}));
    CHECK(std::ranges::equal(board.neighbours(11), std::vector{6, 7, 10}));
    CHECK(Topology::rectangle(1, 1).neighbours(0).empty());
}

void torus() {
    const auto board = Topology::of(TopologyKind::torus, 4, 5);
    CHECK(std::ranges::equal(board.neighbours(0), std::vector{1, 4, 5, 6, 9, 15, 16, 19}));
    CHECK(std::ranges::equal(board.neighbours(7), std::vector{1, 2, 3, 6, 8, 11, 12, 13}));
    for (int cell = 0; cell < board.cells(); ++cell)
        CHECK(board.degree(cell) == 8);
    const auto smallest = Topology::of(TopologyKind::torus, 3, 3);
    CHECK(std::ranges::equal(smallest.neighbours(4), std::vector{0, 1, 2, 3, 5, 6, 7, 8}));
}

void hexagons() {
    const auto board = Topology::of(TopologyKind::hex, 4, 4);
    CHECK(std::ranges::equal(board.neighbours(0), std::vector{1, 4}));
    CHECK(std::ranges::equal(board.neighbours(3), std::vector{2, 6, 7}));
    CHECK(std::ranges::equal(board.neighbours(5), std::vector{1, 2, 4, 6, 9, 10}));
    CHECK(std::ranges::equal(board.neighbours(9), std::vector{4, 5, 8, 10, 12, 13}));
    CHECK(std::ranges::equal(board.neighbours(15), std::vector{11, 14}));
    const auto row = Topology::of(TopologyKind::hex, 1, 3);
    CHECK(std::ranges::equal(row.neighbours(1), std::vector{0, 2}));
}

std::vector<int> steps_from(const Topology& board, int cell) {
    std::vector<int> steps(static_cast<std::size_t>(board.cells()), -1), reached{cell};
    steps[static_cast<std::size_t>(cell)] = 0;
    for (std::size_t i = 0; i < reached.size(); ++i)
        for (const auto near : board.neighbours(reached[i])) {
            auto& step = steps[static_cast<std::size_t>(near)];
            if (step >= 0) continue;
            step = steps[static_cast<std::size_t>(reached[i])] + 1;
            reached.push_back(near);
        }
    return steps;
}

void all_topologies() {
    for (const auto kind : {TopologyKind::square, TopologyKind::torus, TopologyKind::hex})
        for (int rows = kind == TopologyKind::torus ? 3 : 1; rows < 8; ++rows)
            for (int cols = kind == TopologyKind::torus ? 3 : 1; cols < 8; ++cols) {
                const auto board = Topology::of(kind, rows, cols);
                const auto size = static_cast<std::size_t>(board.cells());
                std::vector<std::uint8_t> values(size), sums(size);
                for (std::size_t i = 0; i < size; ++i)
                    values[i] = static_cast<std::uint8_t>(i * i % 17);
                board.add_up_neighbours(values, sums);
                for (int cell = 0; cell < board.cells(); ++cell) {
                    const auto around = board.neighbours(cell);
                    CHECK(std::ranges::is_sorted(around));
                    CHECK(std::ranges::adjacent_find(around) == around.end());
                    int sum = 0;
                    for (const auto near : around) {
                        CHECK(near != cell);
                        CHECK(std::ranges::count(board.neighbours(near), cell) == 1);
                        sum += values[static_cast<std::size_t>(near)];
                    }
                    CHECK(sums[static_cast<std::size_t>(cell)] == sum);
                    const auto steps = steps_from(board, cell);
                    for (int other = 0; other < board.cells(); ++other)
                        CHECK(board.distance(cell, other) ==
                              steps[static_cast<std::size_t>(other)]);
                }
            }
}

void wrong_sides() {
    CHECK_THROWS(Topology::rectangle(0, 5), std::invalid_argument);
    CHECK_THROWS(Topology::rectangle(1 << 20, 1 << 20), std::invalid_argument);
    CHECK_THROWS(Topology::of(TopologyKind::torus, 2, 5), std::invalid_argument);
    CHECK_THROWS(Topology::of(TopologyKind::torus, 5, 2), std::invalid_argument);
}

}  // namespace

SUITE("board/topology") {
    small_boards();
    torus();
    hexagons();
    all_topologies();
    wrong_sides();
}
