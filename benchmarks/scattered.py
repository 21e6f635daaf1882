"""Reveals scattered over the board: wide frontiers, in which the order of elimination decides."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.peer import COLUMNS, duel
from benchmarks.positions import scattered
from benchmarks.report import Report, Track, Value, at_least, every
from benchmarks.timing import timed
from mineproof import BudgetExceeded, Observation, infer


def is_exact(seen: Observation) -> bool:
    """Whether the default budget suffices."""
    try:
        return infer(seen, require_exact=True).exact
    except BudgetExceeded:
        return False


def run(track: Track, quick: bool = False) -> Report:
    """Time expert boards against ms-toollib, and wider ones alone, one call each."""
    shares = np.linspace(0.02, 0.6, 4 if quick else 100).tolist()
    expert = [scattered(16, 30, 99, share, seed) for seed, share in enumerate(shares)]
    found = duel(expert, "scattered: 16×30", track, turns=2, calls=3, patience=0.2)
    wide = [scattered(30, 30, 180, 0.4, seed) for seed in range(2 if quick else 50)]
    alone = [timed(partial(is_exact, seen)) for seen in track(wide, "scattered: 30×30")]
    milliseconds = [1e3 * seconds for seconds, _ in alone]
    none = (np.nan,) * 4
    row: tuple[Value, ...] = float(np.median(milliseconds)), max(milliseconds), *none
    return Report(
        f"scattered: {len(expert)} and {len(wide)} positions without cascade, milliseconds a call",
        COLUMNS,
        (
            *found.rows("16×30/99, 2–60%", 1e-3),
            ("30×30/180, 40%", "cold", *row),
        ),
        (
            *found.targets(
                at_least(
                    "% at least 10 times faster",
                    100 * float(np.mean(found.ratio[0] >= 10)),
                    99,
                    timed=True,
                )
            ),
            every("30×30 exact within the default budget", [exact for _, exact in alone]),
        ),
    )
