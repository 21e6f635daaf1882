"""Opens any closed cell: the floor that every other agent has to beat."""

from __future__ import annotations

import numpy as np

from mineproof.agents.agent import Action, Decision
from mineproof.observation import Observation
from mineproof.random import Random

__all__ = ["RandomAgent"]


class RandomAgent:
    """Opens a closed cell, each equally likely.

    Examples
    --------
    >>> agent = RandomAgent()
    >>> agent.begin(seed=1)
    >>> agent.decide(Observation.from_text("1.")).actions[0].cell
    (0, 1)
    """

    name = "random"

    def __init__(self) -> None:
        self._random = Random(0)

    def begin(self, seed: int) -> None:
        """Start a game with its own randomness."""
        self._random = Random(seed)

    def decide(self, observation: Observation) -> Decision | None:
        """Choose a cell that is closed and not flagged."""
        places = np.flatnonzero(observation.openable)
        if not places.size:
            return None
        place = int(places[self._random.below(places.size)])
        return Decision((Action("open", observation.topology.cell(place)),))
