// The only file that knows Python: thin wrappers around the core, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "board/game.hpp"
#include "board/generate.hpp"
#include "board/random.hpp"
#include "board/topology.hpp"
#include "chains/chains.hpp"
#include "chains/search.hpp"
#include "counting/layout_cache.hpp"
#include "play/player.hpp"
#include "play/simulate.hpp"
#include "posterior/errors.hpp"
#include "posterior/posterior.hpp"
#include "proofs/proof.hpp"
#include "sources.hpp"

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
    for (std::size_t i = no_clue_symbol; i < channel.table.size(); i += symbols) {
        channel.loses_clues = channel.loses_clues || channel.table[i] > 0.0;
    }
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

using Codes = nb::ndarray<const std::int8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::unique_ptr<Posterior> infer(std::shared_ptr<Topology> topology, const Codes& cells,
                                 std::optional<std::int64_t> mines, std::optional<double> density,
                                 std::shared_ptr<Channel> channel, bool trust_flags,
                                 std::int64_t nodes, std::int64_t bytes, bool require_exact,
                                 LayoutCache* cache) {
    if (cells.size() != static_cast<std::size_t>(topology->cells())) {
        throw std::invalid_argument("the cells do not fit the topology");
    }
    nb::gil_scoped_release unlocked;
    Prior prior;
    if (mines) prior = {Prior::Kind::total, *mines, 0.0};
    if (density) prior = {Prior::Kind::density, 0, *density};
    return std::make_unique<Posterior>(
        Question{std::move(topology),
                 {cells.data(), cells.data() + cells.size()},
                 prior,
                 std::move(channel),
                 trust_flags},
        Budget{nodes, bytes}, require_exact ? Width::exact_only : Width::may_estimate, cache);
}

// A view of what the posterior holds; it keeps the posterior alive.
template <const std::vector<double>& (Posterior::*values)() const>
auto view(nb::handle_t<Posterior> owner) {
    const auto& posterior = nb::cast<const Posterior&>(owner);
    const auto& topology = posterior.topology();
    return nb::ndarray<nb::numpy, const double, nb::ndim<2>>(
        (posterior.*values)().data(),
        {static_cast<std::size_t>(topology.rows()), static_cast<std::size_t>(topology.cols())},
        owner);
}

template <auto Chances>
auto chances(const Posterior& posterior, std::int32_t cell) {
    std::vector<double> result;
    {
        nb::gil_scoped_release unlocked;
        const auto by_number = (posterior.*Chances)(cell);
        result.assign(by_number.begin(), by_number.end());
    }
    return to_numpy(std::move(result));
}

auto distribution(const Posterior& posterior) {
    std::vector<double> result;
    {
        nb::gil_scoped_release unlocked;
        result = posterior.total_distribution();
    }
    return to_numpy(std::move(result));
}

auto samples(const Posterior& posterior, std::size_t count, std::uint64_t seed) {
    std::vector<std::uint8_t> result;
    {
        nb::gil_scoped_release unlocked;
        result = posterior.sample(count, seed);
    }
    return to_numpy(std::move(result));
}

auto residues(const Posterior& posterior, std::size_t component,
              const std::vector<std::uint64_t>& primes) {
    nb::gil_scoped_release unlocked;
    auto count = posterior.count(component, primes);
    return std::pair{count.fewest, std::move(count.residues)};
}

auto proof_of(Prover& prover, std::int32_t cell) {
    nb::gil_scoped_release unlocked;
    auto [premises, uses_total, smallest, all, irreducible] = prover.prove(cell);
    return std::tuple{std::move(premises), uses_total, smallest, all, irreducible};
}

auto effort_of(const Posterior& posterior) {
    const auto [components, cells, width, work] = posterior.effort();
    return std::tuple{components, cells, width, work};
}

using LinkTuple = std::tuple<int, int, bool, bool, bool, int, int, std::vector<std::int32_t>>;

auto links_of(const Chains& chains) {
    std::vector<LinkTuple> result;
    for (const auto& link : chains.links())
        result.emplace_back(link.cell, static_cast<int>(link.origin), link.mine, link.uses_total,
                            link.decided, link.length, link.root, link.premises);
    return result;
}

using ChainsState = std::tuple<int, int, bool, bool, std::vector<LinkTuple>>;

ChainsState state_of(const Chains& chains) {
    const auto& topology = chains.topology();
    return {topology.rows(), topology.cols(), chains.exact_clues(), chains.begun(),
            links_of(chains)};
}

void restore_chains(Chains* chains, const ChainsState& state) {
    const auto& [rows, cols, exact_clues, begun, tuples] = state;
    std::vector<Link> links;
    for (const auto& [cell, origin, mine, uses_total, decided, length, root, premises] : tuples)
        links.push_back(
            {cell, static_cast<Origin>(origin), mine, uses_total, decided, length, root, premises});
    new (chains) Chains(rectangle(rows, cols), exact_clues, begun, std::move(links));
}

std::span<const std::int8_t> to_span(const Codes& cells) {
    return {cells.data(), cells.size()};
}

void open_links(Chains& chains, const std::vector<std::int32_t>& cells, const Codes& seen) {
    nb::gil_scoped_release unlocked;
    chains.open(cells, to_span(seen));
}

Chains solve_game(Game& game, const MineMask& mines, std::int32_t first,
                  std::shared_ptr<Channel> channel, std::int64_t nodes, std::int64_t bytes) {
    nb::gil_scoped_release unlocked;
    return solve(game, to_vector(mines), first, std::move(channel), {nodes, bytes});
}

auto best_of(const ChainSearch& search) {
    std::optional<std::pair<std::vector<std::uint8_t>, int>> result;
    if (const auto& best = search.best()) result.emplace(best->mines, best->longest);
    return result;
}

Playthrough play_on(Game& game, Player& player, std::optional<std::int64_t> mines,
                    std::shared_ptr<Channel> channel, std::uint64_t seed) {
    nb::gil_scoped_release unlocked;
    Prior prior;
    if (mines) prior = {Prior::Kind::total, *mines, 0.0};
    return play_out(game, player, prior, std::move(channel), seed);
}

auto moves_of(const Playthrough& played) {
    std::vector<std::tuple<int, int, int, bool, double, int, int, int>> result;
    for (const auto& [step, action, reason, opened, hits] : played.moves)
        result.emplace_back(step, static_cast<int>(action.move.kind), action.move.cell,
                            action.certain, action.risk, static_cast<int>(reason), opened, hits);
    return result;
}

auto history(const Game& game) {
    std::vector<std::pair<int, int>> result;
    for (const auto& move : game.history())
        result.emplace_back(static_cast<int>(move.kind), move.cell);
    return result;
}

// Python gets what the contradiction holds as arguments.
void translate_contradiction(const std::exception_ptr& thrown, void* type) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Contradiction& contradiction) {
        const auto arguments =
            nb::make_tuple(contradiction.clues, contradiction.total, contradiction.irreducible);
        PyErr_SetObject(static_cast<PyObject*>(type), arguments.ptr());
    }
}

}  // namespace

NB_MODULE(_core, m) {
    // What modules hold at exit is no leak.
    nb::set_leak_warnings(false);
    m.attr("SOURCES") = sources;

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
    m.attr("AGENT_STREAM") = agent_stream;
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
        .def("history", &history)
        .def_prop_ro("begun", [](const Game& game) { return !game.history().empty(); })
        .def("cells", &seen_cells)
        .def("code", &Game::code_at, "cell"_a)
        .def_prop_ro("status", &Game::status)
        .def_prop_ro("opened", &Game::opened)
        .def_prop_ro("exploded", &Game::exploded)
        .def_prop_ro("flagged", &Game::flagged)
        .def_prop_ro("wrong_flags", &Game::wrong_flags)
        .def_prop_ro("identified", &Game::identified);

    nb::exception<Contradiction>(m, "Contradiction");
    nb::register_exception_translator(translate_contradiction, m.attr("Contradiction").ptr());
    nb::exception<BudgetExceeded>(m, "BudgetExceeded", PyExc_RuntimeError);

    nb::class_<Channel>(m, "Channel").def("__init__", [](Channel* self, const Weights& weights) {
        new (self) Channel(to_channel(weights));
    });
    m.attr("EXACT") = std::make_shared<Channel>();
    nb::class_<LayoutCache>(m, "LayoutCache").def(nb::init<>());
    nb::class_<Posterior>(m, "Posterior")
        .def_prop_ro("risk", &view<&Posterior::risk>)
        .def_prop_ro("standard_error", &view<&Posterior::standard_error>)
        .def_prop_ro("exact", &Posterior::exact)
        .def_prop_ro("safe", &Posterior::safe)
        .def_prop_ro("mined", &Posterior::mined)
        .def_prop_ro("expected_mines", &Posterior::expected_mines)
        .def_prop_ro("log_weight", &Posterior::log_weight)
        .def_prop_ro("interior", &Posterior::interior)
        .def_prop_ro("known_mines", &Posterior::known_mines)
        .def_prop_ro("effort", &effort_of)
        .def_prop_ro("components", &Posterior::components)
        .def("component_bits", &Posterior::component_bits, "component"_a)
        .def("residues", &residues, "component"_a, "primes"_a)
        .def("clue_chances", &chances<&Posterior::clue_chances>, "cell"_a)
        .def("count_chances", &chances<&Posterior::count_chances>, "cell"_a)
        .def("total_distribution", &distribution)
        .def("sample", &samples, "count"_a, "seed"_a);
    m.def("infer", &infer, "topology"_a, "cells"_a, "mines"_a.none(), "density"_a.none(),
          "channel"_a, "trust_flags"_a, "nodes"_a, "bytes"_a, "require_exact"_a, "cache"_a.none());

    nb::class_<Prover>(m, "Prover")
        .def(nb::init<const Posterior&, std::size_t>(), "posterior"_a, "most_sets"_a,
             nb::keep_alive<1, 2>(), Unlocked())
        .def("prove", &proof_of, "cell"_a);

    nb::class_<Chains>(m, "Chains")
        .def(nb::init<std::shared_ptr<Topology>, bool>(), "topology"_a, "exact_clues"_a)
        .def("settle", &Chains::settle, "posterior"_a, Unlocked())
        .def("open", &open_links, "cells"_a, "seen"_a)
        .def("links", &links_of)
        .def("__getstate__", &state_of)
        .def("__setstate__", &restore_chains)
        .def(
            "likely_length",
            [](const Chains& chains, std::int32_t cell, const Codes& seen) {
                return chains.likely_length(cell, to_span(seen));
            },
            "cell"_a, "seen"_a);
    m.def("solve", &solve_game, "game"_a, "mines"_a, "first"_a, "channel"_a, "nodes"_a, "bytes"_a);
    nb::class_<ChainSearch>(m, "ChainSearch")
        .def(nb::init<std::shared_ptr<Topology>, std::int64_t, Start, std::int32_t, std::int64_t,
                      std::uint64_t>(),
             "topology"_a, "mines"_a, "start"_a, "first"_a, "evaluations"_a, "seed"_a)
        .def("advance", &ChainSearch::advance, "evaluations"_a, Unlocked())
        .def_prop_ro("evaluated", &ChainSearch::evaluated)
        .def_prop_ro("best", &best_of);

    nb::class_<Player>(m, "Player");
    nb::class_<ExactPlayer, Player>(m, "ExactPlayer")
        .def(
            "__init__",
            [](ExactPlayer* self, std::int64_t nodes, std::int64_t bytes, bool short_chains) {
                const auto preference = short_chains ? Preference::short_chain : Preference::first;
                new (self) ExactPlayer(Budget{nodes, bytes}, preference);
            },
            "nodes"_a, "bytes"_a, "short_chains"_a);
    nb::class_<Playthrough>(m, "Playthrough")
        .def_ro("steps", &Playthrough::steps)
        .def_ro("guesses", &Playthrough::guesses)
        .def_ro("certain", &Playthrough::certain)
        .def("__len__", [](const Playthrough& played) { return played.moves.size(); })
        .def("moves", &moves_of);
    m.def("play_out", &play_on, "game"_a, "player"_a, "mines"_a.none(), "channel"_a, "seed"_a);
}
