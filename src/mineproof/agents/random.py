"""Opens any closed cell: the baseline that every other agent has to beat."""

from __future__ import annotations

from mineproof import _core
from mineproof.agents.agent import Agent, Decision, Told
from mineproof.position.observation import Observation

__all__ = ["RandomAgent"]


class RandomAgent(Agent):
    """Opens a random closed cell.

    Examples
    --------
    >>> RandomAgent().decide(Observation.from_text("1.")).actions[0].cell
    (0, 1)
    """

    name = "random"
    told = Told()

    def decide(self, observation: Observation) -> Decision | None:
        cells = observation.openable_cells()
        return Decision.guess(self.random.pick(cells), "a random closed cell") if cells else None

    def native(self) -> _core.Player:
        """Return the player of the core."""
        return _core.Player.random()
