"""Believes in the first assignment of mines that breaks no clue.

After R4 (Yang, *Inference-Informed Action: MineSweeper*, 2021). Where the two counting rules of
`basic` settle nothing, mines are projected onto the border: cell by cell in row order, a mine
wherever no clue gets more than it shows. A cell that is free in this picture is opened. Other
pictures are not compared, and a clue that got too few mines counts as kept, so what is free in this
one may well be mined in most.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar, Final

import numpy as np

from mineproof.agents.agent import Action, Agent, Beliefs, Decision, Told
from mineproof.agents.assignments import Exhausted, Limit, assignments, border_cells, borders
from mineproof.agents.basic import guess, settle
from mineproof.agents.clues import Clue, clues, told_safe
from mineproof.position.observation import CellCode, Observation
from mineproof.position.topology import MAX_DEGREE, Cell

__all__ = ["STEPS", "ProjectionAgent"]

STEPS: Final = 20_000
"""How many steps the search of one border may take."""

_NEARLY_ALL: Final = 0.8
_SKIPPED: Final = 0.2


class ProjectionAgent(Agent):
    r"""Opens a cell that is free in the first assignment of mines that breaks no clue.

    The cell is the first free one beside the first clue, in row order, that has one. With
    ``eight``, clues with fewer neighbours than 8 take no part: only so are the report's figures
    met. With ``annealed`` it passes over a risky choice, beside a clue that needs 4 of 5 closed
    neighbours or more to be mines, one time in five: for another free cell, or else for the next
    assignment. Clues are taken at face value. One that has too many mines around it is ignored, and
    so is, with ``strict``, one that cannot get enough; where no assignment is strict, or none is
    found within `STEPS`, too few mines will do.

    Examples
    --------
    >>> agent = ProjectionAgent()
    >>> decision = agent.decide(Observation.from_text("?12?\n...."))
    >>> decision.actions[0].cell, decision.reason
    ((1, 1), 'free beside the 1 at row 0, column 1 in an assignment that breaks no clue')
    >>> agent.beliefs().numbers
    {(1, 0): 1.0, (1, 1): 0.0, (1, 2): 0.0, (1, 3): 1.0}
    """

    name = "projection"
    report = "R4 Yang, 2021"
    options: ClassVar = MappingProxyType(
        {
            "eight": "takes every cell to have 8 neighbours, as R4 does: clues at edges free none",
            "strict": "a clue that gets too few mines is broken too",
            "global": "is told the mine total: flags all that is closed where as many are missing",
            "annealed": "passes over a risky choice one time in five",
        }
    )

    def __init__(self, *options: str) -> None:
        super().__init__(*options)
        if "global" in self.chosen:
            if "untold" in self.chosen:
                raise ValueError(f"agent {self.name}: global needs to be told the total")
            self.told = Told(total=True)

    def begin(self, seed: int) -> None:
        """Forget the last game."""
        super().begin(seed)
        self._projected: dict[Cell, float] = {}

    def decide(self, observation: Observation) -> Decision | None:
        """Use the counting rules; else open what the projection leaves free; else any cell."""
        self._projected = {}
        unsettled = [clue for clue in clues(observation) if clue.unknown]
        return (
            told_safe(observation)
            or self._flag_all(observation)
            or self._settle(unsettled)
            or self._project(unsettled)
            or guess(observation, self.random, "no clue leaves a cell free")
        )

    def beliefs(self) -> Beliefs:
        """Show the last assignment that was looked at: 1 for a mine, 0 for a free cell."""
        return Beliefs(self._projected)

    def _flag_all(self, observation: Observation) -> Decision | None:
        closed = observation.openable_cells()
        found = observation.exploded + int(np.count_nonzero(observation.cells == CellCode.FLAGGED))
        if "global" not in self.chosen or not closed or len(closed) + found != observation.mines:
            return None
        flags = tuple(Action("flag", cell, certain=True, risk=1.0) for cell in closed)
        return Decision(flags, "as many mines are missing as cells are closed")

    def _settle(self, unsettled: Iterable[Clue]) -> Decision | None:
        around = MAX_DEGREE if "eight" in self.chosen else None
        decisions = (settle(clue, around) for clue in unsettled)
        return next((decision for decision in decisions if decision is not None), None)

    def _project(self, unsettled: Iterable[Clue]) -> Decision | None:
        limits = {clue: self._limit(clue) for clue in unsettled if self._hears(clue)}
        limits = {clue: limit for clue, limit in limits.items() if limit.can_be_met}
        skipped: Decision | None = None
        for parts in zip(*map(_search, borders(limits.values())), strict=False):
            mines = {cell for part in parts for cell in part}
            cells = border_cells(limits.values())
            self._projected = {cell: float(cell in mines) for cell in cells}
            for cell, clue in _free(limits, mines).items():
                choice = Decision((Action("open", cell),), _because(clue))
                if not self._skips(clue):
                    return choice
                skipped = skipped or choice
            if "annealed" not in self.chosen:
                break
        return skipped

    def _hears(self, clue: Clue) -> bool:
        around = clue.mines + clue.safe + len(clue.unknown)
        return "eight" not in self.chosen or around == MAX_DEGREE

    def _limit(self, clue: Clue) -> Limit:
        return Limit(clue.unknown, clue.left if "strict" in self.chosen else 0, clue.left)

    def _skips(self, clue: Clue) -> bool:
        risky = clue.left >= _NEARLY_ALL * len(clue.unknown)
        return "annealed" in self.chosen and risky and self.random.uniform() < _SKIPPED


def _search(border: Sequence[Limit]) -> Iterator[list[Cell]]:
    """Yield assignments; where none keeps the limits, those that exceed none."""
    cells = border_cells(border)
    # Without demands nothing is ever taken back before the first is found: two steps a cell.
    steps = STEPS + 2 * len(cells)
    found = False
    for limits in (border, [replace(limit, least=0) for limit in border]):
        with suppress(Exhausted):
            for mines in assignments(cells, limits, steps):
                found = True
                yield mines
        if found:
            break


def _free(seen: Iterable[Clue], mines: Container[Cell]) -> dict[Cell, Clue]:
    """Return the cells without a mine, each with the first clue beside it."""
    free: dict[Cell, Clue] = {}
    for clue in seen:
        for cell in clue.unknown:
            if cell not in mines:
                free.setdefault(cell, clue)
    return free


def _because(clue: Clue) -> str:
    return f"free beside {clue} in an assignment that breaks no clue"
