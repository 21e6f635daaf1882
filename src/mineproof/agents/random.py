"""Opens any closed cell: the floor that every other agent has to beat."""

from __future__ import annotations

from mineproof.agents.agent import Action, Agent, Decision
from mineproof.position.observation import Observation

__all__ = ["RandomAgent"]


class RandomAgent(Agent):
    """Opens a closed cell, each equally likely.

    Examples
    --------
    >>> RandomAgent().decide(Observation.from_text("1.")).actions[0].cell
    (0, 1)
    """

    name = "random"

    def decide(self, observation: Observation) -> Decision | None:
        """Choose a cell that is closed and not flagged."""
        cells = observation.openable_cells()
        if not cells:
            return None
        return Decision((Action("open", self.random.pick(cells)),), "any closed cell will do")
