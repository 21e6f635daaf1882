"""The cells of a board and their neighbours."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from operator import index
from pathlib import Path
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from mineproof import _core
from mineproof.arguments import choice, counted, sentence, whole, written

__all__ = ["MAX_DEGREE", "TOPOLOGIES", "Cell", "Topology", "TopologyKind", "plain_cell"]

Cell: TypeAlias = tuple[int, int]
"""A cell as ``(row, column)``, counted from 0."""

TopologyKind: TypeAlias = Literal["square", "torus", "hex"]
"""Which cells touch: those of a square grid, of one whose edges meet, or of hexagons."""

TOPOLOGIES: Final[tuple[TopologyKind, ...]] = get_args(TopologyKind)

MAX_DEGREE: Final = 8
"""The most neighbours that a cell can have, and so the largest clue."""

_MAX_CELLS: Final = 2**28 - 1
_LARGE: Final = 10**6
_FEW: Final = 2**16
"""Up to this many cells, a board keeps a list of them."""
_BYTES_PER_CELL: Final = 8
"""The memory that it takes to lay a board."""


def plain_cell(cell: Cell) -> Cell:
    """Convert a cell, which may be a list or an array, to a tuple of two ints.

    Examples
    --------
    >>> plain_cell(np.array([2, 3]))
    (2, 3)
    """
    try:
        row, col = cell
        return index(row), index(col)
    except (TypeError, ValueError):
        must = "a row and a column, such as (0, 3)"
        raise TypeError(sentence("cell", cell, must)) from None


def memory() -> float:
    """Return how many bytes of memory this process may use at most, as far as the system says."""
    limits = [math.inf]
    with suppress(AttributeError, ValueError, OSError):
        limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with suppress(ImportError):
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_AS)
        if soft != resource.RLIM_INFINITY:
            limits.append(soft)
    with suppress(OSError, ValueError):
        limits.append(int(Path("/sys/fs/cgroup/memory.max").read_text()))
    return min(limits)


def _gigabytes(size: float) -> str:
    return f"{size / 1e9:.1f} GB"


@lru_cache(maxsize=8)
def _native(kind: TopologyKind, rows: int, cols: int) -> _core.Topology:
    return _core.Topology.of(_core.TopologyKind[kind], rows, cols)


@lru_cache(maxsize=8)
def _each(rows: int, cols: int) -> tuple[Cell, ...]:
    return tuple(product(range(rows), range(cols)))


@lru_cache(maxsize=8)
def _degrees(topology: Topology) -> NDArray[np.int8]:
    # A copy in bytes: nobody can make it writeable, as all share it.
    degrees = topology.native.degrees().tobytes()
    return np.frombuffer(degrees, np.int8).reshape(topology.shape)


@dataclass(frozen=True, slots=True)
class Topology:
    """Rows and columns of cells, and which of them are neighbours.

    Parameters
    ----------
    rows, cols
        The size. A torus has at least 3 rows and 3 columns.
    kind
        ``square``: cells that share an edge or a corner are neighbours. ``torus``: the same, and
        the first row is next to the last one, and the first column next to the last one. ``hex``:
        the cells are hexagons, and those that share an edge are neighbours; odd rows are shifted
        to the right by half a cell.

    Examples
    --------
    >>> board = Topology(2, 3)
    >>> board.neighbours((0, 0))
    ((0, 1), (1, 0), (1, 1))
    >>> board.index((1, 2)), board.cell(5)
    (5, (1, 2))
    >>> Topology(3, 4, "torus").neighbours((0, 0))
    ((0, 1), (0, 3), (1, 0), (1, 1), (1, 3), (2, 0), (2, 1), (2, 3))
    >>> Topology(3, 4, "hex").neighbours((1, 1))
    ((0, 1), (0, 2), (1, 0), (1, 2), (2, 1), (2, 2))
    """

    rows: int
    cols: int
    kind: TopologyKind = "square"
    native: _core.Topology = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", whole("rows", self.rows, 1, _MAX_CELLS))
        object.__setattr__(self, "cols", whole("cols", self.cols, 1, _MAX_CELLS))
        if self.cells > _MAX_CELLS:
            raise ValueError(f"{self._size()}: more than 2**28 - 1 cells")
        choice("topology", self.kind, TOPOLOGIES)
        if self.kind == "torus" and min(self.shape) < 3:
            raise ValueError(f"{self._size()}: a torus needs at least 3 rows and 3 columns")
        if self.cells > _LARGE and self.cells * _BYTES_PER_CELL > memory():
            raise ValueError(
                f"{self._size()}: a board needs {_gigabytes(self.cells * _BYTES_PER_CELL)} of "
                f"memory, and there are {_gigabytes(memory())}"
            )
        object.__setattr__(self, "native", _native(self.kind, self.rows, self.cols))

    def __reduce__(self) -> tuple[type[Topology], tuple[int, int, TopologyKind]]:
        return Topology, (self.rows, self.cols, self.kind)

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.rows * self.cols

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and of columns: the shape of arrays with one value per cell."""
        return self.rows, self.cols

    @property
    def degrees(self) -> NDArray[np.int8]:
        """The number of neighbours of each cell."""
        return _degrees(self)

    def index(self, cell: Cell) -> int:
        """Return the index of a cell in row order."""
        row, col = plain_cell(cell)
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise ValueError(f"({written(row)}, {written(col)}): the board has {self._size()}")
        return row * self.cols + col

    def cell(self, place: int) -> Cell:
        """Return the cell at an index in row order."""
        return divmod(whole("place", place, 0, self.cells - 1), self.cols)

    def each(self) -> Iterable[Cell]:
        """Return all cells in row order."""
        if self.rows * self.cols <= _FEW:
            return _each(self.rows, self.cols)
        return product(range(self.rows), range(self.cols))

    def neighbours(self, cell: Cell) -> tuple[Cell, ...]:
        """Return the neighbours of a cell in row order."""
        return tuple(map(self.cell, self.native.neighbours(self.index(cell))))

    def distance(self, one: Cell, other: Cell) -> int:
        """Return the fewest steps from neighbour to neighbour between two cells.

        On a square board these are king's moves.

        Examples
        --------
        >>> [Topology(9, 9, kind).distance((0, 0), (2, 8)) for kind in TOPOLOGIES]
        [8, 2, 9]
        """
        return self.native.distance(self.index(one), self.index(other))

    def __str__(self) -> str:
        named = "" if self.kind == "square" else f" {self.kind}"
        return f"{self.rows}x{self.cols}{named}"

    def _size(self) -> str:
        return f"{counted(self.rows, 'row')} and {counted(self.cols, 'column')}"
