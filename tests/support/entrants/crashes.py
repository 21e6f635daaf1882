"""Raises an error in every game."""

from __future__ import annotations

from mineproof import Agent, Decision, Observation


class Crashes(Agent):
    """Raises an error in every game."""

    name = "crashes"

    def decide(self, observation: Observation) -> Decision | None:
        raise ZeroDivisionError("no idea")
