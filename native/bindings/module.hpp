// The parts of the Python module, one per file, and what they share.
#pragma once

#include <nanobind/nanobind.h>

#include "bindings/guarded.hpp"

namespace mineproof {

template <class T>
using Guarded = GuardedBy<T, nanobind::gil_scoped_release>;

void bind_cancel(nanobind::module_& m);
void bind_board(nanobind::module_& m);
void bind_posterior(nanobind::module_& m);
void bind_proofs(nanobind::module_& m);
void bind_reasoning(nanobind::module_& m);
void bind_chains(nanobind::module_& m);
void bind_search(nanobind::module_& m);
void bind_env(nanobind::module_& m);
void bind_play(nanobind::module_& m);

}  // namespace mineproof
