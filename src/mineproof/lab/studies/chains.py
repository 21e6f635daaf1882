"""How long chains of influence get, how far they reach, and whether long ones mean hard games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from mineproof import statistics
from mineproof.game.setup import Setup
from mineproof.lab.studies.changes import peaks, power
from mineproof.lab.studies.conditions import BY_DENSITY, BY_SIDE, chained_squares
from mineproof.lab.studies.wording import aside, curve, is_clear, listed, plain, shown
from mineproof.lab.study import Chart, Coordinate, Measure, Point, Study
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["LONGEST", "STUDY"]

LONGEST: Final = Measure("longest", "longest chain of a game")
_MEAN: Final = Measure("mean_length", "mean chain length of a game")
_REACH: Final = Measure("reach", "king's moves between a cell and the root of its chain, at most")
_BRANCHING: Final = Measure("branching", "cells that a clue helps to settle")
_DECIDED: Final = Measure("decided", "games whose every link is decided, %", True, factor=100.0)
_TOGETHER: Final = Measure("longest", "rank correlation with the longest chain, game by game")

_BESIDE: Final = {"work": "work", "seconds": "time", "guesses": "guessing"}
"""What the longest chain is correlated with: columns, and what they hold."""

_SIZES: Final = tuple(f"{side}×{side}" for side in BY_DENSITY["side"])


def _answer(findings: Findings) -> Iterator[str]:
    for measure, words in (
        (LONGEST, "The longest chain of a game is longest"),
        (_MEAN, "The mean chain is longest"),
        (_BRANCHING, "A clue helps to settle the most cells"),
    ):
        if where := peaks(findings, measure, "size", "density", among=_SIZES):
            yield f"{words} at a density of {where}."
    yield from _growth(findings)
    yield from _reach(findings)
    yield from _with_effort(findings)
    yield from _undecided(findings)


def _growth(findings: Findings) -> Iterator[str]:
    """Say how the longest chain grows with the way from the start to the farthest cell."""
    groups: dict[str, list[str]] = {}
    setups = {arm.at["side"]: arm.setup for arm in findings.arms}
    far, near = max(setups, key=float, default=0), min(setups, key=float, default=0)
    for density in _in_all_sizes(findings):
        lengths = curve(findings, LONGEST, "side", {"density": density})
        if near != far and near in lengths and far in lengths:
            times = _farthest(setups[far]) / _farthest(setups[near])
            found = power(lengths[near], lengths[far], times)
            if found is not None:
                groups.setdefault(_beside_one(found), []).append(
                    f"{shown(found)} at a density of {plain(density)}"
                )
    for how, texts in groups.items():
        ends = f"From {near}×{near} to {far}×{far}"
        yield (
            f"{ends} the longest chain grows {how} the way from the start to the farthest cell, as "
            f"its power of {listed(texts)}."
        )


def _beside_one(found: Estimate) -> str:
    if found.low <= 1 <= found.high:
        return "like"
    return "faster than" if found.value > 1 else "more slowly than"


def _in_all_sizes(findings: Findings) -> Sequence[Coordinate]:
    return [density for density in BY_SIDE["density"] if findings.values("side", density=density)]


def _reach(findings: Findings) -> Iterator[str]:
    """Say how far chains reach, beside the farthest that a cell can be from the start."""
    said = []
    setups = {arm.at["size"]: arm.setup for arm in findings.arms}
    for size in _SIZES:
        reach = curve(findings, _REACH, "density", {"size": size})
        if reach:
            least, most = (
                pick(reach, key=lambda density: reach[density].value) for pick in (min, max)
            )
            said.append(
                f"on {size}, where the farthest cell is {_farthest(setups[size])} away "
                f"from the start, they reach {shown(reach[most])} at a density of {plain(most)} "
                f"and least far, {shown(reach[least])}, at {plain(least)}"
            )
    if said:
        yield f"In king's moves from their roots: {'; '.join(said)}."


def _farthest(setup: Setup) -> int:
    """Return how many king's moves the farthest cell is away from the start."""
    first = setup.game(0).first
    assert first is not None, "the start rule names it"
    row, col = first
    return max(row, setup.rows - 1 - row, col, setup.cols - 1 - col)


def _pairs(
    findings: Findings, column: str, side: Coordinate, density: Coordinate
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return, game by game, the longest chain and something else of the same game."""
    import polars as pl

    records = findings.records(side=side, density=density).select("longest", column).collect()
    longest, other = (records[name].cast(pl.Float64).to_numpy() for name in ("longest", column))
    return longest, other


def _with_effort(findings: Findings) -> Iterator[str]:
    """Say whether games with long chains take more effort, among boards of one size and density."""
    groups: dict[str, list[str]] = {}
    for column, name in _BESIDE.items():
        pairs = [
            _pairs(findings, column, arm.at["side"], arm.at["density"]) for arm in findings.arms
        ]
        found = statistics.rank_correlation(pairs)
        if found is not None:
            how = "neither clearly more nor clearly less"
            if is_clear(found):
                how = "more" if found.value > 0 else "less"
            groups.setdefault(how, []).append(f"{name} (rank correlation {aside(found)})")
    if groups:
        said = "; with ".join(f"{how} {listed(names)}" for how, names in groups.items())
        yield f"Of games on boards of one size and density, longer chains go with {said}."


def _undecided(findings: Findings) -> Iterator[str]:
    """Say how many games rest on links that are not known to be the shortest."""
    for size in _SIZES:
        decided = curve(findings, _DECIDED, "density", {"size": size})
        if decided:
            least = min(decided, key=lambda density: decided[density].value)
            yield (
                f"Every link is decided, no smaller proof and no shorter chain will do, in "
                f"{shown(decided[least], '%')} of the games on {size} where that is rarest, at a "
                f"density of {plain(least)}; in others some chain may be longer than it need be."
            )


def _together(findings: Findings, chart: Chart) -> Iterator[Point]:
    for column, name in _BESIDE.items():
        for at in (arm.at for arm in findings.arms if arm.at["size"] in _SIZES):
            pairs = _pairs(findings, column, at["side"], at["density"])
            found = statistics.rank_correlation([pairs])
            if found is not None:
                yield Point(at["size"], at["density"], name, found, len(pairs[0]), wide=False)


def _by_density(name: str, title: str, measure: Measure) -> Chart:
    only = BY_DENSITY
    return Chart(f"{name}-density", title, measure, x="density", lines="size", only=only)


def _by_side(name: str, title: str, measure: Measure) -> Chart:
    words = "rows and columns"
    return Chart(
        f"{name}-size", title, measure, "side", x_title=words, lines="density", only=BY_SIDE
    )


STUDY: Final = Study(
    "chains",
    title="Chains of influence",
    question=(
        "How long do chains of influence get, and how far do they reach, by the density and the "
        "size of the board; and do games with longer chains take more work, time or guesses? (A "
        "chain leads from an opening without proof, by the clues of smallest proofs, to a cell "
        "that is settled. exact, told the total, starts at a zero and plays all of the board.)"
    ),
    arms=chained_squares(),
    games=1000,
    quick=10,
    charts=(
        _by_density("longest", "The longest chain by density", LONGEST),
        _by_side("longest", "The longest chain by size", LONGEST),
        _by_density("mean", "The mean chain by density", _MEAN),
        _by_side("mean", "The mean chain by size", _MEAN),
        _by_density("reach", "How far chains reach, by density", _REACH),
        _by_side("reach", "How far chains reach, by size", _REACH),
        _by_density("branching", "How many cells a clue helps to settle", _BRANCHING),
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
