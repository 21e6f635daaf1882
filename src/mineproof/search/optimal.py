"""Optimal play on small boards: the best chance to win and the first moves that reach it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import comb
from typing import Final, Literal

from mineproof import _core
from mineproof.arguments import choice, whole
from mineproof.inference.errors import BudgetExceeded
from mineproof.position.topology import Cell, Topology, TopologyKind

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
    rows: int,
    cols: int,
    mines: int,
    *,
    start: Start = "safe",
    topology: TopologyKind = "square",
    work: int = WORK,
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
    topology
        Which cells touch: ``square``, ``torus`` or ``hex``, as for `Topology`.
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
    choice("start", start, ("any", "safe", "zero"))
    board = Topology(rows, cols, topology)
    mines = whole("mines", mines, 0, board.cells - 1)
    _check_size(board, mines, start)
    native = board.native
    # A safe first cell only leaves out the layouts in which it is a mine, and those are lost.
    shared = None if start == "zero" else _core.SmallBoard(native, mines, _core.Start.any, 0, work)
    best = Fraction(-1)
    cells: list[Cell] = []
    for orbit in _orbits(board):
        first = board.index(orbit[0])
        search = shared or _core.SmallBoard(native, mines, _core.Start.zero, first, work)
        layouts = comb(board.cells - 1, mines) if start == "safe" else search.layouts
        # Fewer layouts than this are not enough to be as good as the best so far.
        least = max(0, -(-best.numerator * layouts // best.denominator))
        won = search.value_of(first, least)
        if won is None:
            raise BudgetExceeded(_too_large(board, mines))
        win = Fraction(won, layouts)
        if won < least or win < best:
            continue
        if win > best:
            best, cells = win, []
        cells += orbit
    return Optimum(best, tuple(sorted(cells)))


def _check_size(board: Topology, mines: int, start: Start) -> None:
    too_large = board.cells > _MOST_CELLS
    if not too_large:
        # Under `zero` the cell with the fewest neighbours leaves the most layouts.
        kept = 1 + int(board.degrees.min()) if start == "zero" else 0
        too_large = comb(board.cells - kept, mines) > MOST_LAYOUTS
    if too_large:
        raise BudgetExceeded(_too_large(board, mines))


def _too_large(board: Topology, mines: int) -> str:
    return f"{board} with {mines} mines is too large to be played optimally"


def _orbits(board: Topology) -> Iterator[list[Cell]]:
    """Yield the cells of a board in groups that its symmetries map to each other."""
    cells = [board.cell(place) for place in range(board.cells)]
    if board.kind == "torus":
        yield cells  # Any cell can be moved to any other.
        return
    near = {cell: frozenset(board.neighbours(cell)) for cell in cells}
    turns = [
        image
        for image in _turns(board)
        if all(
            frozenset(image[other] for other in near[cell]) == near[image[cell]] for cell in near
        )
    ]
    seen: set[Cell] = set()
    for cell in cells:
        if cell not in seen:
            orbit = {image[cell] for image in turns}
            seen |= orbit
            yield sorted(orbit)


def _turns(board: Topology) -> Iterator[dict[Cell, Cell]]:
    """Yield the ways to turn and to mirror a rectangle, not all of which keep hexagons together."""
    cells = [board.cell(place) for place in range(board.cells)]
    for down, across in product((False, True), repeat=2):
        image = {
            (row, col): (
                board.rows - 1 - row if down else row,
                board.cols - 1 - col if across else col,
            )
            for row, col in cells
        }
        yield image
        if board.rows == board.cols:
            yield {cell: (col, row) for cell, (row, col) in image.items()}
