"""Everything that a player may know about a game."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mineproof import _core
from mineproof.arguments import counted, instance, whole
from mineproof.position.cells import CellCode
from mineproof.position.drawn import Drawn
from mineproof.position.model import Channel
from mineproof.position.rules import Rules
from mineproof.position.text import SYMBOLS, characters, read_grid, write_grid
from mineproof.position.topology import MAX_DEGREE, Cell, Topology, TopologyKind

__all__ = ["Observation"]

_CODE: Final = np.dtype(np.int8)
_CODE_OF: Final = np.zeros(128, np.int8)
_SYMBOL_OF: Final = np.zeros(256, np.uint8)
for _symbol, _code in SYMBOLS.items():
    _CODE_OF[ord(_symbol)] = _code
    _SYMBOL_OF[_code % 256] = ord(_symbol)


@dataclass(frozen=True, slots=True, eq=False)
class Observation(Drawn):
    """Everything that a player may know, as an immutable value.

    Parameters
    ----------
    topology
        The cells of the board.
    cells
        One code per cell, of shape (rows, columns): a clue from 0 to 8 or a `CellCode`.
    mines
        The number of mines on the board, exploded ones included, if the player is told.
    channel
        How clues are produced, if the player is told.
    rules
        The rules of the game, if they are known: what a mine does, whether a zero opens its
        neighbours, what is safe at the start.

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
    rules: Rules | None = None
    _before: bytes | None = field(default=None, init=False, repr=False)
    """The codes of the observation before this one."""

    def __post_init__(self) -> None:
        instance("topology", self.topology, Topology, "Topology(9, 9)")
        cells = np.asarray(self.cells)
        if cells.shape != self.topology.shape:
            raise ValueError(f"cells: shape {cells.shape}, expected {self.topology.shape}")
        _check_codes(cells, self.topology)
        codes = cells.astype(np.int8, copy=False).tobytes()
        object.__setattr__(self, "cells", _frozen(codes, self.topology))
        if self.mines is not None:
            object.__setattr__(self, "mines", whole("mines", self.mines))
            _check_total(self.cells, self.mines)
        if self.channel is not None:
            instance("channel", self.channel, Channel, "Channel.parse('exact')")
        if self.rules is not None:
            instance("rules", self.rules, Rules, "Rules()")

    @classmethod
    def from_core(
        cls,
        topology: Topology,
        codes: bytes,
        mines: int | None,
        channel: Channel | None,
        rules: Rules | None,
        before: bytes | None = None,
    ) -> Observation:
        """Wrap codes from the core, one byte per cell in row order, without checking them."""
        observation = object.__new__(cls)
        fill = object.__setattr__
        fill(observation, "topology", topology)
        fill(observation, "cells", _frozen(codes, topology))
        fill(observation, "mines", mines)
        fill(observation, "channel", channel)
        fill(observation, "rules", rules)
        fill(observation, "_before", before)
        return observation

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        mines: int | None = None,
        channel: Channel | None = None,
        topology: TopologyKind | None = None,
    ) -> Observation:
        r"""Read an observation from text.

        Parameters
        ----------
        text
            One line per row: ``.`` is a closed cell, ``0`` to ``8`` a clue, ``?`` an open cell
            without a clue, ``~`` one whose clue has not arrived yet, ``F`` a flag, ``*`` an
            exploded mine, ``s`` a closed cell known to be safe.
        mines
            The number of mines; overrides the one in the header.
        channel
            How clues are produced, if the player is told.
        topology
            Which cells touch; overrides the one in the header. By default ``square``.

        Examples
        --------
        >>> Observation.from_text("3x2x1\n.1.\n111").mines
        1
        >>> Observation.from_text("3x3x1 torus\n.1.\n...\n...").topology.kind
        'torus'
        """
        grid = read_grid(text, "".join(SYMBOLS))
        return cls(
            grid.board(topology),
            _CODE_OF[characters(grid.rows)],
            mines=grid.mines if mines is None else mines,
            channel=channel,
        )

    def without(
        self, *, total: bool = False, channel: bool = False, flags: Collection[Cell] = ()
    ) -> Observation:
        r"""Return the same with less: not told the total or the channel, or without some flags.

        Examples
        --------
        >>> seen = Observation.from_text("3x1x1\n1F.")
        >>> print(seen.without(total=True, flags=[(0, 1)]).to_text())
        1..
        """
        if not (total or channel or flags):
            return self
        codes = self.cells.tobytes()
        if flags:
            cells = self.cells.copy()
            cells[tuple(zip(*flags, strict=True))] = CellCode.CLOSED
            codes = cells.tobytes()
        mines, shown = None if total else self.mines, None if channel else self.channel
        return Observation.from_core(self.topology, codes, mines, shown, self.rules)

    def since(self, before: Observation | None) -> Observation:
        """Return the same, which knows what the one before it in the game was, if there is one.

        Examples
        --------
        >>> first, second = Observation.from_text("..."), Observation.from_text("1F.")
        >>> first.since(None).changed, second.since(first).changed
        ([(0, 0), (0, 1), (0, 2)], [(0, 0), (0, 1)])
        """
        codes = None if before is None else before.cells.tobytes()
        if codes == self._before:
            return self
        if before is not None and before.topology != self.topology:
            raise ValueError(f"before: {before.topology}, expected {self.topology}")
        known = self.mines, self.channel, self.rules
        return Observation.from_core(self.topology, self.cells.tobytes(), *known, codes)

    @property
    def changed(self) -> list[Cell]:
        """The cells that look different from the observation before, in row order.

        For an agent, that is its last observation of the game. At the first, these are all cells.
        """
        if self._before is None:
            return list(self.topology.each())
        different = np.frombuffer(self._before, np.int8) != self.cells.ravel()
        return self._where(different.tobytes())

    def to_text(self) -> str:
        """Write the observation as text, with a header if the number of mines is known.

        It also has a header if the board is not square, or if it would be taken for a board.
        """
        symbols = _SYMBOL_OF[self.cells.view(np.uint8)]
        return write_grid(symbols, self.mines, self.topology.kind, position=True)

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
        """Which cells are closed, including flagged and known safe ones."""
        closed: NDArray[np.bool_] = self.openable | (self.cells == CellCode.FLAGGED.value)
        return closed

    @property
    def openable(self) -> NDArray[np.bool_]:
        """Which cells may be opened: those that are closed and not flagged."""
        cells = self.cells
        openable: NDArray[np.bool_] = (cells == CellCode.CLOSED.value) | (
            cells == CellCode.KNOWN_SAFE.value
        )
        return openable

    @property
    def opened(self) -> NDArray[np.bool_]:
        """Which safe cells are open, with or without a clue."""
        cells = self.cells
        silent = (cells == CellCode.NO_CLUE.value) | (cells == CellCode.PENDING.value)
        opened: NDArray[np.bool_] = (cells >= 0) | silent
        return opened

    def closed_cells(self) -> list[Cell]:
        """Return the closed cells in row order, including flagged and known safe ones."""
        return self._with(_CLOSED)

    def openable_cells(self) -> list[Cell]:
        """Return the cells that may be opened, in row order."""
        return self._with(_OPENABLE)

    def flagged_cells(self) -> list[Cell]:
        """Return the flagged cells in row order."""
        return self._with(_FLAGGED)

    def _with(self, codes: bytes) -> list[Cell]:
        return self._where(self.cells.tobytes().translate(codes))

    def _where(self, chosen: bytes) -> list[Cell]:
        # Agents ask at every decision, mostly for flags that they never set.
        return _core.compress(tuple(self.topology.each()), chosen) if 1 in chosen else []

    def known_safe_cells(self) -> list[Cell]:
        """Return the closed cells that are known to be safe from the start, in row order."""
        return self._with(_KNOWN_SAFE)

    @property
    def exploded(self) -> int:
        """The number of mines that have exploded."""
        return int(np.count_nonzero(self.cells == CellCode.EXPLODED.value))

    def pending_cells(self) -> list[Cell]:
        """Return the open cells whose clues have not arrived yet, in row order."""
        return self._with(_PENDING)

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
        codes = self.cells.tobytes()
        known = self.mines, self.channel, self.rules
        return Observation.from_core, (self.topology, codes, *known, self._before)

    def _key(self) -> tuple[Topology, bytes, int | None, Channel | None, Rules | None]:
        return self.topology, self.cells.tobytes(), self.mines, self.channel, self.rules


def _frozen(codes: bytes, topology: Topology) -> NDArray[np.int8]:
    # An array over bytes can never be made writeable.
    return np.ndarray(topology.shape, _CODE, codes)


def _check_codes(cells: NDArray[Any], topology: Topology) -> None:
    if cells.dtype.kind not in "iu":
        raise ValueError(f"cells: codes are whole numbers, not {cells.dtype}")
    unknown = (cells < CellCode.PENDING) | (cells > MAX_DEGREE)
    for row, col in np.argwhere(unknown)[:1]:
        raise ValueError(f"({row}, {col}): {cells[row, col]} is not the code of a cell")
    for row, col in np.argwhere(cells > topology.degrees)[:1]:
        place, clue = f"({row}, {col})", cells[row, col]
        around = counted(int(topology.degrees[row, col]), "neighbour")
        raise ValueError(f"{place}: clue {clue}, but the cell has {around}")


def _check_total(cells: NDArray[np.int8], mines: int) -> None:
    exploded = int(np.count_nonzero(cells == CellCode.EXPLODED.value))
    if mines < exploded:
        raise ValueError(f"{counted(mines, 'mine')}, but {exploded} exploded")
    room = int(
        np.count_nonzero((cells == CellCode.CLOSED.value) | (cells == CellCode.FLAGGED.value))
    )
    if mines > exploded + room:
        raise ValueError(f"{counted(mines, 'mine')}, but room for only {exploded + room}")


def _codes(*codes: CellCode) -> bytes:
    """Return a table that turns the bytes of these codes into 1 and all others into 0."""
    wanted = {code.value % 256 for code in codes}
    return bytes(byte in wanted for byte in range(256))


_OPENABLE: Final = _codes(CellCode.CLOSED, CellCode.KNOWN_SAFE)
_CLOSED: Final = _codes(CellCode.CLOSED, CellCode.KNOWN_SAFE, CellCode.FLAGGED)
_FLAGGED: Final = _codes(CellCode.FLAGGED)
_KNOWN_SAFE: Final = _codes(CellCode.KNOWN_SAFE)
_PENDING: Final = _codes(CellCode.PENDING)
