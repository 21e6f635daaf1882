"""Draws one picture of the mines, clue by clue from the largest on, and trusts it.

After R0, idea II (Zuo, Xu, Wang, *Mine Sweeper*, 2019). A clue and its closed neighbours are a
component of a graph; components touch where they share a cell. Forward checking settles components
that leave no choice, until none is left. Then mines are laid, beginning at the largest clue: a mine
wherever no component that the cell touches objects, otherwise none. Within a component the search
goes back and tries again; what is laid for a component is never revised for the next one. So the
picture is one of many, it need not fit the later clues, and the cell it calls free may be mined.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from mineproof.agents.agent import Action, Agent, Beliefs, Decision
from mineproof.agents.basic import guess, settle
from mineproof.agents.clues import Clue, clues, told_safe
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell, Topology

__all__ = ["ComponentsAgent", "lay_mines"]


class ComponentsAgent(Agent):
    r"""Settles clues by forward checking, else lays mines from the largest clue on and trusts them.

    Mines that are merely laid are not flagged. Where no cell is left free of them it opens a random
    one. Clues are taken at face value, and a component that cannot be met is passed over.

    Examples
    --------
    >>> agent = ComponentsAgent()
    >>> decision = agent.decide(Observation.from_text("2..\n..."))
    >>> decision.actions[0].cell, decision.reason
    ((1, 1), 'no mine was laid here to meet the 2 at row 0, column 0')
    """

    name = "components"
    report = "R0 Zuo, Xu and Wang, 2019, idea II"
    options: ClassVar = MappingProxyType({"corners": "opens the four corners before it lays mines"})

    def begin(self, seed: int) -> None:
        """Forget the last game."""
        super().begin(seed)
        self._laid: Mapping[Cell, bool] = {}

    def decide(self, observation: Observation) -> Decision | None:
        """Settle a clue if one leaves no choice; else open a cell that is left free."""
        self._laid = {}
        given = told_safe(observation)
        if given is not None:
            return given
        components = [clue for clue in clues(observation) if clue.unknown]
        for clue in components:
            settled = settle(clue)
            if settled is not None:
                return settled
        return self._open_corner(observation) or self._open_free(observation, components)

    def beliefs(self) -> Beliefs:
        """Show where mines were laid: 1 for a mine, 0 for none."""
        return Beliefs({cell: float(mine) for cell, mine in sorted(self._laid.items())})

    def _open_corner(self, observation: Observation) -> Decision | None:
        if "corners" not in self.chosen:
            return None
        openable = set(observation.openable_cells())
        for cell in _corners(observation.topology):
            if cell in openable:
                return Decision((Action("open", cell),), "the corners come first")
        return None

    def _open_free(self, observation: Observation, components: Sequence[Clue]) -> Decision | None:
        self._laid = lay_mines(components)
        free = [cell for cell, mine in self._laid.items() if not mine]
        if not free:
            return guess(observation, self.random, "no clue leaves a cell free of mines")
        cell = min(free)
        around = " and ".join(str(clue) for clue in components if cell in clue.unknown)
        return Decision((Action("open", cell),), f"no mine was laid here to meet {around}")


def lay_mines(components: Iterable[Clue]) -> dict[Cell, bool]:
    r"""Say of the cells around clues whether they are mined, from the largest clue on.

    Cells of a component that cannot be met any more are left out.

    Examples
    --------
    >>> lay_mines(clues(Observation.from_text("1..\n..2")))
    {(0, 1): True, (0, 2): True, (1, 1): False, (1, 0): False}
    """
    picture = _Picture([clue for clue in components if 0 <= clue.left <= len(clue.unknown)])
    for clue in sorted(picture.components, key=lambda clue: -clue.left):
        picture.fill([cell for cell in clue.unknown if cell not in picture.laid])
    return picture.laid


class _Picture:
    """Mines laid so far, and what every component still needs and has room for."""

    def __init__(self, components: Sequence[Clue]) -> None:
        self.components = components
        self.laid: dict[Cell, bool] = {}
        self._needs = [clue.left for clue in components]
        self._room = [len(clue.unknown) for clue in components]
        self._touched: dict[Cell, list[int]] = defaultdict(list)
        for number, clue in enumerate(components):
            for cell in clue.unknown:
                self._touched[cell].append(number)

    def fill(self, cells: Sequence[Cell]) -> bool:
        """Decide on all these cells, mines first, so that no component objects."""
        if not cells:
            return True
        cell, *others = cells
        for mine in (True, False):
            self.laid[cell] = mine
            self._count(cell, mine, 1)
            if self._fits(cell) and self.fill(others):
                return True
            self._count(cell, mine, -1)
            del self.laid[cell]
        return False

    def _count(self, cell: Cell, mine: bool, times: int) -> None:
        for number in self._touched[cell]:
            self._needs[number] -= mine * times
            self._room[number] -= times

    def _fits(self, cell: Cell) -> bool:
        return all(0 <= self._needs[number] <= self._room[number] for number in self._touched[cell])


def _corners(topology: Topology) -> list[Cell]:
    last_row, last_col = topology.rows - 1, topology.cols - 1
    return [(0, 0), (0, last_col), (last_row, 0), (last_row, last_col)]
