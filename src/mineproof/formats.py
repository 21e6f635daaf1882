"""The text format of observations and boards.

A row a line. In an observation ``.`` is a closed cell, ``0``-``8`` an open cell with that clue,
``?`` an open cell without one, ``F`` a flag, ``s`` a closed cell known to be safe and ``*`` a mine
that exploded. In a board ``*`` is a mine and ``.`` none; a safe cell may also carry its count. The
first line may be a header, ``COLSxROWSxMINES``. Blank lines around the grid, spaces at the ends of
lines, any kind of line end and a byte order mark are tolerated; everything else that does not fit
is a `ValueError` of one sentence that names the place.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from mineproof.arguments import counted, instance
from mineproof.board import Board
from mineproof.observation import (
    CLOSED,
    EXPLODED,
    FLAGGED,
    KNOWN_SAFE,
    NO_CLUE,
    Observation,
)
from mineproof.topology import Topology

if TYPE_CHECKING:
    from mineproof.model import Channel

__all__ = [
    "MAX_BYTES",
    "MAX_CELLS",
    "decode",
    "read_board",
    "read_boards",
    "read_observation",
    "write_board",
    "write_observation",
]

MAX_CELLS: Final = 4_000_000
"""The largest grid that is read."""

MAX_BYTES: Final = 4 * MAX_CELLS
"""The largest text that is read: room for a column of `MAX_CELLS` rows with two-byte line ends."""

_SYMBOLS: Final = {
    **{str(clue): clue for clue in range(9)},
    ".": CLOSED,
    "F": FLAGGED,
    "?": NO_CLUE,
    "*": EXPLODED,
    "s": KNOWN_SAFE,
}
_BOARD_SYMBOLS: Final = ".*012345678"
_HEADER: Final = re.compile(r"(\d+)x(\d+)x(\d+)", re.ASCII)


def read_observation(
    text: str, *, mines: int | None = None, channel: Channel | None = None
) -> Observation:
    r"""Read an observation from text.

    Parameters
    ----------
    text
        The grid, after an optional header line.
    mines
        The mine total; takes the place of the header's.
    channel
        How clues came about, where that is told.

    Examples
    --------
    >>> observation = read_observation("3x2x1\n.1.\n111")
    >>> observation.rows, observation.cols, observation.mines
    (2, 3, 1)
    >>> read_observation("..1\n.1")
    Traceback (most recent call last):
    ...
    ValueError: row 1: 2 cells, expected 3
    """
    rows, told = _grid(text, "".join(_SYMBOLS))
    codes = np.full(128, CLOSED, np.int8)
    for symbol, code in _SYMBOLS.items():
        codes[ord(symbol)] = code
    return Observation(
        topology=Topology(len(rows), len(rows[0])),
        cells=codes[_characters(rows)],
        mines=told if mines is None else mines,
        channel=channel,
    )


def write_observation(observation: Observation) -> str:
    r"""Write an observation as text, with a header where the mine total is told.

    Examples
    --------
    >>> print(write_observation(read_observation("3x2x1\n.1.\n111")))
    3x2x1
    .1.
    111
    """
    symbols = np.empty(256, np.uint8)
    for symbol, code in _SYMBOLS.items():
        symbols[np.uint8(code % 256)] = ord(symbol)
    grid = symbols[observation.cells.view(np.uint8)]
    lines = [] if observation.mines is None else [_header(grid, observation.mines)]
    return "\n".join(lines + [row.tobytes().decode("ascii") for row in grid])


def read_board(text: str) -> Board:
    r"""Read a board from text; counts given on safe cells must be true.

    Examples
    --------
    >>> read_board("*1.\n11.").mines.tolist()
    [[True, False, False], [False, False, False]]
    >>> read_board("*2.\n...")
    Traceback (most recent call last):
    ...
    ValueError: row 0, column 1: count 2, but 1 mine around
    """
    rows, told = _grid(text, _BOARD_SYMBOLS)
    characters = _characters(rows)
    board = Board(Topology(len(rows), len(rows[0])), characters == ord("*"))
    if told is not None and told != board.total:
        raise ValueError(f"header: {counted(told, 'mine')}, but the grid has {board.total}")
    given = (characters >= ord("0")) & (characters <= ord("8"))
    wrong = given & (board.counts != characters.astype(np.int16) - ord("0"))
    for row, col in np.argwhere(wrong):
        count, true = rows[row][col], counted(int(board.counts[row, col]), "mine")
        raise ValueError(f"row {row}, column {col}: count {count}, but {true} around")
    return board


def read_boards(text: str) -> list[Board]:
    r"""Read boards with blank lines between them; errors name the board, counted from 0.

    Examples
    --------
    >>> [board.total for board in read_boards("*.\n..\n\n...\n***")]
    [1, 3]
    >>> read_boards("*.\n..\n\n...\n**")
    Traceback (most recent call last):
    ...
    ValueError: board 1: row 1: 2 cells, expected 3
    """
    blocks = ["\n".join(block) for filled, block in groupby(_lines(text), bool) if filled]
    if not blocks:
        raise ValueError("no boards: the text is empty")
    return [_named_board(f"board {number}", block) for number, block in enumerate(blocks)]


def _named_board(name: str, text: str) -> Board:
    try:
        return replace(read_board(text), name=name)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def write_board(board: Board) -> str:
    r"""Write a board as text with its header.

    Examples
    --------
    >>> print(write_board(read_board("*1.\n11.")))
    3x2x1
    *..
    ...
    """
    grid = np.where(board.mines, np.uint8(ord("*")), np.uint8(ord(".")))
    lines = [row.tobytes().decode("ascii") for row in grid]
    return "\n".join([_header(grid, board.total), *lines])


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


def _grid(text: str, symbols: str) -> tuple[list[str], int | None]:
    """Split text into its rows, all of one length and of known symbols, and the told mines."""
    rows = _lines(text)
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


def _lines(text: str) -> list[str]:
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


def _characters(rows: list[str]) -> NDArray[np.uint8]:
    flat = np.frombuffer("".join(rows).encode("ascii"), np.uint8)
    return flat.reshape(len(rows), -1)


def _header(grid: NDArray[np.uint8], mines: int) -> str:
    rows, cols = grid.shape
    return f"{cols}x{rows}x{mines}"


def _quoted(line: str) -> str:
    """Quote a line so that it stays short and on one line."""
    shown = ascii(line[:41])[1:-1]
    return f"'{shown}'" if len(shown) <= 40 else f"'{shown[:37]}...'"
