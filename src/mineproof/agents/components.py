"""Draws one picture of the mines, clue by clue from the largest, and trusts it.

After R0, idea II (Zuo, Xu, Wang, *Mine Sweeper*, 2019). A clue and its closed neighbours are a
component of a graph; components touch if they share a cell. Forward checking settles components
that leave no choice, until none is left. Then mines are laid, starting at the clue that shows the
largest number: a cell gets a mine unless a component that contains it has enough. No choice is ever
revised. So the picture is one of many and need not fit the later clues, and a cell that it leaves
free may be a mine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import ClassVar

from mineproof import _core
from mineproof.agents.agent import Agent, Beliefs, Decision, Told
from mineproof.agents.clues import Clue, clues, open_known_safe, random_guess, settle_first
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

__all__ = ["ComponentsAgent", "lay_mines"]


class ComponentsAgent(Agent):
    r"""Settles clues by forward checking, else lays mines from the largest clue and trusts them.

    It does not flag mines that it merely lays. If they leave no cell free, it opens a random one.
    It takes clues at face value, and skips a component that cannot be met.

    Examples
    --------
    >>> agent = ComponentsAgent()
    >>> decision = agent.decide(Observation.from_text("2..\n..."))
    >>> decision.actions[0].cell, decision.reason
    ((1, 1), 'no mine was laid here to meet the 2 at (0, 0)')
    """

    name = "components"
    report = "R0 Zuo, Xu and Wang, 2019, idea II"
    options: ClassVar = MappingProxyType({"corners": "opens the four corners before it lays mines"})
    told = Told()

    def __init__(self, *options: str) -> None:
        super().__init__(*options)
        if "corners" in self.chosen:
            self.topologies = "square", "hex"

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self._laid: Mapping[Cell, bool] = {}

    def decide(self, observation: Observation) -> Decision | None:
        self._laid = {}
        components = clues(observation)
        return (
            open_known_safe(observation)
            or settle_first(components)
            or self._open_corner(observation)
            or self._open_free(components)
            or random_guess(observation, self.random, "no clue leaves a cell free of mines")
        )

    def native(self) -> _core.Player:
        """Return the player of the core."""
        return _core.Player.components("corners" in self.chosen)

    def beliefs(self) -> Beliefs:
        """Show where mines were laid: 1 for a mine, 0 for none."""
        return Beliefs({cell: float(mine) for cell, mine in sorted(self._laid.items())})

    def _open_corner(self, observation: Observation) -> Decision | None:
        if "corners" not in self.chosen:
            return None
        last_row, last_col = observation.rows - 1, observation.cols - 1
        for cell in ((0, 0), (0, last_col), (last_row, 0), (last_row, last_col)):
            if observation.openable[cell]:
                return Decision.guess(cell, "the corners come first")
        return None

    def _open_free(self, components: Iterable[Clue]) -> Decision | None:
        self._laid = lay_mines([clue for clue in components if 0 <= clue.left <= len(clue.unknown)])
        free = [cell for cell, mine in self._laid.items() if not mine]
        if not free:
            return None
        cell = min(free)
        around = " and ".join(str(clue) for clue in components if cell in clue.unknown)
        return Decision.guess(cell, f"no mine was laid here to meet {around}")


def lay_mines(components: Iterable[Clue]) -> dict[Cell, bool]:
    r"""Decide which cells next to clues are mines, one cell after the other, from the largest clue.

    Examples
    --------
    >>> lay_mines(clues(Observation.from_text("1..\n..2")))
    {(0, 1): True, (0, 2): True, (1, 1): False, (1, 0): False}
    """
    left = {clue: clue.left for clue in components}
    laid: dict[Cell, bool] = {}
    for component in sorted(left, key=lambda clue: -clue.seen):
        for cell in component.unknown:
            if cell not in laid:
                touched = [clue for clue in left if cell in clue.unknown]
                laid[cell] = all(left[clue] > 0 for clue in touched)
                for clue in touched:
                    left[clue] -= laid[cell]
    return laid
