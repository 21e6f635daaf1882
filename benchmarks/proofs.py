"""Proofs against posteriors: how long `explain` takes, in posteriors of the same position."""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.positions import scattered, witnessed
from benchmarks.report import Report, Track, at_most, every
from benchmarks.timing import side_by_side
from mineproof import Cell, Game, Observation, Proof, explain, infer
from mineproof.proofs import Technique
from mineproof.random import Random

LEVELS = ("beginner", "medium", "intermediate", "expert")
GAMES = 25
"""For each level."""
SCATTERED = 20
CELLS = 2
"""For each position of a game; ten times as many where clues are scattered."""


def posterior(seen: Observation) -> NDArray[np.float64]:
    """Return the risks."""
    return infer(seen).risk


def certain_cells(seen: Observation, chance: Random, most: int) -> list[Cell]:
    """Draw a few of the cells that are certain."""
    found = infer(seen)
    cells = [*found.safe, *found.mined]
    return [cells.pop(chance.below(len(cells))) for _ in range(min(most, len(cells)))]


def questions(name: str, quick: bool) -> list[tuple[Observation, Cell]]:
    """Return certain cells to explain, in games of a level or among scattered clues."""
    chance = Random(1)
    if name in LEVELS:
        games = (Game.level(name, seed=seed) for seed in range(5 if quick else GAMES))
        seen = [position for game in games for position in witnessed(game)]
        return [(one, cell) for one in seen for cell in certain_cells(one, chance, CELLS)]
    seen = [scattered(16, 30, 99, 0.35, seed) for seed in range(1 if quick else SCATTERED)]
    return [(one, cell) for one in seen for cell in certain_cells(one, chance, 10 * CELLS)]


def run(track: Track, quick: bool = False) -> Report:
    """Explain certain cells, and work out the posterior of the position in turns with that."""
    rows, proofs = [], []
    times: list[tuple[float, float]] = []
    for name in (*LEVELS, "35% revealed"):
        first = len(times)
        for seen, cell in track(questions(name, quick), f"proofs: {name}"):
            ours, theirs = side_by_side(
                partial(explain, seen, cell), partial(posterior, seen), turns=2, calls=3
            )
            assert isinstance(ours.result, Proof)
            proofs.append(ours.result)
            times.append((ours.warm, theirs.warm))
        proof, one = np.array(times[first:]).T
        middle, far = np.quantile(proof / one, [0.5, 0.99]).tolist()
        longest = float(proof.max())
        rows.append((name, len(proof), 1e6 * float(np.median(proof)), middle, far, 1e3 * longest))
    kinds = ", ".join(
        f"{sum(proof.technique is kind for proof in proofs):,} {kind}" for kind in Technique if kind
    )
    proof, one = np.array(times).T
    ratio = float(np.median(proof / one))
    return Report(
        f"proofs: {len(proofs):,} certain cells ({kinds})",
        ("a proof", "cells", "median µs", "in posteriors", "99%", "worst ms"),
        tuple(rows),
        (
            at_most("median time of a proof, in posteriors", ratio, 20, timed=True),
            at_most("seconds for the longest proof", float(proof.max()), 1, timed=True),
            every("proofs of which no premise can go", [proof.irreducible for proof in proofs]),
        ),
    )
