"""Where the mines are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mineproof import _core
from mineproof.arguments import counted, instance, sentence
from mineproof.position.drawn import Drawn
from mineproof.position.setup import Setup
from mineproof.position.text import characters, read_grid, write_grid
from mineproof.position.topology import Cell, Topology, TopologyKind
from mineproof.random import check_seed

__all__ = ["Board"]

_SYMBOLS: Final = ".*012345678"


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
    >>> board = Board.random(Setup.level("easy"), seed=7)
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
    def random(cls, setup: Setup, seed: int) -> Board:
        """Lay mines at random.

        The seed puts the cells in random order, and the mines are the first of them that the start
        rule does not protect. So a seed gives nearly the same board under every rule. Under
        ``zero``, neighbours of the first cell lose their protection if the mines do not fit
        elsewhere.

        Parameters
        ----------
        setup
            The conditions. Without a first cell, that of the start rule is protected.
        seed
            From 0 to 2**64 - 1.
        """
        instance("setup", setup, Setup, "Setup.level('easy')")
        mask = _core.random_mines(setup.native, check_seed(seed))
        return cls(setup.topology, mask.reshape(setup.topology.shape).astype(np.bool_))

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
