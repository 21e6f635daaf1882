"""The text format of grids: a line per row, a symbol per cell.

The first line may be a header, ``COLSxROWSxMINES``. Blank lines around the grid, spaces at the ends
of lines, any kind of line end and a byte order mark are accepted. Anything else that does not fit
raises a `ValueError` of one sentence that names the place. `Observation` and `Board` say which
symbols they use.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mineproof.arguments import counted, instance

__all__ = ["MAX_BYTES", "MAX_CELLS", "characters", "decode", "lines", "read_grid", "write_grid"]

MAX_CELLS: Final = 4_000_000
"""The largest grid that is read."""

MAX_BYTES: Final = 4 * MAX_CELLS
"""The largest text that is read: room for a column of `MAX_CELLS` rows with two-byte line ends."""

_HEADER: Final = re.compile(r"(\d+)x(\d+)x(\d+)", re.ASCII)


def decode(data: bytes) -> str:
    """Turn the bytes of a file into text, or say why they are none.

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


def read_grid(text: str, symbols: str) -> tuple[list[str], int | None]:
    """Split text into its rows, all of one length and of known symbols, and the told mines."""
    rows = lines(text)
    while rows and not rows[-1]:
        rows.pop()
    first = next((number for number, row in enumerate(rows) if row), len(rows))
    rows = rows[first:]
    size = None
    if rows and "x" in rows[0].lower():
        size = _read_header(rows[0])
        rows = rows[1:]
        while rows and not rows[0]:
            rows = rows[1:]
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
    return rows, None if size is None else size[2]


def write_grid(grid: NDArray[np.uint8], mines: int | None) -> str:
    """Write a grid of characters, after a header where the number of mines is known."""
    rows, cols = grid.shape
    header = [] if mines is None else [f"{cols}x{rows}x{mines}"]
    return "\n".join(header + [row.tobytes().decode("ascii") for row in grid])


def lines(text: str) -> list[str]:
    """Split text into its lines, whatever their ends."""
    if len(instance("text", text, str)) > MAX_BYTES:
        raise ValueError(f"the text is longer than {MAX_BYTES:,} characters")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return [line.rstrip(" \t") for line in text.split("\n")]


def _read_header(line: str) -> tuple[int, int, int]:
    match = _HEADER.fullmatch(line.strip())
    if match is None:
        raise ValueError(f"header: {_quoted(line)} is not COLSxROWSxMINES, as in 30x16x99")
    if max(map(len, match.groups())) > 12:
        raise ValueError(f"header: {_quoted(line)} is more than {MAX_CELLS:,} cells")
    cols, rows, mines = map(int, match.groups())
    if not cols or not rows:
        raise ValueError(f"header: {_quoted(line)} has no cells")
    if cols * rows > MAX_CELLS:
        raise ValueError(f"header: {_quoted(line)} is more than {MAX_CELLS:,} cells")
    if mines > cols * rows:
        raise ValueError(f"header: {counted(mines, 'mine')} in {counted(cols * rows, 'cell')}")
    return cols, rows, mines


def _check_symbols(rows: list[str], symbols: str) -> None:
    unknown = re.compile(f"[^{re.escape(symbols)}]")
    for number, row in enumerate(rows):
        match = unknown.search(row)
        if match is not None:
            character = ascii(match.group())
            raise ValueError(f"row {number}, column {match.start()}: unknown character {character}")


def characters(rows: list[str]) -> NDArray[np.uint8]:
    """Return the characters of a grid as an array of bytes."""
    flat = np.frombuffer("".join(rows).encode("ascii"), np.uint8)
    return flat.reshape(len(rows), -1)


def _quoted(line: str) -> str:
    """Quote a line so that it stays short and on one line."""
    shown = ascii(line[:41])[1:-1]
    return f"'{shown}'" if len(shown) <= 40 else f"'{shown[:37]}...'"
