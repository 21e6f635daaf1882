// Inference: channels, posteriors and their errors.
#include "posterior/posterior.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/arguments.hpp"
#include "bindings/module.hpp"
#include "board/index.hpp"
#include "posterior/errors.hpp"
#include "posterior/many.hpp"
#include "posterior/solver.hpp"

using namespace nanobind::literals;

namespace mineproof {

namespace {

// Layouts of more cells in total would take gigabytes.
constexpr std::int64_t most_sampled_cells = std::int64_t{1} << 32;
constexpr std::int64_t largest_prime = (std::int64_t{1} << 31) - 1;

std::unique_ptr<Posterior> infer(std::shared_ptr<Topology> topology, const Codes& cells,
                                 const std::optional<nb::int_>& mines,
                                 std::optional<double> density, std::shared_ptr<Channel> channel,
                                 bool trust_flags, const nb::int_& nodes, const nb::int_& bytes,
                                 bool require_exact, Guarded<Solver>* solver) {
    auto codes = to_codes("cells", cells, *topology);
    const auto prior = to_prior(mines, density);
    const auto budget = to_budget(nodes, bytes);
    const auto precision = require_exact ? Precision::exact_only : Precision::may_estimate;
    Question question{std::move(topology), std::move(codes), prior, std::move(channel),
                      trust_flags};
    if (solver)
        return solver->use_without_gil([&](Solver& used) {
            return std::make_unique<Posterior>(used.infer(std::move(question), budget, precision));
        });
    nb::gil_scoped_release unlocked;
    return std::make_unique<Posterior>(std::move(question), budget, precision);
}

using ManyCodes = nb::ndarray<const std::int8_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Totals = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The risks of all observations, one after the other, and the findings.
auto infer_stack(std::shared_ptr<Topology> topology, const ManyCodes& cells,
                 const std::optional<Totals>& mines, std::optional<double> density,
                 std::shared_ptr<Channel> channel, bool trust_flags, const nb::int_& nodes,
                 const nb::int_& bytes, const nb::int_& threads) {
    std::vector<std::int8_t> codes;
    codes.reserve(cells.size());
    for (std::size_t i = 0; i < cells.shape(0); ++i) {
        const auto size = cells.shape(1) * cells.shape(2);
        const Codes one(cells.data() + i * size, {cells.shape(1), cells.shape(2)}, nb::handle());
        const auto checked = to_codes("cells", one, *topology);
        codes.insert(codes.end(), checked.begin(), checked.end());
    }
    std::vector<std::int64_t> totals;
    if (mines) {
        if (mines->size() != cells.shape(0))
            throw std::invalid_argument("mines: " + std::to_string(mines->size()) +
                                        " totals, expected " + std::to_string(cells.shape(0)));
        for (std::size_t i = 0; i < mines->size(); ++i) {
            const auto total = mines->data()[i];
            if (total < 0 || total > most_told_mines)
                throw std::invalid_argument("mines: " + std::to_string(total) +
                                            " is not a number of mines");
            totals.push_back(total);
        }
    }
    const auto budget = to_budget(nodes, bytes);
    const auto workers = static_cast<int>(to_number("threads", threads, 1, most_threads));
    const Question question{
        std::move(topology), {}, to_prior({}, density), std::move(channel), trust_flags};
    ManyAnswers answers;
    {
        nb::gil_scoped_release unlocked;
        answers = infer_many(question, codes, totals, budget, workers);
    }
    std::vector<std::uint8_t> found;
    for (const auto finding : answers.found)
        found.push_back(static_cast<std::uint8_t>(finding));
    return std::pair{to_numpy(std::move(answers.risk)), to_numpy(std::move(found))};
}

bool does_fit(Guarded<Solver>& solver, std::shared_ptr<Topology> topology, const Codes& cells,
              const std::optional<nb::int_>& mines, std::optional<double> density,
              std::shared_ptr<Channel> channel, bool trust_flags, const nb::int_& nodes,
              const nb::int_& bytes) {
    auto codes = to_codes("cells", cells, *topology);
    const auto prior = to_prior(mines, density);
    const auto budget = to_budget(nodes, bytes);
    return solver.use_without_gil([&](Solver& used) {
        return used.fits(
            {std::move(topology), std::move(codes), prior, std::move(channel), trust_flags},
            budget);
    });
}

// A view of an array of the posterior. It keeps the posterior alive.
auto view(nb::handle_t<Posterior> owner, const std::vector<double>& values) {
    const auto& topology = nb::cast<const Posterior&>(owner).topology();
    return nb::ndarray<nb::numpy, const double, nb::ndim<2>>(
        values.data(), {at(topology.rows()), at(topology.cols())}, owner);
}

auto risk(nb::handle_t<Posterior> owner) {
    return view(owner, nb::cast<const Posterior&>(owner).risk());
}

auto standard_error(nb::handle_t<Posterior> owner) {
    const auto& posterior = nb::cast<const Posterior&>(owner);
    if (posterior.exact())
        throw std::invalid_argument("standard_error: the risks are exact, so they have none");
    return view(owner, posterior.standard_error());
}

template <auto chances>
auto chances_of(const Posterior& posterior, const nb::int_& cell) {
    const auto& topology = posterior.topology();
    const auto place = to_cell("cell", cell, topology);
    if (!cell::is_closed(posterior.evidence().cells[at(place)]))
        throw std::invalid_argument(topology.name(place) + ": the cell is not closed");
    std::vector<double> result;
    {
        nb::gil_scoped_release unlocked;
        const auto by_number = (posterior.*chances)(place);
        result.assign(by_number.begin(), by_number.end());
    }
    return to_numpy(std::move(result));
}

auto all_clue_chances(const Posterior& posterior) {
    std::vector<double> result;
    {
        nb::gil_scoped_release unlocked;
        const auto by_cell = posterior.all_clue_chances();
        result.reserve(by_cell.size() * symbols);
        for (const auto& chances : by_cell)
            result.insert(result.end(), chances.begin(), chances.end());
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

double log_layouts(const Posterior& posterior) {
    nb::gil_scoped_release unlocked;
    return posterior.log_layouts();
}

auto samples(const Posterior& posterior, const nb::int_& count, const nb::int_& seed) {
    const auto most = most_sampled_cells / posterior.topology().cells();
    const auto number = static_cast<std::size_t>(to_number("count", count, 0, most));
    const auto word = to_word("seed", seed);
    std::vector<std::uint8_t> result;
    {
        nb::gil_scoped_release unlocked;
        result = posterior.sample(number, word);
    }
    return to_numpy(std::move(result));
}

std::size_t to_component(const nb::int_& component, const Posterior& posterior) {
    const auto components = static_cast<std::int64_t>(posterior.components());
    if (components == 0) throw std::invalid_argument("component: the posterior has none");
    return static_cast<std::size_t>(to_number("component", component, 0, components - 1));
}

auto residues(const Posterior& posterior, const nb::int_& component,
              const std::vector<nb::int_>& primes) {
    const auto index = to_component(component, posterior);
    std::vector<std::uint64_t> numbers;
    for (const auto& prime : primes)
        numbers.push_back(static_cast<std::uint64_t>(to_number("primes", prime, 2, largest_prime)));
    nb::gil_scoped_release unlocked;
    auto count = posterior.count(index, numbers);
    return std::pair{count.fewest, std::move(count.residues)};
}

auto effort_of(const Posterior& posterior) {
    const auto [components, cells, width, work] = posterior.effort();
    return std::tuple{components, cells, width, work};
}

// Python gets the members of the contradiction as arguments of the exception.
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

void bind_posterior(nb::module_& m) {
    nb::exception<Contradiction>(m, "Contradiction");
    nb::register_exception_translator(translate_contradiction, m.attr("Contradiction").ptr());
    nb::exception<BudgetExceeded>(m, "BudgetExceeded", m.attr("MineproofError"));

    nb::class_<Channel>(m, "Channel")
        .def(
            "__init__",
            [](Channel* self, const Weights& weights) { new (self) Channel(to_channel(weights)); },
            "weights"_a);
    m.attr("EXACT") = std::make_shared<Channel>();
    m.attr("TIE") = tie;

    // A posterior never changes, so it needs no mutex.
    nb::class_<Guarded<Solver>>(m, "Solver").def(nb::init<>());
    nb::class_<Posterior>(m, "Posterior")
        .def_prop_ro("risk", &risk)
        .def_prop_ro("standard_error", &standard_error)
        .def_prop_ro("exact", &Posterior::exact)
        .def_prop_ro("safe", &Posterior::safe)
        .def_prop_ro("mined", &Posterior::mined)
        .def("least_risky",
             [](const Posterior& posterior) { return to_numpy(least_risky(posterior.risk())); })
        .def_prop_ro("expected_mines", &Posterior::expected_mines)
        .def_prop_ro("log_weight", &Posterior::log_weight)
        .def("log_layouts", &log_layouts)
        .def_prop_ro("interior", &Posterior::interior)
        .def_prop_ro("known_mines", &Posterior::known_mines)
        .def_prop_ro("effort", &effort_of)
        .def_prop_ro("components", &Posterior::components)
        .def(
            "component_bits",
            [](const Posterior& posterior, const nb::int_& component) {
                return posterior.component_bits(to_component(component, posterior));
            },
            "component"_a)
        .def("residues", &residues, "component"_a, "primes"_a)
        .def("clue_chances", &chances_of<&Posterior::clue_chances>, "cell"_a)
        .def("all_clue_chances", &all_clue_chances)
        .def("count_chances", &chances_of<&Posterior::count_chances>, "cell"_a)
        .def("total_distribution", &distribution)
        .def("sample", &samples, "count"_a, "seed"_a);
    m.def("fits", &does_fit, "solver"_a, "topology"_a, "cells"_a, "mines"_a.none(),
          "density"_a.none(), "channel"_a, "trust_flags"_a, "nodes"_a, "bytes"_a);
    m.def("infer_many", &infer_stack, "topology"_a, "cells"_a, "mines"_a.none(), "density"_a.none(),
          "channel"_a, "trust_flags"_a, "nodes"_a, "bytes"_a, "threads"_a);
    m.def("infer", &infer, "topology"_a, "cells"_a, "mines"_a.none(), "density"_a.none(),
          "channel"_a, "trust_flags"_a, "nodes"_a, "bytes"_a, "require_exact"_a, "solver"_a.none());
}

}  // namespace mineproof
