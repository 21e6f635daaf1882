"""How much the champion looks at: its settings from the fastest to the strongest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from mineproof import _core
from mineproof.inference.posterior import Budget

__all__ = ["STRENGTHS", "Strength"]

_BUDGET: Final = Budget()


@dataclass(frozen=True, slots=True)
class Strength:
    """How much the champion looks at before it guesses. Nothing depends on time.

    Parameters
    ----------
    candidates
        The cells to compare at most.
    inside
        How many of them may lie beyond the frontier.
    least_safety
        The least safety of a candidate, relative to the safest cell.
    second
        How much the second safest cell counts in a position after a guess; the safest one has the
        rest of the weight.
    certainty
        How much the logarithm of the number of safe cells counts there.
    ending_layouts
        The most layouts of an ending that is solved.
    ending_work
        The cells of layouts to look at in one ending before giving up.
    boards
        How many boards to draw from the posterior and to try the best guesses on, late in a game;
        fewer if they are larger than expert boards.
    """

    candidates: int = 12
    inside: int = 4
    least_safety: float = 0.85
    second: float = 0.33
    certainty: float = 0.018
    ending_layouts: int = 1_000
    ending_work: int = 20_000_000
    boards: int = 0

    def guesses(self, posterior: _core.Posterior) -> list[tuple[int, float, float, float]]:
        """Return the cells to guess at, best first: places, risks, values and progress."""
        return _core.guesses(
            posterior,
            self.candidates,
            self.inside,
            self.least_safety,
            self.second,
            self.certainty,
        )

    def player(self) -> _core.Player:
        """Return a player of the core."""
        return _core.Player.champion(
            _BUDGET.nodes,
            _BUDGET.bytes,
            self.candidates,
            self.inside,
            self.least_safety,
            self.second,
            self.certainty,
            self.ending_layouts,
            self.ending_work,
            self.boards,
        )


STRENGTHS: Final[Mapping[str, Strength]] = MappingProxyType(
    {
        "1": Strength(candidates=6, inside=2, least_safety=0.9, ending_layouts=300),
        "": Strength(),
        "max": Strength(ending_layouts=5_000, ending_work=100_000_000, boards=100),
    }
)
"""By the option of the agent; the default has none."""
