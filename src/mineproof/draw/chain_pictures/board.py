"""Chains of influence as an SVG picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from mineproof.chains import Chains
from mineproof.draw.chain_pictures.depth import SCALE, Depth
from mineproof.draw.chain_pictures.words import chain_sentences
from mineproof.draw.looks import WINDOW, hexadecimal, window
from mineproof.draw.picture import SIDE, mine_sign, word
from mineproof.position.observation import CellCode
from mineproof.position.topology import Cell

__all__ = ["chains_svg"]

_EDGE: Final = 26
_FOOT: Final = 30
_LINE: Final = 18
_LEAST: Final = 400
"""The width that the chain_sentences and the legend need."""
_PATH: Final = "#c2187a"
_ROOT: Final = "#e07b00"
_MUTED: Final = "#626b79"
_UNSETTLED: Final = "#e4e7ec"


def chains_svg(chains: Chains, *, title: str = "", most: int = WINDOW) -> str:
    r"""Draw the chains of a game as a self-contained SVG picture.

    Every cell is the darker the longer its chain is, and bears its length in a corner; the cells of
    the longest chain bear it on a badge, and a line joins them. Roots are framed.

    Parameters
    ----------
    chains
        What to draw.
    title
        What stands above the board.
    most
        The most rows and columns to draw, around the end of the longest chain.

    Examples
    --------
    >>> from mineproof import Board, Game
    >>> from mineproof.chains import chains_of
    >>> chains_svg(chains_of(Game(Board.from_text("...*.."))))[:4]
    '<svg'
    """
    return "\n".join(_Picture(chains, title, most).parts())


@dataclass(frozen=True, slots=True)
class _Picture:
    chains: Chains
    title: str
    most: int

    @property
    def rows(self) -> range:
        return window(self.chains.seen.rows, self.most, self._end[0])

    @property
    def cols(self) -> range:
        return window(self.chains.seen.cols, self.most, self._end[1])

    @property
    def width(self) -> int:
        return max(len(self.cols) * SIDE + 2 * _EDGE, _LEAST)

    @property
    def top(self) -> int:
        return _EDGE + 24 * bool(self.title)

    @property
    def left(self) -> float:
        return (self.width - len(self.cols) * SIDE) / 2

    @property
    def _end(self) -> Cell:
        return self.chains.path[-1] if self.chains.path else (0, 0)

    def parts(self) -> Iterator[str]:
        """Draw it."""
        said = list(chain_sentences(self.chains))
        foot = self.top + len(self.rows) * SIDE + 14
        height = foot + _FOOT + _LINE * len(said) + 8
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {height}" '
            f'width="{self.width}" height="{height}" text-anchor="middle" '
            'font-family="Helvetica, Arial, sans-serif">'
        )
        yield f'<rect width="{self.width}" height="{height}" rx="10" fill="#fbfbfd"/>'
        if self.title:
            paint = 'font-size="15" font-weight="bold" fill="#20242b"'
            yield word(self.width / 2, 24, escape(self.title), paint)
        yield '<g font-size="11" fill="#8a92a0">'
        yield from (word(self._x(col), self.top - 9, str(col)) for col in self.cols)
        yield from (word(self.left - 13, self._y(row) + 4, str(row)) for row in self.rows)
        yield "</g>"
        # The path runs below the clues, and its numbers above them.
        yield from self._tiles(_ground)
        yield from self._path()
        yield from self._tiles(_content)
        yield from self._badges()
        yield from _legend(self.chains, (self.width - _LEAST) / 2, foot)
        for place, line in enumerate(said):
            y = foot + _FOOT + 12 + place * _LINE
            yield word(self.width / 2, y, line, f'font-size="12.5" fill="{_MUTED}"')
        yield "</svg>"

    def _tiles(self, draw: Callable[[Chains, Cell], Iterator[str]]) -> Iterator[str]:
        for row in self.rows:
            for col in self.cols:
                corner = f"{self._x(col) - SIDE / 2:g} {self._y(row) - SIDE / 2:g}"
                yield f'<g transform="translate({corner})">'
                yield from draw(self.chains, (row, col))
                yield "</g>"

    def _x(self, col: int) -> float:
        return self.left + (col - self.cols.start + 0.5) * SIDE

    def _y(self, row: int) -> float:
        return self.top + (row - self.rows.start + 0.5) * SIDE

    def _drawn_path(self) -> list[Cell]:
        return [cell for cell in self.chains.path if cell[0] in self.rows and cell[1] in self.cols]

    def _path(self) -> Iterator[str]:
        points = " ".join(f"{self._x(col):g},{self._y(row):g}" for row, col in self._drawn_path())
        line = f'<polyline points="{points}" fill="none" stroke-linejoin="round" '
        yield f'{line}stroke="white" stroke-width="6" opacity=".6"/>'
        yield f'{line}stroke="{_PATH}" stroke-width="3"/>'

    def _badges(self) -> Iterator[str]:
        for row, col in self._drawn_path():
            length = self.chains.by_cell[row, col].length
            yield _badge(self._x(col) - 10, self._y(row) - 11, str(length))


def _ground(chains: Chains, cell: Cell) -> Iterator[str]:
    """Paint one cell in a square, its corner at the origin."""
    link = chains.by_cell.get(cell)
    yield _square(_UNSETTLED if link is None else Depth(link.length, chains.longest).paper)
    if link is not None and link.is_root:
        yield _FRAME


def _content(chains: Chains, cell: Cell) -> Iterator[str]:
    """Draw what a cell holds, and how long its chain is."""
    link, code = chains.by_cell.get(cell), chains.seen.code(cell)
    if link is None:
        return
    ink = Depth(link.length, chains.longest).ink
    if link.status == "mine":
        yield mine_sign(ink)
    elif code > 0:
        yield word(17, 23, str(code), f'font-size="17" font-weight="bold" fill="{ink}"')
    elif code == 0:
        yield f'<circle cx="17" cy="17" r="2" fill="{ink}"/>'
    elif code == CellCode.NO_CLUE:
        yield word(17, 23, "?", f'font-size="17" fill="{ink}"')
    if cell not in chains.path:
        yield word(28, 30.5, str(link.length), f'font-size="8" fill="{ink}" opacity=".75"')


def _square(paper: str) -> str:
    side = SIDE - 2
    return f'<rect x="1" y="1" width="{side}" height="{side}" rx="5" fill="{paper}"/>'


_FRAME: Final = (
    f'<rect x="2" y="2" width="{SIDE - 4}" height="{SIDE - 4}" rx="4.5" fill="none" '
    f'stroke="{_ROOT}" stroke-width="3"/>'
)


def _badge(x: float, y: float, number: str) -> str:
    width = 8 + 5 * len(number)
    return (
        f'<rect x="{x - width / 2:g}" y="{y - 6.5:g}" width="{width}" height="13" rx="6.5" '
        f'fill="{_PATH}" stroke="white"/>'
        + word(x, y + 3.4, number, 'font-size="9.5" font-weight="bold" fill="white"')
    )


def _legend(chains: Chains, left: float, top: float) -> Iterator[str]:
    """Explain the colours, the path, roots, and cells that were never settled."""
    yield '<linearGradient id="depth">'
    for place, colour in enumerate(SCALE):
        yield f'<stop offset="{place / (len(SCALE) - 1):g}" stop-color="{hexadecimal(colour)}"/>'
    yield "</linearGradient>"
    yield f'<g transform="translate({left:g} {top:g})" font-size="11" fill="{_MUTED}">'
    yield word(72, 13, "chain length 0")
    yield '<rect x="112" y="3" width="60" height="12" rx="3" fill="url(#depth)"/>'
    yield word(184, 13, str(chains.longest))
    signs = (
        (208, _badge(10, 9, str(chains.longest)), "longest"),
        (272, f'<g transform="scale(.5)">{_square(hexadecimal(SCALE[0]))}{_FRAME}</g>', "root"),
        (322, f'<g transform="scale(.5)">{_square(_UNSETTLED)}</g>', "not settled"),
    )
    for x, sign, meaning in signs:
        yield f'<g transform="translate({x})">{sign}'
        yield word(22, 13, meaning, 'text-anchor="start"')
        yield "</g>"
    yield "</g>"
