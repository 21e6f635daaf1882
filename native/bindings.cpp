// The only file that knows Python: thin wrappers around the core, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/generate.hpp"
#include "core/random.hpp"
#include "core/rules.hpp"
#include "core/topology.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mineproof;

namespace {

using Unlocked = nb::call_guard<nb::gil_scoped_release>;

using MineMask = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const double, nb::shape<max_degree + 1, max_degree + 1, symbols>,
                            nb::c_contig, nb::device::cpu>;

// Hands the memory of a vector to Python without a copy.
template <typename T>
auto to_numpy(std::vector<T>&& values) {
    auto* owner = new std::vector<T>(std::move(values));
    nb::capsule guard(owner, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T, nb::ndim<1>>(owner->data(), {owner->size()}, guard);
}

std::shared_ptr<Topology> rectangle(int rows, int cols) {
    return std::make_shared<Topology>(Topology::rectangle(rows, cols));
}

auto neighbours(const Topology& topology, int cell) {
    if (cell < 0 || cell >= topology.cells()) throw nb::index_error("no such cell");
    const auto span = topology.neighbours(cell);
    return std::vector<std::int32_t>(span.begin(), span.end());
}

auto degrees(const Topology& topology) {
    std::vector<std::int8_t> result(static_cast<std::size_t>(topology.cells()));
    {
        nb::gil_scoped_release unlocked;
        for (int cell = 0; cell < topology.cells(); ++cell) {
            result[static_cast<std::size_t>(cell)] =
                static_cast<std::int8_t>(topology.degree(cell));
        }
    }
    return to_numpy(std::move(result));
}

std::vector<std::uint8_t> to_vector(const MineMask& mines) {
    return {mines.data(), mines.data() + mines.size()};
}

// No weights stand for exact clues.
Channel to_channel(const std::optional<Weights>& weights) {
    Channel channel;
    if (!weights) return channel;
    channel.exact = false;
    std::copy_n(weights->data(), channel.table.size(), channel.table.begin());
    return channel;
}

auto random_mines(const Topology& topology, std::int64_t mines, std::uint64_t seed, Start start,
                  std::int32_t first) {
    std::vector<std::uint8_t> mask;
    {
        nb::gil_scoped_release unlocked;
        mask = lay_mines(topology, mines, seed, start, first);
    }
    return to_numpy(std::move(mask));
}

auto given_safe_cells(const MineMask& mines, std::int64_t count, std::uint64_t seed) {
    nb::gil_scoped_release unlocked;
    return given_safe(to_vector(mines), count, seed);
}

auto true_counts(const Topology& topology, const MineMask& mines) {
    if (mines.size() != static_cast<std::size_t>(topology.cells())) {
        throw std::invalid_argument("the mines do not fit the topology");
    }
    std::vector<std::int8_t> counts(mines.size());
    {
        nb::gil_scoped_release unlocked;
        const auto mask = to_vector(mines);
        for (int cell = 0; cell < topology.cells(); ++cell) {
            counts[static_cast<std::size_t>(cell)] =
                static_cast<std::int8_t>(true_count(topology, mask, cell));
        }
    }
    return to_numpy(std::move(counts));
}

void init_game(Game* game, std::shared_ptr<Topology> topology, const MineMask& mines,
               const std::optional<Weights>& weights, std::uint64_t seed, bool keep_going,
               bool cascade, const std::vector<std::int32_t>& known_safe) {
    nb::gil_scoped_release unlocked;
    new (game) Game(std::move(topology), to_vector(mines), to_channel(weights), seed,
                    {.keep_going = keep_going, .cascade = cascade}, known_safe);
}

nb::bytes seen_cells(const Game& game) {
    return nb::bytes(game.cells().data(), game.cells().size());
}

}  // namespace

NB_MODULE(_core, m) {
    nb::class_<Topology>(m, "Topology")
        .def_static("rectangle", &rectangle, "rows"_a, "cols"_a, Unlocked())
        .def_prop_ro("rows", &Topology::rows)
        .def_prop_ro("cols", &Topology::cols)
        .def_prop_ro("cells", &Topology::cells)
        .def("neighbours", &neighbours, "cell"_a)
        .def("degrees", &degrees);

    nb::class_<Random>(m, "Random")
        .def(nb::init<std::uint64_t>(), "seed"_a)
        .def("next", &Random::next)
        .def("below", &Random::below, "bound"_a)
        .def("uniform", &Random::uniform);
    m.def("noise", &noise, "seed"_a, "cell"_a);

    nb::enum_<Start>(m, "Start")
        .value("any", Start::any)
        .value("safe", Start::safe)
        .value("zero", Start::zero);
    m.def("random_mines", &random_mines, "topology"_a, "mines"_a, "seed"_a, "start"_a, "first"_a);
    m.def("given_safe", &given_safe_cells, "mines"_a, "count"_a, "seed"_a);
    m.def("true_counts", &true_counts, "topology"_a, "mines"_a);

    nb::enum_<Status>(m, "Status")
        .value("playing", Status::playing)
        .value("won", Status::won)
        .value("lost", Status::lost)
        .value("finished", Status::finished);
    nb::class_<Game>(m, "Game")
        .def("__init__", &init_game, "topology"_a, "mines"_a, "weights"_a.none(), "seed"_a,
             "keep_going"_a, "cascade"_a, "known_safe"_a)
        .def("open", &Game::open, "cell"_a, Unlocked())
        .def("flag", &Game::flag, "cell"_a, Unlocked())
        .def("unflag", &Game::unflag, "cell"_a, Unlocked())
        .def("chord", &Game::chord, "cell"_a, Unlocked())
        .def("cells", &seen_cells)
        .def("code", &Game::code_at, "cell"_a)
        .def_prop_ro("status", &Game::status)
        .def_prop_ro("opened", &Game::opened)
        .def_prop_ro("exploded", &Game::exploded)
        .def_prop_ro("flagged", &Game::flagged)
        .def_prop_ro("wrong_flags", &Game::wrong_flags)
        .def_prop_ro("identified", &Game::identified);
}
