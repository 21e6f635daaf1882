"""Clues as the classical agents read them, and the moves that most of these agents share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from mineproof.agents.agent import Action, Decision
from mineproof.position.cells import CellCode
from mineproof.position.observation import Observation
from mineproof.position.topology import MAX_DEGREE, Cell, Topology
from mineproof.random import Random

__all__ = [
    "Clue",
    "clues",
    "mines_left",
    "neighbours",
    "open_known_safe",
    "random_guess",
    "settle_first",
]

_FLAGGED: Final = CellCode.FLAGGED.value
_EXPLODED: Final = CellCode.EXPLODED.value

_MOST_KEPT: Final = 2**16
"""How many clues are kept for one board size."""


@dataclass(frozen=True, slots=True)
class Clue:
    """A clue and the cells around it."""

    cell: Cell
    seen: int
    """The number that it shows."""
    mines: int
    """The number of exploded or flagged neighbours."""
    safe: int
    """The number of neighbours that are open or known to be safe."""
    unknown: tuple[Cell, ...]
    """The other neighbours, in row order."""

    @property
    def left(self) -> int:
        """The number of mines among the unknown neighbours."""
        return self.seen - self.mines

    @property
    def degree(self) -> int:
        """The number of neighbours."""
        return self.mines + self.safe + len(self.unknown)

    def settle(self, degree: int | None = None) -> Decision | None:
        r"""Flag or open all unknown neighbours, if counting settles them.

        The rule for safe cells may assume a wrong `degree`. It then fails where it should apply,
        and applies where it should not: a clue at an edge that lacks three mines looks as if it
        had them all. What it then opens is not claimed to be certain.

        Examples
        --------
        >>> clue = clues(Observation.from_text("F1."))[0]
        >>> clue.settle().reason
        'the 1 at (0, 1) has all its mines'
        >>> clue.settle(degree=8) is None
        True
        """
        unknown = len(self.unknown)
        if self.left == unknown:
            reason = f"{self} needs all its closed neighbours to be mines"
            return Decision.certain(reason, mines=self.unknown)
        if (degree or self.degree) - self.seen - self.safe != unknown:
            return None
        reason = f"{self} has all its mines"
        if degree in (None, self.degree):
            return Decision.certain(reason, safe=self.unknown)
        opens = tuple(Action("open", cell) for cell in self.unknown)
        return Decision(opens, f"{reason}, if it had {degree} neighbours")

    def __str__(self) -> str:
        return f"the {self.seen} at {self.cell}"

    def __getstate__(self) -> list[object]:
        # What a dataclass returns, in a fifth of the time: studies write many of these.
        return [self.cell, self.seen, self.mines, self.safe, self.unknown]


@lru_cache(maxsize=8)
def neighbours(topology: Topology) -> dict[Cell, tuple[Cell, ...]]:
    """Return the neighbours of each cell, faster than the topology does."""
    cells = map(topology.cell, range(topology.cells))
    return {cell: topology.neighbours(cell) for cell in cells}


def clues(observation: Observation) -> list[Clue]:
    r"""Return all clues that have unknown neighbours, in row order.

    Examples
    --------
    >>> clue = clues(Observation.from_text("F2.\n..s"))[0]
    >>> clue.left, clue.unknown, str(clue)
    (1, ((0, 2), (1, 0), (1, 1)), 'the 2 at (0, 1)')
    """
    return _reader(observation.topology).read(observation)


class _Reader:
    """Reads the clues of a board, and keeps them: from one decision to the next few change."""

    def __init__(self, topology: Topology) -> None:
        self._around = neighbours(topology)
        self._cells = list(self._around)
        place = {cell: index for index, cell in enumerate(self._cells)}
        # The place after the last is no cell. It stands for neighbours beyond the edge.
        self._places = np.full((topology.cells, MAX_DEGREE), topology.cells)
        for index, others in enumerate(self._around.values()):
            self._places[index, : len(others)] = [place[other] for other in others]
        self._read: dict[tuple[int, int, int, int], Clue] = {}

    def read(self, observation: Observation) -> list[Clue]:
        codes = np.append(observation.cells, CellCode.NO_CLUE.value)
        around = codes[self._places]
        closed = np.packbits(around == CellCode.CLOSED.value, axis=1, bitorder="little")[:, 0]
        places = np.flatnonzero((codes[:-1] >= 0) & (closed != 0))
        around = around[places]
        mined = ((around == _FLAGGED) | (around == _EXPLODED)).sum(axis=1)
        if len(self._read) > _MOST_KEPT:
            self._read.clear()
        return [
            self._read.get(key) or self._clue(*key)
            for key in zip(
                places.tolist(),
                codes[places].tolist(),
                mined.tolist(),
                closed[places].tolist(),
                strict=True,
            )
        ]

    def _clue(self, place: int, seen: int, mines: int, closed: int) -> Clue:
        cell = self._cells[place]
        around = self._around[cell]
        unknown = tuple(other for bit, other in enumerate(around) if closed >> bit & 1)
        clue = Clue(cell, seen, mines, len(around) - mines - len(unknown), unknown)
        self._read[place, seen, mines, closed] = clue
        return clue


_reader = lru_cache(maxsize=8)(_Reader)


def mines_left(observation: Observation) -> int | None:
    """Return how many mines are neither exploded nor flagged, or None if the total is unknown."""
    if observation.mines is None:
        return None
    return observation.mines - observation.exploded - len(observation.flagged_cells())


def open_known_safe(observation: Observation) -> Decision | None:
    """Open the cells that are known to be safe from the start, if any are closed."""
    safe = observation.known_safe_cells()
    return Decision.certain("known to be safe from the start", safe=safe) if safe else None


def settle_first(seen: Iterable[Clue], degree: int | None = None) -> Decision | None:
    """Settle the neighbours of the first clue that allows it, as `Clue.settle` does."""
    return next(filter(None, (clue.settle(degree) for clue in seen)), None)


def random_guess(observation: Observation, random: Random, reason: str) -> Decision | None:
    """Open a random closed cell.

    If all closed cells are flagged and the game has not ended, a clue was false and a flag is
    wrong: a random flag is removed and its cell opened.
    """
    cells = observation.openable_cells()
    if cells:
        return Decision.guess(random.pick(cells), reason)
    flagged = observation.closed_cells()
    if not flagged:
        return None
    cell = random.pick(flagged)
    actions = Action("unflag", cell), Action("open", cell)
    return Decision(actions, f"{reason}: a flag must be wrong")
