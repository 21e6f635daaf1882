"""Where Minesweeper becomes hard: guesses, widths, work and time, by density and size."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from mineproof.lab.findings import Findings
from mineproof.lab.sentences import amounts, crossing, peaks, thresholds
from mineproof.lab.study import GUESSES, MILLISECONDS, WINS, Chart, Coordinate, Measure, Study
from mineproof.lab.study_boards import squares

__all__ = ["STUDY", "UNGUESSED", "WIDTH", "WORK", "where_it_is_hard"]

UNGUESSED: Final = Measure("unguessed", "games won without a guess, %", share=True, factor=100.0)
WIDTH: Final = Measure("width", "most clues open at once in a game", unit=" open clues")
_COMPONENT: Final = Measure("component", "cells of the largest component of a game")
WORK: Final = Measure(
    "work",
    "work of exact inference, thousand products per game",
    factor=0.001,
    unit=" thousand products",
)

_LARGE_BOARDS: Final = 0.159
"""Where half of large boards are solved without a guess, by a published fit."""

_REPORTS: Final = 0.2
"""The density from which student reports call boards hard."""

_LOW: Final = (0.05, 0.1, 0.12, 0.14, 0.16, 0.18, 0.2, 0.22, 0.25, 0.3, 0.35, 0.4, 0.5)
_HIGH: Final = (0.6, 0.7, 0.8, 0.9)
# Denser boards of the largest size take long, and nobody wins them.
_DENSITIES: Final = {10: (*_LOW, *_HIGH), 20: (*_LOW, *_HIGH), 40: _LOW}


def _answer(findings: Findings) -> Iterator[str]:
    sizes = findings.values("size")
    yield from where_it_is_hard(findings, sizes)
    for size in sizes[-1:]:
        half = crossing(findings.curve(UNGUESSED, "density", size=size), 50)
        how = "lies in"
        if not half.low <= _LARGE_BOARDS <= half.high:
            how = "lies below" if half.low > _LARGE_BOARDS else "lies above"
        yield (
            f"The published density up to which half of large boards need no guess, "
            f"{_LARGE_BOARDS}, {how} our interval for {size}."
        )
    where = f"At a density of {_REPORTS}, from which reports call boards hard,"
    wins = findings.curve(WINS, "size", density=_REPORTS)
    yield from amounts(f"{where} the share of games won is", wins, WINS, "on {}")
    guesses = findings.curve(GUESSES, "size", density=_REPORTS)
    yield from amounts(f"{where} the number of guesses per game is", guesses, GUESSES, "on {}")


def where_it_is_hard(findings: Findings, sizes: Collection[Coordinate]) -> Iterator[str]:
    """Say where half of the games are won, and where playing takes most, by size."""
    for measure, how in ((WINS, "won"), (UNGUESSED, "won without a guess")):
        found = findings.curves(measure, "density", "size")
        curves = {size: curve for size, curve in found.items() if size in sizes}
        words = f"Half of the games are {how}"
        yield from thresholds(words, "up to a density of", curves, 50, "on {}")
    for measure, words in (
        (GUESSES, "Guesses are most frequent"),
        (WIDTH, "Components are widest"),
        (WORK, "Exact inference takes most work"),
        (MILLISECONDS, "A game takes longest"),
    ):
        yield from peaks(words, findings, measure, "density", among=sizes)


STUDY: Final = Study(
    "effort",
    title="Effort by density",
    question=(
        "Where does Minesweeper become hard: at which density do wins vanish, do guesses become "
        "necessary, and does exact inference take most? (exact, told the total, starts at a zero "
        "and plays the whole board.)"
    ),
    arms=tuple(
        arm
        for side, densities in _DENSITIES.items()
        for arm in squares([side], densities, "exact", "effort")
    ),
    games=2_000,
    quick=100,
    charts=tuple(
        Chart(name, title, measure, "density", lines="size", only=only)
        for name, title, measure, only in (
            ("wins", "Games won by density", WINS, {}),
            ("unguessed", "Games won without a single guess", UNGUESSED, {"density": _LOW}),
            ("guesses", "Guesses by density", GUESSES, {}),
            ("width", "How wide components get", WIDTH, {}),
            ("component", "How large components get", _COMPONENT, {}),
            ("work", "Work of exact inference", WORK, {}),
            ("time", "Time of a game", MILLISECONDS, {}),
        )
    ),
    answer=_answer,
)
