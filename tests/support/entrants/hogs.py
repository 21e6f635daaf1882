"""Takes more and more memory."""

from __future__ import annotations

from mineproof import Agent, Decision, Observation


class Hogs(Agent):
    """Takes more and more memory."""

    name = "hogs"

    def decide(self, observation: Observation) -> Decision | None:
        hoard = []
        while True:
            hoard.append(bytearray(2**24))
