"""Searches all assignments of mines to the border, and uses their shares as risks.

After R3 (Cao, Mao, *Homework 2 Mine Sweeper*). The border is every closed cell next to a clue. Its
parts that share no clue are searched separately, and the risk of a cell is the share of valid
assignments of its part that have a mine there. All assignments have the same weight, however many
mines they have. On a board with few mines, assignments with many mines are far less likely, so the
shares overstate the risk of cells that are mines only in those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, Final

from mineproof.agents.agent import Agent, Beliefs, Decision, Told
from mineproof.agents.assignments import Exhausted, Limit, Search, borders, clue_by_clue
from mineproof.agents.clues import clues, mines_left, open_known_safe, random_guess, settle_by_total
from mineproof.position.model import Channel
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

__all__ = ["MAX_FREE", "STEPS", "BorderAgent"]

STEPS: Final = 50_000
"""The number of steps that one search may take before it is split into parts."""

MAX_FREE: Final = 6
"""The number of cells in one search that may be mines or not whatever the others are."""

_OPTIMISTIC: Final = Channel.optimistic()


class BorderAgent(Agent):
    r"""Averages all assignments of the border: opens what is free in all, else the lowest risk.

    If it is told the total, it opens a random cell beyond the border if the mines left, spread
    evenly over all closed cells, make that less risky than every cell of the border. Lost clues say
    nothing. Under optimistic clues a number is a lower bound; cautious clues are taken at face
    value. A clue that cannot be met is ignored, and so is a border without valid assignments.

    A search is given up after `STEPS`, and not started if optimistic clues leave more than
    `MAX_FREE` cells undetermined: each of these doubles the assignments. Borders that were searched
    together are then searched one by one, and a single border clue by clue. A cell then gets what
    one of these searches proves, or the highest of their shares.

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
        limits = _limits(observation)
        parts = [limits] if "nosplit" in self.chosen and limits else borders(limits)
        # Parts that have not changed since the last decision are not searched again.
        self._searched = {key: self._searched.get(key) or _shares(key) for key in map(tuple, parts)}
        self._shares = {cell: part[cell] for part in self._searched.values() for cell in part}
        cells = observation.openable_cells()
        left = mines_left(observation)
        # Wrong flags, under noisy clues, may leave fewer mines than none or more than fit.
        left = None if left is None else min(max(left, 0), len(cells))
        return (
            open_known_safe(observation)
            or (None if left is None else settle_by_total(left, cells))
            or _settle_agreed(self._shares)
            or self._open_least_risky(cells, left)
            or random_guess(observation, self.random, "nothing is known about any cell")
        )

    def beliefs(self) -> Beliefs:
        """Show the share of assignments with a mine, for each cell of the border."""
        return Beliefs(self._shares)

    def _open_least_risky(self, cells: Sequence[Cell], left: int | None) -> Decision | None:
        shares = {cell: round(share, 9) for cell, share in self._shares.items()}
        lowest = min(shares.values(), default=1.0)
        beyond = [cell for cell in cells if cell not in shares]
        if beyond and left is not None and round(left / len(cells), 9) < lowest:
            risk = left / len(cells)
            reason = f"beyond the border the risk is only {risk:.3g}"
            return Decision.guess(self.random.pick(beyond), reason, risk)
        if not shares:
            return None
        best = min(cell for cell in shares if shares[cell] == lowest)
        reason = f"the lowest share of assignments with a mine, {lowest:.3g}"
        return Decision.guess(best, reason, self._shares[best])


def _limits(observation: Observation) -> list[Limit]:
    optimistic = observation.channel == _OPTIMISTIC
    limits = [
        Limit(clue.unknown, clue.left, len(clue.unknown) if optimistic else clue.left)
        for clue in clues(observation)
    ]
    return [limit for limit in limits if limit.can_be_met]


def _settle_agreed(shares: Mapping[Cell, float]) -> Decision | None:
    mines = sorted(cell for cell in shares if shares[cell] == 1)
    safe = sorted(cell for cell in shares if shares[cell] == 0)
    if not mines and not safe:
        return None
    return Decision.certain("all assignments of the border agree", mines=mines, safe=safe)


def _shares(limits: Sequence[Limit]) -> dict[Cell, float]:
    """Return the share of valid assignments with a mine per cell, or {} if none is valid."""
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
    splits = len(limits) > 1
    if splits and _free_cells(limits, len(order)) > MAX_FREE:
        raise Exhausted
    mined: Counter[Cell] = Counter()
    valid = 0
    for mines in Search(limits).assignments(order, STEPS if splits else -1):
        mined.update(mines)
        valid += 1
    return {cell: mined[cell] / valid for cell in order} if valid else {}


def _free_cells(limits: Sequence[Limit], cells: int) -> int:
    """Return a number of cells that can be mines or not whatever the others are.

    If no limit has an upper bound, these are all cells except a few that satisfy the limits.
    """
    if any(limit.most < len(limit.cells) for limit in limits):
        return 0
    mines: set[Cell] = set()
    for limit in limits:
        free = [cell for cell in limit.cells if cell not in mines]
        missing = limit.least - (len(limit.cells) - len(free))
        mines.update(free[: max(missing, 0)])
    return cells - len(mines)
