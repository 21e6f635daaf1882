"""Conditions that several studies share, so that games they have in common are played once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mineproof.game import Rules
from mineproof.setup import Setup
from mineproof.study import Coordinate

__all__ = ["KEEP_GOING", "density", "ten_by_ten"]

KEEP_GOING: Final = Rules(start="any", on_mine="continue")
"""Nothing is free of mines at the start, and a mine does not end the game: what R0 and R3 play."""


def ten_by_ten(mines: Iterable[int], rules: Rules = KEEP_GOING) -> tuple[Setup, ...]:
    """Return 10×10 boards with so many mines: as many as percent.

    Examples
    --------
    >>> [setup.mines for setup in ten_by_ten([5, 10])]
    [5, 10]
    """
    return tuple(Setup(10, 10, number, rules) for number in mines)


def density(setup: Setup) -> dict[str, Coordinate]:
    """Say at which density a board is.

    Examples
    --------
    >>> density(Setup(10, 10, 15))
    {'density': 0.15}
    """
    return {"density": setup.mines / (setup.rows * setup.cols)}
