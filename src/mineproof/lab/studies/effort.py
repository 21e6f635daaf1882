"""Where Minesweeper becomes hard: what it takes to play, by density and size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from mineproof.lab.studies.changes import peaks
from mineproof.lab.studies.conditions import squares
from mineproof.lab.studies.wording import crossing, curve, listed, placed, shown
from mineproof.lab.study import GUESSES, MILLISECONDS, WINS, Arm, Chart, Coordinate, Measure, Study
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["DEAREST", "STUDY", "UNGUESSED", "WIDTH", "WORK", "half"]

UNGUESSED: Final = Measure("unguessed", "games won without a guess, %", share=True, factor=100.0)
WIDTH: Final = Measure("width", "most clues open at once in a game")
_COMPONENT: Final = Measure("component", "cells of the largest component of a game")
WORK: Final = Measure("work", "work of exact inference, thousand products a game", factor=0.001)

DEAREST: Final = {
    GUESSES: ("Guesses are most", ""),
    WIDTH: ("Components are widest", " open clues"),
    WORK: ("Exact inference works most", " thousand products"),
    MILLISECONDS: ("A game takes longest", " ms"),
}
"""How to say where a measure is highest, and its unit."""

_LARGE_BOARDS: Final = 0.159
"""Where half of large boards are solved without a guess, by a published fit."""

_REPORTS: Final = 0.2
"""From where on student reports call boards hard."""

_LOW: Final = (0.05, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.22, 0.25, 0.3, 0.35, 0.4, 0.5)
_HIGH: Final = (0.6, 0.7, 0.8, 0.9)
# Denser boards of the largest size take long and are won by nobody.
_DENSITIES: Final = {10: (*_LOW, *_HIGH), 20: (*_LOW, *_HIGH), 40: _LOW}


def _arms() -> Iterator[Arm]:
    for side, densities in _DENSITIES.items():
        yield from squares([side], densities, "exact", "effort")


def _answer(findings: Findings) -> Iterator[str]:
    sizes = findings.values("size")
    yield from half(findings, sizes, WINS, "won")
    yield from half(findings, sizes, UNGUESSED, "won without a guess")
    yield from _large_boards(findings)
    yield from _at_the_reports_density(findings)
    for measure, (words, unit) in DEAREST.items():
        if where := peaks(findings, measure, "size", "density", unit):
            yield f"{words} at a density of {where}."


def half(
    findings: Findings, sizes: Iterable[Coordinate], measure: Measure, words: str
) -> Iterator[str]:
    """Say up to which density half of the games go well on boards of each size."""
    said = []
    for size in sizes:
        points = curve(findings, measure, "density", {"size": size})
        density = crossing(points, 50)
        if density is not None:
            said.append(f"{placed(density, points)} on {size}")
    if said:
        yield f"Half of the games are {words} up to a density of {listed(said)}."


def _large_boards(findings: Findings) -> Iterator[str]:
    """Compare the largest boards with what was published."""
    sizes = findings.values("size")
    if not sizes:
        return
    points = curve(findings, UNGUESSED, "density", {"size": sizes[-1]})
    half = crossing(points, 50)
    if half is not None and half.low <= half.value <= half.high:
        yield (
            f"For large boards without guessing {_LARGE_BOARDS} was published, which lies "
            f"{_beside(half, _LARGE_BOARDS)} the interval of {sizes[-1]}."
        )


def _beside(estimate: Estimate, value: float) -> str:
    if value < estimate.low:
        return "below"
    return "above" if value > estimate.high else "in"


def _at_the_reports_density(findings: Findings) -> Iterator[str]:
    said = []
    for size in findings.values("size", density=_REPORTS):
        won = findings.estimate(WINS, size=size, density=_REPORTS)
        guesses = findings.estimate(GUESSES, size=size, density=_REPORTS)
        said.append(f"{shown(won, '%')} are won on {size}, with {shown(guesses)} guesses a game")
    if said:
        yield f"At {_REPORTS}, where reports see hard boards begin, {'; '.join(said)}."


STUDY: Final = Study(
    "effort",
    title="Effort by density",
    question=(
        "Where does Minesweeper become hard: at which density do wins vanish, do guesses become "
        "necessary, and is exact inference dearest? (exact, told the total, starts at a zero and "
        "plays all of the board.)"
    ),
    arms=tuple(_arms()),
    games=2000,
    quick=30,
    charts=(
        Chart("wins", "Games won by density", WINS, x="density", lines="size"),
        Chart(
            "unguessed",
            "Games won without a single guess",
            UNGUESSED,
            x="density",
            lines="size",
            only={"density": _LOW},
        ),
        Chart("guesses", "Guesses by density", GUESSES, x="density", lines="size", log=True),
        Chart("width", "How wide components get", WIDTH, x="density", lines="size"),
        Chart("component", "How large components get", _COMPONENT, x="density", lines="size"),
        Chart("work", "What exact inference takes", WORK, x="density", lines="size", log=True),
        Chart("time", "Time of a game", MILLISECONDS, x="density", lines="size", log=True),
    ),
    answer=_answer,
)
