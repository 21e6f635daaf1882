"""Adds up what clues say about each cell, turn after turn, and trusts the sums.

After R1 (Reddy, Singh, *Minesweeper, Inference-Informed Action*). Every turn, each clue spreads its
mines evenly over its closed neighbours, on top of all that was spread before. The heaviest cells
are flagged, as many as there are mines, and the lightest of the others is opened. A sum is not a
chance: it can exceed 1, early clues count more often than late ones, and so do cells between many
clues. Nothing is ever proved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from mineproof.agents.agent import Action, Agent, Beliefs, Decision, Told
from mineproof.agents.clues import clues, neighbours, open_known_safe
from mineproof.position.cells import CellCode, is_open
from mineproof.position.model import Channel
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

__all__ = ["WeightsAgent"]

_UNRELIABLE: Final = (Channel.optimistic(), Channel.cautious())


class WeightsAgent(Agent):
    r"""Adds up what clues say about each cell in all turns: flags the heaviest, opens the lightest.

    It moves its flags every turn, one for each mine that has not exploded, and sets none if it is
    not told the total. Among equals the last cells are flagged and the first is opened. If every
    cell next to a clue is flagged, it opens a random one. Under optimistic or cautious clues it
    trusts no sum, and first opens cells that have no open neighbours. Otherwise it takes clues at
    face value; they cannot contradict each other, because all are added.

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
    told = Told(total=True, channel=True)

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self._weights: dict[Cell, float] = {}

    def decide(self, observation: Observation) -> Decision | None:
        cells = observation.cells
        unflagged = replace(
            observation,
            cells=np.where(cells == CellCode.FLAGGED.value, CellCode.CLOSED.value, cells),
        )
        closed = unflagged.closed_cells()
        self._add_shares(unflagged, closed)
        known_safe = open_known_safe(observation)
        if known_safe is not None:
            return known_safe
        by_weight = sorted(closed, key=self._weight)
        flags = 0 if observation.mines is None else observation.mines - observation.exploded
        light = len(closed) - flags
        actions = _move_flags(observation, set(by_weight[light:]))
        reason = "the flags move to the heaviest cells"
        if light:
            cell, reason = self._choose(unflagged, by_weight[:light])
            actions.append(Action("open", cell))
        return Decision(tuple(actions), reason) if actions else None

    def beliefs(self) -> Beliefs:
        """Show the weight of each closed cell next to a clue."""
        return Beliefs(dict(self._weights))

    def _add_shares(self, unflagged: Observation, closed: Sequence[Cell]) -> None:
        weights = self._weights
        for clue in clues(unflagged):
            for cell in clue.unknown:
                share = max(clue.left, 0) / len(clue.unknown)
                weights[cell] = weights.get(cell, 0.0) + share
        self._weights = {cell: weights[cell] for cell in closed if cell in weights}

    def _weight(self, cell: Cell) -> float:
        # Rounded, so that the same shares in another order give the same weight.
        return round(self._weights.get(cell, 0.0), 9)

    def _choose(self, observation: Observation, lightest_first: list[Cell]) -> tuple[Cell, str]:
        if observation.channel in _UNRELIABLE:
            around = neighbours(observation.topology)
            for cell in lightest_first:
                if not any(is_open(observation.code(other)) for other in around[cell]):
                    return cell, "clues are unreliable, and no cell around this one is open"
        for cell in lightest_first:
            if cell in self._weights:
                return cell, f"the lowest weight next to a clue, {self._weight(cell):.3g}"
        return self.random.pick(sorted(lightest_first)), "no unflagged cell is next to a clue"


def _move_flags(observation: Observation, heaviest: set[Cell]) -> list[Action]:
    flagged = {
        cell for cell in observation.closed_cells() if observation.code(cell) == CellCode.FLAGGED
    }
    unflags = [Action("unflag", cell) for cell in sorted(flagged - heaviest)]
    return unflags + [Action("flag", cell) for cell in sorted(heaviest - flagged)]
