"""Reads each clue as independent evidence against its neighbours, and combines the chances.

After R0, idea I (Zuo, Xu, Wang, *Mine Sweeper*, 2019). When a clue appears, each of its closed
neighbours is assumed to be a mine with chance clue / closed neighbours. This is combined with what
earlier clues said of the cell: it is safe only if every clue, independently, leaves it safe. But
clues are not independent, known mines are never subtracted, and no later clue makes a cell look
safer. So chances only grow, cells between many clues look worst, and flags may be wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import prod
from types import MappingProxyType
from typing import ClassVar, Final

from mineproof import _core
from mineproof.agents.agent import Action, Agent, Beliefs, Decision, Told
from mineproof.agents.asking import choosing
from mineproof.agents.clues import Clue, clues, open_known_safe, random_guess
from mineproof.arguments import share
from mineproof.errors import OptionError
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

__all__ = ["THRESHOLD", "NoisyOrAgent"]

THRESHOLD: Final = 0.8
"""The lowest chance at which a cell is flagged, unless the agent's name gives another."""


class NoisyOrAgent(Agent):
    r"""Combines the shares of all clues by noisy-or: flags the largest chance, opens the smallest.

    Each turn sets at most one flag and opens one cell, whatever its chance: the cell with the
    smallest chance among those next to a clue, or after a hit a random one. The neighbours of a 0
    are all opened. It takes clues at face value, and they cannot contradict each other: a share
    above 1 counts as 1.

    Examples
    --------
    >>> agent = NoisyOrAgent()
    >>> decision = agent.decide(Observation.from_text("11.\n..."))
    >>> [(action.kind, action.cell, action.risk) for action in decision.actions]
    [('open', (0, 2), 0.25)]
    >>> round(agent.beliefs().numbers[1, 1], 3)
    0.625
    """

    name = "noisy-or"
    report = "R0 Zuo, Xu and Wang, 2019, idea I"
    options: ClassVar = MappingProxyType(
        {"0.9": "flags from a chance of 0.9 on, instead of 0.8; any number up to 1 will do"}
    )
    told = Told()

    def __init__(self, *options: str) -> None:
        thresholds = dict(_numbers(options))
        if len(thresholds) > 1:
            raise OptionError(f"agent {self.name}: two thresholds, {' and '.join(thresholds)}")
        super().__init__(*(option for option in options if option not in thresholds))
        self._threshold = THRESHOLD
        for number in thresholds.values():
            with choosing():
                self._threshold = share("threshold", number)
            kind, _, others = self.name.partition(":")
            self.name = f"{kind}:{number:g}" + (f"+{others}" if others else "")

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self._against: dict[Cell, list[Clue]] = {}
        self._chances: dict[Cell, float] = {}
        self._read: set[Cell] = set()
        self._hits = 0

    def decide(self, observation: Observation) -> Decision | None:
        seen = clues(observation)
        safe = open_known_safe(observation) or _open_around_zero(seen)
        for clue in seen if safe is None else ():
            if clue.cell not in self._read:
                self._read.add(clue.cell)
                for cell in clue.unknown:
                    self._against.setdefault(cell, []).append(clue)
        self._chances = {
            cell: _chance(self._against[cell])
            for cell in observation.closed_cells()
            if cell in self._against
        }
        if safe is not None:
            return safe
        hit, self._hits = observation.exploded > self._hits, observation.exploded
        cells = observation.openable_cells()
        if not cells:
            return random_guess(observation, self.random, "no cell is left")
        actions, reasons = [], []
        largest = max(cells, key=lambda cell: self._chances.get(cell, 0.0))
        if largest in self._chances and self._chances[largest] >= self._threshold:
            actions.append(Action("flag", largest, risk=self._chances[largest]))
            reasons.append(f"the largest chance of a mine is {self._account(largest)}")
            cells.remove(largest)
        if cells:
            cell, reason = self._choose(cells, hit)
            actions.append(Action("open", cell, risk=self._chances.get(cell)))
            reasons.append(reason)
        return Decision(tuple(actions), "; ".join(reasons))

    def native(self) -> _core.Player:
        """Return the player of the core."""
        return _core.Player.noisy_or(self._threshold)

    def beliefs(self) -> Beliefs:
        """Show the chance of each closed cell next to a clue, including flagged ones."""
        return Beliefs(dict(self._chances))

    def _choose(self, cells: list[Cell], hit: bool) -> tuple[Cell, str]:
        if hit:
            return self.random.pick(cells), "a random closed cell after a hit"
        next_to_clues = [cell for cell in cells if cell in self._chances]
        if not next_to_clues:
            return self.random.pick(cells), "no closed cell is next to a clue"
        cell = min(next_to_clues, key=self._chances.__getitem__)
        return cell, f"the smallest chance of a mine is {self._account(cell)}"

    def _account(self, cell: Cell) -> str:
        return f"{self._chances[cell]:.3g}, by {', '.join(map(str, self._against[cell]))}"


def _numbers(options: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    for option in options:
        with suppress(ValueError):
            yield option, float(option)


def _chance(against: list[Clue]) -> float:
    """Return the chance of a cell that is safe only if every clue leaves it safe."""
    # A clue is spread over all its neighbours that are not open, including known mines.
    shares = (min(1.0, clue.seen / (clue.mines + len(clue.unknown))) for clue in against)
    # Rounded, so that the same shares in another order give the same chance.
    return round(1 - prod(1 - share for share in shares), 9)


def _open_around_zero(seen: list[Clue]) -> Decision | None:
    for clue in seen:
        if clue.seen == 0:
            return Decision.certain(f"{clue} has no mine around it", safe=clue.unknown)
    return None
