// Whole games, played natively.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arguments.hpp"
#include "bindings/module.hpp"
#include "board/game.hpp"
#include "play/player.hpp"
#include "play/simulate.hpp"

using namespace nanobind::literals;

namespace mineproof {

namespace {

using GuardedGame = Guarded<Game>;
using GuardedPlayer = Guarded<std::unique_ptr<Player>>;

struct BoundExactPlayer : GuardedPlayer {
    using GuardedPlayer::GuardedPlayer;
};

void init_exact_player(BoundExactPlayer* self, const nb::int_& nodes, const nb::int_& bytes,
                       bool short_chains) {
    const auto preference = short_chains ? Preference::short_chain : Preference::first;
    new (self) BoundExactPlayer(std::make_unique<ExactPlayer>(to_budget(nodes, bytes), preference));
}

Playthrough play_game(GuardedGame& game, GuardedPlayer& player,
                      const std::optional<nb::int_>& mines, std::shared_ptr<Channel> channel,
                      const nb::int_& seed) {
    const auto prior = to_prior(mines);
    const auto word = to_word("seed", seed);
    return game.use_both_without_gil(player, [&](Game& board, std::unique_ptr<Player>& decider) {
        return play_out(board, *decider, prior, std::move(channel), word);
    });
}

auto moves_of(const Playthrough& played) {
    std::vector<std::tuple<int, int, int, bool, double, int, int, int>> result;
    for (const auto& [step, action, reason, opened, hits] : played.moves)
        result.emplace_back(step, static_cast<int>(action.move.kind), action.move.cell,
                            action.certain, action.risk, static_cast<int>(reason), opened, hits);
    return result;
}

}  // namespace

void bind_play(nb::module_& m) {
    nb::class_<GuardedPlayer>(m, "Player");
    nb::class_<BoundExactPlayer, GuardedPlayer>(m, "ExactPlayer")
        .def("__init__", &init_exact_player, "nodes"_a, "bytes"_a, "short_chains"_a);
    nb::class_<Playthrough>(m, "Playthrough")
        .def_ro("steps", &Playthrough::steps)
        .def_ro("guesses", &Playthrough::guesses)
        .def_ro("certain", &Playthrough::certain)
        .def_ro("actions", &Playthrough::actions)
        .def("moves", &moves_of);
    m.def("play_out", &play_game, "game"_a, "player"_a, "mines"_a.none(), "channel"_a, "seed"_a);
}

}  // namespace mineproof
