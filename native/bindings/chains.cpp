// Chains of influence, and the search for long ones.
#include "chains/chains.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arguments.hpp"
#include "bindings/module.hpp"
#include "board/game.hpp"
#include "board/setup.hpp"
#include "chains/search.hpp"

using namespace nanobind::literals;

namespace mineproof {

namespace {

using GuardedGame = Guarded<Game>;
using GuardedChains = Guarded<Chains>;
using GuardedSearch = Guarded<ChainSearch>;

using LinkTuple =
    std::tuple<std::int64_t, int, bool, bool, bool, int, int, std::vector<std::int64_t>>;
using ChainsState =
    std::tuple<TopologyKind, nb::int_, nb::int_, bool, bool, std::vector<LinkTuple>>;

std::vector<LinkTuple> links_in(const Chains& chains) {
    std::vector<LinkTuple> result;
    for (const auto& link : chains.links())
        result.emplace_back(link.cell, static_cast<int>(link.origin), link.mine, link.uses_total,
                            link.decided, link.length, link.root,
                            std::vector<std::int64_t>(link.premises.begin(), link.premises.end()));
    return result;
}

auto links_of(GuardedChains& guarded) {
    return guarded.use(&links_in);
}

auto state_of(GuardedChains& guarded) {
    return guarded.use([](const Chains& chains) {
        const auto& topology = chains.topology();
        return std::tuple{topology.kind(),      topology.rows(), topology.cols(),
                          chains.exact_clues(), chains.begun(),  links_in(chains)};
    });
}

void restore_chains(GuardedChains* chains, const ChainsState& state) {
    const auto& [kind, rows, cols, exact_clues, begun, tuples] = state;
    const auto topology = std::make_shared<Topology>(
        Topology::of(kind, to_side("rows", rows), to_side("cols", cols)));
    std::vector<Link> links;
    for (const auto& [cell, origin, mine, uses_total, decided, length, root, premises] : tuples) {
        Link link{.cell = to_cells("cell", {cell}, *topology).front(),
                  .origin = static_cast<Origin>(origin),
                  .mine = mine,
                  .uses_total = uses_total,
                  .decided = decided,
                  .premises = to_cells("premises", premises, *topology)};
        if (origin < 0 || origin > static_cast<int>(Origin::settled))
            throw std::invalid_argument("origin: " + std::to_string(origin) + " is not from 0 to " +
                                        std::to_string(static_cast<int>(Origin::settled)));
        links.push_back(std::move(link));
    }
    new (chains) GuardedChains(topology, exact_clues, begun, std::move(links));
}

void init_chains(GuardedChains* chains, std::shared_ptr<Topology> topology, bool exact_clues) {
    new (chains) GuardedChains(std::move(topology), exact_clues);
}

void start_chains(GuardedChains& guarded, const Codes& seen) {
    guarded.use(
        [&](Chains& chains) { chains.start_from(to_codes("seen", seen, chains.topology())); });
}

void settle_links(GuardedChains& guarded, const Posterior& posterior) {
    guarded.use_without_gil([&](Chains& chains) {
        const auto& own = chains.topology();
        const auto& other = posterior.topology();
        if (own.kind() != other.kind() || own.rows() != other.rows() || own.cols() != other.cols())
            throw std::invalid_argument("posterior: its board has another size than the chains");
        chains.settle(posterior);
    });
}

void open_links(GuardedChains& guarded, const std::vector<std::int64_t>& cells, const Codes& seen) {
    guarded.use([&](Chains& chains) {
        chains.open(to_cells("cells", cells, chains.topology()),
                    to_codes("seen", seen, chains.topology()));
    });
}

auto likely_length(GuardedChains& guarded, const nb::int_& cell, const Codes& seen) {
    return guarded.use([&](const Chains& chains) {
        const auto& topology = chains.topology();
        return chains.likely_length(to_cell("cell", cell, topology),
                                    to_codes("seen", seen, topology));
    });
}

std::unique_ptr<GuardedChains> solve_game(GuardedGame& guarded,
                                          const std::optional<nb::int_>& first,
                                          std::shared_ptr<Channel> channel, const nb::int_& nodes,
                                          const nb::int_& bytes) {
    const auto budget = to_budget(nodes, bytes);
    std::int32_t cell = -1;
    if (first)
        cell = guarded.use(
            [&](const Game& game) { return to_cell("first", *first, *game.topology()); });
    return guarded.use_without_gil([&](Game& game) {
        return std::make_unique<GuardedChains>(solve(game, cell, std::move(channel), budget));
    });
}

void init_search(GuardedSearch* search, const Setup& setup, const nb::int_& evaluations,
                 const nb::int_& seed) {
    if (setup.start == Start::any)
        throw std::invalid_argument("start: a search needs 'safe' or 'zero', not 'any'");
    const auto word = to_word("seed", seed);
    new (search) GuardedSearch(setup.topology, setup.mines, setup.start, first_cell(setup, word),
                               to_number("evaluations", evaluations, 1), word);
}

auto best_of(GuardedSearch& guarded) {
    return guarded.use([](const ChainSearch& search) {
        std::optional<std::pair<std::vector<std::uint8_t>, int>> result;
        if (const auto& best = search.best()) result.emplace(best->mines, best->longest);
        return result;
    });
}

void advance(GuardedSearch& guarded, const nb::int_& evaluations) {
    const auto more = to_number("evaluations", evaluations, 0);
    guarded.use_without_gil([&](ChainSearch& search) { search.advance(more); });
}

}  // namespace

void bind_chains(nb::module_& m) {
    nb::class_<GuardedChains>(m, "Chains")
        .def("__init__", &init_chains, "topology"_a, "exact_clues"_a)
        .def("start_from", &start_chains, "seen"_a)
        .def("settle", &settle_links, "posterior"_a)
        .def("open", &open_links, "cells"_a, "seen"_a)
        .def("links", &links_of)
        .def("likely_length", &likely_length, "cell"_a, "seen"_a)
        .def("__getstate__", &state_of)
        .def("__setstate__", &restore_chains);
    m.def("solve", &solve_game, "game"_a, "first"_a.none(), "channel"_a, "nodes"_a, "bytes"_a);
    nb::class_<GuardedSearch>(m, "ChainSearch")
        .def("__init__", &init_search, "setup"_a, "evaluations"_a, "seed"_a)
        .def("advance", &advance, "evaluations"_a)
        .def_prop_ro(
            "evaluated",
            [](GuardedSearch& guarded) {
                return guarded.use([](const ChainSearch& search) { return search.evaluated(); });
            })
        .def_prop_ro("best", &best_of);
}

}  // namespace mineproof
