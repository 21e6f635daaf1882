"""Constraints on the unknown cells, from the clues and the mine total."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import Final, TypeAlias

import numpy as np

from mineproof.inference.posterior import Posterior
from mineproof.position.cells import CellCode
from mineproof.position.model import NOTHING
from mineproof.position.topology import MAX_DEGREE, Cell

__all__ = [
    "Constraint",
    "Constraints",
    "Group",
    "Knowledge",
    "Premises",
    "Total",
    "fewest",
    "groups_of",
    "most",
    "numbers",
    "possible_sums",
]

_FEW_CLUES: Final = 4
"""Up to this many clues, checking every clue again is faster than finding those affected."""
_MOST_STATES: Final = 3000
"""The mines of a group are not counted if that takes more states than this."""

Knowledge: TypeAlias = Mapping[Cell, bool]
"""Cells that are settled, and whether they are mines."""


def fewest(counts: int) -> int:
    """Return the least number of a set given as bits.

    Examples
    --------
    >>> fewest(0b1100), most(0b1100), numbers(0b1100)
    (2, 3, [2, 3])
    """
    return (counts & -counts).bit_length() - 1


def most(counts: int) -> int:
    """Return the greatest number of a set given as bits."""
    return counts.bit_length() - 1


def numbers(counts: int) -> list[int]:
    """Return the numbers of a set given as bits."""
    return [number for number in range(counts.bit_length()) if counts >> number & 1]


@dataclass(frozen=True, slots=True, eq=False)
class Constraint:
    """The constraint of one clue. Sets of numbers are given as bits."""

    clue: Cell
    shown: int | None  # None if it shows nothing
    meant: int  # the numbers of neighbouring mines that the clue may stand for
    cells: tuple[Cell, ...]  # the neighbours that may or may not be mines
    counts: int  # the numbers of mines that these cells may hold
    mines: tuple[Cell, ...] = ()  # known from the start: exploded mines and trusted flags
    neighbours: int = MAX_DEGREE
    known_safe: bool = False  # whether a closed neighbour is known to be safe from the start

    @property
    def plain(self) -> bool:
        """Whether the clue is the number of mines around it."""
        return self.shown is not None and self.meant == 1 << self.shown

    def left(self, known: Knowledge) -> tuple[list[Cell], int]:
        """Return the unsettled cells, and the numbers of mines that they may hold.

        The set of numbers is empty if the clue cannot be met.
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
    """The constraint of the mine total."""

    mines: int
    found: int  # how many of the mines are known from the start
    cells: frozenset[Cell]  # the cells that may hold the others


class Constraints:
    """The constraints of an observation, each made when it is first needed.

    Cells and clues are named by their place in row order.
    """

    def __init__(self, posterior: Posterior) -> None:
        seen = posterior.observation
        self._posterior = posterior
        self._codes: list[int] = seen.cells.ravel().tolist()
        self._cols = seen.cols
        self._neighbours = seen.topology.native.neighbours
        trusted = posterior.flags == "trust"
        # Plain numbers, which are faster to compare than members of an enumeration.
        flagged = {CellCode.FLAGGED.value}
        self._mines = {CellCode.EXPLODED.value} | (flagged if trusted else set())
        self._unknown = {CellCode.CLOSED.value} | (set() if trusted else flagged)
        self._made: dict[int, Constraint] = {}

    def is_unknown(self, place: int) -> bool:
        """Return whether a cell is neither a known mine nor known to be safe from the start."""
        return self._codes[place] in self._unknown

    def of_clue(self, place: int) -> Constraint:
        """Return the constraint of a clue."""
        if place not in self._made:
            self._made[place] = self._make(place)
        return self._made[place]

    def _make(self, place: int) -> Constraint:
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
            known_safe=CellCode.KNOWN_SAFE.value in codes,
        )

    def _meant(self, shown: int | None, neighbours: int) -> int:
        channel = self._posterior.channel
        if channel.is_exact and shown is not None:
            return 1 << shown
        seen = NOTHING if shown is None else shown
        possible = channel.weights[neighbours, :, seen] > 0
        return sum(1 << count for count in np.flatnonzero(possible).tolist())

    def of_total(self) -> Total:
        """Return the constraint of the mine total."""
        places = [place for place, code in enumerate(self._codes) if code in self._unknown]
        found = sum(code in self._mines for code in self._codes)
        mines = self._posterior.prior.total_among(len(self._codes)) or 0
        return Total(mines, found, frozenset(divmod(place, self._cols) for place in places))


class Premises:
    """Clues to argue from. Often only one of many sets is used, so they are read when needed."""

    def __init__(self, constraints: Iterable[Constraint]) -> None:
        self._unread = constraints

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """The constraints of the clues."""
        return tuple(self._unread)

    @cached_property
    def by_cell(self) -> dict[Cell, list[Constraint]]:
        """The clues around each cell."""
        by_cell: dict[Cell, list[Constraint]] = {}
        for constraint in self.constraints:
            for cell in constraint.cells:
                by_cell.setdefault(cell, []).append(constraint)
        return by_cell

    def around(self, cells: Iterable[Cell]) -> Iterable[Constraint]:
        """Return the clues that may say more once these cells are settled."""
        if len(self.constraints) <= _FEW_CLUES:
            return self.constraints
        return dict.fromkeys(c for cell in cells for c in self.by_cell.get(cell, ()))

    def pairs(self) -> Iterator[tuple[Constraint, Constraint]]:
        """Yield all pairs of clues that share a cell, in both orders."""
        for one in self.constraints:
            sharing = dict.fromkeys(other for cell in one.cells for other in self.by_cell[cell])
            yield from ((one, other) for other in sharing if other is not one)


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Clues that share cells with each other and with no other clue."""

    clues: tuple[Constraint, ...]  # in the order of their cells
    cells: frozenset[Cell]  # the cells around them that are not settled
    counts: int | None  # how many of these can be mines, as bits; None if counting takes too long
    begun: bool  # whether any of these clues has a mine already


def groups_of(premises: Premises, known: Knowledge) -> list[Group]:
    """Sort clues into groups, leaving out clues whose cells are all settled.

    Examples
    --------
    >>> one, two = (Constraint((0, c), 1, 2, ((1, c), (1, c + 1)), 2) for c in (0, 1))
    >>> (group,) = groups_of(Premises([one, two]), {})
    >>> numbers(group.counts)
    [1, 2]
    """
    groups = []
    done: set[Cell] = set()
    for first in premises.constraints:
        clues = {first.clue: first}
        cells: list[Cell] = []
        queue = deque([first])
        while queue:
            for cell in queue.popleft().cells:
                if cell in known or cell in done:
                    continue
                done.add(cell)
                cells.append(cell)
                for other in premises.by_cell[cell]:
                    if other.clue not in clues:
                        clues[other.clue] = other
                        queue.append(other)
        if cells:
            together = tuple(clues[clue] for clue in sorted(clues))
            counts = _possible_counts(premises, cells, known)
            begun = any(c.mines or any(map(known.get, c.cells)) for c in together)
            groups.append(Group(together, frozenset(cells), counts, begun))
    return groups


def possible_sums(groups: Iterable[Group]) -> int | None:
    """Return how many mines groups can hold in all, as bits; None if one was not counted."""
    sums = 1
    for group in groups:
        if group.counts is None:
            return None
        sums = reduce(or_, (sums << number for number in numbers(group.counts)), 0)
    return sums


def _possible_counts(premises: Premises, cells: Sequence[Cell], known: Knowledge) -> int | None:
    """Fill one cell after another, and check each clue at its last cell.

    A state is the number of mines at each clue that still has cells to fill; its value is the set
    of possible numbers of mines so far.
    """
    around = [[clue.clue for clue in premises.by_cell[cell]] for cell in cells]
    allowed = {c.clue: c.left(known)[1] for cell in cells for c in premises.by_cell[cell]}
    last = {clue: place for place, near in enumerate(around) for clue in near}
    states: dict[tuple[tuple[Cell, int], ...], int] = {(): 1}
    for place, near in enumerate(around):
        after: dict[tuple[tuple[Cell, int], ...], int] = {}
        for state, totals in states.items():
            for mine in (0, 1):
                sums = dict(state)
                for i in near:
                    sums[i] = sums.get(i, 0) + mine
                if any(not allowed[i] >> sums[i] for i in near):
                    continue
                closed = [i for i in near if last[i] == place]
                if any(not allowed[i] >> sums.pop(i) & 1 for i in closed):
                    continue
                key = tuple(sorted(sums.items()))
                after[key] = after.get(key, 0) | totals << mine
        if len(after) > _MOST_STATES:
            return None
        states = after
    return states.get((), 0)
