"""Returns something that is not a decision."""

from __future__ import annotations

from mineproof import Agent, Decision, Observation


class Mumbles(Agent):
    """Returns something that is not a decision."""

    name = "mumbles"

    def decide(self, observation: Observation) -> Decision | None:
        return (0, 1)  # type: ignore[return-value]
