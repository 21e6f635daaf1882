"""The other engine, ms-toollib, and how to ask both the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Target, Track, Value, at_most, skipped
from benchmarks.timing import best, side_by_side
from mineproof import Observation, infer

Grid: TypeAlias = list[list[int]]
Ask: TypeAlias = Callable[[Grid, int], tuple[list[list[float]], list[int]]]

CLOSED = 10
"""What ms-toollib calls a closed cell."""
COLUMNS = ("positions", "caches", "ours", "worst", "ms-toollib", "worst", "ratio", "least")
"""Of a table of duels: medians, each with its worst."""


def load() -> Ask | None:
    """Return the function of ms-toollib that gives risks, or None where it is not installed."""
    try:
        from ms_toollib import cal_probability_onboard
    except ImportError:
        return None
    ask: Ask = cal_probability_onboard
    ask([[CLOSED] * 9 for _ in range(9)], 10)  # Its first call sets it up.
    return ask


def grid(observation: Observation) -> Grid:
    """Write a position the way ms-toollib reads it."""
    cells: Grid = np.where(observation.cells < 0, CLOSED, observation.cells).tolist()
    return cells


def risk(observation: Observation) -> NDArray[np.float64]:
    """Ask us."""
    return infer(observation).risk


@dataclass(frozen=True, slots=True)
class Duel:
    """The seconds that both needed for every position, and how far apart their answers were.

    Parameters
    ----------
    ours, theirs
        Seconds by position; a row with warm caches, and one with cold ones. Theirs are not a
        number where ms-toollib is not installed.
    gap
        The largest difference between two risks of the same cell.
    """

    ours: NDArray[np.float64]
    theirs: NDArray[np.float64]
    gap: float

    @property
    def ratio(self) -> NDArray[np.float64]:
        """How many times faster ours is: warm and cold, by position."""
        return self.theirs / self.ours

    def rows(self, name: str, unit: float) -> Iterator[tuple[Value, ...]]:
        """Return the figures under `COLUMNS`, with times in this unit of seconds."""
        for place, caches in enumerate(("warm", "cold")):
            ours, theirs, ratio = self.ours[place], self.theirs[place], self.ratio[place]
            times = (np.median(ours), ours.max(), np.median(theirs), theirs.max())
            ratios = (float(np.median(ratio)), float(ratio.min()))
            yield name, caches, *(float(seconds / unit) for seconds in times), *ratios

    def targets(self, *promises: Target) -> tuple[Target, ...]:
        """Return these promises of speed, and that both agree; all skipped without ms-toollib."""
        every = (*promises, at_most("farthest from ms-toollib", self.gap, 1e-9))
        if not np.isnan(self.theirs).any():
            return every
        return tuple(skipped(target.what, "ms-toollib is not installed") for target in every)


def duel(
    positions: Sequence[Observation],
    what: str,
    track: Track,
    *,
    turns: int = 3,
    calls: int = 5,
    patience: float = 1.0,
) -> Duel:
    """Time one call of `infer` and one of ms-toollib on every position.

    Parameters
    ----------
    positions
        What to ask.
    what
        What the progress bar says.
    track
        The progress bar.
    turns, calls, patience
        As for `side_by_side`.
    """
    ask = load()
    ours, theirs, gap = [], [], 0.0
    for seen in track(positions, what):
        ourselves = partial(risk, seen)
        if ask is None:
            mine = best(ourselves, 5)
            theirs.append((np.nan, np.nan))
        else:
            asked = partial(ask, grid(seen), seen.mines or 0)
            mine, other = side_by_side(
                ourselves, asked, turns=turns, calls=calls, patience=patience
            )
            theirs.append((other.warm, other.cold))
            gap = max(gap, float(np.nanmax(np.abs(mine.result - other.result[0]))))
        ours.append((mine.warm, mine.cold))
    return Duel(np.array(ours).T, np.array(theirs).T, gap)
