// The Python module. The bindings check arguments and convert values; the core does the rest.
#include "bindings/module.hpp"

#include <string>

NB_MODULE(_core, m) {
    // Objects that modules still hold at exit are not leaks.
    nanobind::set_leak_warnings(false);

    // The base of all errors, in Python too.
    const auto base = std::string(nanobind::str(m.attr("__name__")).c_str()) + ".MineproofError";
    m.attr("MineproofError") = nanobind::steal(PyErr_NewException(base.c_str(), nullptr, nullptr));

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
