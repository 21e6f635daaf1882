"""Sets and removes a flag for ever."""

from __future__ import annotations

from mineproof import Action, Agent, CellCode, Decision, Observation


class Dithers(Agent):
    """Sets and removes a flag for ever."""

    name = "dithers"

    def decide(self, observation: Observation) -> Decision | None:
        cell = observation.closed_cells()[0]
        flagged = observation.code(cell) == CellCode.FLAGGED
        return Decision((Action("unflag" if flagged else "flag", cell),), "not sure")
