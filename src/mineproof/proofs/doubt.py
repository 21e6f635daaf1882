"""What is to be said of a cell that is not certain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from mineproof.arguments import percent
from mineproof.inference.posterior import TIE, Best, Posterior
from mineproof.position.observation import CellCode, Observation
from mineproof.position.topology import Cell

__all__ = ["Doubt", "Pressure", "doubt"]

_NEAR: Final = 4
"""Clues further away than so many king's moves hardly press on a cell."""
_TOLD: Final = 3
"""So many of the clues that press are told."""


@dataclass(frozen=True, slots=True)
class Pressure:
    """What one clue does to the risk of a cell.

    Parameters
    ----------
    clue
        The cell of the clue.
    shown
        What it shows.
    without
        What the risk would be, were the clue not known.
    """

    clue: Cell
    shown: int
    without: float


@dataclass(frozen=True, slots=True)
class Doubt:
    r"""What is to be said of a cell that is not certain.

    Parameters
    ----------
    cell
        The cell.
    risk
        The chance of a mine there.
    pressing
        The clues near it that change its risk, the strongest first.
    best
        The cell of the lowest risk, or one that is certainly safe.

    Examples
    --------
    >>> from mineproof import explain
    >>> print(explain(Observation.from_text("5x2x2\n.1...\n....."), (0, 0)))
    (0, 0) is not certain: its risk is 20.0%.
    Without the 1 at (0, 1) it would be 22.2%.
    No cell is certainly safe, and none has a lower risk.
    """

    cell: Cell
    risk: float
    pressing: tuple[Pressure, ...]
    best: Best

    def __str__(self) -> str:
        lines = [f"{self.cell} is not certain: its risk is {percent(self.risk, digits=1)}."]
        for clue in self.pressing[:_TOLD]:
            risk = _percent(clue.without)
            lines += [f"Without the {clue.shown} at {clue.clue} it would be {risk}."]
        return "\n".join([*lines, self.choice])

    @property
    def choice(self) -> str:
        """Whether it is the one to guess, in a sentence."""
        if self.best.risk == 0:
            return f"There is no need to guess: {self.best.cell} is certainly safe."
        if self.risk <= self.best.risk + TIE:
            return "No cell is certainly safe, and none has a lower risk."
        risk = percent(self.best.risk, digits=1)
        return f"No cell is certainly safe; {self.best.cell} has the lowest risk, {risk}."


def _percent(risk: float) -> str:
    return f"{risk:.0%}" if risk in (0, 1) else percent(risk, digits=1)


def doubt(posterior: Posterior, cell: Cell, ask: Callable[[Observation], Posterior]) -> Doubt:
    """Say what there is to say of a closed cell that is not certain.

    Parameters
    ----------
    posterior
        What follows from the observation.
    cell
        The cell.
    ask
        Infers in the same way from another observation.
    """
    best = posterior.best
    assert best is not None, "the cell is closed"
    seen, risk = posterior.observation, float(posterior.risk[cell])
    pressing = [
        Pressure(clue, seen.code(clue), float(ask(_hidden(seen, clue)).risk[cell]))
        for clue in _clues_near(seen, cell)
    ]
    strongest = sorted(
        (clue for clue in pressing if abs(clue.without - risk) > TIE),
        key=lambda clue: (-abs(clue.without - risk), clue.clue),
    )
    return Doubt(cell, risk, tuple(strongest), best)


def _clues_near(observation: Observation, cell: Cell) -> Iterator[Cell]:
    row, col = cell
    for r in range(max(0, row - _NEAR), min(observation.rows, row + _NEAR + 1)):
        for c in range(max(0, col - _NEAR), min(observation.cols, col + _NEAR + 1)):
            if observation.code((r, c)) >= 0:
                around = observation.topology.neighbours((r, c))
                if any(observation.closed[near] for near in around):
                    yield r, c


def _hidden(observation: Observation, clue: Cell) -> Observation:
    """Forget what a clue shows, but not that its cell is safe."""
    cells = observation.cells.copy()
    cells[clue] = CellCode.KNOWN_SAFE
    return replace(observation, cells=cells)
