// Guesses tried on sampled boards.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "board/topology.hpp"
#include "play/rollouts.hpp"
#include "search/endings.hpp"
#include "tests/check.hpp"

using namespace mineproof;

namespace {

// One clue in the middle of 4×4 cells: 588 layouts with 4 mines.
Posterior one_clue(std::int8_t other = cell::closed) {
    std::vector<std::int8_t> cells(16, cell::closed);
    cells[5] = 2;
    cells[15] = other;
    return {{std::make_shared<const Topology>(Topology::rectangle(4, 4)),
             std::move(cells),
             {Prior::Kind::total, 4, 0.0},
             std::make_shared<const Channel>(),
             false},
            Budget{},
            Precision::exact_only};
}

void chances_are_those_of_optimal_play() {
    const auto posterior = one_clue();
    const auto solved = solve(*find_endings(posterior, 1000).joint, 1'000'000'000);
    constexpr std::size_t boards = 100;
    const auto chances = roll_out(posterior, std::vector{solved->cell}, boards, 1);
    const double mean = std::accumulate(chances.begin(), chances.end(), 0.0) / boards;
    CHECK(chances.size() == boards);
    CHECK(std::abs(mean - solved->win()) < 0.05);
    CHECK(chances == roll_out(posterior, std::vector{solved->cell}, boards, 1));
}

void the_better_cell_is_chosen() {
    // By look-ahead, both are as good; in fact, a corner far from the clue wins less.
    const std::vector<Candidate> candidates{{15, 0.29, 0.5, 0.0}, {1, 0.25, 0.5, 0.0}};
    CHECK(try_on_boards(one_clue(), candidates, 100).cell == 1);
    CHECK(try_on_boards(one_clue(), candidates, 1).cell == 15);
    CHECK(try_on_boards(one_clue(cell::exploded), candidates, 100).cell == 15);
}

}  // namespace

SUITE("play/rollouts") {
    chances_are_those_of_optimal_play();
    the_better_cell_is_chosen();
}
