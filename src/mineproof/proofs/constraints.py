"""What clues say of the cells around them, as small as an argument needs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mineproof.inference.posterior import Posterior
from mineproof.position.model import NOTHING
from mineproof.position.observation import CellCode
from mineproof.position.topology import MAX_DEGREE, Cell

__all__ = ["Constraint", "Knowledge", "Reading", "Total", "fewest", "most", "numbers"]

Knowledge = Mapping[Cell, bool]
"""Cells that are settled, and whether they are mines."""


def fewest(counts: int) -> int:
    """Return the least number of a set of numbers that is given as bits.

    Examples
    --------
    >>> fewest(0b1100), most(0b1100)
    (2, 3)
    """
    return (counts & -counts).bit_length() - 1


def most(counts: int) -> int:
    """Return the greatest number of a set of numbers that is given as bits."""
    return counts.bit_length() - 1


def numbers(counts: int) -> list[int]:
    """Return the numbers of a set that is given as bits.

    Examples
    --------
    >>> numbers(0b1100)
    [2, 3]
    """
    return [number for number in range(counts.bit_length()) if counts >> number & 1]


@dataclass(frozen=True, slots=True, eq=False)
class Constraint:
    """What a clue says. Sets of numbers are given as bits.

    Parameters
    ----------
    clue
        Where it is.
    shown
        What it shows; None where it shows nothing.
    meant
        The numbers of mines around it that it may stand for.
    cells
        The cells around it that may or may not be mines.
    counts
        How many of them may be mines.
    mines
        The mines around it that are known from the start: exploded ones and trusted flags.
    neighbours
        How many cells it touches.
    known_safe
        Whether some closed one of these is known to be safe from the start.
    """

    clue: Cell
    shown: int | None
    meant: int
    cells: tuple[Cell, ...]
    counts: int
    mines: tuple[Cell, ...] = ()
    neighbours: int = MAX_DEGREE
    known_safe: bool = False

    @property
    def plain(self) -> bool:
        """Whether the clue is the number of mines around it."""
        return self.shown is not None and self.meant == 1 << self.shown

    def left(self, known: Knowledge) -> tuple[list[Cell], int]:
        """Return the cells that are not settled, and how many of them may be mines.

        No number is left where the clue cannot be met any more.
        """
        cells, counts = [], self.counts
        for cell in self.cells:
            settled = known.get(cell)
            if settled is None:
                cells.append(cell)
            elif settled:
                counts >>= 1
        return cells, counts & ((2 << len(cells)) - 1)


@dataclass(frozen=True, slots=True, eq=False)
class Total:
    """What the mine total says.

    Parameters
    ----------
    mines
        All mines of the board.
    found
        How many of them are known from the start.
    cells
        The cells that may hold the others.
    """

    mines: int
    found: int
    cells: frozenset[Cell]


class Reading:
    """Reads an observation clue by clue, each clue once.

    Parameters
    ----------
    posterior
        What follows from the observation, and by which model of the clues.
    """

    def __init__(self, posterior: Posterior) -> None:
        seen = posterior.observation
        self._posterior = posterior
        self._codes: list[int] = seen.cells.ravel().tolist()
        self._cols = seen.cols
        self._neighbours = seen.topology.native.neighbours
        trusted = posterior.flags == "trust"
        self._mines = {CellCode.EXPLODED, CellCode.FLAGGED} if trusted else {CellCode.EXPLODED}
        self._unknown = {CellCode.CLOSED} if trusted else {CellCode.CLOSED, CellCode.FLAGGED}
        self._constraints: dict[int, Constraint] = {}

    def code(self, place: int) -> int:
        """Return the code of a cell, by its place in row order."""
        return self._codes[place]

    def unknown(self, place: int) -> bool:
        """Whether a cell may or may not be a mine, for all that is known from the start."""
        return self._codes[place] in self._unknown

    def constraint(self, place: int) -> Constraint:
        """Return what a clue says, by the place of its cell in row order."""
        if place not in self._constraints:
            self._constraints[place] = self._read(place)
        return self._constraints[place]

    def _read(self, place: int) -> Constraint:
        around = self._neighbours(place)
        codes = [self._codes[near] for near in around]
        cells, mines = [], []
        for near, code in zip(around, codes, strict=True):
            if code in self._unknown:
                cells.append(divmod(near, self._cols))
            elif code in self._mines:
                mines.append(divmod(near, self._cols))
        shown = None if self._codes[place] == CellCode.NO_CLUE else self._codes[place]
        meant = self._meant(shown, len(around))
        return Constraint(
            clue=divmod(place, self._cols),
            shown=shown,
            meant=meant,
            cells=tuple(cells),
            counts=(meant >> len(mines)) & ((2 << len(cells)) - 1),
            mines=tuple(mines),
            neighbours=len(around),
            known_safe=CellCode.KNOWN_SAFE in codes,
        )

    def _meant(self, shown: int | None, neighbours: int) -> int:
        channel = self._posterior.channel
        if channel.is_exact and shown is not None:
            return 1 << shown
        seen = NOTHING if shown is None else shown
        possible = channel.weights[neighbours, :, seen] > 0
        return sum(1 << count for count in np.flatnonzero(possible).tolist())

    def total(self) -> Total:
        """Return what the mine total says."""
        places = [place for place, code in enumerate(self._codes) if code in self._unknown]
        found = sum(code in self._mines for code in self._codes)
        mines = self._posterior.prior.total_among(len(self._codes)) or 0
        return Total(mines, found, frozenset(divmod(place, self._cols) for place in places))
