// The parts of the Python module, one per file.
#pragma once

#include <nanobind/nanobind.h>

namespace mineproof {

void bind_board(nanobind::module_& m);
void bind_posterior(nanobind::module_& m);
void bind_proofs(nanobind::module_& m);
void bind_chains(nanobind::module_& m);
void bind_play(nanobind::module_& m);

}  // namespace mineproof
