// Solving boards by techniques, and boards that need no guess.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings/arguments.hpp"
#include "bindings/module.hpp"
#include "board/setup.hpp"
#include "reasoning/no_guess.hpp"
#include "reasoning/reasoner.hpp"

using namespace nanobind::literals;

namespace mineproof {

namespace {

Technique to_technique(const char* name, const nb::int_& number) {
    return static_cast<Technique>(to_number(name, number, static_cast<int>(Technique::counting),
                                            static_cast<int>(Technique::total)));
}

auto settle(std::shared_ptr<Topology> topology, const MineMask& mines,
            const std::vector<std::int64_t>& known_safe, const nb::int_& nodes,
            const nb::int_& bytes) {
    const auto mask = to_mines(mines, *topology);
    const auto cells = to_cells("known_safe", known_safe, *topology);
    for (const auto cell : cells)
        if (mask[static_cast<std::size_t>(cell)])
            throw std::invalid_argument("known_safe: " + topology->name(cell) + " is a mine");
    Reasoner reasoner(std::move(topology), to_budget(nodes, bytes));
    nb::gil_scoped_release unlocked;
    reasoner.begin(mask, cells);
    reasoner.solve(Technique::total);
    return std::pair{reasoner.opened(), reasoner.settled()};
}

auto no_guess(const Setup& setup, const nb::int_& hardest, bool needed, const nb::int_& seed,
              const nb::int_& steps) {
    if (setup.start == Start::any)
        throw std::invalid_argument("start: a search needs 'safe' or 'zero', not 'any'");
    const auto technique = to_technique("hardest", hardest);
    const auto word = to_word("seed", seed);
    const auto limit = to_number("steps", steps, 0);
    std::optional<NoGuessBoard> board;
    {
        nb::gil_scoped_release unlocked;
        board = find_no_guess(setup.topology, setup.mines, setup.start, first_cell(setup, word),
                              technique, needed, word, limit);
    }
    return board ? nb::object(nb::cast(to_numpy(std::move(board->mines)))) : nb::object(nb::none());
}

}  // namespace

void bind_reasoning(nb::module_& m) {
    m.def("settle", &settle, "topology"_a, "mines"_a, "known_safe"_a, "nodes"_a, "bytes"_a);
    m.def("no_guess_mines", &no_guess, "setup"_a, "hardest"_a, "needed"_a, "seed"_a, "steps"_a,
          nb::sig("def no_guess_mines(setup: Setup, hardest: int, needed: bool, seed: int, steps: "
                  "int) -> "
                  "numpy.typing.NDArray[numpy.uint8] | None"));
}

}  // namespace mineproof
