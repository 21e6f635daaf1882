"""Adds up what clues say about each cell, turn after turn, and trusts the sums.

After R1 (Reddy, Singh, *Minesweeper, Inference-Informed Action*). Every turn, each clue spreads its
mines evenly over its closed neighbours, on top of all that was spread before. The heaviest cells
are flagged, as many as there are mines, and the lightest of the others is opened. A sum is not a
chance: it can exceed 1, early clues count more often than late ones, and so do cells between many
clues. A cell that is next to no clue weighs nothing, so it is opened first. Nothing is ever proved.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import ClassVar, Final

from mineproof import _core
from mineproof.agents.agent import Action, Agent, Beliefs, Decision
from mineproof.agents.clues import Clue, clues, neighbours, open_known_safe, random_guess
from mineproof.position.cells import is_open
from mineproof.position.model import Channel
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

__all__ = ["WeightsAgent"]

_UNRELIABLE: Final = (Channel.optimistic(), Channel.cautious())


class WeightsAgent(Agent):
    r"""Adds up what clues say about each cell in all turns: flags the heaviest, opens the lightest.

    Its first cell is random. From then on it moves its flags every turn, one for each mine that has
    not exploded, and sets none if it is not told the total. The heaviest cells are flagged first,
    among equals the last ones; of the lightest, the first is opened. Under optimistic or cautious
    clues it trusts no sum, and first opens cells that have no open neighbours. Otherwise it takes
    clues at face value; they cannot contradict each other, because all are added.

    With ``subtract``, a flag takes its mine from the clues around it before the next flag is set,
    and among equals the first cell is flagged: only so is the choice that section 3.4 of the report
    complains about a choice among equals.

    Examples
    --------
    >>> agent = WeightsAgent()
    >>> decision = agent.decide(Observation.from_text("11.\n...", mines=1))
    >>> [(action.kind, action.cell) for action in decision.actions]
    [('flag', (1, 1)), ('open', (0, 2))]
    >>> round(agent.beliefs().numbers[1, 1], 2)
    0.75
    """

    name = "weights"
    report = "R1 Reddy and Singh"
    options: ClassVar = MappingProxyType(
        {"subtract": "takes the mines it has flagged from the clues around them"}
    )

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self._weights: dict[Cell, float] = {}

    def decide(self, observation: Observation) -> Decision | None:
        closed = observation.closed_cells()
        flags = 0 if observation.mines is None else observation.mines - observation.exploded
        heaviest = self._weigh(observation, closed, flags)
        if known_safe := open_known_safe(observation):
            return known_safe
        if len(closed) == observation.cells.size:
            return random_guess(observation, self.random, "the first cell is random")
        actions = _move_flags(observation, heaviest)
        reason = "the flags move to the heaviest cells"
        others = [cell for cell in closed if cell not in heaviest]
        if others:
            cell, reason = self._choose(observation, others)
            actions.append(Action("open", cell))
        return Decision(tuple(actions), reason) if actions else None

    def native(self) -> _core.Player:
        """Return the player of the core."""
        return _core.Player.weights("subtract" in self.chosen)

    def beliefs(self) -> Beliefs:
        """Show the weight of each closed cell."""
        return Beliefs(dict(self._weights))

    def _weigh(self, observation: Observation, closed: Iterable[Cell], flags: int) -> list[Cell]:
        """Add the shares of all clues, and return the cells to flag, the heaviest first."""
        weights = {cell: self._weights.get(cell, 0.0) for cell in closed}
        seen = clues(observation.without(flags=observation.flagged_cells()))
        for clue in seen:
            _spread(weights, clue.left, clue.unknown)
        self._weights = weights
        if "subtract" not in self.chosen:
            return sorted(closed, key=self._key)[::-1][:flags]
        return self._flag_one_by_one(seen, flags)

    def _flag_one_by_one(self, seen: Iterable[Clue], flags: int) -> list[Cell]:
        left = {clue: clue.left for clue in seen}
        unflagged = {clue: [*clue.unknown] for clue in left}
        waiting = list(self._weights)
        flagged: list[Cell] = []
        for _ in range(flags):
            heaviest = max(waiting, key=self._key)
            waiting.remove(heaviest)
            flagged.append(heaviest)
            for clue in left:
                if heaviest in clue.unknown:
                    _spread(self._weights, left[clue], unflagged[clue], sign=-1)
                    left[clue] -= 1
                    unflagged[clue].remove(heaviest)
                    _spread(self._weights, left[clue], unflagged[clue])
        return flagged

    def _key(self, cell: Cell) -> float:
        # Rounded, so that the same shares in another order give the same weight.
        return round(self._weights[cell], 9)

    def _choose(self, observation: Observation, cells: list[Cell]) -> tuple[Cell, str]:
        if observation.channel in _UNRELIABLE:
            around = neighbours(observation.topology)
            for cell in sorted(cells, key=self._key):
                if not any(is_open(observation.code(other)) for other in around[cell]):
                    return cell, "clues are unreliable, and no cell around this one is open"
        lightest = min(cells, key=self._key)
        return lightest, f"the lowest weight, {self._key(lightest):.3g}"


def _spread(weights: dict[Cell, float], mines: int, cells: Iterable[Cell], sign: int = 1) -> None:
    cells = [*cells]
    for cell in cells:
        weights[cell] += sign * max(mines, 0) / len(cells)


def _move_flags(observation: Observation, heaviest: list[Cell]) -> list[Action]:
    flagged = observation.flagged_cells()
    unflags = [Action("unflag", cell) for cell in flagged if cell not in heaviest]
    return unflags + [Action("flag", cell) for cell in heaviest if cell not in flagged]
