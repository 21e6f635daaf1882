"""Expert positions in which certain moves have run out, against ms-toollib."""

from __future__ import annotations

import numpy as np

from benchmarks.peer import COLUMNS, duel
from benchmarks.positions import stuck
from benchmarks.report import Report, Track, at_least
from mineproof.position.rules import Start

STARTS: tuple[Start, ...] = ("safe", "zero")
POSITIONS = 100
"""Of each start rule."""
LEAST_OPEN = 100
"""Cells, of 381 that are safe."""


def run(track: Track, quick: bool = False) -> Report:
    """Time one call on each of the first seeds that leave a player stuck well into the game."""
    number = 3 if quick else POSITIONS
    positions = [
        seen
        for start in track(STARTS, "expert: playing")
        for seen in stuck("expert", start, number, LEAST_OPEN)
    ]
    found = duel(positions, "expert", track)
    warm = found.ratio[0]
    return Report(
        f"expert: {len(positions)} stuck positions, microseconds a call",
        COLUMNS,
        tuple(found.rows("16×30/99, stuck", 1e-6)),
        found.targets(
            at_least("times faster, median", float(np.median(warm)), 20, timed=True),
            at_least("times faster, least", float(warm.min()), 1, timed=True),
        ),
    )
