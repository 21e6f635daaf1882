"""The text format of grids: one line per row, one symbol per cell.

The first line may be a header, ``COLSxROWSxMINES``, which may be followed by the topology if the
board is not square, and by ``position`` if the grid could be taken for a board, as in ``30x16x99
torus position``; then the mines may be left out: ``9x9 hex``. Blank lines around the grid, spaces
between cells and around lines, any kind of line ending and a byte order mark are accepted. Anything
else raises a `ValueError` that says where the problem is. `SYMBOLS` are those of an observation; in
a board ``*`` is a mine, and other cells are ``.`` or their count.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mineproof.arguments import counted, instance
from mineproof.position.cells import CellCode
from mineproof.position.topology import MAX_DEGREE, TOPOLOGIES, Topology, TopologyKind

__all__ = [
    "MAX_BYTES",
    "MAX_CELLS",
    "SYMBOLS",
    "Grid",
    "characters",
    "decode",
    "lines",
    "read_grid",
    "write_grid",
]

MAX_CELLS: Final = 4_000_000
"""The largest grid that is read, in cells."""

MAX_BYTES: Final = 4 * MAX_CELLS
"""The largest text that is read: enough for one column of `MAX_CELLS` rows that end in CRLF."""

SYMBOLS: Final = {
    **{str(clue): clue for clue in range(MAX_DEGREE + 1)},
    ".": CellCode.CLOSED,
    "F": CellCode.FLAGGED,
    "?": CellCode.NO_CLUE,
    "*": CellCode.EXPLODED,
    "s": CellCode.KNOWN_SAFE,
    "~": CellCode.PENDING,
}
"""The code of each symbol of an observation."""

_HEADER: Final = re.compile(
    rf"(\d+)x(\d+)(?:x(\d+))?(?:[ \t]+({'|'.join(TOPOLOGIES)}))?([ \t]+position)?", re.ASCII
)
_SIZE: Final = re.compile(r"\s*+\d++\s*+[xX]\s*+[\d-][^.*?~F]*+")
"""A line that is meant to be a header; a row with an x by mistake usually is not."""


def decode(data: bytes) -> str:
    """Decode the bytes of a text file.

    Examples
    --------
    >>> decode(b".1.")
    '.1.'
    >>> decode(b"GIF89a" + bytes(4))
    Traceback (most recent call last):
    ...
    ValueError: the input is binary, not text: byte 6 is NUL
    """
    if len(data) > MAX_BYTES:
        raise ValueError(f"the input is larger than {MAX_BYTES:,} bytes")
    nul = data.find(0)
    if nul >= 0:
        raise ValueError(f"the input is binary, not text: byte {nul} is NUL")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"the input is not UTF-8 text: see byte {error.start}") from None


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of a grid of symbols, and what its header says, or None."""

    rows: list[str]
    mines: int | None
    topology: TopologyKind | None
    position: bool

    @property
    def is_board(self) -> bool:
        """Whether it is a board where a position may stand as well."""
        shown = sum(row.count("*") for row in self.rows)
        return not self.position and _is_board(set().union(*self.rows), shown, self.mines)

    def board(self, topology: TopologyKind | None) -> Topology:
        """Return the cells; the given topology overrides that of the header."""
        kind = topology or self.topology or "square"
        return Topology(len(self.rows), len(self.rows[0]), kind)


def read_grid(text: str, symbols: str) -> Grid:
    """Return a grid, checked."""
    rows = _without_blank_ends(lines(text))
    size = None
    if rows and _SIZE.fullmatch(rows[0]):
        size = _read_header(rows[0])
        rows = _without_blank_ends(rows[1:])
    rows = [row.replace(" ", "").replace("\t", "") for row in rows]
    if not rows:
        raise ValueError("no cells: " + ("the text is empty" if size is None else "only a header"))
    _check_symbols(rows, symbols)
    expected = len(rows[0]) if size is None else size[0]
    for number, row in enumerate(rows):
        if len(row) != expected:
            raise ValueError(f"row {number}: {counted(len(row), 'cell')}, expected {expected}")
    if size is not None and len(rows) != size[1]:
        raise ValueError(f"header: {counted(size[1], 'row')}, but the grid has {len(rows)}")
    if len(rows) * expected > MAX_CELLS:
        grid = f"{counted(len(rows), 'row')} of {counted(expected, 'cell')}"
        raise ValueError(f"{grid}: at most {MAX_CELLS:,} cells in all")
    return Grid(rows, *((None, None, False) if size is None else size[2:]))


def write_grid(
    grid: NDArray[np.uint8], mines: int | None, topology: TopologyKind, *, position: bool = False
) -> str:
    """Write a grid of characters, after a header if one is needed or the mines are known."""
    rows, cols = grid.shape
    counts = np.bincount(grid.ravel(), minlength=128).tolist()
    symbols = {chr(code) for code, count in enumerate(counts) if count}
    words = f" {topology}" if topology != "square" else ""
    words += " position" if position and _is_board(symbols, counts[ord("*")], mines) else ""
    size = f"{cols}x{rows}" + ("" if mines is None else f"x{mines}")
    header = [size + words] if words or mines is not None else []
    return "\n".join(header + [row.tobytes().decode("ascii") for row in grid])


def _is_board(symbols: Set[str], shown: int, mines: int | None) -> bool:
    """Whether a grid that shows so many mines is a board, unless its header says otherwise."""
    hides = mines is not None and mines > shown
    return not (hides or symbols & set("F?~s")) and (shown > 0 or symbols == {"."})


def lines(text: str) -> list[str]:
    """Split text into lines, whatever the line ending."""
    if len(instance("text", text, str)) > MAX_BYTES:
        raise ValueError(f"the text is longer than {MAX_BYTES:,} characters")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return [line.rstrip(" \t") for line in text.split("\n")]


def _without_blank_ends(rows: list[str]) -> list[str]:
    filled = [number for number, row in enumerate(rows) if row]
    return rows[filled[0] : filled[-1] + 1] if filled else []


def _read_header(line: str) -> tuple[int, int, int | None, TopologyKind | None, bool]:
    match = _HEADER.fullmatch(line.strip())
    if match is None or not any(match.groups()[2:]):
        raise ValueError(f"header: {_quoted(line)} is not COLSxROWSxMINES, as in 30x16x99")
    if max(len(number) for number in match.groups()[:3] if number is not None) > 12:
        raise ValueError(f"header: {_quoted(line)} is more than {MAX_CELLS:,} cells")
    cols, rows = int(match[1]), int(match[2])
    mines = None if match[3] is None else int(match[3])
    kind = next((kind for kind in TOPOLOGIES if kind == match[4]), None)
    if not cols or not rows:
        raise ValueError(f"header: {_quoted(line)} has no cells")
    if cols * rows > MAX_CELLS:
        raise ValueError(f"header: {_quoted(line)} is more than {MAX_CELLS:,} cells")
    if mines is not None and mines > cols * rows:
        raise ValueError(f"header: {counted(mines, 'mine')} in {counted(cols * rows, 'cell')}")
    return cols, rows, mines, kind, match[5] is not None


def _check_symbols(rows: list[str], symbols: str) -> None:
    unknown = re.compile(f"[^{re.escape(symbols)}]")
    for number, row in enumerate(rows):
        match = unknown.search(row)
        if match is not None:
            character = ascii(match.group())
            raise ValueError(f"({number}, {match.start()}): unknown character {character}")


def characters(rows: list[str]) -> NDArray[np.uint8]:
    """Return the characters of a grid as an array of bytes."""
    flat = np.frombuffer("".join(rows).encode("ascii"), np.uint8)
    return flat.reshape(len(rows), -1)


def _quoted(line: str) -> str:
    """Quote a line, shortened if it is long."""
    shown = ascii(line[:41])[1:-1]
    return f"'{shown}'" if len(shown) <= 40 else f"'{shown[:37]}...'"
