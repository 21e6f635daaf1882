"""Makes every certain move, and otherwise takes the lowest exact risk."""

from __future__ import annotations

from mineproof.agents.agent import Action, Decision
from mineproof.inference import Contradiction, infer
from mineproof.observation import FLAGGED, Observation

__all__ = ["ExactAgent"]


class ExactAgent:
    r"""Opens all cells that are certainly safe, flags all that are certainly mined.

    Where no cell is certainly safe, it opens one of the lowest risk. The flags change nothing in
    what it infers; they are what it knows, and finish a game that a mine does not end. Where no
    layout fits what it sees, because it was told the wrong total or channel, it has no decision.

    Examples
    --------
    >>> agent = ExactAgent()
    >>> agent.begin(seed=1)
    >>> decision = agent.decide(Observation.from_text("1.\n1.\n0.", mines=1))
    >>> [(action.kind, action.cell) for action in decision.actions]
    [('flag', (0, 1)), ('open', (1, 1)), ('open', (2, 1))]
    """

    name = "exact"

    def begin(self, seed: int) -> None:
        """Start a game; nothing here is left to chance."""

    def decide(self, observation: Observation) -> Decision | None:
        """Make all certain moves, or else the least risky one."""
        try:
            posterior = infer(observation)
        except Contradiction:
            return None
        mined = set(posterior.mined)
        openable = observation.openable
        actions = [Action("open", c, certain=True, risk=0.0) for c in posterior.safe if openable[c]]
        if not actions:
            cell, risk = posterior.best.cell, posterior.best.risk
            if cell not in mined:
                actions.append(Action("open", cell, risk=risk))
        flags = [
            Action("flag", cell, certain=True, risk=1.0)
            for cell in posterior.mined
            if observation.cells[cell] != FLAGGED
        ]
        # Flags first: they stand even where the opening ends the game.
        actions = [*flags, *actions]
        return Decision(tuple(actions)) if actions else None
