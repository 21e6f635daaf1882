"""Writes to standard output and error, and plays well otherwise."""

from __future__ import annotations

import os
import sys

from mineproof import Agent, Decision, Observation


class Prints(Agent):
    """Writes to standard output and error, and plays well otherwise."""

    name = "prints"

    def decide(self, observation: Observation) -> Decision | None:
        print("x" * 10_000)
        os.write(1, b"y" * 10_000)
        print("z" * 10_000, file=sys.stderr)
        cells = [cell for cell in observation.closed_cells() if observation.openable[cell]]
        return Decision.guess(self.random.pick(cells), "any cell") if cells else None
