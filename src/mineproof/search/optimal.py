"""Optimal play on small boards: the best chance to win and the first moves that reach it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final, Literal

from mineproof import _core
from mineproof.arguments import choice, whole
from mineproof.inference.errors import BudgetExceeded
from mineproof.position.topology import Cell, Topology

__all__ = ["MOST_LAYOUTS", "WORK", "Optimum", "optimal"]

MOST_LAYOUTS: Final = 400_000
"""Boards with more layouts are not tried."""
WORK: Final = 20_000_000_000
"""Cells of layouts to look at: some minutes."""
_MOST_CELLS: Final = 64

Start = Literal["any", "safe", "zero"]


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


def optimal(
    rows: int, cols: int, mines: int, *, start: Start = "safe", work: int = WORK
) -> Optimum:
    """Return the best chance to win that any player has.

    All layouts are listed, and sets of layouts are searched. Under exact clues it does not matter
    whether a zero opens its neighbours: they are known to be safe, so a player opens them anyway.

    Parameters
    ----------
    rows, cols, mines
        The board. At least one cell must be free.
    start
        What the start rule protects, as in `Rules`.
    work
        How many cells of layouts to look at before giving up.

    Raises
    ------
    BudgetExceeded
        If the board is too large.

    Examples
    --------
    >>> optimal(4, 4, 4, start="any").win
    Fraction(961, 1820)
    >>> optimal(3, 3, 2, start="any").best
    ((0, 1), (1, 0), (1, 2), (2, 1))
    """
    rows, cols = whole("rows", rows, 1), whole("cols", cols, 1)
    choice("start", start, ("any", "safe", "zero"))
    topology = Topology(rows, cols)
    mines = whole("mines", mines, 0, rows * cols - 1)
    _check_size(rows, cols, mines, start)
    native = topology.native
    # A safe first cell only leaves out the layouts in which it is a mine, and those are lost.
    shared = None if start == "zero" else _core.SmallBoard(native, mines, _core.Start.any, 0, work)
    best = Fraction(-1)
    cells: list[Cell] = []
    for orbit in _orbits(rows, cols):
        first = topology.index(orbit[0])
        board = shared or _core.SmallBoard(native, mines, _core.Start.zero, first, work)
        layouts = comb(rows * cols - 1, mines) if start == "safe" else board.layouts
        # Fewer layouts than this are not enough to be as good as the best so far.
        least = max(0, -(-best.numerator * layouts // best.denominator))
        won = board.value_of(first, least)
        if won is None:
            raise BudgetExceeded(_too_large(rows, cols, mines))
        win = Fraction(won, layouts)
        if won < least or win < best:
            continue
        if win > best:
            best, cells = win, []
        cells += orbit
    return Optimum(best, tuple(sorted(cells)))


def _check_size(rows: int, cols: int, mines: int, start: Start) -> None:
    # Under `zero` a corner protects the fewest cells, so it leaves the most layouts.
    free = rows * cols - (min(rows, 2) * min(cols, 2) if start == "zero" else 0)
    if rows * cols > _MOST_CELLS or comb(free, mines) > MOST_LAYOUTS:
        raise BudgetExceeded(_too_large(rows, cols, mines))


def _too_large(rows: int, cols: int, mines: int) -> str:
    return f"{rows}x{cols} with {mines} mines is too large to be played optimally"


def _orbits(rows: int, cols: int) -> Iterator[list[Cell]]:
    """Yield the cells of a board in groups that its symmetries map to each other."""
    seen: set[Cell] = set()
    for row in range(rows):
        for col in range(cols):
            if (row, col) in seen:
                continue
            turned = {(r, c) for r in (row, rows - 1 - row) for c in (col, cols - 1 - col)}
            if rows == cols:
                turned |= {(c, r) for r, c in turned}
            seen |= turned
            yield sorted(turned)
