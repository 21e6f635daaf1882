#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "board/cell.hpp"
#include "board/game.hpp"
#include "board/generate.hpp"
#include "board/random.hpp"
#include "board/setup.hpp"
#include "tests/check.hpp"

using namespace mineproof;

namespace {

using Cells = std::vector<std::int8_t>;
using Mines = std::vector<std::uint8_t>;

std::shared_ptr<const Topology> rectangle(int rows, int cols) {
    return std::make_shared<const Topology>(Topology::rectangle(rows, cols));
}

Cells seen(const Game& game) {
    return {game.cells().begin(), game.cells().end()};
}

Channel always_lost() {
    Channel channel;
    channel.exact = false;
    for (int neighbours = 0; neighbours <= max_degree; ++neighbours) {
        for (int count = 0; count <= neighbours; ++count) {
            const int row = neighbours * (max_degree + 1) + count;
            channel.table[static_cast<std::size_t>(row * symbols + no_clue_symbol)] = 1;
        }
    }
    return channel;
}

void a_zero_opens_its_neighbours() {
    Game game(rectangle(1, 4), {0, 0, 0, 1}, {}, 0, {}, {});
    game.open(0);
    CHECK((seen(game) == Cells{0, 0, 1, cell::closed}));
    CHECK(game.status() == Status::won);
    CHECK(game.identified() == 1);
}

void without_cascade_one_cell_opens() {
    Game game(rectangle(1, 4), {0, 0, 0, 1}, {}, 0, {.cascade = false}, {});
    game.open(0);
    CHECK(game.opened() == 1);
    CHECK_THROWS(game.open(0), IllegalMove);
}

void a_mine_ends_a_classic_game() {
    Game game(rectangle(1, 2), {1, 0}, {}, 0, {}, {});
    game.open(0);
    CHECK(game.status() == Status::lost);
    CHECK_THROWS(game.open(1), IllegalMove);
}

void keep_going_ends_when_all_is_settled() {
    const std::vector<std::int32_t> known{2};
    Game game(rectangle(1, 4), {1, 0, 0, 1}, {}, 0, {.keep_going = true}, known);
    game.open(0);
    CHECK(game.status() == Status::playing);
    game.open(1);
    CHECK_THROWS(game.flag(2), IllegalMove);
    game.chord(1);
    game.flag(3);
    CHECK((seen(game) == Cells{cell::exploded, 1, 1, cell::flagged}));
    CHECK(game.status() == Status::finished);
    CHECK(game.exploded() == 1 && game.identified() == 1 && game.wrong_flags() == 0);
}

void chording_trusts_flags() {
    Game game(rectangle(1, 3), {1, 0, 0}, {}, 0, {}, {});
    game.open(1);
    CHECK_THROWS(game.chord(1), IllegalMove);
    game.flag(2);
    game.chord(1);
    CHECK(game.status() == Status::lost && game.wrong_flags() == 1);
}

void a_game_continues_from_what_is_seen() {
    Game game(rectangle(1, 5), {1, 0, 0, 1, 0}, {}, 0, {.keep_going = true}, {});
    CHECK_THROWS(game.start_from(Cells{1, 1, -1, -1, -1}), IllegalMove);
    CHECK_THROWS(game.start_from(Cells{cell::known_safe, 1, -1, -1, -1}), IllegalMove);
    CHECK_THROWS(game.start_from(Cells{-1, cell::exploded, -1, -1, -1}), IllegalMove);
    game.start_from(Cells{cell::exploded, 1, -1, cell::flagged, cell::flagged});
    CHECK(game.opened() == 1 && game.exploded() == 1 && game.wrong_flags() == 1);
    CHECK(game.shown().empty());
    game.chord(1);
    CHECK((seen(game) == Cells{cell::exploded, 1, 1, cell::flagged, cell::flagged}));
    CHECK(game.status() == Status::finished && game.identified() == 1);
    CHECK(game.shown().size() == 1 && game.shown()[0] == std::pair(2, std::int8_t{1}));
}

void late_clues_arrive_after_later_openings() {
    Game game(rectangle(1, 4), {0, 0, 0, 1}, {}, 0, {.arrival = 1.0}, {});
    game.open(0);
    CHECK((seen(game) == Cells{cell::pending, -1, -1, -1}));
    game.open(1);
    CHECK((seen(game) == Cells{0, cell::pending, -1, -1}));
    CHECK(game.shown().size() == 2);
    CHECK_THROWS(game.wait(0), IllegalMove);
    game.wait(1);
    CHECK((seen(game) == Cells{0, 0, -1, -1}) && game.opened() == 2);
    Game never(rectangle(1, 4), {0, 0, 0, 1}, {}, 0, {.arrival = 0.0}, {});
    for (const int cell : {2, 0, 1})
        never.open(cell);
    CHECK((seen(never) == Cells{cell::pending, cell::pending, cell::pending, -1}));
    CHECK(never.status() == Status::won);
}

void noisy_clues_do_not_cascade() {
    Game game(rectangle(3, 3), Mines(9, 0), always_lost(), 0, {}, {});
    game.open(4);
    CHECK(game.opened() == 1);
    CHECK(game.cells()[4] == cell::no_clue);
    CHECK_THROWS(game.chord(4), IllegalMove);
}

void cells_beyond_the_board() {
    Game game(rectangle(1, 1), {0}, {}, 0, {}, {});
    CHECK_THROWS(game.open(1), IllegalMove);
    CHECK_THROWS(game.flag(-1), IllegalMove);
    CHECK_THROWS(Game(rectangle(1, 1), {0, 0}, {}, 0, {}, {}), std::invalid_argument);
    const std::vector<std::int32_t> mined{0};
    CHECK_THROWS(Game(rectangle(1, 1), {1}, {}, 0, {}, mined), IllegalMove);
}

void mines_keep_clear_of_the_start() {
    const auto topology = Topology::rectangle(5, 5);
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        for (int mines = 0; mines <= 24; ++mines) {
            const auto mask = lay_mines(topology, mines, seed, Start::zero, 12);
            CHECK(std::ranges::count(mask, 1) == mines);
            CHECK(!mask[12]);
            int near = 0;
            for (const auto neighbour : topology.neighbours(12)) {
                near += mask[static_cast<std::size_t>(neighbour)];
            }
            CHECK(near == std::max(0, mines - 16));
        }
    }
    CHECK_THROWS(lay_mines(topology, 25, 0, Start::safe, 0), std::invalid_argument);
    CHECK(std::ranges::count(lay_mines(topology, 25, 0, Start::any, -1), 1) == 25);
}

// Makes many random moves on small boards, legal or not. The counts must stay right.
void random_play_keeps_its_counts() {
    Random random(1);
    for (int round = 0; round < 300; ++round) {
        const auto topology =
            rectangle(1 + static_cast<int>(random.below(7)), 1 + static_cast<int>(random.below(7)));
        const auto size = static_cast<std::uint64_t>(topology->cells());
        const auto mines = static_cast<std::int64_t>(random.below(size));
        const auto mask = lay_mines(*topology, mines, random.next(), Start::any, -1);
        const auto given = given_safe(mask, 1, random.next());
        Game game(topology, mask, {}, 0, {.keep_going = true}, given);
        for (int move = 0; move < 60; ++move) {
            const auto cell = static_cast<std::int32_t>(random.below(size));
            try {
                switch (random.below(4)) {
                    case 0:
                        game.open(cell);
                        break;
                    case 1:
                        game.flag(cell);
                        break;
                    case 2:
                        game.unflag(cell);
                        break;
                    default:
                        game.chord(cell);
                }
            } catch (const IllegalMove&) {
            }
        }
        const auto cells = seen(game);
        CHECK(game.opened() == std::ranges::count_if(cells, cell::is_open));
        CHECK(game.exploded() == std::ranges::count(cells, cell::exploded));
        CHECK(game.flagged() == std::ranges::count(cells, cell::flagged));
    }
}

void the_first_opening_lays_the_mines() {
    const auto channel = std::make_shared<const Channel>();
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const auto cell = static_cast<std::int32_t>(seed % 30);
        Setup setup{rectangle(5, 6), 8, Start::zero, {}, 2, channel};
        Game open(setup, seed);
        CHECK(!open.is_laid() && open.first() == -1 && open.status() == Status::playing);
        const auto other = (cell + 15) % 30;
        open.flag(other);
        CHECK(open.wrong_flags() == 0 && open.shown().empty());
        open.open(cell);
        setup.first = cell;
        Game given(setup, seed);
        CHECK(given.is_laid() && given.first() == cell && open.first() == cell);
        if (given.code_at(other) != cell::known_safe) given.flag(other);
        given.open(cell);
        CHECK(seen(open) == seen(given) && open.flagged() == given.flagged());
        CHECK(open.wrong_flags() == given.wrong_flags() && open.history().size() == 2);
    }
}

void mines_laid_before_the_first_opening_take_impossible_flags_off() {
    const auto channel = std::make_shared<const Channel>();
    Game game(Setup{rectangle(9, 9), 10, Start::safe, {}, 0, channel}, 1);
    game.flag(0);
    game.flag(1);
    game.lay(-1);
    CHECK(game.first() == 0 && game.code_at(0) == cell::known_safe);
    CHECK(game.flagged() == 1 && game.history().size() == 1 && game.history()[0].cell == 1);
}

}  // namespace

SUITE("board/game") {
    a_zero_opens_its_neighbours();
    without_cascade_one_cell_opens();
    a_mine_ends_a_classic_game();
    keep_going_ends_when_all_is_settled();
    chording_trusts_flags();
    a_game_continues_from_what_is_seen();
    late_clues_arrive_after_later_openings();
    noisy_clues_do_not_cascade();
    cells_beyond_the_board();
    mines_keep_clear_of_the_start();
    random_play_keeps_its_counts();
    the_first_opening_lays_the_mines();
    mines_laid_before_the_first_opening_take_impossible_flags_off();
}
