"""Asks the engine the questions of the oracle."""

from __future__ import annotations

import numpy as np
from oracle import Question

from mineproof import Channel, Observation, Posterior, Prior, Topology, infer
from mineproof.position.topology import TOPOLOGIES


def observation(question: Question) -> Observation:
    mines = question.value if question.prior == "total" else None
    assert mines is None or isinstance(mines, int)
    cells = np.array(question.cells, np.int8)
    kind = next(kind for kind in TOPOLOGIES if kind == question.topology)
    return Observation(Topology(question.rows, question.cols, kind), cells, mines=mines)


def prior(question: Question) -> Prior:
    if question.value is None:
        return Prior.unknown()
    if question.prior == "total":
        return Prior.total(int(question.value))
    return Prior.density(float(question.value))


def channel(question: Question) -> Channel:
    named = {
        "exact": Channel.exact,
        "lost": lambda: Channel.lost(0.3),
        "optimistic": Channel.optimistic,
        "cautious": Channel.cautious,
    }
    if question.channel.name in named:
        return named[question.channel.name]()
    weights = np.zeros((9, 9, 10))
    for d in range(9):
        for k in range(d + 1):
            weights[d, k] = [question.channel.chance(seen, k, d) for seen in range(10)]
    return Channel.table(weights)


def ask(question: Question, *, require_exact: bool = False) -> Posterior:
    return infer(
        observation(question),
        prior(question),
        channel(question),
        flags="trust" if question.trust else "ignore",
        require_exact=require_exact,
    )
