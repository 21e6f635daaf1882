"""Fails in some games only."""

from __future__ import annotations

from mineproof import Agent, Decision, Observation


class FailsLate(Agent):
    """Fails in some games only."""

    name = "fails-late"

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self.chance = self.random.uniform()

    def decide(self, observation: Observation) -> Decision | None:
        if self.chance < 0.05:
            raise RuntimeError("a bad day")
        cells = [cell for cell in observation.closed_cells() if observation.openable[cell]]
        return Decision.guess(self.random.pick(cells), "any cell") if cells else None
