// Search: optimal play of small boards and of endings.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arguments.hpp"
#include "bindings/guarded.hpp"
#include "bindings/module.hpp"
#include "board/index.hpp"
#include "counting/layout_cache.hpp"
#include "play/rollouts.hpp"
#include "posterior/conclusion.hpp"
#include "posterior/errors.hpp"
#include "posterior/position.hpp"
#include "posterior/posterior.hpp"
#include "search/endings.hpp"
#include "search/lookahead.hpp"
#include "search/small_board.hpp"

using namespace nanobind::literals;

namespace mineproof {

namespace {

struct BoundSmallBoard {
    BoundSmallBoard(const Topology& board, int mines, Start start, std::int32_t first,
                    std::int64_t work)
        : topology(board), search(board, mines, start, first, work) {}

    Topology topology;
    Guarded<SmallBoard> search;
};

void init_small_board(BoundSmallBoard* self, const Topology& topology, const nb::int_& mines,
                      Start start, const nb::int_& first, const nb::int_& work) {
    const auto number = to_number("mines", mines, 0, topology.cells());
    const auto place = to_first(first, topology, start);
    const auto most = to_number("work", work, 0);
    nb::gil_scoped_release unlocked;
    new (self) BoundSmallBoard(topology, static_cast<int>(number), start, place, most);
}

std::optional<std::uint32_t> value_of(BoundSmallBoard& self, const nb::int_& cell,
                                      const nb::int_& least) {
    const auto place = to_cell("cell", cell, self.topology);
    const auto need = static_cast<std::uint32_t>(
        to_number("least", least, 0, std::numeric_limits<std::uint32_t>::max()));
    return self.search.use_without_gil(
        [&](SmallBoard& board) { return board.value_of(static_cast<std::size_t>(place), need); });
}

// For every ending: whether it is isolated, its layouts, those that are won, and the cell to open.
auto endings(const Posterior& posterior, const nb::int_& layouts, const nb::int_& work) {
    const auto most = static_cast<std::size_t>(
        to_number("layouts", layouts, 0, std::numeric_limits<std::int32_t>::max()));
    const auto each = to_number("work", work, 0);
    if (!posterior.exact()) throw BudgetExceeded("endings need an exact posterior");
    std::vector<std::tuple<bool, std::uint32_t, std::uint32_t, std::int32_t>> result;
    bool complete = false;
    {
        nb::gil_scoped_release unlocked;
        const auto found = find_endings(posterior, most);
        complete = found.complete;
        const auto add = [&](const Ending& ending, bool isolated) {
            if (const auto solved = solve(ending, each))
                result.emplace_back(isolated, solved->layouts, solved->won, solved->cell);
            else
                complete = false;
        };
        for (const auto& ending : found.isolated)
            add(ending, true);
        if (found.joint) add(*found.joint, false);
    }
    return std::tuple{std::move(result), complete};
}

// The cells to guess at, best first: (cell, risk, value, progress).
auto guesses(const Posterior& posterior, const nb::int_& candidates, const nb::int_& inside,
             double least_safety, double second, double certainty) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const Selection selection{
        static_cast<std::size_t>(to_number("candidates", candidates, 0, most)), least_safety,
        static_cast<std::size_t>(to_number("inside", inside, 0, most))};
    std::vector<std::tuple<std::int32_t, double, double, double>> result;
    nb::gil_scoped_release unlocked;
    LayoutCache cache;
    Position position(posterior.question(), cache);
    const auto conclusion = position.possible() && position.counted()
                                ? conclude(position.layouts(), position.outside())
                                : std::nullopt;
    if (!conclusion) throw BudgetExceeded("guesses need an exact posterior");
    for (const auto& [cell, risk, value, progress] :
         compare_guesses(position, *conclusion, selection, {second, certainty}))
        result.emplace_back(cell, risk, value, progress);
    return result;
}

// The chances to win by opening each of some cells, a row per sampled board.
auto rollouts(const Posterior& posterior, const std::vector<std::int32_t>& cells,
              const nb::int_& boards, const nb::int_& seed) {
    for (const auto cell : cells)
        if (cell < 0 || cell >= posterior.topology().cells() || !(posterior.risk()[at(cell)] < 1.0))
            throw std::invalid_argument("cells: " + std::to_string(cell) + " cannot be opened");
    const auto number = static_cast<std::size_t>(
        to_number("boards", boards, 0, std::numeric_limits<std::int32_t>::max()));
    const auto word = to_word("seed", seed);
    std::vector<double> chances;
    {
        nb::gil_scoped_release unlocked;
        chances = roll_out(posterior, cells, number, word);
    }
    return to_numpy(std::move(chances));
}

}  // namespace

void bind_search(nb::module_& m) {
    nb::class_<BoundSmallBoard>(m, "SmallBoard")
        .def("__init__", &init_small_board, "topology"_a, "mines"_a, "start"_a, "first"_a, "work"_a)
        .def_prop_ro("layouts",
                     [](BoundSmallBoard& self) {
                         return self.search.use([](SmallBoard& board) { return board.layouts(); });
                     })
        .def("value_of", &value_of, "cell"_a, "least"_a);
    m.def("guesses", &guesses, "posterior"_a, "candidates"_a, "inside"_a, "least_safety"_a,
          "second"_a, "certainty"_a);
    m.def("rollouts", &rollouts, "posterior"_a, "cells"_a, "boards"_a, "seed"_a);
    m.def("endings", &endings, "posterior"_a, "layouts"_a, "work"_a);
}

}  // namespace mineproof
