"""The clue chances of all closed cells at once, against inference and against cell by cell."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.positions import stuck
from benchmarks.report import Report, Track, at_most
from benchmarks.timing import best
from mineproof import Observation, Posterior, infer

POSITIONS = 60
LEAST_OPEN = 100
MOST = 6.0
"""Inferences that all clue chances together may cost."""


def one_by_one(posterior: Posterior) -> list[float]:
    """Ask for the clue chances of every closed cell."""
    cells = posterior.observation.closed_cells()
    return [chance for cell in cells for chance in posterior.clue_chances(cell)]


def all_at_once(posterior: Posterior) -> list[float]:
    """Ask for all of them in one call."""
    chances = posterior.all_clue_chances()
    cells = posterior.observation.closed_cells()
    return [chance for cell in cells for chance in chances[cell]]


def run(track: Track, quick: bool = False) -> Report:
    """Time the three questions on stuck expert positions."""
    positions: list[Observation] = stuck("expert", "safe", 2 if quick else POSITIONS, LEAST_OPEN)
    inference, together, apart, gap = [], [], [], 0.0
    for seen in track(positions, "clues"):
        posterior = infer(seen)
        inference.append(best(partial(infer, seen), 9).warm)
        together.append(best(posterior.all_clue_chances, 9).warm)
        apart.append(best(partial(one_by_one, posterior), 2).warm)
        differences = np.subtract(all_at_once(posterior), one_by_one(posterior))
        gap = max(gap, float(np.abs(differences).max()))
    medians = [1e6 * float(np.median(seconds)) for seconds in (inference, together, apart)]
    return Report(
        f"clues: {len(positions)} stuck expert positions, microseconds per position",
        ("", "infer", "all clue chances", "cell by cell", "cell by cell / all"),
        (("median", *medians, medians[2] / medians[1]),),
        (
            at_most("all clue chances, in inferences", medians[1] / medians[0], MOST, timed=True),
            at_most("largest difference from cell by cell", gap, 1e-12),
        ),
    )
