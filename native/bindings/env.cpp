// Many games played in step.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arguments.hpp"
#include "bindings/module.hpp"
#include "board/setup.hpp"
#include "env/game_batch.hpp"

using namespace nanobind::literals;

namespace mineproof {

namespace {

using GuardedBatch = Guarded<GameBatch>;
using Actions = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Five = std::tuple<double, double, double, double, double>;

// In all games, and the most games.
constexpr std::int64_t most_cells = std::int64_t{1} << 32;
constexpr std::int64_t most_games = std::int64_t{1} << 24;

void init_batch(GuardedBatch* self, const Setup& setup, const Five& rewards, bool invalid_ends,
                const nb::int_& max_steps, bool same_step, const nb::int_& games) {
    const auto steps = to_number("max_steps", max_steps, 0);
    const auto count =
        to_number("games", games, 1, std::min(most_games, most_cells / setup.topology->cells()));
    const auto [win, loss, safe, cell, invalid] = rewards;
    nb::gil_scoped_release unlocked;
    new (self) GuardedBatch(GameBatch::Conditions{setup.topology, setup.mines, setup.start,
                                                  setup.channel, setup.rules.cascade},
                            GameBatch::Rewards{win, loss, safe, cell, invalid},
                            GameBatch::Episodes{invalid_ends, steps, same_step},
                            static_cast<std::size_t>(count));
}

std::size_t to_game(const GameBatch& batch, const nb::int_& game) {
    return static_cast<std::size_t>(
        to_number("game", game, 0, static_cast<std::int64_t>(batch.games()) - 1));
}

// Copies, so that no array changes with a later step.
template <class Read>
auto copied(GuardedBatch& guarded, Read read) {
    return to_numpy(guarded.use([&](const GameBatch& batch) {
        const auto values = read(batch);
        return std::vector<std::remove_const_t<typename decltype(values)::element_type>>(
            values.begin(), values.end());
    }));
}

std::span<const std::int64_t> to_actions(const Actions& actions, const GameBatch& batch) {
    if (actions.size() != batch.games())
        throw std::invalid_argument("actions: " + std::to_string(actions.size()) +
                                    " values, expected " + std::to_string(batch.games()));
    const std::span values(actions.data(), actions.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] < 0 || values[i] >= batch.topology().cells())
            throw std::invalid_argument("actions: " + std::to_string(values[i]) + " of game " +
                                        std::to_string(i) + " is not from 0 to " +
                                        std::to_string(batch.topology().cells() - 1));
    return values;
}

}  // namespace

void bind_env(nb::module_& m) {
    nb::class_<GuardedBatch>(m, "GameBatch")
        .def("__init__", &init_batch, "setup"_a, "rewards"_a, "invalid_ends"_a, "max_steps"_a,
             "same_step"_a, "games"_a)
        .def(
            "seed",
            [](GuardedBatch& guarded, const nb::int_& game, const nb::int_& seed) {
                const auto word = to_word("seed", seed);
                guarded.use([&](GameBatch& batch) { batch.seed(to_game(batch, game), word); });
            },
            "game"_a, "seed"_a)
        .def(
            "next",
            [](GuardedBatch& guarded, const nb::int_& game) {
                guarded.use([&](GameBatch& batch) { batch.next(to_game(batch, game)); });
            },
            "game"_a)
        .def(
            "first_invalid",
            [](GuardedBatch& guarded, const Actions& actions) {
                return guarded.use([&](const GameBatch& batch) {
                    return batch.first_invalid(to_actions(actions, batch));
                });
            },
            "actions"_a)
        .def(
            "step",
            [](GuardedBatch& guarded, const Actions& actions) {
                const auto values = guarded.use([&](const GameBatch& batch) {
                    const auto span = to_actions(actions, batch);
                    return std::vector<std::int64_t>(span.begin(), span.end());
                });
                guarded.use_without_gil([&](GameBatch& batch) { batch.step(values); });
            },
            "actions"_a)
        .def("cells", [](GuardedBatch& g) { return copied(g, [](auto& b) { return b.cells(); }); })
        .def("closed",
             [](GuardedBatch& g) { return copied(g, [](auto& b) { return b.closed(); }); })
        .def("final_cells",
             [](GuardedBatch& g) { return copied(g, [](auto& b) { return b.final_cells(); }); })
        .def("final_seeds",
             [](GuardedBatch& g) { return copied(g, [](auto& b) { return b.final_seeds(); }); })
        .def("rewards",
             [](GuardedBatch& g) { return copied(g, [](auto& b) { return b.rewards(); }); })
        .def("terminated",
             [](GuardedBatch& g) { return copied(g, [](auto& b) { return b.terminated(); }); })
        .def("truncated",
             [](GuardedBatch& g) { return copied(g, [](auto& b) { return b.truncated(); }); })
        .def("won", [](GuardedBatch& g) { return copied(g, [](auto& b) { return b.won(); }); })
        .def("seeds", [](GuardedBatch& g) { return copied(g, [](auto& b) { return b.seeds(); }); })
        .def(
            "mines",
            [](GuardedBatch& guarded, const nb::int_& game) {
                return copied(guarded,
                              [&](auto& batch) { return batch.mines(to_game(batch, game)); });
            },
            "game"_a);
}

}  // namespace mineproof
