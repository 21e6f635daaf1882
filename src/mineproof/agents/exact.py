"""Makes every certain move, and otherwise takes the lowest exact risk."""

from __future__ import annotations

from mineproof.agents.agent import Action, Decision
from mineproof.errors import BudgetExceeded, Contradiction
from mineproof.inference import Solver
from mineproof.observation import FLAGGED, Observation

__all__ = ["ExactAgent"]


class ExactAgent:
    r"""Opens all cells that are certainly safe, flags all that are certainly mined.

    Where no cell is certainly safe, it opens one of the lowest risk. The flags change nothing in
    what it infers; they are what it knows, and finish a game that a mine does not end. Where no
    layout fits what it sees, because it was told the wrong total or channel, it has no decision;
    nor where the frontier is too wide to judge.

    Examples
    --------
    >>> agent = ExactAgent()
    >>> agent.begin(seed=1)
    >>> decision = agent.decide(Observation.from_text("1.\n1.\n0.", mines=1))
    >>> [(action.kind, action.cell) for action in decision.actions]
    [('flag', (0, 1)), ('open', (1, 1)), ('open', (2, 1))]
    """

    name = "exact"

    def __init__(self) -> None:
        self._solver = Solver()

    def begin(self, seed: int) -> None:
        """Start a game; nothing here is left to chance."""
        self._solver = Solver()

    def decide(self, observation: Observation) -> Decision | None:
        """Make all certain moves, or else the least risky one."""
        try:
            posterior = self._solver.infer(observation)
        except (BudgetExceeded, Contradiction):
            return None
        flags = [
            Action("flag", cell, certain=True, risk=1.0)
            for cell in posterior.mined
            if observation.cells[cell] != FLAGGED
        ]
        opens = [
            Action("open", cell, certain=True, risk=0.0)
            for cell in posterior.safe
            if observation.cells[cell] != FLAGGED
        ]
        best = posterior.best
        if not opens and best is not None and best.cell not in posterior.mined:
            opens = [Action("open", best.cell, risk=best.risk)]
        # Flags first: they stand even where the opening ends the game.
        actions = (*flags, *opens)
        return Decision(actions) if actions else None
