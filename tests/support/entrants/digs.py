"""Follows the frames of its callers to find a game, and finds none."""

from __future__ import annotations

import os
import sys
from types import FrameType

from mineproof import Agent, Decision, Observation


class Digs(Agent):
    """Follows the frames of its callers to find a game, and finds none."""

    name = "digs"

    def decide(self, observation: Observation) -> Decision | None:
        frame: FrameType | None = sys._getframe()
        while frame is not None:
            for value in frame.f_locals.values():
                board = getattr(value, "board", None)
                if board is not None:
                    os._exit(77)
            frame = frame.f_back
        cells = [cell for cell in observation.closed_cells() if observation.openable[cell]]
        return Decision.guess(self.random.pick(cells), "any cell") if cells else None
