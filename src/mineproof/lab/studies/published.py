"""Figures of the student reports, with the games they rest on, and whether ours agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import hypot, isfinite, sqrt
from typing import Final

from mineproof.lab.study import Coordinate
from mineproof.statistics import Estimate

__all__ = ["R1_FOUND", "R1_WINS", "R2_WINS", "R4_SCORES", "Published", "agrees"]


@dataclass(frozen=True, slots=True)
class Published:
    """What a report measured of an agent.

    Parameters
    ----------
    values
        In percent, by the place on the axis.
    games
        How many games each of them rests on.
    """

    values: Mapping[Coordinate, float]
    games: int


def agrees(ours: Estimate, games: int, theirs: float, their_games: int) -> bool:
    """Whether chance alone may put a published figure as far from ours as it is.

    A report rests on few games. They are taken to scatter as ours do, so that its interval, which
    it does not tell, is ours made wider.

    Examples
    --------
    >>> agrees(Estimate(50.0, 40.4, 59.6), games=100, theirs=70.0, their_games=10)
    True
    >>> agrees(Estimate(50.0, 40.4, 59.6), games=100, theirs=100.0, their_games=10)
    False
    """
    reach = (ours.high - ours.value) if theirs > ours.value else (ours.value - ours.low)
    if not isfinite(reach):
        return True
    return abs(theirs - ours.value) <= hypot(reach, reach * sqrt(games / their_games))


_TENTHS: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

R4_SCORES: Final = {
    "basic:eight": Published(
        dict(zip(_TENTHS, (92.0, 75.5, 58.5, 48.9, 45.2, 42.7, 39.6, 35.7, 24.0), strict=True)), 150
    ),
    "projection:eight": Published(
        dict(zip(_TENTHS, (92.9, 80.8, 68.7, 61.3, 54.5, 51.0, 45.8, 39.2, 26.9), strict=True)), 150
    ),
    "projection:eight+global": Published(
        dict(zip(_TENTHS, (92.1, 79.9, 70.3, 61.2, 55.2, 52.7, 47.8, 41.5, 33.1), strict=True)), 100
    ),
    "projection:eight+annealed": Published(
        dict(zip(_TENTHS, (91.9, 81.6, 69.3, 61.9, 56.5, 51.4, 46.5, 38.7, 26.5), strict=True)), 100
    ),
}
"""R4's scores on 10×10 by density."""

R2_WINS: Final = {
    "easy": Published({9: 96.0}, 100),
    "medium": Published({16: 97.0}, 100),
    # The report draws with repetition: 120 draws are some 103 cells.
    "hard": Published({22: 25.0, 53: 40.0, 103: 50.0}, 100),
}
"""R2's wins of logic by level and the number of safe cells given."""

R1_WINS: Final = Published(
    {
        "5×5, 5%": 100.0,
        "5×5, 8%": 100.0,
        "5×5, 10%": 90.0,
        "7×7, 5%": 70.0,
        "7×7, 8%": 70.0,
        "7×7, 10%": 60.0,
        "11×11, 5%": 90.0,
        "11×11, 8%": 20.0,
        "11×11, 10%": 30.0,
    },
    10,
)
"""R1's wins of weights by size and share of mines."""

R1_FOUND: Final = Published({"5×5": 88.0, "7×7": 82.9, "10×10": 84.0}, 5)
"""R1's mines found by weights, of 5, 7 and 10."""
