// Topology, randomness, boards and games.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arguments.hpp"
#include "bindings/module.hpp"
#include "board/checkpoint.hpp"
#include "board/game.hpp"
#include "board/generate.hpp"
#include "board/index.hpp"
#include "board/measures.hpp"
#include "board/random.hpp"
#include "board/setup.hpp"
#include "board/topology.hpp"

using namespace nanobind::literals;

namespace mineproof {

namespace {

using GuardedGame = Guarded<Game>;

std::shared_ptr<Topology> topology_of(TopologyKind kind, const nb::int_& rows,
                                      const nb::int_& cols) {
    const auto height = to_side("rows", rows);
    const auto width = to_side("cols", cols);
    nb::gil_scoped_release unlocked;
    return std::make_shared<Topology>(Topology::of(kind, height, width));
}

std::shared_ptr<Topology> rectangle(const nb::int_& rows, const nb::int_& cols) {
    return topology_of(TopologyKind::square, rows, cols);
}

auto neighbours(const Topology& topology, const nb::int_& cell) {
    const auto range = topology.neighbours(to_cell("cell", cell, topology));
    return std::vector<std::int32_t>(range.begin(), range.end());
}

int distance(const Topology& topology, const nb::int_& one, const nb::int_& other) {
    return topology.distance(to_cell("one", one, topology), to_cell("other", other, topology));
}

auto degrees(const Topology& topology) {
    std::vector<std::int8_t> result(at(topology.cells()));
    {
        nb::gil_scoped_release unlocked;
        Work work;
        for (int cell = 0; cell < topology.cells(); ++cell, work.add(1))
            result[at(cell)] = static_cast<std::int8_t>(topology.degree(cell));
    }
    return to_numpy(std::move(result));
}

void restore_random(Random* random, const Random::State& state) {
    if (std::ranges::count(state, 0) == std::ssize(state))
        throw std::invalid_argument("state: a generator cannot start from all zeros");
    new (random) Random(state);
}

void init_setup(Setup* self, std::shared_ptr<Topology> topology, const nb::int_& mines, Start start,
                bool keep_going, bool cascade, const nb::int_& given_safe,
                std::shared_ptr<Channel> channel, std::optional<double> arrival,
                const nb::int_& first) {
    const auto total = to_number("mines", mines, 0, most_mines(*topology, start));
    const auto given = to_number("given_safe", given_safe, 0, topology->cells() - total);
    const auto cell =
        static_cast<std::int32_t>(to_number("first", first, Setup::drawn, topology->cells() - 1));
    if (arrival && !(*arrival >= 0 && *arrival <= 1))
        throw std::invalid_argument("arrival: must be from 0 to 1");
    new (self) Setup{std::move(topology), total, start, {keep_going, cascade, arrival}, given,
                     std::move(channel),  cell};
}

auto random_mines(const Setup& setup, const nb::int_& seed) {
    const auto word = to_word("seed", seed);
    std::vector<std::uint8_t> mask;
    {
        nb::gil_scoped_release unlocked;
        mask = lay_mines(*setup.topology, setup.mines, word, setup.start, first_cell(setup, word));
    }
    return to_numpy(std::move(mask));
}

auto true_counts(const Topology& topology, const MineMask& mines) {
    const auto mask = to_mines(mines, topology);
    std::vector<std::int8_t> counts(mask.size());
    {
        nb::gil_scoped_release unlocked;
        Work work;
        for (int cell = 0; cell < topology.cells(); ++cell, work.add(1))
            counts[at(cell)] = static_cast<std::int8_t>(true_count(topology, mask, cell));
    }
    return to_numpy(std::move(counts));
}

auto measures(const Topology& topology, const MineMask& mines) {
    const auto mask = to_mines(mines, topology);
    nb::gil_scoped_release unlocked;
    const auto [openings, islands, bbbv] = measure(topology, mask);
    return std::tuple{openings, islands, bbbv};
}

void init_game(GuardedGame* game, const Setup& setup, const nb::int_& seed,
               const std::optional<MineMask>& mines) {
    const auto word = to_word("seed", seed);
    if (!mines) {
        nb::gil_scoped_release unlocked;
        new (game) GuardedGame(setup, word);
        return;
    }
    new (game) GuardedGame(setup, word, to_mines(*mines, *setup.topology));
}

template <auto get>
auto read(GuardedGame& guarded) {
    return guarded.use([](const Game& game) { return (game.*get)(); });
}

// On small boards it is not worth to release the GIL, even though a cascade may open all of them.
template <class Change>
void change(GuardedGame& guarded, Change change) {
    constexpr int large = 1 << 16;
    const auto topology = read<&Game::topology>(guarded);
    topology->cells() < large ? guarded.use(change) : guarded.use_without_gil(change);
}

// Returns how many safe cells the move opened, and how many mines exploded.
auto make_move(GuardedGame& guarded, MoveKind kind, const nb::int_& cell) {
    const auto place = to_cell("cell", cell, *read<&Game::topology>(guarded));
    std::pair<int, int> found;
    change(guarded, [&](Game& game) {
        const int opened = game.opened();
        const int exploded = game.exploded();
        game.make({kind, place});
        found = {game.opened() - opened, game.exploded() - exploded};
    });
    return found;
}

void lay_game(GuardedGame& guarded, const nb::int_& first) {
    const auto topology = read<&Game::topology>(guarded);
    const auto cell =
        static_cast<std::int32_t>(to_number("first", first, -1, topology->cells() - 1));
    change(guarded, [&](Game& game) { game.lay(cell); });
}

auto history(GuardedGame& guarded) {
    return guarded.use([](const Game& game) {
        std::vector<std::pair<int, int>> result;
        for (const auto& move : game.history())
            result.emplace_back(static_cast<int>(move.kind), move.cell);
        return result;
    });
}

// As itertools.compress, in a list and faster.
nb::list compress(const nb::tuple& cells, const nb::bytes& chosen) {
    const std::string_view mask(chosen.c_str(), chosen.size());
    if (mask.size() != cells.size()) throw std::invalid_argument("chosen: one byte per cell");
    const auto none = std::ranges::count(mask, '\0');
    auto result = nb::steal<nb::list>(PyList_New(std::ssize(mask) - none));
    if (!result.is_valid()) nb::raise_python_error();
    Py_ssize_t count = 0;
    for (std::size_t i = 0; i < mask.size(); ++i)
        if (mask[i] != 0)
            NB_LIST_SET_ITEM(result.ptr(), count++, nb::object(cells[i]).release().ptr());
    return result;
}

auto shown(GuardedGame& guarded) {
    return guarded.use([](const Game& game) {
        const int cols = game.topology()->cols();
        std::vector<std::pair<std::pair<int, int>, int>> result;
        for (const auto& [cell, code] : game.shown())
            result.push_back({{cell / cols, cell % cols}, code});
        return result;
    });
}

void start_from(GuardedGame& guarded, const Codes& seen) {
    guarded.use([&](Game& game) {
        if (!game.history().empty()) throw std::invalid_argument("the game has begun already");
        game.start_from(to_codes("seen", seen, *game.topology()));
    });
}

}  // namespace

void bind_board(nb::module_& m) {
    nb::enum_<TopologyKind>(m, "TopologyKind")
        .value("square", TopologyKind::square)
        .value("torus", TopologyKind::torus)
        .value("hex", TopologyKind::hex);
    nb::class_<Topology>(m, "Topology")
        .def_static("of", &topology_of, "kind"_a, "rows"_a, "cols"_a)
        .def_static("rectangle", &rectangle, "rows"_a, "cols"_a)
        .def_prop_ro("rows", &Topology::rows)
        .def_prop_ro("cols", &Topology::cols)
        .def_prop_ro("cells", &Topology::cells)
        .def("neighbours", &neighbours, "cell"_a)
        .def("distance", &distance, "one"_a, "other"_a)
        .def("degrees", &degrees);

    nb::class_<Random>(m, "Random")
        .def(
            "__init__",
            [](Random* random, const nb::int_& seed) {
                new (random) Random(to_word("seed", seed));
            },
            "seed"_a)
        .def("next", &Random::next)
        .def(
            "below",
            [](Random& random, const nb::int_& bound) {
                return random.below(to_word("bound", bound, 1));
            },
            "bound"_a)
        .def("uniform", &Random::uniform)
        .def("__getstate__", &Random::state)
        .def("__setstate__", &restore_random);
    m.def(
        "noise",
        [](const nb::int_& seed, const nb::int_& cell) {
            constexpr auto most = std::numeric_limits<std::int32_t>::max();
            return noise(to_word("seed", seed),
                         static_cast<std::int32_t>(to_number("cell", cell, 0, most)));
        },
        "seed"_a, "cell"_a);

    nb::enum_<Start>(m, "Start")
        .value("any", Start::any)
        .value("safe", Start::safe)
        .value("zero", Start::zero);
    nb::class_<Setup>(m, "Setup")
        .def("__init__", &init_setup, "topology"_a, "mines"_a, "start"_a, "keep_going"_a,
             "cascade"_a, "given_safe"_a, "channel"_a, "arrival"_a.none(), "first"_a)
        .def(
            "first_cell",
            [](const Setup& setup, const nb::int_& seed) {
                return first_cell(setup, to_word("seed", seed));
            },
            "seed"_a);
    m.def("compress", &compress, "cells"_a, "chosen"_a,
          nb::sig("def compress(cells: tuple[tuple[int, int], ...], chosen: bytes) -> "
                  "list[tuple[int, int]]"));
    m.def("random_mines", &random_mines, "setup"_a, "seed"_a);
    m.def("measures", &measures, "topology"_a, "mines"_a);
    m.def("true_counts", &true_counts, "topology"_a, "mines"_a);

    nb::enum_<MoveKind>(m, "MoveKind")
        .value("open", MoveKind::open)
        .value("flag", MoveKind::flag)
        .value("unflag", MoveKind::unflag)
        .value("chord", MoveKind::chord)
        .value("wait", MoveKind::wait);
    nb::enum_<Status>(m, "Status")
        .value("playing", Status::playing)
        .value("won", Status::won)
        .value("lost", Status::lost)
        .value("finished", Status::finished);
    nb::class_<GuardedGame>(m, "Game")
        .def("__init__", &init_game, "setup"_a, "seed"_a, "mines"_a.none())
        .def("lay", &lay_game, "first"_a)
        .def("make", &make_move, "kind"_a, "cell"_a)
        .def("start_from", &start_from, "seen"_a)
        .def("history", &history)
        .def("shown", &shown)
        .def_prop_ro(
            "begun",
            [](GuardedGame& guarded) {
                return guarded.use([](const Game& game) { return !game.history().empty(); });
            })
        .def("cells",
             [](GuardedGame& guarded) {
                 return guarded.use([](const Game& game) {
                     return nb::bytes(game.cells().data(), game.cells().size());
                 });
             })
        .def(
            "code",
            [](GuardedGame& guarded, const nb::int_& cell) {
                return guarded.use([&](const Game& game) {
                    return game.code_at(to_cell("cell", cell, *game.topology()));
                });
            },
            "cell"_a)
        .def("mines",
             [](GuardedGame& guarded) {
                 return guarded.use([](const Game& game) {
                     return nb::bytes(game.mine_mask().data(), game.mine_mask().size());
                 });
             })
        .def_prop_ro("is_laid", &read<&Game::is_laid>)
        .def_prop_ro("first", &read<&Game::first>)
        .def_prop_ro("status", &read<&Game::status>)
        .def_prop_ro("opened", &read<&Game::opened>)
        .def_prop_ro("exploded", &read<&Game::exploded>)
        .def_prop_ro("flagged", &read<&Game::flagged>)
        .def_prop_ro("wrong_flags", &read<&Game::wrong_flags>)
        .def_prop_ro("identified", &read<&Game::identified>);
}

}  // namespace mineproof
