"""Score, hits and steps against the size of the board, with as many mines or as dense."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mineproof.game.board import mine_total
from mineproof.game.setup import Setup
from mineproof.lab.studies.changes import differences, turns
from mineproof.lab.studies.conditions import KEEP_GOING
from mineproof.lab.studies.wording import aside, curve, listed
from mineproof.lab.study import HITS, SCORE, STEPS, Arm, Chart, Coordinate, Measure, Study
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["STUDY"]

_AGENTS: Final = ("noisy-or", "components", "clue-heap", "exact")
_SIDES: Final = (6, 8, 10, 12, 15)
_BOARDS: Final[dict[str, tuple[int | None, float | None]]] = {
    "with 15 mines": (15, None),
    "of density 0.1": (None, 0.1),
    "of density 0.15": (None, 0.15),
}
"""The number of mines, or their share of the cells."""


def _arms() -> Iterator[Arm]:
    for boards, (mines, density) in _BOARDS.items():
        for side in _SIDES:
            setup = Setup(side, side, mine_total(mines, density, side * side), KEEP_GOING)
            for agent in _AGENTS:
                yield Arm(agent, setup, {"boards": boards, "side": side})


def _answer(findings: Findings) -> Iterator[str]:
    for boards in findings.values("boards"):
        small, *_, large = 2 * findings.values("side", boards=boards)
        for value, measure, unit in (
            ("score", SCORE, " points"),
            ("number of mines hit", HITS, ""),
            ("number of steps", STEPS, ""),
        ):
            changes = _changes(findings, measure, boards, small, large)
            if changes:
                yield (
                    f"On boards {boards}, from {small}×{small} to {large}×{large}, the {value} "
                    f"{turns(changes, unit)}{_peaks(findings, measure, boards)}."
                )


def _changes(
    findings: Findings, measure: Measure, boards: Coordinate, small: Coordinate, large: Coordinate
) -> dict[Coordinate, Estimate]:
    """By agent, what changes from one size to another."""
    if small == large:
        return {}
    after, before = ({"boards": boards, "side": side} for side in (large, small))
    return differences(findings, measure, "agent", after, before)


def _peaks(findings: Findings, measure: Measure, boards: Coordinate) -> str:
    """Say with whom a value is higher somewhere in between than at both ends."""
    peaks = []
    for agent in findings.values("agent", boards=boards):
        values = curve(findings, measure, "side", {"boards": boards, "agent": agent})
        peak = max(values, key=lambda side: values[side].value)
        small, *_, large = 2 * tuple(values)
        falls = [
            _changes(findings, measure, boards, peak, end).get(agent) for end in (small, large)
        ]
        if all(fall is not None and fall.high < 0 for fall in falls):
            peaks.append(f"{agent} on {peak}×{peak} ({aside(values[peak])})")
    return f", but is higher in between with {listed(peaks)}" if peaks else ""


STUDY: Final = Study(
    "size",
    title="Score, hits and steps by the size of the board",
    question=(
        "How do the mines found, the mines hit and the steps of a game change with the size of the "
        "board, with the same number of mines and with the same density? (Square boards, play goes "
        "on after a mine, any start.)"
    ),
    arms=tuple(_arms()),
    games=3000,
    quick=30,
    charts=tuple(
        Chart(name, title, measure, x="side", x_title="rows and columns", panels="boards")
        for name, title, measure in (
            ("score", "Mines found by the side of the board", SCORE),
            ("hits", "Mines hit by the side of the board", HITS),
            ("steps", "Steps by the side of the board", STEPS),
        )
    ),
    answer=_answer,
)
