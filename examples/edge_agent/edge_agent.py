"""An agent of your own: install this folder with pip, then ``mineproof watch --agent edge``."""

from mineproof import Action, Agent, Cell, Decision, Observation
from mineproof.agents import Beliefs


class EdgeAgent(Agent):
    """Opens the closed cell with the fewest neighbours: corners first, then edges."""

    name = "edge"
    report = "an example"

    def decide(self, observation: Observation) -> Decision | None:
        """Choose the first of the cells with the fewest neighbours."""
        degrees = observation.topology.degrees
        self.near: dict[Cell, float] = {
            cell: float(degrees[cell]) for cell in observation.openable_cells()
        }
        if not self.near:
            return None
        cell = min(self.near, key=lambda cell: self.near[cell])
        return Decision((Action("open", cell),), f"only {degrees[cell]} neighbours may hold mines")

    def beliefs(self) -> Beliefs:
        """Show how many neighbours each cell has."""
        return Beliefs(self.near)
