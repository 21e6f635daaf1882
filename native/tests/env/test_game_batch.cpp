// A batch plays the games that `Game` plays.
#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "board/cell.hpp"
#include "board/game.hpp"
#include "env/game_batch.hpp"
#include "tests/check.hpp"
#include "tests/questions.hpp"

using namespace mineproof;

namespace {

// The game that a seed gives after its first action.
Game first_game(const std::shared_ptr<const Topology>& topology, std::uint64_t seed, Start start,
                std::int32_t first) {
    auto mines = lay_mines(*topology, 9, seed, start, first);
    return Game(topology, std::move(mines), *exact_channel(), seed, {}, {});
}

void a_batch_plays_the_same_games(Start start, bool same_step) {
    const auto topology = rectangle(6, 8);
    constexpr std::size_t games = 17;
    GameBatch batch({topology, 9, start, exact_channel()}, {1.0, -2.0, 0.5, 0.25, -0.125},
                    {.same_step = same_step}, games);
    std::vector<std::optional<Game>> own(games);
    for (std::size_t i = 0; i < games; ++i)
        batch.seed(i, i);
    Random random(1);
    std::vector<std::int64_t> actions(games);
    int ended = 0;
    for (int step = 0; step < 60; ++step) {
        std::vector<double> expected(games, 0.0);
        std::vector<std::uint8_t> over(games, 0);
        for (std::size_t i = 0; i < games; ++i) {
            actions[i] = static_cast<std::int64_t>(random.below(48));
            const bool was_over = batch.terminated()[i] && !same_step;
            if (was_over) {
                own[i].reset();
                continue;
            }
            const auto cell = static_cast<std::int32_t>(actions[i]);
            if (!own[i]) own[i].emplace(first_game(topology, batch.seeds()[i], start, cell));
            if (!cell::is_closed(own[i]->code_at(cell))) {
                expected[i] = -0.125;
                continue;
            }
            const auto before = own[i]->opened();
            own[i]->open(cell);
            const auto status = own[i]->status();
            expected[i] = status == Status::lost ? -2.0 : 0.5 + 0.25 * (own[i]->opened() - before);
            if (status == Status::won) expected[i] += 1.0;
            over[i] = status != Status::playing;
        }
        batch.step(actions);
        for (std::size_t i = 0; i < games; ++i) {
            CHECK(batch.rewards()[i] == expected[i]);
            CHECK(batch.terminated()[i] == over[i]);
            const bool after = same_step && over[i];
            const auto seen = (after ? batch.final_cells() : batch.cells()).subspan(i * 48, 48);
            for (std::int32_t cell = 0; cell < 48; ++cell) {
                const auto code = own[i] ? own[i]->code_at(cell) : cell::closed;
                CHECK(seen[at(cell)] == (code == cell::exploded ? cell::closed : code));
            }
            ended += over[i];
            if (after) own[i].reset();
        }
    }
    CHECK(ended > 20);
}

void a_long_game_is_truncated() {
    GameBatch batch({rectangle(5, 5), 3, Start::zero, exact_channel()}, {}, {.max_steps = 4}, 1);
    batch.seed(0, 1);
    const std::vector<std::int64_t> action{12};
    for (int step = 1; step <= 4; ++step) {
        CHECK(!batch.truncated()[0]);
        batch.step(action);
    }
    CHECK(batch.terminated()[0] || batch.truncated()[0]);
}

}  // namespace

SUITE("env/game_batch") {
    for (const auto start : {Start::any, Start::safe, Start::zero})
        for (const bool same_step : {false, true})
            a_batch_plays_the_same_games(start, same_step);
    a_long_game_is_truncated();
}
