"""Searches all assignments of mines to the border, and uses their shares as risks.

After R3 (Cao, Mao, *Homework 2 Mine Sweeper*). The border is every closed cell next to a clue. Its
parts that share no clue are searched separately, and the risk of a cell is the share of valid
assignments of its part that have a mine there. All assignments have the same weight, however many
mines they have. On a board with few mines, assignments with many mines are far less likely, so the
shares overstate the risk of cells that are mines only in those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import ClassVar, Final

import numpy as np

from mineproof import _core
from mineproof.agents.agent import Agent, Beliefs, Decision, Told
from mineproof.agents.assignments import Exhausted, Limit, assignments, borders, clue_by_clue
from mineproof.agents.clues import clues, mines_left, open_known_safe, random_guess
from mineproof.inference import BudgetExceeded, Contradiction, infer
from mineproof.position.cells import CellCode
from mineproof.position.model import NOTHING, Channel, Prior
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

__all__ = ["STEPS", "BorderAgent"]

STEPS: Final = 50_000
"""The number of steps that one search may take before the core counts instead."""

_OPTIMISTIC: Final = Channel.optimistic()


class BorderAgent(Agent):
    r"""Averages all assignments of the border: opens what is free in all, else the lowest risk.

    If it is told the total, it opens a random cell beyond the border if the mines left, spread
    evenly over all closed cells, make that less risky than every cell of the border. Lost clues say
    nothing. Under optimistic clues a number is a lower bound; cautious clues are taken at face
    value. A clue that cannot be met is ignored, and so is a border without valid assignments.

    Depth-first search visits the assignments one by one. After `STEPS`, and under optimistic clues,
    which leave too many assignments to visit, the core counts them: the shares are the same.

    Examples
    --------
    >>> agent = BorderAgent()
    >>> decision = agent.decide(Observation.from_text("?12?\n...."))
    >>> [(action.kind, action.cell) for action in decision.actions]
    [('flag', (1, 3)), ('open', (1, 0))]
    >>> agent.beliefs().numbers[1, 1]
    0.5
    """

    name = "border"
    report = "R3 Cao and Mao"
    options: ClassVar = MappingProxyType(
        {"nosplit": "searches independent borders together, as long as the steps suffice"}
    )
    told = Told(channel=True)

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self._shares: dict[Cell, float] = {}
        self._searched: dict[tuple[Limit, ...], dict[Cell, float]] = {}

    def decide(self, observation: Observation) -> Decision | None:
        optimistic = observation.channel == _OPTIMISTIC
        limits = _limits(observation, optimistic)
        together = optimistic or "nosplit" in self.chosen
        parts = [limits.values()] if limits and together else borders(limits.values())
        # Parts that have not changed since the last decision are not searched again.
        before = self._searched
        self._searched = {
            part: before.get(part) or _shares(part, limits, observation)
            for part in map(tuple, parts)
        }
        self._shares = {cell: part[cell] for part in self._searched.values() for cell in part}
        return (
            open_known_safe(observation)
            or _settle_agreed(self._shares)
            or self._open_least_risky(observation)
            or random_guess(observation, self.random, "nothing is known about any cell")
        )

    def native(self) -> _core.Player:
        """Return the player of the core."""
        return _core.Player.border("nosplit" not in self.chosen, STEPS)

    def beliefs(self) -> Beliefs:
        """Show the share of assignments with a mine, for each cell of the border."""
        return Beliefs(self._shares)

    def _open_least_risky(self, observation: Observation) -> Decision | None:
        cells, left = observation.openable_cells(), mines_left(observation)
        shares = {cell: round(share, 9) for cell, share in self._shares.items()}
        lowest = min(shares.values(), default=1.0)
        beyond = [cell for cell in cells if cell not in shares]
        if beyond and left is not None:
            # Wrong flags, under noisy clues, may leave fewer mines than none or more than fit.
            risk = min(max(left, 0), len(cells)) / len(cells)
            if round(risk, 9) < lowest:
                reason = f"beyond the border the risk is only {risk:.3g}"
                return Decision.guess(self.random.pick(beyond), reason, risk)
        if not shares:
            return None
        best = min(cell for cell in shares if shares[cell] == lowest)
        reason = f"the lowest share of assignments with a mine, {lowest:.3g}"
        return Decision.guess(best, reason, self._shares[best])


def _limits(observation: Observation, optimistic: bool) -> dict[Cell, Limit]:
    limits = {
        clue.cell: Limit(clue.unknown, clue.left, len(clue.unknown) if optimistic else clue.left)
        for clue in clues(observation)
    }
    return {cell: limit for cell, limit in limits.items() if limit.can_be_met}


def _settle_agreed(shares: Mapping[Cell, float]) -> Decision | None:
    mines = sorted(cell for cell in shares if shares[cell] == 1)
    safe = sorted(cell for cell in shares if shares[cell] == 0)
    if not mines and not safe:
        return None
    return Decision.certain("all assignments of the border agree", mines=mines, safe=safe)


def _shares(
    part: Sequence[Limit], limits: Mapping[Cell, Limit], observation: Observation
) -> dict[Cell, float]:
    """Return the share of valid assignments with a mine per cell, or {} if none is valid."""
    if observation.channel != _OPTIMISTIC:
        with suppress(Exhausted):
            return _visit(part)
    read = {cell for cell, limit in limits.items() if limit in part}
    return _count(part, read, observation)


def _visit(part: Sequence[Limit]) -> dict[Cell, float]:
    order = clue_by_clue(part)
    mined: Counter[Cell] = Counter()
    valid = 0
    for mines in assignments(part, order, STEPS):
        mined.update(mines)
        valid += 1
    return {cell: mined[cell] / valid for cell in order} if valid else {}


def _count(
    part: Iterable[Limit], read: Container[Cell], observation: Observation
) -> dict[Cell, float]:
    """Return what `_visit` would, but let the core count the assignments."""
    optimistic = observation.channel == _OPTIMISTIC
    cells = observation.cells.copy()
    for row, col in np.argwhere(cells >= 0).tolist():
        if (row, col) not in read:
            # "At least 0" says nothing, unlike a missing clue.
            cells[row, col] = 0 if optimistic else CellCode.NO_CLUE
    seen = Observation(observation.topology, cells)
    try:
        risk = infer(seen, _EVEN, _AT_LEAST if optimistic else _EXACT, flags="trust").risk
    except (BudgetExceeded, Contradiction):
        return {}
    return {cell: float(risk[cell]) for limit in part for cell in limit.cells}


def _at_least() -> Channel:
    """Return a channel under which a clue is equally likely for all counts that it allows."""
    weights = np.zeros_like(_OPTIMISTIC.weights)
    for neighbours, true in zip(*np.tril_indices(NOTHING), strict=True):
        weights[neighbours, true, : true + 1] = 1 / (neighbours + 1)
        weights[neighbours, true, NOTHING] = 1 - (true + 1) / (neighbours + 1)
    return Channel.table(weights, "at least")


_EXACT: Final = Channel.exact()
_AT_LEAST: Final = _at_least()
_EVEN: Final = Prior.density(0.5)
"""The prior under which all assignments are equally likely."""
