"""Optimal play on small boards: the best chance to win and the first moves that reach it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final

import numpy as np

from mineproof import _core
from mineproof.arguments import instance, whole
from mineproof.errors import BudgetExceeded
from mineproof.position.setup import Setup
from mineproof.position.topology import Cell, Topology

__all__ = ["MOST_LAYOUTS", "WORK", "Optimum", "optimal"]

MOST_LAYOUTS: Final = 400_000
"""Boards with more layouts are not tried."""
WORK: Final = 20_000_000_000
"""Cells of layouts to look at, which takes a few minutes."""
_MOST_CELLS: Final = 64


@dataclass(frozen=True, slots=True)
class Optimum:
    """The best chance to win a board, and every first cell that reaches it.

    Parameters
    ----------
    win
        The chance to win, before anything is known.
    best
        The first cells with this chance, in ascending order.
    """

    win: Fraction
    best: tuple[Cell, ...]


def optimal(setup: Setup, *, work: int = WORK) -> Optimum:
    """Return the best chance to win that any player has.

    All layouts are listed, and sets of layouts are searched. Under exact clues it does not matter
    whether a zero opens its neighbours: they are known to be safe, so a player opens them anyway.

    Parameters
    ----------
    setup
        The board and the start rule. At least one cell must be free; clues are exact. The player
        chooses the first cell, even if the setup names one.
    work
        How many cells of layouts to look at before giving up.

    Raises
    ------
    BudgetExceeded
        If the board is too large.

    Examples
    --------
    >>> from mineproof import Rules
    >>> optimal(Setup(Topology(4, 4), 4, Rules("any"))).win
    Fraction(961, 1820)
    >>> optimal(Setup(Topology(3, 3), 2, Rules("any"))).best
    ((0, 1), (1, 0), (1, 2), (2, 1))
    """
    instance("setup", setup, Setup, "Setup.level('easy')")
    board, start = setup.topology, setup.rules.start
    if not setup.channel.is_exact:
        raise ValueError(f"channel {setup.channel.name!r}: clues must be exact")
    mines = whole("mines", setup.mines, 0, board.cells - 1)
    # Under `zero` the cell with the fewest neighbours leaves the most layouts.
    kept = 1 + int(board.degrees.min()) if start == "zero" else 0
    too_large = BudgetExceeded(f"{board} with {mines} mines is too large to be played optimally")
    if board.cells > _MOST_CELLS or comb(board.cells - kept, mines) > MOST_LAYOUTS:
        raise too_large
    native = board.native
    # A safe first cell only leaves out the layouts in which it is a mine, and those are lost.
    shared = None if start == "zero" else _core.SmallBoard(native, mines, _core.Start.any, 0, work)
    best = Fraction(-1)
    places: list[int] = []
    for first, *others in _orbits(board):
        search = shared or _core.SmallBoard(native, mines, _core.Start.zero, first, work)
        layouts = comb(board.cells - 1, mines) if start == "safe" else search.layouts
        # Fewer layouts than this are not enough to be as good as the best so far.
        least = max(0, -(-best.numerator * layouts // best.denominator))
        won = search.value_of(first, least)
        if won is None:
            raise too_large
        win = Fraction(won, layouts)
        if won < least or win < best:
            continue
        if win > best:
            best, places = win, []
        places += [first, *others]
    return Optimum(best, tuple(map(board.cell, sorted(places))))


def _orbits(board: Topology) -> Iterator[list[int]]:
    """Yield the places of a board in groups that its symmetries map to each other."""
    places = np.arange(board.cells).reshape(board.shape)
    if board.kind == "torus":
        yield places.ravel().tolist()  # Any cell can be moved to any other.
        return
    images = [places, places[::-1], places[:, ::-1], places[::-1, ::-1]]
    if board.rows == board.cols:
        images += [image.T for image in images]
    near = [set(board.native.neighbours(place)) for place in range(board.cells)]
    # Not all of these symmetries keep hexagons together.
    symmetries = [
        image
        for image in (image.ravel().tolist() for image in images)
        if all({image[other] for other in near[i]} == near[image[i]] for i in range(board.cells))
    ]
    seen: set[int] = set()
    for place in range(board.cells):
        if place not in seen:
            orbit = {image[place] for image in symmetries}
            seen |= orbit
            yield sorted(orbit)
