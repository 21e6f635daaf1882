// Arguments from Python, checked. Each function raises a ValueError that names the argument.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "board/generate.hpp"
#include "board/model.hpp"
#include "board/topology.hpp"
#include "counting/layouts.hpp"

namespace mineproof {

namespace nb = nanobind;

using MineMask = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Codes = nb::ndarray<const std::int8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const double, nb::shape<max_degree + 1, max_degree + 1, symbols>,
                            nb::c_contig, nb::device::cpu>;

// More mines than any board has, but sums of such numbers still fit 64 bits.
inline constexpr std::int64_t most_told_mines = std::int64_t{1} << 60;

// More threads than any machine needs.
inline constexpr std::int64_t most_threads = 1024;

// A number from `least` to `most`. An argument of type int has any size in Python, and nanobind's
// own conversion would only say that the call does not match the signature.
std::int64_t to_number(const char* name, const nb::int_& number, std::int64_t least,
                       std::int64_t most = std::numeric_limits<std::int64_t>::max());
std::uint64_t to_word(const char* name, const nb::int_& number, std::uint64_t least = 0);

// A number of rows or columns.
int to_side(const char* name, const nb::int_& side);
std::int32_t to_cell(const char* name, const nb::int_& cell, const Topology& topology);
std::vector<std::int32_t> to_cells(const char* name, const std::vector<std::int64_t>& cells,
                                   const Topology& topology);
// A first cell, which under `any` may be anything.
std::int32_t to_first(const nb::int_& first, const Topology& topology, Start start);

std::vector<std::uint8_t> to_mines(const MineMask& mines);
std::vector<std::uint8_t> to_mines(const MineMask& mines, const Topology& topology);
std::vector<std::int8_t> to_codes(const char* name, const Codes& codes, const Topology& topology);

// Without weights, clues are exact.
Channel to_channel(const std::optional<Weights>& weights);
Prior to_prior(const std::optional<nb::int_>& mines, std::optional<double> density = {});
Budget to_budget(const nb::int_& nodes, const nb::int_& bytes);

// Gives the memory of a vector to Python without a copy.
template <typename T>
auto to_numpy(std::vector<T>&& values) {
    auto* owner = new std::vector<T>(std::move(values));
    nb::capsule guard(owner, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T, nb::ndim<1>>(owner->data(), {owner->size()}, guard);
}

}  // namespace mineproof
