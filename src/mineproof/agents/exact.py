"""Makes every certain move, and otherwise takes the lowest exact risk.

Ours: the strongest way to play that looks no further than the next cell.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from mineproof import _core
from mineproof.agents.agent import Action, Agent, Beliefs, Decision, NativePlayer, Told
from mineproof.agents.short_chains import ShortChains
from mineproof.errors import BudgetExceeded, Contradiction
from mineproof.inference import Budget, Posterior, Solver
from mineproof.model import Channel
from mineproof.observation import FLAGGED, NO_CLUE, Observation
from mineproof.topology import Cell

__all__ = ["ExactAgent"]

_EXACT: Final = Channel.exact()
_PROVED: Final = "proved: no layout says otherwise"
_LEAST_RISKY: Final = "no cell is certainly safe: this has the lowest risk"
_CANNOT_JUDGE: Final = "the position cannot be judged: any cell will do"
_BUDGET: Final = Budget()


class ExactAgent(Agent):
    r"""Makes all certain moves, else opens the cell of the lowest exact risk.

    Its flags are what it has proved; they finish a game that a mine does not end. Where no layout
    fits because it assumes the wrong channel, it distrusts the first clue of those that clash, for
    the rest of the game. Where the frontier is too wide to judge, it opens a random cell.

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
            "naive": "takes clues to be exact, whatever the channel: the price of a wrong model",
            "chains": "among cells of equal risk prefers the shortest chain of influence",
        }
    )
    told = Told(total=True, channel=True)

    def begin(self, seed: int) -> None:
        """Forget the last game."""
        super().begin(seed)
        # It flags only what it has proved, so its flags save proving it again. But what a wrong
        # model proves may be wrong, and a chain leads to the clues that prove a mine.
        self._solver = Solver(
            channel=_EXACT if "naive" in self.chosen else None,
            flags="ignore" if self.chosen & {"naive", "chains"} else "trust",
            budget=_BUDGET,
        )
        self._chains = ShortChains() if "chains" in self.chosen else None
        self._seen: Observation | None = None
        self._risk: NDArray[np.float64] | None = None
        self._distrusted: set[Cell] = set()

    def decide(self, observation: Observation) -> Decision | None:
        """Make all certain moves, or else the least risky one."""
        if self._chains is not None:
            self._chains.see(observation)
        posterior = self._judge(observation)
        self._seen, self._risk = observation, None if posterior is None else posterior.risk
        if posterior is None:
            decision = self._guess_blindly(observation)
        else:
            decision = self._choose(observation, posterior)
        if self._chains is not None and decision is not None:
            self._chains.opens(action.cell for action in decision.actions if action.kind == "open")
        return decision

    def beliefs(self) -> Beliefs:
        """Show the risk of every closed cell."""
        if self._seen is None or self._risk is None:
            return Beliefs(sentences=("the position could not be judged",))
        return Beliefs({cell: float(self._risk[cell]) for cell in self._seen.closed_cells()})

    def native(self) -> NativePlayer | None:
        """Return the core's player; it trusts its model, so not with a wrong one."""
        if "naive" in self.chosen:
            return None
        player = _core.ExactPlayer(_BUDGET.nodes, _BUDGET.bytes, "chains" in self.chosen)
        return NativePlayer(player, (_PROVED, _LEAST_RISKY, _CANNOT_JUDGE))

    def _judge(self, observation: Observation) -> Posterior | None:
        """Take the clues as they are, but for those that cannot be right together."""
        while True:
            try:
                return self._solver.infer(self._without_distrusted(observation))
            except BudgetExceeded:
                return None
            except Contradiction as clash:
                if not clash.clues:
                    return None
                self._distrusted.add(clash.clues[0])

    def _choose(self, observation: Observation, posterior: Posterior) -> Decision | None:
        safe, least_risky = list(posterior.safe), _least_risky(posterior)
        if self._chains is not None:
            self._chains.judge(posterior)
            safe, least_risky = self._chains.order(safe), self._chains.order(least_risky)
        flags = [
            Action("flag", cell, certain=True, risk=1.0)
            for cell in posterior.mined
            if observation.cells[cell] != FLAGGED
        ]
        opens = [Action("open", cell, certain=True, risk=0.0) for cell in safe]
        reason = _PROVED
        if not opens and least_risky:
            best = least_risky[0]
            opens = [Action("open", best, risk=float(posterior.risk[best]))]
            reason = _LEAST_RISKY
        # A flag on a safe cell is a mistake of a wrong model, and is taken back.
        wrong = [action.cell for action in opens if observation.cells[action.cell] == FLAGGED]
        unflags = [Action("unflag", cell) for cell in wrong]
        # Flags first: they stand even where the opening ends the game.
        actions = (*flags, *unflags, *opens)
        return Decision(actions, reason) if actions else None

    def _without_distrusted(self, observation: Observation) -> Observation:
        if not self._distrusted:
            return observation
        cells = observation.cells.copy()
        for cell in self._distrusted:
            cells[cell] = NO_CLUE
        return replace(observation, cells=cells)

    def _guess_blindly(self, observation: Observation) -> Decision | None:
        cells = observation.openable_cells()
        if not cells:
            return None
        return Decision((Action("open", self.random.pick(cells)),), _CANNOT_JUDGE)


def _least_risky(posterior: Posterior) -> list[Cell]:
    """Return the cells of the lowest risk; none where every closed cell is certainly a mine."""
    places = posterior.native.least_risky()
    if (posterior.risk.flat[places] == 1).all():
        return []
    return [divmod(place, posterior.observation.cols) for place in places.tolist()]
