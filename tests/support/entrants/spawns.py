"""Starts another program."""

from __future__ import annotations

import subprocess

from mineproof import Agent, Decision, Observation


class Spawns(Agent):
    """Starts another program."""

    name = "spawns"

    def decide(self, observation: Observation) -> Decision | None:
        subprocess.run(["true"], check=False)
        cells = [cell for cell in observation.closed_cells() if observation.openable[cell]]
        return Decision.guess(self.random.pick(cells), "any cell") if cells else None
