"""Ends its process by a signal, as native code that fails does."""

from __future__ import annotations

import os

from mineproof import Agent, Decision, Observation


class Segfaults(Agent):
    """Ends its process by a signal, as native code that fails does."""

    name = "segfaults"

    def decide(self, observation: Observation) -> Decision | None:
        os.abort()
