"""Opens what is certainly safe, else the cell with the least risk."""

from __future__ import annotations

from mineproof import Agent, Decision, Observation, infer


class Careful(Agent):
    """Opens what is certainly safe, else the cell with the least risk."""

    name = "careful"

    def decide(self, observation: Observation) -> Decision | None:
        best = infer(observation).best
        return None if best is None else Decision.guess(best.cell, "the least risk", best.risk)
