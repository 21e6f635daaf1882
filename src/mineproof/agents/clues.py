"""Clues as the classical agents read them: what a number says of the cells around it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mineproof.agents.agent import Action, Decision
from mineproof.position.observation import CellCode, Observation
from mineproof.position.topology import Cell, Topology

__all__ = ["Clue", "clues", "neighbours", "told_safe"]


@dataclass(frozen=True, slots=True)
class Clue:
    """An open number and the cells around it.

    Parameters
    ----------
    cell
        Where it is.
    seen
        What it shows.
    mines
        How many of its neighbours are known mines: exploded or flagged.
    safe
        How many are known to be safe: open, or told to be.
    unknown
        The others, in row order.
    """

    cell: Cell
    seen: int
    mines: int
    safe: int
    unknown: tuple[Cell, ...]

    @property
    def left(self) -> int:
        """How many mines it leaves for its unknown neighbours."""
        return self.seen - self.mines

    def __str__(self) -> str:
        row, col = self.cell
        return f"the {self.seen} at row {row}, column {col}"


@lru_cache(maxsize=8)
def neighbours(topology: Topology) -> dict[Cell, tuple[Cell, ...]]:
    """Return the neighbours of every cell.

    Examples
    --------
    >>> neighbours(Topology(1, 3))[0, 1]
    ((0, 0), (0, 2))
    """
    cells = map(topology.cell, range(topology.cells))
    return {cell: topology.neighbours(cell) for cell in cells}


def clues(observation: Observation) -> list[Clue]:
    r"""Read all clues, in row order.

    Examples
    --------
    >>> clue = clues(Observation.from_text("F2.\n..s"))[0]
    >>> clue.left, clue.unknown, str(clue)
    (1, ((0, 2), (1, 0), (1, 1)), 'the 2 at row 0, column 1')
    """
    around = neighbours(observation.topology)
    codes = observation.cells.tolist()
    result = []
    for place in np.flatnonzero(observation.cells >= 0).tolist():
        cell = divmod(place, observation.cols)
        mines = safe = 0
        unknown = []
        for other in around[cell]:
            code = codes[other[0]][other[1]]
            if code == CellCode.CLOSED:
                unknown.append(other)
            elif code in (CellCode.FLAGGED, CellCode.EXPLODED):
                mines += 1
            else:
                safe += 1
        result.append(Clue(cell, codes[cell[0]][cell[1]], mines, safe, tuple(unknown)))
    return result


def told_safe(observation: Observation) -> Decision | None:
    """Open the cells that are told to be safe, if there are any.

    Examples
    --------
    >>> told_safe(Observation.from_text("s.")).reason
    'told to be safe'
    """
    places = np.argwhere(observation.cells == CellCode.KNOWN_SAFE).tolist()
    opens = tuple(Action("open", (row, col), certain=True, risk=0.0) for row, col in places)
    return Decision(opens, "told to be safe") if opens else None
