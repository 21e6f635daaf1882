#include <algorithm>
#include <stdexcept>
#include <vector>

#include "board/topology.hpp"
#include "tests/check.hpp"

using mineproof::Topology;

namespace {

void small_boards() {
    const auto board = Topology::rectangle(3, 4);
    CHECK(board.cells() == 12);
    CHECK(std::ranges::equal(board.neighbours(0), std::vector{1, 4, 5}));
    CHECK(std::ranges::equal(board.neighbours(5), std::vector{0, 1, 2, 4, 6, 8, 9, 10}));
    CHECK(std::ranges::equal(board.neighbours(11), std::vector{6, 7, 10}));
    CHECK(Topology::rectangle(1, 1).neighbours(0).empty());
}

void wrong_sides() {
    CHECK_THROWS(Topology::rectangle(0, 5), std::invalid_argument);
    CHECK_THROWS(Topology::rectangle(1 << 20, 1 << 20), std::invalid_argument);
}

}  // namespace

SUITE("board/topology") {
    small_boards();
    wrong_sides();
}
