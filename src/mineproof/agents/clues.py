"""Clues as the classical agents read them, and the moves that most of these agents share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mineproof.agents.agent import Action, Decision
from mineproof.position.cells import CellCode
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell, Topology
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
    around = neighbours(observation.topology)
    codes = dict(zip(around, observation.cells.ravel().tolist(), strict=True))
    # Plain numbers: comparing with a member of an enumeration takes several times as long.
    closed, *mined = (code.value for code in (CellCode.CLOSED, CellCode.FLAGGED, CellCode.EXPLODED))
    result = []
    for cell, seen in codes.items():
        if seen >= 0 and (
            unknown := tuple([other for other in around[cell] if codes[other] == closed])
        ):
            mines = sum([codes[other] in mined for other in around[cell]])
            safe = len(around[cell]) - mines - len(unknown)
            result.append(Clue(cell, seen, mines, safe, unknown))
    return result


def mines_left(observation: Observation) -> int | None:
    """Return how many mines are neither exploded nor flagged, or None if the total is unknown."""
    if observation.mines is None:
        return None
    known = np.isin(observation.cells, (CellCode.EXPLODED.value, CellCode.FLAGGED.value))
    return observation.mines - int(np.count_nonzero(known))


def open_known_safe(observation: Observation) -> Decision | None:
    """Open the cells that are known to be safe from the start, if any are closed."""
    safe = [(row, col) for row, col in np.argwhere(observation.cells == CellCode.KNOWN_SAFE.value)]
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
