// The Python module. The bindings check arguments and convert values; the core does the rest.
#include "bindings/module.hpp"

NB_MODULE(_core, m) {
    // Objects that modules still hold at exit are not leaks.
    nanobind::set_leak_warnings(false);

    mineproof::bind_cancel(m);
    mineproof::bind_board(m);
    mineproof::bind_posterior(m);
    mineproof::bind_proofs(m);
    mineproof::bind_reasoning(m);
    mineproof::bind_chains(m);
    mineproof::bind_search(m);
    mineproof::bind_env(m);
    mineproof::bind_play(m);
}
