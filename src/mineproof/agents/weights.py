"""Adds up what clues say of a cell, turn after turn, and trusts the sums.

After R1 (Reddy, Singh, *Minesweeper, Inference-Informed Action*). Every turn each clue spreads its
mines evenly over its closed neighbours, on top of all that was spread before. The heaviest cells
are flagged, as many as there are mines, and the lightest of the others is opened. A sum is no
chance: it passes 1, an early clue counts more often than a late one, and so does a cell between
many clues. Nothing is ever proved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from mineproof.agents.agent import Action, Agent, Beliefs, Decision, Told
from mineproof.agents.clues import clues, neighbours, told_safe
from mineproof.position.model import Channel
from mineproof.position.observation import CellCode, Observation, is_open
from mineproof.position.topology import Cell

__all__ = ["WeightsAgent"]

_UNRELIABLE: Final = (Channel.optimistic(), Channel.cautious())


class WeightsAgent(Agent):
    r"""Sums up what clues say of each cell over all turns: flags the heaviest, opens the lightest.

    The flags are put anew each turn, one for every mine that has not exploded, and none where the
    total is not told. Among equals the last cells are flagged and the first is opened. Where every
    cell beside a clue is flagged, it opens a random one. Under optimistic or cautious clues it
    trusts no sum while there are cells with nothing open around them, and opens those first.
    Otherwise clues are taken at face value; they cannot contradict each other, for all are added.

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
        """Forget the last game."""
        super().begin(seed)
        self._weights: dict[Cell, float] = {}

    def decide(self, observation: Observation) -> Decision | None:
        """Add to the weights, flag the heaviest cells and open the lightest of the others."""
        unflagged = _without_flags(observation)
        closed = unflagged.closed_cells()
        self._add_shares(unflagged, closed)
        given = told_safe(observation)
        if given is not None:
            return given
        by_weight = sorted(closed, key=self._weight)
        light = len(closed) - _flags(observation)
        actions = _move_flags(observation, set(by_weight[light:]))
        reason = "the flags stand on the heaviest cells"
        if light:
            cell, reason = self._choose(unflagged, by_weight[:light])
            actions.append(Action("open", cell))
        return Decision(tuple(actions), reason) if actions else None

    def beliefs(self) -> Beliefs:
        """Show the weight of every closed cell beside a clue."""
        return Beliefs(dict(self._weights))

    def _add_shares(self, unflagged: Observation, closed: Sequence[Cell]) -> None:
        weights = self._weights
        for clue in clues(unflagged):
            for cell in clue.unknown:
                share = max(clue.left, 0) / len(clue.unknown)
                weights[cell] = weights.get(cell, 0.0) + share
        self._weights = {cell: weights[cell] for cell in closed if cell in weights}

    def _weight(self, cell: Cell) -> float:
        # Sums of the same shares in another order are the same weight.
        return round(self._weights.get(cell, 0.0), 9)

    def _choose(self, observation: Observation, lightest_first: list[Cell]) -> tuple[Cell, str]:
        if observation.channel in _UNRELIABLE:
            for cell in lightest_first:
                if _stands_alone(observation, cell):
                    return cell, "clues are unreliable, and nothing around this cell is open"
        for cell in lightest_first:
            if cell in self._weights:
                weight = self._weight(cell)
                return cell, f"of the cells beside a clue it has the lowest weight, {weight:.3g}"
        return self.random.pick(sorted(lightest_first)), "no unflagged cell is beside a clue"


def _without_flags(observation: Observation) -> Observation:
    cells = observation.cells
    return replace(observation, cells=np.where(cells == CellCode.FLAGGED, CellCode.CLOSED, cells))


def _flags(observation: Observation) -> int:
    return 0 if observation.mines is None else observation.mines - observation.exploded


def _move_flags(observation: Observation, heaviest: set[Cell]) -> list[Action]:
    """Take all flags back and put them on the heaviest cells; those on both stay where they are."""
    flagged = {
        cell for cell in observation.closed_cells() if observation.code(cell) == CellCode.FLAGGED
    }
    unflags = [Action("unflag", cell) for cell in sorted(flagged - heaviest)]
    return unflags + [Action("flag", cell) for cell in sorted(heaviest - flagged)]


def _stands_alone(observation: Observation, cell: Cell) -> bool:
    around = neighbours(observation.topology)[cell]
    return not any(is_open(observation.code(other)) for other in around)
