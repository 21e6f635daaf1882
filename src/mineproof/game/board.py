"""Where the mines are."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, get_args

import numpy as np
from numpy.typing import NDArray

from mineproof import _core
from mineproof.arguments import choice, counted, instance, sentence, share, whole
from mineproof.position.drawn import Drawn
from mineproof.position.rules import Start
from mineproof.position.text import characters, read_grid, write_grid
from mineproof.position.topology import Cell, Topology, TopologyKind
from mineproof.random import check_seed

__all__ = [
    "Board",
    "check_room",
    "first_cell",
    "mine_total",
]

_SYMBOLS: Final = ".*012345678"


def first_cell(topology: Topology, start: Start) -> Cell | None:
    """Return the cell that is opened first if none is given, or None if the agent chooses.

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


def check_room(topology: Topology, mines: int, start: Start) -> None:
    """Raise an error if there are too many mines for the start rule."""
    most = _core.most_mines(topology.native, _core.Start[start])
    if mines > most:
        raise ValueError(f"{counted(mines, 'mine')}: the board has room for 0 to {most:,}")


@dataclass(frozen=True, slots=True, eq=False)
class Board(Drawn):
    """Where the mines are.

    Parameters
    ----------
    topology
        The cells.
    layout
        Which cells are mines, of shape (rows, columns).
    name
        The name of the board in error messages.

    Examples
    --------
    >>> board = Board.random(9, 9, mines=10, seed=7)
    >>> board.mines
    10
    >>> bool(board.layout[0, 0])
    False
    """

    topology: Topology
    layout: NDArray[np.bool_]
    name: str = "board"
    mines: int = field(init=False)
    """The number of mines."""

    def __post_init__(self) -> None:
        instance("topology", self.topology, Topology, "Topology(9, 9)")
        instance("name", self.name, str)
        layout = np.asarray(self.layout, np.bool_)
        if layout.shape != self.topology.shape:
            raise ValueError(f"layout: shape {layout.shape}, expected {self.topology.shape}")
        # An array over bytes can never be made writeable.
        frozen = np.frombuffer(layout.tobytes(), np.bool_).reshape(layout.shape)
        object.__setattr__(self, "layout", frozen)
        object.__setattr__(self, "mines", int(np.count_nonzero(frozen)))

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
        topology: TopologyKind = "square",
    ) -> Board:
        """Lay mines at random.

        The seed puts the cells in random order, and the mines are the first of them that the start
        rule does not protect. So a seed gives nearly the same board under every rule.

        Parameters
        ----------
        rows, cols
            The size of the board.
        mines, density
            The number of mines, or the share of cells that are mines, rounded down.
        seed
            From 0 to 2**64 - 1.
        start
            What is protected: nothing (``any``), the first cell (``safe``), or the first cell and
            its neighbours (``zero``). Neighbours lose their protection if the mines do not fit
            elsewhere.
        first
            The first cell; if not given, that of `first_cell`.
        topology
            Which cells touch: ``square``, ``torus`` or ``hex``, as for `Topology`.
        """
        cells = Topology(rows, cols, topology)
        total = mine_total(mines, density, cells.cells)
        chosen = first_cell(cells, start)
        if first is not None:
            chosen = first
        index = -1 if chosen is None else cells.index(chosen)
        check_room(cells, total, start)
        mask = _core.random_mines(cells.native, total, check_seed(seed), _core.Start[start], index)
        return cls(cells, mask.reshape(cells.shape).astype(np.bool_))

    @classmethod
    def from_cells(
        cls, rows: int, cols: int, cells: Iterable[Cell], *, topology: TopologyKind = "square"
    ) -> Board:
        """Put mines on the given cells.

        Examples
        --------
        >>> Board.from_cells(2, 2, [(0, 1)]).layout.tolist()
        [[False, True], [False, False]]
        """
        board = Topology(rows, cols, topology)
        if not isinstance(cells, Iterable):
            raise TypeError(sentence("cells", cells, "a list of cells, such as [(0, 3)]"))
        mines = np.zeros(board.cells, np.bool_)
        for cell in cells:
            mines[board.index(cell)] = True
        return cls(board, mines.reshape(board.shape))

    @classmethod
    def from_text(cls, text: str, *, topology: TopologyKind | None = None) -> Board:
        r"""Read a board from text: one line per row, ``*`` for a mine.

        Other cells are ``.`` or the number of mines around them, which must be right. The topology
        overrides the one in the header, which is by default ``square``.

        Examples
        --------
        >>> Board.from_text("*1.\n11.").layout.tolist()
        [[True, False, False], [False, False, False]]
        >>> Board.from_text("*2.\n...")
        Traceback (most recent call last):
        ...
        ValueError: (0, 1): count 2, but 1 mine around
        """
        grid = read_grid(text, _SYMBOLS)
        if grid.position:
            raise ValueError("header: a position, not a board")
        symbols = characters(grid.rows)
        board = cls(grid.board(topology), symbols == ord("*"))
        if grid.mines is not None and grid.mines != board.mines:
            told = counted(grid.mines, "mine")
            raise ValueError(f"header: {told}, but the grid has {board.mines}")
        given = (symbols >= ord("0")) & (symbols <= ord("8"))
        wrong = given & (board.counts != symbols.astype(np.int16) - ord("0"))
        for row, col in np.argwhere(wrong):
            count, true = grid.rows[row][col], counted(int(board.counts[row, col]), "mine")
            raise ValueError(f"({row}, {col}): count {count}, but {true} around")
        return board

    def to_text(self) -> str:
        """Write the board as text, with a header."""
        grid = np.where(self.layout, np.uint8(ord("*")), np.uint8(ord(".")))
        return write_grid(grid, self.mines, self.topology.kind)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.topology.rows

    @property
    def cols(self) -> int:
        """The number of columns."""
        return self.topology.cols

    @property
    def counts(self) -> NDArray[np.int8]:
        """The number of mines around each cell, whether or not the cell is a mine itself."""
        counts = _core.true_counts(self.topology.native, self.layout.ravel())
        return counts.reshape(self.topology.shape)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        same = self.topology == other.topology
        return same and bool(np.array_equal(self.layout, other.layout))

    def __hash__(self) -> int:
        return hash((self.topology, self.layout.tobytes()))

    def __repr__(self) -> str:
        return f"Board({self.topology}, {counted(self.mines, 'mine')})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Board, (self.topology, self.layout, self.name)


def mine_total(mines: int | None, density: float | None, cells: int) -> int:
    """Return the number of mines, of which either the number or the density is given.

    Examples
    --------
    >>> mine_total(None, density=0.2, cells=81)
    16
    """
    if mines is not None and density is None:
        return whole("mines", mines)
    if density is not None and mines is None:
        share("density", density)
        # Use the decimal as written, not its binary neighbour: 0.29 of 100 cells is 29, not 28.
        return math.floor(Fraction(str(density)) * cells)
    raise ValueError("a random board needs either mines or density")
