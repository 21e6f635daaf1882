"""All that a player may know of a game, and its text format."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mineproof.arguments import counted, instance, whole
from mineproof.position.drawn import Drawn
from mineproof.position.model import Channel
from mineproof.position.text import characters, read_grid, write_grid
from mineproof.position.topology import MAX_DEGREE, Cell, Topology

__all__ = ["CellCode", "Observation", "is_closed", "is_open"]


class CellCode(IntEnum):
    """What a player sees of a cell, where that is not a clue from 0 to 8."""

    # native/core has the same numbers.
    CLOSED = -1
    FLAGGED = -2
    NO_CLUE = -3
    """Open, but its clue was lost."""
    EXPLODED = -4
    """A mine that was opened."""
    KNOWN_SAFE = -5
    """Closed, and known to hold no mine."""


_SYMBOLS: Final = {
    **{str(clue): clue for clue in range(MAX_DEGREE + 1)},
    ".": CellCode.CLOSED,
    "F": CellCode.FLAGGED,
    "?": CellCode.NO_CLUE,
    "*": CellCode.EXPLODED,
    "s": CellCode.KNOWN_SAFE,
}


def is_open(code: int) -> bool:
    """Whether a code stands for a safe cell that is open."""
    return code >= 0 or code == CellCode.NO_CLUE


def is_closed(code: int) -> bool:
    """Whether a code stands for a closed cell: flagged and known safe ones too."""
    return code in (CellCode.CLOSED, CellCode.FLAGGED, CellCode.KNOWN_SAFE)


@dataclass(frozen=True, slots=True, eq=False)
class Observation(Drawn):
    """All that a player may know; nothing in it can be changed.

    Parameters
    ----------
    topology
        The cells.
    cells
        Codes of shape (rows, columns).
    mines
        All mines of the board, exploded ones included, where that is told.
    channel
        How clues come about, where that is told.

    Examples
    --------
    >>> import numpy as np
    >>> cells = np.array([[1, CellCode.CLOSED, CellCode.FLAGGED]])
    >>> observation = Observation(Topology(1, 3), cells, mines=1)
    >>> observation.closed.tolist()
    [[False, True, True]]
    """

    topology: Topology
    cells: NDArray[np.int8]
    mines: int | None = None
    channel: Channel | None = None

    def __post_init__(self) -> None:
        instance("topology", self.topology, Topology, "Topology(9, 9)")
        cells = np.asarray(self.cells)
        if cells.shape != self.topology.shape:
            raise ValueError(f"cells: shape {cells.shape}, expected {self.topology.shape}")
        _check_codes(cells, self.topology)
        # An array over bytes can never be made writeable.
        frozen = np.frombuffer(cells.astype(np.int8, copy=False).tobytes(), np.int8)
        object.__setattr__(self, "cells", frozen.reshape(cells.shape))
        if self.mines is not None:
            object.__setattr__(self, "mines", whole("mines", self.mines))
            _check_total(self.cells, self.mines)
        if self.channel is not None:
            instance("channel", self.channel, Channel, "Channel.parse('exact')")

    @classmethod
    def from_text(
        cls, text: str, *, mines: int | None = None, channel: Channel | None = None
    ) -> Observation:
        r"""Read an observation in the text format.

        Parameters
        ----------
        text
            A row a line: ``.`` closed, ``0``-``8`` a clue, ``?`` open without one, ``F`` a flag,
            ``*`` an exploded mine, ``s`` closed and known safe.
        mines
            The mine total; takes the place of the header's.
        channel
            How clues came about, where that is told.

        Examples
        --------
        >>> Observation.from_text("3x2x1\n.1.\n111").mines
        1
        """
        rows, told = read_grid(text, "".join(_SYMBOLS))
        codes = np.full(128, CellCode.CLOSED, np.int8)
        for symbol, code in _SYMBOLS.items():
            codes[ord(symbol)] = code
        return cls(
            Topology(len(rows), len(rows[0])),
            codes[characters(rows)],
            mines=told if mines is None else mines,
            channel=channel,
        )

    def to_text(self) -> str:
        """Write the observation in the text format, with a header where the total is told."""
        symbols = np.empty(256, np.uint8)
        for symbol, code in _SYMBOLS.items():
            symbols[np.uint8(code % 256)] = ord(symbol)
        return write_grid(symbols[self.cells.view(np.uint8)], self.mines)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.topology.rows

    @property
    def cols(self) -> int:
        """The number of columns."""
        return self.topology.cols

    @property
    def closed(self) -> NDArray[np.bool_]:
        """Where cells are closed: flagged and known safe ones too."""
        closed: NDArray[np.bool_] = self.openable | (self.cells == CellCode.FLAGGED)
        return closed

    @property
    def openable(self) -> NDArray[np.bool_]:
        """Where cells may be opened: closed and not flagged."""
        openable: NDArray[np.bool_] = (self.cells == CellCode.CLOSED) | (
            self.cells == CellCode.KNOWN_SAFE
        )
        return openable

    def closed_cells(self) -> list[Cell]:
        """Return the cells that are closed, in row order: flagged and known safe ones too."""
        return _cells(self.closed)

    def openable_cells(self) -> list[Cell]:
        """Return the cells that may be opened, in row order."""
        return _cells(self.openable)

    @property
    def exploded(self) -> int:
        """The number of mines that were stepped on."""
        return int(np.count_nonzero(self.cells == CellCode.EXPLODED))

    def code(self, cell: Cell) -> int:
        """Return the code of one cell."""
        return int(self.cells.flat[self.topology.index(cell)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Observation):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[Any, ...]:
        return Observation, (self.topology, self.cells, self.mines, self.channel)

    def _key(self) -> tuple[Topology, bytes, int | None, Channel | None]:
        return self.topology, self.cells.tobytes(), self.mines, self.channel


def _check_codes(cells: NDArray[Any], topology: Topology) -> None:
    if cells.dtype.kind not in "iu":
        raise ValueError(f"cells: codes are whole numbers, not {cells.dtype}")
    if cells.min() < CellCode.KNOWN_SAFE or cells.max() > MAX_DEGREE:
        row, col = _first((cells < CellCode.KNOWN_SAFE) | (cells > MAX_DEGREE))
        raise ValueError(f"row {row}, column {col}: {cells[row, col]} is not the code of a cell")
    excess = cells > topology.degrees
    if excess.any():
        row, col = _first(excess)
        degree = len(topology.neighbours((row, col)))
        around = counted(degree, "neighbour")
        raise ValueError(
            f"row {row}, column {col}: clue {cells[row, col]}, but the cell has {around}"
        )


def _check_total(cells: NDArray[np.int8], mines: int) -> None:
    exploded = int(np.count_nonzero(cells == CellCode.EXPLODED))
    if mines < exploded:
        raise ValueError(f"{counted(mines, 'mine')}, but {exploded} exploded")
    room = int(np.count_nonzero((cells == CellCode.CLOSED) | (cells == CellCode.FLAGGED)))
    if mines > exploded + room:
        raise ValueError(f"{counted(mines, 'mine')}, but room for only {exploded + room}")


def _cells(mask: NDArray[np.bool_]) -> list[Cell]:
    cols = mask.shape[1]
    return [divmod(place, cols) for place in np.flatnonzero(mask).tolist()]


def _first(mask: NDArray[np.bool_]) -> Cell:
    row, col = divmod(int(np.argmax(mask)), mask.shape[1])
    return row, col
