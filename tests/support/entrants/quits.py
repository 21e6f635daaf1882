"""Quits politely."""

from __future__ import annotations

import sys

from mineproof import Agent, Decision, Observation


class Quits(Agent):
    """Quits politely."""

    name = "quits"

    def decide(self, observation: Observation) -> Decision | None:
        sys.exit("enough")
