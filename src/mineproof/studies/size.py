"""Score, hits and steps against the size of the board, with as many mines or as dense."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mineproof.board import mine_total
from mineproof.setup import Setup
from mineproof.statistics import Estimate
from mineproof.studies.changes import turns
from mineproof.studies.conditions import KEEP_GOING
from mineproof.studies.wording import difference
from mineproof.study import HITS, SCORE, STEPS, Arm, Chart, Coordinate, Measure, Study

if TYPE_CHECKING:
    from mineproof.findings import Findings

__all__ = ["STUDY"]

_AGENTS: Final = ("noisy-or", "components", "clue-heap", "exact")
_SIDES: Final = (6, 8, 10, 12, 16)
_FILLINGS: Final[dict[str, tuple[int | None, float | None]]] = {
    "15 mines": (15, None),
    "density 0.1": (None, 0.1),
    "density 0.15": (None, 0.15),
}
"""The number of mines, or their share of the cells."""


def _arms() -> Iterator[Arm]:
    for filling, (mines, density) in _FILLINGS.items():
        for side in _SIDES:
            setup = Setup(side, side, mine_total(mines, density, side * side), KEEP_GOING)
            for agent in _AGENTS:
                yield Arm(agent, setup, {"filling": filling, "side": side})


def _answer(findings: Findings) -> Iterator[str]:
    for filling in findings.values("filling"):
        sides = findings.values("side", filling=filling)
        small, *_, large = (*sides, *sides)
        said = [
            f"the {value} {turns(changes, unit)}"
            for value, measure, unit in (
                ("score", SCORE, " points"),
                ("number of mines hit", HITS, ""),
                ("number of steps", STEPS, ""),
            )
            if (changes := _changes(findings, measure, filling, small, large))
        ]
        if said:
            yield f"With {filling}, from {small}×{small} to {large}×{large}: {'; '.join(said)}."


def _changes(
    findings: Findings, measure: Measure, filling: Coordinate, small: Coordinate, large: Coordinate
) -> dict[Coordinate, Estimate]:
    """By agent, what changes from the smallest boards to the largest."""
    changes = {}
    for agent in findings.values("agent", filling=filling):
        at = {"filling": filling, "agent": agent}
        change = difference(findings, measure, {**at, "side": large}, {**at, "side": small})
        if change is not None and small != large:
            changes[agent] = change
    return changes


STUDY: Final = Study(
    "size",
    title="Score, hits and steps by the size of the board",
    question=(
        "How do the mines found, the mines hit and the steps of a game change with the size of the "
        "board, with the same number of mines and with the same density? (Square boards, play goes "
        "on after a mine, any start.)"
    ),
    arms=tuple(_arms()),
    games=1000,
    quick=50,
    charts=tuple(
        Chart(name, title, measure, x="side", x_title="rows and columns", panels="filling")
        for name, title, measure in (
            ("score", "Mines found by the side of the board", SCORE),
            ("hits", "Mines hit by the side of the board", HITS),
            ("steps", "Steps by the side of the board", STEPS),
        )
    ),
    answer=_answer,
)
