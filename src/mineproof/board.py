"""The truth of a game: where the mines are.

Examples
--------
>>> list(LEVELS)
['easy', 'beginner', 'medium', 'intermediate', 'hard', 'expert']
>>> LEVELS["expert"].board(seed=1)
Board(16x30, 99 mines)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from mineproof import _core
from mineproof.arguments import choice, counted, instance, sentence, share, whole
from mineproof.random import check_seed
from mineproof.topology import Cell, Topology

__all__ = ["LEVELS", "Board", "Level", "Start", "first_cell", "mine_total"]

Start: TypeAlias = Literal["any", "safe", "zero"]
"""What is free of mines at the start: nothing, the first cell, or it and its neighbours."""


def first_cell(topology: Topology, start: Start) -> Cell | None:
    """Return the cell that is opened first where nobody names one; None is the agent's choice.

    Examples
    --------
    >>> first_cell(Topology(9, 9), "zero")
    (3, 3)
    """
    choice("start", start, get_args(Start))
    if start == "any":
        return None
    if start == "safe":
        return 0, 0
    return min(3, topology.rows - 1), min(3, topology.cols - 1)


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """Where the mines are.

    Parameters
    ----------
    topology
        The cells.
    mines
        Whether each cell holds a mine, of shape (rows, columns).
    name
        What errors call the board.

    Examples
    --------
    >>> board = Board.random(9, 9, mines=10, seed=7)
    >>> board.total
    10
    >>> bool(board.mines[0, 0])
    False
    """

    topology: Topology
    mines: NDArray[np.bool_]
    name: str = "board"

    def __post_init__(self) -> None:
        instance("topology", self.topology, Topology, "Topology(9, 9)")
        instance("name", self.name, str)
        mines = np.asarray(self.mines, np.bool_)
        if mines.shape != self.topology.shape:
            raise ValueError(f"mines: shape {mines.shape}, expected {self.topology.shape}")
        # An array over bytes can never be made writeable.
        frozen = np.frombuffer(mines.tobytes(), np.bool_).reshape(mines.shape)
        object.__setattr__(self, "mines", frozen)

    @classmethod
    def random(
        cls,
        rows: int,
        cols: int,
        *,
        mines: int | None = None,
        density: float | None = None,
        seed: int,
        start: Start = "safe",
        first: Cell | None = None,
    ) -> Board:
        """Lay mines by seed.

        A seed orders the cells; the mines are the first of them that the start rule does not
        protect. So one seed gives nearly the same board under every rule.

        Parameters
        ----------
        rows, cols
            The size.
        mines, density
            The number of mines, or the share of cells that hold one, rounded down.
        seed
            From 0 to 2**64 - 1.
        start
            What is protected: nothing under ``any``, the first cell under ``safe``, it and its
            neighbours under ``zero``. Neighbours are given up where the mines need the room.
        first
            The first cell; `first_cell` says which where none is named.
        """
        topology = Topology(rows, cols)
        total = mine_total(mines, density, topology.cells)
        chosen = first_cell(topology, start)
        if first is not None:
            chosen = first
        index = -1 if chosen is None else topology.index(chosen)
        most = _core.most_mines(topology.native, _core.Start[start])
        if total > most:
            raise ValueError(f"{counted(total, 'mine')}: the board has room for 0 to {most:,}")
        mask = _core.random_mines(
            topology.native, total, check_seed(seed), _core.Start[start], index
        )
        return cls(topology, mask.reshape(topology.shape).astype(np.bool_))

    @classmethod
    def from_cells(cls, rows: int, cols: int, cells: Iterable[Cell]) -> Board:
        """Put mines on the cells that are listed.

        Examples
        --------
        >>> Board.from_cells(2, 2, [(0, 1)]).mines.tolist()
        [[False, True], [False, False]]
        """
        topology = Topology(rows, cols)
        if not isinstance(cells, Iterable):
            raise TypeError(sentence("cells", cells, "a list of cells, such as [(0, 3)]"))
        mines = np.zeros(topology.cells, np.bool_)
        for cell in cells:
            mines[topology.index(cell)] = True
        return cls(topology, mines.reshape(topology.shape))

    @classmethod
    def from_text(cls, text: str) -> Board:
        """Read a board in the text format: a row a line, ``*`` for a mine."""
        from mineproof.formats import read_board

        return read_board(text)

    def to_text(self) -> str:
        """Write the board in the text format."""
        from mineproof.formats import write_board

        return write_board(self)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.topology.rows

    @property
    def cols(self) -> int:
        """The number of columns."""
        return self.topology.cols

    @property
    def total(self) -> int:
        """The number of mines."""
        return int(np.count_nonzero(self.mines))

    @property
    def counts(self) -> NDArray[np.int8]:
        """The mines around every cell, whether or not it holds one itself."""
        counts = _core.true_counts(self.topology.native, self.mines.ravel())
        return counts.reshape(self.topology.shape)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        same = self.topology == other.topology
        return same and bool(np.array_equal(self.mines, other.mines))

    def __hash__(self) -> int:
        return hash((self.topology, self.mines.tobytes()))

    def __repr__(self) -> str:
        return f"Board({self.rows}x{self.cols}, {counted(self.total, 'mine')})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Board, (self.topology, self.mines, self.name)


@dataclass(frozen=True, slots=True)
class Level:
    """A named size and number of mines.

    Parameters
    ----------
    name
        What `LEVELS` calls it.
    rows, cols, mines
        The size, and how many cells of it are mined.

    Examples
    --------
    >>> LEVELS["expert"]
    Level(name='expert', rows=16, cols=30, mines=99)
    """

    name: str
    rows: int
    cols: int
    mines: int

    def board(self, *, seed: int, start: Start = "safe", first: Cell | None = None) -> Board:
        """Lay the level's mines by seed, as `Board.random` does."""
        return Board.random(
            self.rows, self.cols, mines=self.mines, seed=seed, start=start, first=first
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
"""The levels by name; easy is also called beginner, and hard expert."""


def mine_total(mines: int | None, density: float | None, cells: int) -> int:
    """Return how many of the cells are mined, where either their number or their share is given.

    Examples
    --------
    >>> mine_total(None, density=0.2, cells=81)
    16
    """
    if mines is not None and density is None:
        return whole("mines", mines)
    if density is not None and mines is None:
        share("density", density)
        # The decimal that was written, not its binary neighbour: 0.29 of 100 cells is 29, not 28.
        return math.floor(Fraction(str(density)) * cells)
    raise ValueError("a random board needs either mines or density")
