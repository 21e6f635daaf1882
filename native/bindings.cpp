// The only file that knows Python: thin wrappers around the core, no logic.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/random.hpp"
#include "core/topology.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mineproof;

namespace {

using Unlocked = nb::call_guard<nb::gil_scoped_release>;

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
}
