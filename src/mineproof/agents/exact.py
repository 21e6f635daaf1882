"""Makes every certain move, and otherwise takes the lowest exact risk.

Our own: the strongest way to play that looks no further than the next cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from mineproof import _core
from mineproof.agents.agent import Action, Agent, Beliefs, Decision
from mineproof.errors import BudgetExceeded, Contradiction
from mineproof.inference.posterior import Budget, Posterior, Solver, core_of
from mineproof.position.cells import CellCode
from mineproof.position.model import Channel
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

__all__ = ["ExactAgent", "ShortChains"]

_EXACT: Final = Channel.exact()
_BUDGET: Final = Budget()


class ExactAgent(Agent):
    r"""Makes all certain moves, else opens the cell with the lowest exact risk.

    It flags what it has proved, which finishes a game that a mine does not end. If no layout fits
    because it assumes the wrong channel, it ignores the first of the clashing clues for the rest of
    the game. If the frontier is too wide to judge, it opens a random cell.

    Examples
    --------
    >>> decision = ExactAgent().decide(Observation.from_text("1.\n1.\n0.", mines=1))
    >>> [(action.kind, action.cell) for action in decision.actions]
    [('flag', (0, 1)), ('open', (1, 1)), ('open', (2, 1))]
    """

    name = "exact"
    report = "ours"
    options: ClassVar = MappingProxyType(
        {
            "naive": "assumes exact clues, whatever the channel: the price of a wrong model",
            "chains": "among cells of equal risk prefers the shortest chain of influence",
        }
    )

    def begin(self, seed: int) -> None:
        super().begin(seed)
        # It flags only what it has proved, so trusting its flags saves proving them again. But a
        # wrong model may prove what is false, and chains need the clues that prove a mine.
        self._solver = Solver(
            channel=_EXACT if "naive" in self.chosen else None,
            flags="ignore" if self.chosen & {"naive", "chains"} else "trust",
            budget=_BUDGET,
        )
        self._chains = ShortChains() if "chains" in self.chosen else None
        self._seen: Observation | None = None
        self._risk: NDArray[np.float64] | None = None
        self._ignored: set[Cell] = set()

    def decide(self, observation: Observation) -> Decision | None:
        if self._chains is not None:
            self._chains.see(observation)
        posterior = self._judge(observation)
        self._seen, self._risk = observation, None if posterior is None else posterior.risk
        if posterior is not None:
            decision = self._choose(observation, posterior)
        else:
            cells = observation.openable_cells()
            decision = (
                Decision.guess(
                    self.random.pick(cells), "the position cannot be judged: a random cell"
                )
                if cells
                else None
            )
        if self._chains is not None and decision is not None:
            self._chains.opens(action.cell for action in decision.actions if action.kind == "open")
        return decision

    def beliefs(self) -> Beliefs:
        """Show the risk of each closed cell."""
        if self._seen is None or self._risk is None:
            return Beliefs(sentences=("the position could not be judged",))
        return Beliefs({cell: float(self._risk[cell]) for cell in self._seen.closed_cells()})

    def native(self) -> _core.Player:
        """Return the player of the core."""
        chains, naive = (option in self.chosen for option in ("chains", "naive"))
        return _core.Player.exact(_BUDGET.nodes, _BUDGET.bytes, chains, naive)

    def _judge(self, observation: Observation) -> Posterior | None:
        while True:
            if self._ignored:
                cells = observation.cells.copy()
                cells[tuple(zip(*self._ignored, strict=True))] = CellCode.NO_CLUE
                observation = replace(observation, cells=cells)
            try:
                return self._solver.infer(observation)
            except BudgetExceeded:
                return None
            except Contradiction as clash:
                if not clash.clues:
                    return None
                self._ignored.add(clash.clues[0])

    def _choose(self, observation: Observation, posterior: Posterior) -> Decision | None:
        safe, least_risky = list(posterior.safe), _least_risky(posterior)
        if self._chains is not None:
            self._chains.judge(posterior)
            safe, least_risky = self._chains.order(safe), self._chains.order(least_risky)
        flagged = set(observation.flagged_cells())
        mines = [cell for cell in posterior.mined if cell not in flagged]
        flags = [Action("flag", cell, certain=True, risk=1.0) for cell in mines]
        opens = [Action("open", cell, certain=True, risk=0.0) for cell in safe]
        reason = "proved: true in every layout that fits"
        if not opens and least_risky:
            best = least_risky[0]
            opens = [Action("open", best, risk=float(posterior.risk[best]))]
            reason = "no cell is certainly safe: this one has the lowest risk"
        # A flag on a safe cell is the mistake of a wrong model, and is removed.
        unflags = [Action("unflag", action.cell) for action in opens if action.cell in flagged]
        # Flags come first, so that they are set even if the opening ends the game.
        actions = (*flags, *unflags, *opens)
        return Decision(actions, reason) if actions else None


def _least_risky(posterior: Posterior) -> list[Cell]:
    """Return the cells with the lowest risk, or [] if every closed cell is certainly a mine."""
    places = core_of(posterior).least_risky()
    if (posterior.risk.flat[places] == 1).all():
        return []
    return [divmod(place, posterior.observation.cols) for place in places.tolist()]


class ShortChains:
    r"""Follows a game and orders cells by the length of their chains of influence.

    All cells that are open before the first decision have chains of length 0, because nobody can
    see in which order they were opened.

    Examples
    --------
    >>> from mineproof.inference.posterior import infer
    >>> chains = ShortChains()
    >>> seen = Observation.from_text("4x2x2\n1...\n1...")
    >>> chains.see(seen)
    >>> chains.judge(infer(seen))
    >>> chains.order([(0, 1), (0, 3), (1, 1), (1, 2)])
    [(0, 3), (1, 2), (0, 1), (1, 1)]
    """

    def __init__(self) -> None:
        self._native: _core.Chains | None = None
        self._seen: Observation | None = None
        self._opened: list[Cell] = []

    def see(self, observation: Observation) -> None:
        """Take note of what the last decision opened."""
        if self._native is None:
            channel = observation.channel
            # A late clue is exact when it arrives.
            exact = channel is None or channel.native is _core.EXACT
            self._native = _core.Chains(observation.topology.native, exact)
            self._opened = [(row, col) for row, col in np.argwhere(observation.opened).tolist()]
        places = [observation.topology.index(cell) for cell in self._opened]
        self._native.open(places, observation.cells)
        self._seen, self._opened = observation, []

    def judge(self, posterior: Posterior) -> None:
        """Take note of what is certain."""
        assert self._native is not None, "see an observation first"
        if posterior.exact:
            self._native.settle(core_of(posterior))

    def order(self, cells: Iterable[Cell]) -> list[Cell]:
        """Sort closed cells by the length of their chains, and keep the order of equals.

        A cell that is not settled has the chain that the clues next to it would give it.
        """
        native, seen = self._native, self._seen
        assert native is not None, "see an observation first"
        assert seen is not None, "see an observation first"
        index, codes = seen.topology.index, seen.cells
        return sorted(cells, key=lambda cell: native.likely_length(index(cell), codes))

    def opens(self, cells: Iterable[Cell]) -> None:
        """Take note of what the next decision opens."""
        self._opened = list(cells)
