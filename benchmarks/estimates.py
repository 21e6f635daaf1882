"""Estimates: the same wide part of boards of growing size, which must take the same time."""

from __future__ import annotations

from functools import partial
from random import Random

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Report, Track, Value, at_most, every
from benchmarks.timing import best
from mineproof import Budget, Channel, Game, Observation, Prior, Rules, Setup, Topology, infer
from mineproof.position import CellCode, mines_at

SIDES = (30, 300, 2000)
PATCH = 30
SHARE = 0.4
DENSITY = 0.2
CHANNEL = Channel.optimistic()


def patch(side: int) -> NDArray[np.int8]:
    """Return the cells of a board with clues that lie, opened at random."""
    rules = Rules(start="any", on_mine="continue", cascade=False)
    game = Game(
        Setup(Topology(side, side), mines_at(DENSITY, side * side), rules, CHANNEL), seed=side
    )
    cells = sorted(np.ndindex(side, side))
    for cell in Random(side).sample(cells, int(side * side * SHARE)):
        game.open(cell)
    return game.observe().cells


def inside(seen: NDArray[np.int8], side: int) -> Observation:
    """Return a board with a patch in its corner; the other cells are closed."""
    cells = np.full((side, side), CellCode.CLOSED, np.int8)
    height, width = seen.shape
    cells[:height, :width] = seen
    # Without these the cells along the patch would be a part of it on larger boards only.
    cells[height : height + 1, : width + 1] = CellCode.KNOWN_SAFE
    cells[: height + 1, width : width + 1] = CellCode.KNOWN_SAFE
    return Observation(Topology(side, side), cells, channel=CHANNEL)


def run(track: Track, quick: bool = False) -> Report:
    """Estimate one patch on boards of every size, without counting."""
    seen = patch(10 if quick else PATCH)
    sides = (10, 30, 100) if quick else SIDES
    budget = Budget(nodes=0, bytes=0) if quick else Budget(nodes=0)
    rows: list[tuple[Value, ...]] = []
    seconds: list[float] = []
    risks: list[bytes] = []
    for side in track(sides, "estimates"):
        board = inside(seen, side)
        timing = best(partial(infer, board, Prior.density(DENSITY), budget=budget), 2)
        seconds.append(timing.warm)
        risks.append(timing.result.risk[: len(seen), : len(seen)].tobytes())
        rows.append((f"{side:,}×{side:,}", timing.warm, timing.warm / seconds[0]))
    largest = f"{sides[-1]:,}×{sides[-1]:,}"
    return Report(
        f"estimates: one part of {len(seen)}×{len(seen)} cells with clues that lie",
        ("board", "seconds", "times the smallest"),
        tuple(rows),
        (
            at_most(
                f"time on {largest} against the smallest", seconds[-1] / seconds[0], 1.5, timed=True
            ),
            every("boards with the same risks, bit for bit", [risk == risks[0] for risk in risks]),
        ),
    )
