"""All that a player may know of a game.

Cells carry codes: a clue from 0 to 8, or one of the negative constants below.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mineproof.arguments import counted, instance, whole
from mineproof.model import Channel
from mineproof.topology import MAX_DEGREE, Cell, Topology

__all__ = [
    "CLOSED",
    "EXPLODED",
    "FLAGGED",
    "KNOWN_SAFE",
    "NO_CLUE",
    "Observation",
    "is_closed",
    "is_open",
]

# The same numbers stand in native/core/board/cell.hpp.
CLOSED: Final = -1
FLAGGED: Final = -2
NO_CLUE: Final = -3
"""Open, but its clue was lost."""
EXPLODED: Final = -4
"""A mine that was stepped on."""
KNOWN_SAFE: Final = -5
"""Closed, but told to hold no mine."""


def is_open(code: int) -> bool:
    """Whether a code stands for a safe cell that is open."""
    return code >= 0 or code == NO_CLUE


def is_closed(code: int) -> bool:
    """Whether a code stands for a closed cell: flagged and known safe ones too."""
    return code in (CLOSED, FLAGGED, KNOWN_SAFE)


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
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
    >>> observation = Observation(Topology(1, 3), np.array([[1, CLOSED, FLAGGED]]), mines=1)
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
        from mineproof.formats import read_observation

        return read_observation(text, mines=mines, channel=channel)

    def to_text(self) -> str:
        """Write the observation in the text format."""
        from mineproof.formats import write_observation

        return write_observation(self)

    def _repr_svg_(self) -> str:
        from mineproof.render import svg

        return svg(self)

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
        closed: NDArray[np.bool_] = self.openable | (self.cells == FLAGGED)
        return closed

    @property
    def openable(self) -> NDArray[np.bool_]:
        """Where cells may be opened: closed and not flagged."""
        openable: NDArray[np.bool_] = (self.cells == CLOSED) | (self.cells == KNOWN_SAFE)
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
        return int(np.count_nonzero(self.cells == EXPLODED))

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
    if cells.min() < KNOWN_SAFE or cells.max() > MAX_DEGREE:
        row, col = _first((cells < KNOWN_SAFE) | (cells > MAX_DEGREE))
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
    exploded = int(np.count_nonzero(cells == EXPLODED))
    if mines < exploded:
        raise ValueError(f"{counted(mines, 'mine')}, but {exploded} exploded")
    room = int(np.count_nonzero((cells == CLOSED) | (cells == FLAGGED)))
    if mines > exploded + room:
        raise ValueError(f"{counted(mines, 'mine')}, but room for only {exploded + room}")


def _cells(mask: NDArray[np.bool_]) -> list[Cell]:
    cols = mask.shape[1]
    return [divmod(place, cols) for place in np.flatnonzero(mask).tolist()]


def _first(mask: NDArray[np.bool_]) -> Cell:
    row, col = divmod(int(np.argmax(mask)), mask.shape[1])
    return row, col
