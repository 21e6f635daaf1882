// Proofs.
#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "bindings/arguments.hpp"
#include "bindings/module.hpp"
#include "posterior/posterior.hpp"
#include "proofs/proof.hpp"

using namespace nanobind::literals;

namespace mineproof {

namespace {

// With the posterior, which `keep_alive` holds, to check cells before a search starts.
struct BoundProver {
    BoundProver(const Posterior& all, std::size_t most_sets)
        : posterior(all), prover(all, most_sets) {}

    const Posterior& posterior;
    Guarded<Prover> prover;
};

void init_prover(BoundProver* self, const Posterior& posterior, const nb::int_& most_sets) {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    const auto number = static_cast<std::size_t>(to_number("most_sets", most_sets, 1, most));
    nb::gil_scoped_release unlocked;
    new (self) BoundProver(posterior, number);
}

auto prove(BoundProver& self, const nb::int_& cell) {
    const auto& topology = self.posterior.topology();
    const auto place = to_cell("cell", cell, topology);
    if (!self.posterior.is_certain(place))
        throw std::invalid_argument(topology.name(place) + ": the cell is not certain");
    return self.prover.use_without_gil([&](Prover& prover) {
        auto [premises, uses_total, smallest, all, irreducible] = prover.prove(place);
        return std::tuple{std::move(premises), uses_total, smallest, all, irreducible};
    });
}

}  // namespace

void bind_proofs(nb::module_& m) {
    nb::class_<BoundProver>(m, "Prover")
        .def("__init__", &init_prover, "posterior"_a, "most_sets"_a, nb::keep_alive<1, 2>())
        .def("prove", &prove, "cell"_a);
}

}  // namespace mineproof
