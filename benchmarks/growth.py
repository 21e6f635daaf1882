"""Time and memory of a posterior as boards grow, and one board of a million cells."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count, islice
from statistics import median
from typing import NamedTuple

import numpy as np

from benchmarks.memory import of_posterior
from benchmarks.peer import risk
from benchmarks.positions import play_certain
from benchmarks.report import Report, Target, Track, Value, at_most, every
from benchmarks.timing import best, timed
from mineproof import Board, Game, Observation, Rules, Setup, Topology, infer
from mineproof.position import mines_at

DENSITY = 0.15
SIDES = (100, 200, 400, 800)
HUGE = 1000
SEEDS = 5
KINDS = ("halfway", "stuck")


class Course(NamedTuple):
    """A board, and what certain moves show of it half-way and when they have run out."""

    board: Board
    halfway: Observation
    stuck: Observation


def courses(side: int) -> Iterator[Course]:
    """Play certain moves from the middle, seed by seed; leave out those that stop before half."""
    middle = side // 2, side // 2
    for seed in count():
        rules = Rules(start="zero")
        game = Game(
            Setup(Topology(side, side), mines_at(DENSITY, side * side), rules, first=middle),
            seed=seed,
        )
        half = (side * side - game.mines) // 2
        halfway, stuck = play_certain(game, half), play_certain(game)
        if halfway and stuck and game.opened > half:
            yield Course(game.board, halfway, stuck)


def exponent(sides: Sequence[int], values: Sequence[float]) -> float:
    """Fit the power of the number of cells with which the first values grow, one a side.

    Examples
    --------
    >>> round(exponent([10, 20], [3, 12]), 6)
    1.0
    """
    slope, _ = np.polyfit(2 * np.log(sides), np.log(values[: len(sides)]), 1)
    return float(slope)


def measure(positions: Sequence[Observation]) -> tuple[float, float]:
    """Return the median seconds and bytes of a posterior."""
    seconds = [best(partial(risk, seen), 5).warm for seen in positions]
    return median(seconds), median(map(of_posterior, positions))


def claims(course: Course) -> tuple[Target, ...]:
    """Return what must hold on a board of any size."""
    posterior = infer(course.halfway, require_exact=True)
    seconds, layouts = timed(lambda: posterior.layouts)
    mines = course.board.layout
    totals = posterior.expected_mines, float(np.nansum(posterior.risk)), course.board.mines
    certain = [*(not mines[cell] for cell in posterior.safe), *map(mines.item, posterior.mined)]
    size = f"{course.board.rows:,}×{course.board.cols:,}"
    digits = math.floor(math.log10(layouts)) + 1
    return (
        at_most(
            f"{size}: expected mines, sum of risks and total differ by",
            max(totals) - min(totals),
            1e-6,
        ),
        every(f"{size}: certain cells that are as told", certain),
        at_most(
            f"{size}: log10 of layouts ({digits:,} digits in {seconds:.2g} s) is off by",
            abs(math.log10(layouts) - posterior.log10_layouts),
            1e-6,
        ),
    )


def run(track: Track, quick: bool = False) -> Report:
    """Measure positions of the same two kinds at every size."""
    sides = (20, 30) if quick else SIDES
    huge = 40 if quick else HUGE
    rows: list[tuple[Value, ...]] = []
    seconds: dict[str, list[float]] = {kind: [] for kind in KINDS}
    peaks: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for side in track((*sides, huge), "growth"):
        found = list(islice(courses(side), 1 if quick or side == huge else SEEDS))
        for kind in KINDS:
            took, peak = measure([getattr(course, kind) for course in found])
            rows.append((f"{side:,}×{side:,}", kind, len(found), took * 1e3, peak / 2**20))
            seconds[kind].append(took)
            peaks[kind].append(peak)
    targets = [
        at_most(f"exponent of {what}, {kind}", exponent(sides, values[kind]), limit, timed=True)
        for what, values, limit in (("time", seconds, 1.15), ("memory", peaks, 1.05))
        for kind in KINDS
    ]
    return Report(
        f"growth: certain moves at {DENSITY:.0%} mines, medians",
        ("board", "position", "seeds", "milliseconds", "MiB"),
        tuple(rows),
        (*targets, *claims(found[0])),
    )
