"""Ends its process."""

from __future__ import annotations

import os

from mineproof import Agent, Decision, Observation


class Exits(Agent):
    """Ends its process."""

    name = "exits"

    def decide(self, observation: Observation) -> Decision | None:
        os._exit(0)
