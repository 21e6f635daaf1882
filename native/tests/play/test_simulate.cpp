// Whole games by the native player: they end, their counts add up, they are repeatable, and every
// claim is true.
#include <algorithm>
#include <memory>
#include <vector>

#include "board/generate.hpp"
#include "play/simulate.hpp"
#include "tests/check.hpp"
#include "tests/questions.hpp"

using namespace mineproof;

namespace {

Game deal(const std::shared_ptr<const Topology>& topology, int mines, std::uint64_t seed,
          const Channel& channel, Game::Rules rules) {
    return {topology, lay_mines(*topology, mines, seed, Start::any, 0), channel, seed, rules, {}};
}

bool same(const Playthrough& one, const Playthrough& other) {
    return one.steps == other.steps &&
           std::ranges::equal(one.moves, other.moves, [](const auto& a, const auto& b) {
               return a.step == b.step && a.action.move.kind == b.action.move.kind &&
                      a.action.move.cell == b.action.move.cell &&
                      a.action.certain == b.action.certain && a.opened == b.opened &&
                      a.hits == b.hits;
           });
}

void check_game(const Game& game, const Playthrough& played, bool told_the_truth) {
    CHECK(game.status() != Status::playing);
    CHECK(game.wrong_flags() == 0);
    int opened = 0;
    int hits = 0;
    for (const auto& move : played.moves) {
        opened += move.opened;
        hits += move.hits;
        if (told_the_truth && move.action.certain) CHECK(move.hits == 0);
    }
    CHECK(opened == game.opened());
    CHECK(hits == game.exploded());
    CHECK(game.history().size() == played.moves.size());
}

void games_end_and_repeat() {
    const auto topology = rectangle(6, 7);
    ExactPlayer player({});
    for (const auto& channel : all_channels())
        for (const bool keep_going : {false, true})
            for (const int mines : {0, 5, 12, 30, 42})
                for (std::uint64_t seed = 0; seed < 4; ++seed) {
                    const Game::Rules rules{keep_going, true};
                    auto game = deal(topology, mines, seed, *channel, rules);
                    auto again = deal(topology, mines, seed, *channel, rules);
                    const Prior told{Prior::Kind::total, mines, 0.0};
                    const Prior untold;
                    const auto& prior = seed % 2 ? told : untold;
                    const auto played = play_out(game, player, prior, channel, seed, Record::moves);
                    check_game(game, played, true);
                    CHECK(
                        same(played, play_out(again, player, prior, channel, seed, Record::moves)));
                }
}

// A move made by its kind equals the move itself, and the history contains all moves.
void history_replays_a_game() {
    const auto topology = rectangle(5, 5);
    ExactPlayer player({});
    auto game = deal(topology, 6, 3, *exact_channel(), {true, true});
    play_out(game, player, {Prior::Kind::total, 6, 0.0}, exact_channel(), 0, Record::moves);
    auto again = deal(topology, 6, 3, *exact_channel(), {true, true});
    for (const auto& move : game.history())
        again.make(move);
    CHECK(std::ranges::equal(game.cells(), again.cells()));
}

// With an empty budget there may not even be an estimate. The player plays on.
void a_player_without_a_budget_plays_on() {
    const auto topology = rectangle(9, 9);
    ExactPlayer player({0, 0});
    auto game = deal(topology, 10, 1, *exact_channel(), {});
    play_out(game, player, {Prior::Kind::total, 10, 0.0}, exact_channel(), 0, Record::moves);
    CHECK(game.status() != Status::playing);
}

}  // namespace

SUITE("play/simulate") {
    games_end_and_repeat();
    history_replays_a_game();
    a_player_without_a_budget_plays_on();
}
