"""Boards that need no guess: how long one takes, and how they differ from random boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module

import numpy as np

from benchmarks.report import Report, Target, Track, Value, at_least, at_most, skipped
from benchmarks.timing import timed
from mineproof import Board, Rules, Setup
from mineproof.game import difficulty, measure, no_guess_board
from mineproof.proofs import Technique

BOARDS = 2000
LEVEL_NAMES = ("beginner", "intermediate", "expert")


def load() -> Callable[[int, int, int, int, int], object] | None:
    """Return the generator of ms-toollib, or None if it is not installed."""
    try:
        found = import_module("ms_toollib").laymine_solvable_adjust
    except ImportError:
        return None
    return found  # type: ignore[no-any-return]


def row(name: str, boards: Sequence[Board], moved: float) -> tuple[Value, ...]:
    """Return the means of some boards."""
    measured = [measure(board) for board in boards]
    needs = [difficulty(board).technique for board in boards]
    shares = [f"{needs.count(each) / len(needs):.1%}" for each in (*list(Technique)[1:], None)]
    means = [
        float(np.mean([getattr(each, what) for each in measured]))
        for what in ("bbbv", "openings", "islands")
    ]
    return name, *means, moved, *shares


def rows_of(name: str, seeds: range) -> list[tuple[Value, ...]]:
    """Compare random boards, those of them that need no guess, and generated ones."""
    setup = Setup.level(name, rules=Rules("zero"))
    laid = [Board.random(setup, seed) for seed in seeds]
    generated = [no_guess_board(setup, seed=seed) for seed in seeds]
    lucky = [board for board in laid if difficulty(board).technique is not None]
    moved = np.mean(
        [
            np.count_nonzero(ours.layout & ~theirs.layout)
            for ours, theirs in zip(laid, generated, strict=True)
        ]
    )
    return [
        row(name, laid, 0.0),
        row("  no guess", lucky, 0.0),
        row("  generated", generated, float(moved)),
    ]


def run(track: Track, quick: bool = False) -> Report:
    """Measure boards, and time both generators in turns."""
    seeds = range(20 if quick else BOARDS)
    level, other = Setup.level("expert", rules=Rules("zero")), load()
    rows = [row for name in track(LEVEL_NAMES, "boards") for row in rows_of(name, seeds)]
    ours, theirs = [], []
    for seed in track(seeds[: len(seeds) // 4], "boards: time"):
        lay = partial(no_guess_board, level, seed=seed)
        ours.append(timed(lay)[0])
        if other is not None:
            theirs.append(timed(partial(other, *level.topology.shape, level.mines, 3, 3))[0])
    mean = 1e3 * float(np.mean(ours))
    what = "times faster than ms-toollib, mean of expert boards"
    against: Target = (
        at_least(what, 1e3 * float(np.mean(theirs)) / mean, 1.0, timed=True)
        if theirs
        else skipped(what, "ms-toollib is not installed")
    )
    shares = tuple(f"{technique}" for technique in list(Technique)[1:])
    return Report(
        "boards: means of boards opened at (3, 3) under zero, shares by the hardest technique",
        ("", "3BV", "openings", "islands", "moved", *shares, "guess"),
        tuple(rows),
        (at_most("milliseconds per expert board without a guess", mean, 10, timed=True), against),
    )
