"""The levels: named sizes and numbers of mines.

Examples
--------
>>> list(LEVELS)
['easy', 'beginner', 'medium', 'intermediate', 'hard', 'expert']
>>> LEVELS["expert"].board(seed=1)
Board(16x30, 99 mines)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from mineproof.game.board import Board
from mineproof.position.rules import Start
from mineproof.position.topology import Cell, TopologyKind

__all__ = ["LEVELS", "Level"]


@dataclass(frozen=True, slots=True)
class Level:
    """A named size and number of mines.

    Examples
    --------
    >>> LEVELS["expert"]
    Level(name='expert', rows=16, cols=30, mines=99)
    """

    name: str
    rows: int
    cols: int
    mines: int

    def board(
        self,
        *,
        seed: int,
        start: Start = "safe",
        first: Cell | None = None,
        topology: TopologyKind = "square",
    ) -> Board:
        """Return a random board of this level, as `Board.random` does."""
        return Board.random(
            self.rows,
            self.cols,
            mines=self.mines,
            seed=seed,
            start=start,
            first=first,
            topology=topology,
        )


LEVELS: Final[Mapping[str, Level]] = MappingProxyType(
    {
        name: Level(name, rows, cols, mines)
        for name, rows, cols, mines in (
            ("easy", 9, 9, 10),
            ("beginner", 9, 9, 10),
            ("medium", 16, 16, 25),
            ("intermediate", 16, 16, 40),
            ("hard", 16, 30, 99),
            ("expert", 16, 30, 99),
        )
    }
)
"""The levels by name. Easy is also called beginner, and hard is also called expert."""
