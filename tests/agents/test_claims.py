"""Certain claims of agents are true in all layouts that fit, under exact clues."""

from __future__ import annotations

from functools import lru_cache
from itertools import count

import numpy as np
import pytest
from numpy.typing import NDArray

from mineproof import CellCode, Game, Observation, Rules, Setup, Topology, agents, play
from mineproof.arena.play import Turn

SHAPES = [(3, 5), (4, 4), (2, 7), (3, 4)]


def names() -> list[str]:
    """Every agent, without options and with each of its options."""
    plain = agents.names()
    optional = [
        f"{name}:{option}" for name in plain for option in agents.registered()[name].options
    ]
    return [*plain, *optional, "border:total", "clue-heap:total"]


@lru_cache
def layouts(cells: int) -> NDArray[np.uint8]:
    """Every way to lay mines, one per row."""
    numbers = np.arange(2**cells, dtype=np.uint32)[:, None]
    return (numbers >> np.arange(cells, dtype=np.uint32) & 1).astype(np.uint8)


@lru_cache
def touching(topology: Topology) -> NDArray[np.uint8]:
    """Which cells touch."""
    table = np.zeros((topology.cells, topology.cells), np.uint8)
    for place in range(topology.cells):
        table[place, [topology.index(c) for c in topology.neighbours(topology.cell(place))]] = 1
    return table


@lru_cache
def true_counts(topology: Topology) -> NDArray[np.uint8]:
    """What every cell shows in every layout."""
    return layouts(topology.cells) @ touching(topology)


def fitting(seen: Observation) -> NDArray[np.uint8]:
    """All layouts that fit, one per row; flags are ignored."""
    codes = seen.cells.ravel()
    every = layouts(codes.size)
    fits = np.ones(len(every), bool)
    for place, code in enumerate(codes.tolist()):
        if code >= 0:
            fits &= (every[:, place] == 0) & (true_counts(seen.topology)[:, place] == code)
        elif code in (CellCode.EXPLODED, CellCode.KNOWN_SAFE):
            fits &= every[:, place] == (code == CellCode.EXPLODED)
    if seen.mines is not None:
        fits &= every.sum(axis=1) == seen.mines
    return every[fits]


class Auditor:
    """Watches a game, and compares every claim with all layouts that fit."""

    def __init__(self) -> None:
        self.positions = self.claims = 0

    def look(self, step: Turn) -> None:
        if step.before is None:
            return
        self.positions += 1
        claims = [move for move in step.moves if move.certain]
        if not claims:
            return
        self.claims += len(claims)
        every = fitting(step.before)
        assert len(every)
        for move in claims:
            column = every[:, step.before.topology.index(move.cell)]
            assert (column == (move.kind == "flag")).all(), (move, step.before.to_text())


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("positions", [60, pytest.param(10_000, marks=pytest.mark.long)])
def test_certain_claims_are_right(name: str, positions: int) -> None:
    auditor = Auditor()
    for seed in count():
        rows, cols = SHAPES[seed % len(SHAPES)]
        rules = Rules("any", "continue" if seed % 3 else "end", given_safe=2 * (seed % 5 == 0))
        mines = 1 + seed % (rows * cols // 2)
        game = Game(Setup(Topology(rows, cols), mines, rules), seed=seed)
        play(game, agents.get(name), seed=seed, watch=auditor.look)
        if auditor.positions >= positions:
            break
    if name in ("logic", "border", "exact", "basic"):
        assert auditor.claims > positions / 4
