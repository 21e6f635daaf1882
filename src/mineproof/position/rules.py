"""The rules that a game may have, and the moves; `native/core/board/game.cpp` carries them out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from mineproof.arguments import choice, truth, whole

__all__ = ["KINDS", "Kind", "OnMine", "Rules", "Start"]

Start: TypeAlias = Literal["any", "safe", "zero"]
"""What is free of mines at the start: nothing, the first cell, or also its neighbours."""

OnMine: TypeAlias = Literal["end", "continue"]
"""What an exploded mine does: it ends the game, or play continues."""

Kind: TypeAlias = Literal["open", "flag", "unflag", "chord", "wait"]
"""What a move does with a cell."""

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""The kinds of moves, in the order of their numbers in the core."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a game.

    Parameters
    ----------
    start
        What is free of mines at the start: nothing (``any``), the first cell (``safe``), or the
        first cell and its neighbours (``zero``).
    on_mine
        Whether an exploded mine ends the game, or play continues with that mine known.
    cascade
        Whether opening a zero opens its neighbours too; under a noisy channel it never does.
    given_safe
        The number of safe cells, drawn by the seed, that are known to be safe from the start.

    Examples
    --------
    >>> Rules(on_mine="continue").start
    'safe'
    """

    start: Start = "safe"
    on_mine: OnMine = "end"
    cascade: bool = True
    given_safe: int = 0

    def __post_init__(self) -> None:
        choice("start", self.start, get_args(Start))
        choice("on_mine", self.on_mine, get_args(OnMine))
        object.__setattr__(self, "cascade", truth("cascade", self.cascade))
        object.__setattr__(self, "given_safe", whole("given_safe", self.given_safe))
