"""Opens a cell that is open already."""

from __future__ import annotations

from mineproof import Agent, Decision, Observation


class Cheeky(Agent):
    """Opens a cell that is open already."""

    name = "cheeky"

    def decide(self, observation: Observation) -> Decision | None:
        row, col = 0, 0
        return Decision.guess((row, col), "again")
