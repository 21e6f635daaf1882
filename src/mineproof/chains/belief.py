"""How far the word of one clue goes: the risks with it and without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import numpy as np

from mineproof.arguments import instance, sentence
from mineproof.chains.graph import kings_moves
from mineproof.inference.posterior import Solver
from mineproof.position.observation import CellCode, Observation
from mineproof.position.topology import Cell

__all__ = ["EPSILON", "Influence", "influence_of", "influences"]

EPSILON: Final = 0.001
"""Risks that differ by no more than this count as equal."""


@dataclass(frozen=True, slots=True)
class Influence:
    """What one clue does to the risks of closed cells.

    Parameters
    ----------
    clue
        Its cell.
    shifts
        The cells whose risks it changes by more than epsilon: how much higher each risk is with
        the clue than without it.
    """

    clue: Cell
    shifts: Mapping[Cell, float]

    @property
    def cells(self) -> int:
        """How many cells it bears on."""
        return len(self.shifts)

    @property
    def reach(self) -> int:
        """How many king's moves away the farthest of them is; 0 where there is none."""
        return max((kings_moves(self.clue, cell) for cell in self.shifts), default=0)


def influence_of(
    observation: Observation,
    clue: Cell,
    *,
    epsilon: float = EPSILON,
    solver: Solver | None = None,
) -> Influence:
    r"""Hide a clue and see which risks change.

    The cell stays open, and so known to be safe; only its number is hidden.

    Parameters
    ----------
    observation
        What is seen.
    clue
        An open cell with a clue.
    epsilon
        Smaller changes do not count.
    solver
        Who judges; one who is asked about many clues of a position need not begin anew each time.
        By default one who never estimates, for that would move risks as well.

    Raises
    ------
    BudgetExceeded
        If the position is too wide to be judged exactly.

    Examples
    --------
    >>> seen = Observation.from_text("6x2x3\n......\n112...")
    >>> influence = influence_of(seen, (1, 0))
    >>> influence.cells, influence.reach
    (9, 5)
    >>> influence_of(seen, (0, 0))
    Traceback (most recent call last):
    ...
    ValueError: row 0, column 0: the cell shows no clue
    """
    instance("observation", observation, Observation, "Observation.from_text('.1.')")
    if not isinstance(epsilon, float | int) or not epsilon >= 0:
        raise ValueError(sentence("epsilon", epsilon, "a number from 0"))
    place = observation.topology.index(clue)
    clue = observation.topology.cell(place)
    if observation.code(clue) < 0:
        raise ValueError(f"row {clue[0]}, column {clue[1]}: the cell shows no clue")
    cells = observation.cells.copy()
    cells.flat[place] = CellCode.NO_CLUE
    solver = solver or Solver(require_exact=True)
    told = solver.infer(observation).risk
    untold = solver.infer(replace(observation, cells=cells)).risk
    with np.errstate(invalid="ignore"):
        changed = np.argwhere(np.abs(told - untold) > epsilon)
    shifts = {(row, col): float(told[row, col] - untold[row, col]) for row, col in changed.tolist()}
    return Influence(clue, MappingProxyType(shifts))


def influences(observation: Observation, *, epsilon: float = EPSILON) -> tuple[Influence, ...]:
    r"""Hide every clue in turn, in row order.

    Examples
    --------
    >>> seen = Observation.from_text("6x2x3\n......\n112...")
    >>> [influence.cells for influence in influences(seen)]
    [9, 9, 8]
    """
    solver = Solver(require_exact=True)
    clues = [(row, col) for row, col in np.argwhere(observation.cells >= 0).tolist()]
    return tuple(influence_of(observation, clue, epsilon=epsilon, solver=solver) for clue in clues)
