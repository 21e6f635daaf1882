"""A board as an array of pixels."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from mineproof.draw import palette
from mineproof.position.cells import CellCode
from mineproof.position.topology import TopologyKind

__all__ = ["SIDE", "draw_board"]

SIDE: Final = 16
"""The pixels along the side of a cell."""

_DIGITS: Final = {
    1: "..#..|.##..|..#..|..#..|..#..|..#..|.###.",
    2: ".###.|#...#|....#|..##.|.#...|#....|#####",
    3: "####.|....#|....#|.###.|....#|....#|####.",
    4: "...#.|..##.|.#.#.|#..#.|#####|...#.|...#.",
    5: "#####|#....|####.|....#|....#|#...#|.###.",
    6: ".###.|#....|#....|####.|#...#|#...#|.###.",
    7: "#####|....#|...#.|..#..|..#..|..#..|..#..",
    8: ".###.|#...#|#...#|.###.|#...#|#...#|.###.",
    CellCode.NO_CLUE.value: ".###.|#...#|....#|..##.|..#..|.....|..#..",
    CellCode.EXPLODED.value: ".....|.###.|#####|#####|#####|.###.|.....",
}
"""Glyphs of 7 rows of 5 pixels."""


def _rgb(colour: str) -> NDArray[np.uint8]:
    return np.frombuffer(bytes.fromhex(colour.removeprefix("#")), np.uint8)


def _tile(code: int) -> NDArray[np.uint8]:
    closed = code in (CellCode.CLOSED, CellCode.KNOWN_SAFE, CellCode.FLAGGED)
    tile = np.empty((SIDE, SIDE, 3), np.uint8)
    tile[:] = _rgb(palette.AXIS)
    tile[1:, 1:] = _rgb(palette.CLOSED if closed else palette.BACK)
    if code in _DIGITS:
        ink = palette.CLUES[code] if code > 0 else palette.MINE
        glyph = np.array([[dot == "#" for dot in row] for row in _DIGITS[code].split("|")])
        # Every dot is two pixels high and two wide, and the glyph is in the middle of the cell.
        glyph = glyph.repeat(2, axis=0).repeat(2, axis=1)
        height, width = glyph.shape
        top, left = (SIDE - height + 1) // 2, (SIDE - width + 1) // 2
        tile[top : top + height, left : left + width][glyph] = _rgb(ink)
    return tile


_LOWEST: Final = min(CellCode)
_TILES: Final = np.stack([_tile(code) for code in range(_LOWEST, 9)])


def draw_board(cells: NDArray[np.int8], topology: TopologyKind = "square") -> NDArray[np.uint8]:
    """Draw the codes of cells, with 16 pixels per side of a cell.

    Hexagons are drawn as squares, but odd rows are shifted by half of one.

    Examples
    --------
    >>> draw_board(np.array([[-1, 1, 0]], np.int8)).shape
    (16, 48, 3)
    """
    rows, cols = cells.shape
    tiles = _TILES[cells.astype(np.intp) - _LOWEST]
    board = np.ascontiguousarray(tiles.swapaxes(1, 2)).reshape(rows, SIDE, cols * SIDE, 3)
    if topology == "hex":
        shifted = np.empty((rows, SIDE, cols * SIDE + SIDE // 2, 3), np.uint8)
        shifted[:] = _rgb(palette.BACK)
        shifted[::2, :, : cols * SIDE] = board[::2]
        shifted[1::2, :, SIDE // 2 :] = board[1::2]
        board = shifted
    return board.reshape(rows * SIDE, -1, 3)
