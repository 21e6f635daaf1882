"""Never decides."""

from __future__ import annotations

from mineproof import Agent, Decision, Observation


class Hangs(Agent):
    """Never decides."""

    name = "hangs"

    def decide(self, observation: Observation) -> Decision | None:
        while True:
            pass
