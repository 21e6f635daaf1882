"""How long chains of influence get, how far they reach, and whether long ones mean hard games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from mineproof.lab.findings import Findings
from mineproof.lab.sentences import correlation, growth, listed, peaks
from mineproof.lab.study import Arm, Chart, Coordinate, Measure, Point, Study
from mineproof.lab.study_boards import squares
from mineproof.position import Setup
from mineproof.statistics import rank_correlation

__all__ = ["ARMS", "LONGEST", "MEAN", "SIZES", "STUDY", "by_density", "by_side", "with_size"]

LONGEST: Final = Measure("longest", "longest chain of a game")
MEAN: Final = Measure("mean_length", "mean chain length of a game")
_REACH: Final = Measure("reach", "king's moves between a cell and the root of its chain, at most")
_BRANCHING: Final = Measure("branching", "cells that a clue helps to settle")
_DECIDED: Final = Measure("decided", "games whose every link is decided, %", True, factor=100.0)
_CASCADE: Final = Measure("largest_cascade", "cells opened at once, at most")
_TOGETHER: Final = Measure("longest", "rank correlation with the longest chain, game by game")

_BESIDE: Final = {"work": "work", "seconds": "time", "guesses": "guessing"}
"""The columns that are correlated with the longest chain, and their names."""

_ALL_DENSITIES: Final = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.7)
_ALL_SIDES: Final = (6, 10, 14, 20, 28, 40)
_SIDES: Final[Mapping[str, tuple[Coordinate, ...]]] = {"side": (10, 20)}
"""The sizes that are played at all densities."""

_DENSITIES: Final[Mapping[str, tuple[Coordinate, ...]]] = {"density": (0.15, 0.2, 0.25)}
"""The densities that are played in all sizes."""

SIZES: Final = tuple(f"{side}×{side}" for side in _SIDES["side"])

ARMS: Final[tuple[Arm, ...]] = tuple(
    arm
    for arm in squares(_ALL_SIDES, _ALL_DENSITIES, "exact", "chains")
    if arm.at["side"] in _SIDES["side"] or arm.at["density"] in _DENSITIES["density"]
)
"""The games of this study and of `hard`: chains and effort are measured in each."""


def by_density(name: str, title: str, measure: Measure) -> Chart:
    """Return a chart of the sizes that are played at all densities."""
    return Chart(name, title, measure, "density", lines="size", only=_SIDES)


def by_side(name: str, title: str, measure: Measure) -> Chart:
    """Return a chart of the densities that are played in all sizes."""
    return Chart(name, title, measure, "side", "rows and columns", "density", only=_DENSITIES)


def with_size(
    findings: Findings, words: str, measure: Measure, base: str, extent: Callable[[Setup], int]
) -> Iterator[str]:
    """Say how a measure grows from the smallest to the largest boards, as does their extent."""
    setups = {int(arm.at["side"]): arm.setup for arm in findings.arms}
    if len(setups) < 2:
        return
    near, far = min(setups), max(setups)
    curves = {d: findings.curve(measure, "side", density=d) for d in _DENSITIES["density"]}
    ratio = extent(setups[far]) / extent(setups[near])
    words = f"From {near}×{near} to {far}×{far}, {words}"
    yield from growth(words, curves, (near, far), ratio, base, "at a density of {}")


def _farthest(setup: Setup) -> int:
    """Return how many king's moves the farthest cell is away from the start."""
    first = setup.first_cell()
    assert first is not None, "the start rule names it"
    return max(setup.topology.distance(first, cell) for cell in setup.topology.each())


def _pairs(
    findings: Findings, column: str, arm: Arm, length: str = "longest"
) -> tuple[list[float], list[float]]:
    """Return the longest chain, or the largest cascade, and another column, game by game."""
    rows = findings.columns(length, column, **arm.at)
    return [float(chain) for chain, _ in rows], [float(other) for _, other in rows]


def _answer(findings: Findings) -> Iterator[str]:
    for measure, words in (
        (LONGEST, "The longest chain of a game is longest"),
        (MEAN, "The mean chain is longest"),
        (_BRANCHING, "A clue helps to settle the most cells"),
        (_CASCADE, "The largest cascade of a game, which R1 calls a chain, is largest"),
    ):
        yield from peaks(words, findings, measure, "density", among=SIZES)
    words, base = "the longest chain grows", "the distance from the start to the farthest cell"
    yield from with_size(findings, words, LONGEST, base, _farthest)
    away = {
        arm.at["size"]: _farthest(arm.setup) for arm in findings.arms if arm.at["size"] in SIZES
    }
    if away:
        far = listed(f"{moves} on {size}" for size, moves in away.items())
        words = (
            f"Chains reach farthest from their roots, in king's moves (the farthest cell: {far}),"
        )
        yield from peaks(words, findings, _REACH, "density", among=SIZES)
        words = "They reach least far"
        yield from peaks(words, findings, _REACH, "density", among=SIZES, least=True)
    for length, words in (("longest", "longer chains"), ("largest_cascade", "larger cascades")):
        found = {
            name: rank_correlation([_pairs(findings, column, arm, length) for arm in findings.arms])
            for column, name in _BESIDE.items()
        }
        yield from correlation(f"On boards of one size and density, {words} go with", found)
    words = "Every link is decided (no smaller proof, no shorter chain will do) in the fewest games"
    yield from peaks(words, findings, _DECIDED, "density", among=SIZES, least=True)


def _together(findings: Findings, chart: Chart) -> Iterator[Point]:
    for column, name in _BESIDE.items():
        for arm in (arm for arm in findings.arms if arm.at["size"] in SIZES):
            found = rank_correlation([_pairs(findings, column, arm)])
            if found is not None:
                yield chart.point(arm.at["size"], arm.at["density"], found, panel=name)


STUDY: Final = Study(
    "chains",
    title="Chains of influence",
    question=(
        "How long do chains of influence get, and how far do they reach, by the density and the "
        "size of the board; and do games with longer chains take more work, time or guesses? (A "
        "chain leads from an opening without proof, by the clues of smallest proofs, to a cell "
        "that is settled. exact, told the total, starts at a zero and plays the whole board.)"
    ),
    arms=ARMS,
    games=1_000,
    quick=100,
    charts=(
        by_density("longest-density", "The longest chain by density", LONGEST),
        by_side("longest-size", "The longest chain by size", LONGEST),
        by_density("mean-density", "The mean chain by density", MEAN),
        by_side("mean-size", "The mean chain by size", MEAN),
        by_density("reach-density", "How far chains reach, by density", _REACH),
        by_side("reach-size", "How far chains reach, by size", _REACH),
        by_density("cascade-density", "The largest cascade by density", _CASCADE),
        by_density("branching-density", "How many cells a clue helps to settle", _BRANCHING),
        Chart(
            "effort",
            "Whether longer chains go with more work, time and guessing",
            _TOGETHER,
            x="density",
            lines="size",
            panels="with",
            points=_together,
        ),
    ),
    answer=_answer,
)
