"""How far the influence of one clue reaches: the risks with it and without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from mineproof.arguments import instance, sentence
from mineproof.inference.posterior import Solver
from mineproof.position.cells import CellCode, is_closed
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

__all__ = ["Influence", "influence_of", "influences"]


@dataclass(frozen=True, slots=True)
class Influence:
    """How one clue changes the risks of closed cells.

    Parameters
    ----------
    clue
        The cell of the clue.
    shifts
        The cells whose risks it changes by more than epsilon: how much higher each risk is with
        the clue than without it.
    reach
        The distance to the farthest of these cells, as of `Topology.distance`; 0 if there are none.
    """

    clue: Cell
    shifts: Mapping[Cell, float]
    reach: int

    @property
    def cells(self) -> int:
        """The number of cells whose risks it changes."""
        return len(self.shifts)


def influence_of(
    observation: Observation,
    clue: Cell,
    *,
    epsilon: float = 0.001,
    solver: Solver | None = None,
) -> Influence:
    r"""Hide a clue and see which risks change.

    The cell stays open, so it is still known to be safe; only its number is hidden.

    Parameters
    ----------
    observation
        What is seen.
    clue
        An open cell with a clue.
    epsilon
        Changes up to this size do not count.
    solver
        Computes the risks. Pass the same solver to save time if you ask about several clues. By
        default a solver that never estimates, since an estimate would also change risks.

    Raises
    ------
    BudgetExceeded
        If the position is too wide for an exact answer.

    Examples
    --------
    >>> seen = Observation.from_text("6x2x3\n......\n112...")
    >>> influence = influence_of(seen, (1, 0))
    >>> influence.cells, influence.reach
    (9, 5)
    >>> influence_of(seen, (0, 0))
    Traceback (most recent call last):
    ...
    ValueError: (0, 0): the cell shows no clue
    """
    _check(observation, epsilon)
    clue = observation.topology.cell(observation.topology.index(clue))
    if observation.code(clue) < 0:
        raise ValueError(f"({clue[0]}, {clue[1]}): the cell shows no clue")
    solver = solver or Solver(require_exact=True)
    return _influence_of(observation, clue, epsilon, solver, solver.infer(observation).risk)


def _check(observation: Observation, epsilon: float) -> None:
    instance("observation", observation, Observation, "Observation.from_text('.1.')")
    if not isinstance(epsilon, float | int) or not epsilon >= 0:
        raise ValueError(sentence("epsilon", epsilon, "a number from 0"))


def _influence_of(
    observation: Observation,
    clue: Cell,
    epsilon: float,
    solver: Solver,
    risk: NDArray[np.float64],
) -> Influence:
    """Compare the risks of an observation with those without a clue."""
    around = observation.topology.neighbours(clue)
    if not any(is_closed(observation.code(cell)) for cell in around):
        return Influence(clue, MappingProxyType({}), 0)
    cells = observation.cells.copy()
    cells[clue] = CellCode.NO_CLUE
    shift = risk - solver.infer(replace(observation, cells=cells)).risk
    changed = np.argwhere(np.abs(shift) > epsilon).tolist()
    shifts = {(row, col): float(shift[row, col]) for row, col in changed}
    reach = max((observation.topology.distance(clue, cell) for cell in shifts), default=0)
    return Influence(clue, MappingProxyType(shifts), reach)


def influences(observation: Observation, *, epsilon: float = 0.001) -> tuple[Influence, ...]:
    r"""Return the influence of every clue, in row order.

    Parameters
    ----------
    observation, epsilon
        As for `influence_of`.

    Examples
    --------
    >>> seen = Observation.from_text("6x2x3\n......\n112...")
    >>> [influence.cells for influence in influences(seen)]
    [9, 9, 8]
    """
    _check(observation, epsilon)
    solver = Solver(require_exact=True)
    clues = [(row, col) for row, col in np.argwhere(observation.cells >= 0).tolist()]
    if not clues:
        return ()
    risk = solver.infer(observation).risk
    return tuple(_influence_of(observation, clue, epsilon, solver, risk) for clue in clues)
