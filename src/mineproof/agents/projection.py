"""Believes in the first assignment of mines that breaks no clue.

After R4 (Yang, *Inference-Informed Action: MineSweeper*, 2021). If the counting rules of `basic`
settle nothing, mines are projected onto the border: cell by cell in row order, a mine wherever no
clue gets more mines than it shows. Then a cell that is free in this assignment is opened. Other
assignments are not compared, and a clue with too few mines counts as met, so a cell that is free in
this assignment may well be a mine in most others.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar, Final

from mineproof import _core
from mineproof.agents.agent import Agent, Beliefs, Decision, Told
from mineproof.agents.assignments import Exhausted, Limit, assignments, border_cells, borders
from mineproof.agents.clues import (
    Clue,
    clues,
    mines_left,
    open_known_safe,
    random_guess,
    settle_first,
)
from mineproof.errors import OptionError
from mineproof.position.observation import Observation
from mineproof.position.topology import MAX_DEGREE, Cell

__all__ = ["STEPS", "ProjectionAgent"]

STEPS: Final = 20_000
"""The number of steps that the search of one border may take."""

_RISKY_SHARE: Final = 0.8
_SKIP_CHANCE: Final = 0.2


class ProjectionAgent(Agent):
    r"""Opens a cell that is free in the first assignment of mines that breaks no clue.

    The cell is the first free one next to the first clue, in row order, that has one. It takes
    clues at face value. It ignores a clue with too many mines around it and, with ``strict``, one
    that cannot get enough. If no assignment is strict, or none is found within `STEPS`, clues may
    get too few mines.

    With ``eight``, the rule for safe cells assumes 8 neighbours, as the report prints it, and clues
    with fewer neighbours take no part in the projection. The second half is our reading: the report
    does not print it, but its figures come out only so.

    With ``annealed`` it skips a risky choice, next to a clue that needs at least 4 of 5 closed
    neighbours to be mines, one time in five, in favour of another free cell or else the next
    assignment. With ``away``, which the report wishes for, it leaves a choice that only one clue
    speaks of, most of whose neighbours are closed, for a random cell that is next to no clue.

    Examples
    --------
    >>> agent = ProjectionAgent()
    >>> decision = agent.decide(Observation.from_text("?12?\n...."))
    >>> decision.actions[0].cell, decision.reason
    ((1, 1), 'free next to the 1 at (0, 1) in an assignment that breaks no clue')
    >>> agent.beliefs().numbers
    {(1, 0): 1.0, (1, 1): 0.0, (1, 2): 0.0, (1, 3): 1.0}
    """

    name = "projection"
    report = "R4 Yang, 2021"
    told = Told()
    options: ClassVar = MappingProxyType(
        {
            "eight": "assumes 8 neighbours, as R4 does, and projects no clue at an edge",
            "strict": "a clue with too few mines is broken too",
            "global": "is told the mine total: flags all closed cells if as many mines are left",
            "annealed": "skips a risky choice one time in five",
            "away": "opens a cell away from all clues if only a lone clue speaks of its choice",
        }
    )

    def __init__(self, *options: str) -> None:
        super().__init__(*options)
        if "global" in self.chosen:
            if "untold" in self.chosen:
                raise OptionError(f"agent {self.name}: global needs to be told the total")
            self.told = Told(total=True)
        if "eight" in self.chosen:
            self.topologies = "square", "torus"

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self._projected: dict[Cell, float] = {}

    def decide(self, observation: Observation) -> Decision | None:
        self._projected = {}
        unsettled = clues(observation)
        return (
            open_known_safe(observation)
            or self._flag_all(observation)
            or settle_first(unsettled, MAX_DEGREE if "eight" in self.chosen else None)
            or self._project(observation, unsettled)
            or random_guess(observation, self.random, "no clue leaves a cell free")
        )

    def native(self) -> _core.Player:
        """Return the player of the core."""
        return _core.Player.projection(
            eight="eight" in self.chosen,
            strict="strict" in self.chosen,
            global_="global" in self.chosen,
            annealed="annealed" in self.chosen,
            away="away" in self.chosen,
            steps=STEPS,
        )

    def beliefs(self) -> Beliefs:
        """Show the last assignment that it looked at: 1 for a mine, 0 for a free cell."""
        return Beliefs(self._projected)

    def _flag_all(self, observation: Observation) -> Decision | None:
        closed = observation.openable_cells()
        if "global" not in self.chosen or not closed or len(closed) != mines_left(observation):
            return None
        return Decision.certain("as many mines are left as cells are closed", mines=closed)

    def _project(self, observation: Observation, unsettled: Sequence[Clue]) -> Decision | None:
        limits = {clue: self._limit(clue) for clue in unsettled if self._reads(clue)}
        limits = {clue: limit for clue, limit in limits.items() if limit.can_be_met}
        skipped: Decision | None = None
        for parts in zip(*map(_search, borders(limits.values())), strict=False):
            mines = {cell for part in parts for cell in part}
            cells = border_cells(limits.values())
            self._projected = {cell: float(cell in mines) for cell in cells}
            for cell, clue in _free(limits, mines).items():
                reason = f"free next to {clue} in an assignment that breaks no clue"
                choice = self._away(observation, unsettled, cell) or Decision.guess(cell, reason)
                if not self._skips(clue):
                    return choice
                skipped = skipped or choice
            if "annealed" not in self.chosen:
                break
        return skipped

    def _away(
        self, observation: Observation, unsettled: Sequence[Clue], cell: Cell
    ) -> Decision | None:
        around = [clue for clue in unsettled if cell in clue.unknown]
        if "away" not in self.chosen or len(around) > 1:
            return None
        near = {other for clue in unsettled for other in clue.unknown}
        beyond = [other for other in observation.openable_cells() if other not in near]
        lone = around[0]
        if not beyond or 2 * len(lone.unknown) <= lone.degree:
            return None
        return Decision.guess(self.random.pick(beyond), f"away from {lone}, which is alone")

    def _reads(self, clue: Clue) -> bool:
        return "eight" not in self.chosen or clue.degree == MAX_DEGREE

    def _limit(self, clue: Clue) -> Limit:
        return Limit(clue.unknown, clue.left if "strict" in self.chosen else 0, clue.left)

    def _skips(self, clue: Clue) -> bool:
        risky = clue.left >= _RISKY_SHARE * len(clue.unknown)
        return "annealed" in self.chosen and risky and self.random.uniform() < _SKIP_CHANCE


def _search(border: Sequence[Limit]) -> Iterator[list[Cell]]:
    """Yield assignments that keep the limits, or if there are none, only their upper bounds."""
    cells = border_cells(border)
    # Without lower bounds the first assignment needs no backtracking: two steps per cell.
    steps = STEPS + 2 * len(cells)
    found = False
    for limits in (border, [replace(limit, least=0) for limit in border]):
        with suppress(Exhausted):
            for mines in assignments(limits, cells, steps):
                found = True
                yield mines
        if found:
            break


def _free(seen: Iterable[Clue], mines: Container[Cell]) -> dict[Cell, Clue]:
    """Return the cells without a mine, each with the first clue next to it."""
    free: dict[Cell, Clue] = {}
    for clue in seen:
        for cell in clue.unknown:
            if cell not in mines:
                free.setdefault(cell, clue)
    return free
