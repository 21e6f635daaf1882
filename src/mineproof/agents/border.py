"""Searches all assignments of mines to the border, and takes shares of them for risks.

After R3 (Cao, Mao, *Homework 2 Mine Sweeper*). The border is every closed cell beside a clue. Parts
of it that share no clue are searched apart, and a cell's risk is the share of its part's valid
assignments that have a mine there. Every assignment weighs the same, however many mines it has: on
a board with few mines, those with many are far less likely, and the shares overrate the risk of
cells that only they mine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import comb
from types import MappingProxyType
from typing import ClassVar, Final

import numpy as np

from mineproof.agents.agent import Action, Agent, Beliefs, Decision, Told
from mineproof.agents.assignments import Exhausted, Limit, assignments, borders, clue_by_clue
from mineproof.agents.basic import guess
from mineproof.agents.clues import clues, told_safe
from mineproof.position.model import Channel
from mineproof.position.observation import CellCode, Observation
from mineproof.position.topology import Cell

__all__ = ["AT_WILL", "STEPS", "BorderAgent"]

STEPS: Final = 50_000
"""How many steps a search may take: where it needs more, it is done part by part instead."""

AT_WILL: Final = 6
"""How many cells may be free or mined at will in a search: each doubles the assignments."""

_OPTIMISTIC: Final = Channel.optimistic()


class BorderAgent(Agent):
    r"""Averages all assignments of the border: opens what is free in all, else the lowest risk.

    Told the total, it opens a random cell beyond the border where the mines left, spread evenly
    over all closed cells, make that less risky than any cell of the border. Clues that are lost
    say nothing; under optimistic clues a number is the least there can be; cautious ones are taken
    at face value. A clue that cannot be met is ignored, and so is a border that no assignment fits.

    A search that takes more than `STEPS` is given up, and one of optimistic clues that leaves more
    than `AT_WILL` cells to choice is not begun. What was searched together is then searched border
    by border, and a border clue by clue; a cell takes what one of them proves, or the highest of
    their shares.

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
        """Forget the last game."""
        super().begin(seed)
        self._shares: dict[Cell, float] = {}
        self._searched: dict[tuple[Limit, ...], dict[Cell, float]] = {}

    def decide(self, observation: Observation) -> Decision | None:
        """Open and flag what all assignments agree on, or open the least risky cell."""
        self._shares = self._search(_limits(observation))
        return (
            told_safe(observation)
            or _counted_out(observation)
            or _agreed(self._shares)
            or self._least_risky(observation)
            or guess(observation, self.random, "nothing is known of any cell")
        )

    def beliefs(self) -> Beliefs:
        """Show the share of assignments that mine a cell, for the cells of the border."""
        return Beliefs(self._shares)

    def _search(self, limits: list[Limit]) -> dict[Cell, float]:
        parts = [limits] if "nosplit" in self.chosen and limits else borders(limits)
        # What no opening has touched need not be searched again.
        self._searched = {key: self._searched.get(key) or _shares(key) for key in map(tuple, parts)}
        return {cell: share for part in self._searched.values() for cell, share in part.items()}

    def _least_risky(self, observation: Observation) -> Decision | None:
        shares = {cell: round(share, 9) for cell, share in self._shares.items()}
        lowest = min(shares.values(), default=1.0)
        beyond = [cell for cell in observation.openable_cells() if cell not in shares]
        spread = _spread(observation)
        if beyond and spread is not None and round(spread, 9) < lowest:
            action = Action("open", self.random.pick(beyond), risk=spread)
            return Decision((action,), f"beyond the border the risk is only {spread:.3g}")
        if not shares:
            return None
        best = min(cell for cell in shares if shares[cell] == lowest)
        action = Action("open", best, risk=self._shares[best])
        return Decision((action,), f"a mine in {lowest:.3g} of the assignments, the lowest share")


def _limits(observation: Observation) -> list[Limit]:
    """Say of every clue how many mines it leaves for the border."""
    optimistic = observation.channel == _OPTIMISTIC
    limits = [
        Limit(clue.unknown, clue.left, len(clue.unknown) if optimistic else clue.left)
        for clue in clues(observation)
        if clue.unknown
    ]
    return [limit for limit in limits if limit.can_be_met]


def _shares(limits: Sequence[Limit]) -> dict[Cell, float]:
    """Return the share of valid assignments that mine a cell, or nothing where none is valid."""
    if len(limits) == 1:
        return _shares_of_one(limits[0])
    try:
        return _count(limits)
    except Exhausted:
        split = borders(limits)
    parts = split if len(split) > 1 else [[limit] for limit in limits]
    shares: dict[Cell, float] = {}
    for part in parts:
        for cell, share in _shares(part).items():
            low, high = sorted((share, shares.get(cell, share)))
            shares[cell] = high if low > 0 else low
    return shares


def _count(limits: Sequence[Limit]) -> dict[Cell, float]:
    order = clue_by_clue(limits)
    if _at_will(limits, len(order)) > AT_WILL:
        raise Exhausted
    mined: Counter[Cell] = Counter()
    valid = 0
    for mines in assignments(order, limits, STEPS):
        mined.update(mines)
        valid += 1
    return {cell: mined[cell] / valid for cell in order} if valid else {}


def _shares_of_one(limit: Limit) -> dict[Cell, float]:
    size = len(limit.cells)
    mines = range(max(limit.least, 0), min(limit.most, size) + 1)
    valid = sum(comb(size, count) for count in mines)
    mined = sum(comb(size - 1, count - 1) for count in mines if count)
    return dict.fromkeys(limit.cells, mined / valid)


def _at_will(limits: Sequence[Limit], cells: int) -> int:
    """Return how many cells at least can be free or mined at will, whatever the rest.

    Where limits only demand mines, these are all cells but a few that meet the demands.
    """
    if any(limit.most < len(limit.cells) for limit in limits):
        return 0
    mines: set[Cell] = set()
    for limit in limits:
        free = [cell for cell in limit.cells if cell not in mines]
        missing = limit.least - (len(limit.cells) - len(free))
        mines.update(free[: max(missing, 0)])
    return cells - len(mines)


def _left(observation: Observation) -> int | None:
    """Return how many mines are neither exploded nor flagged, where the total is told."""
    if observation.mines is None:
        return None
    flags = np.count_nonzero(observation.cells == CellCode.FLAGGED)
    return max(observation.mines - observation.exploded - int(flags), 0)


def _spread(observation: Observation) -> float | None:
    """Return the risk of a cell if the mines left were spread evenly, where the total is told."""
    left, closed = _left(observation), len(observation.openable_cells())
    return None if left is None or not closed else min(left / closed, 1.0)


def _counted_out(observation: Observation) -> Decision | None:
    """Settle all closed cells where no mine is left, or nothing but mines."""
    spread = _spread(observation)
    if spread not in (0.0, 1.0):
        return None
    reason = "all that is left are mines" if spread else "no mine is left"
    return _settle(dict.fromkeys(observation.openable_cells(), spread), reason)


def _agreed(shares: Mapping[Cell, float]) -> Decision | None:
    """Settle the cells on which all assignments agree."""
    settled = {cell: share for cell, share in sorted(shares.items()) if share in (0.0, 1.0)}
    return _settle(settled, "all assignments of the border agree") if settled else None


def _settle(risks: Mapping[Cell, float], reason: str) -> Decision:
    # Flags first: they stand even where an opening ends the game.
    mines_first = sorted(risks, key=lambda cell: -risks[cell])
    return Decision(
        tuple(
            Action("flag" if risks[cell] else "open", cell, certain=True, risk=risks[cell])
            for cell in mines_first
        ),
        reason,
    )
