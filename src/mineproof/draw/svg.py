"""Boards as SVG pictures: tiles with the sign of each cell, frames, badges, legends."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from mineproof.draw import palette
from mineproof.draw.looks import Look
from mineproof.draw.terminal import TORUS, unbroken
from mineproof.position.cells import CellCode, is_open
from mineproof.position.topology import Cell, Topology

SIDE: Final = 34
"""The side of a tile."""
_EDGE: Final = 20
"""The width of the row and column numbers."""
_HEX_TOP: Final = SIDE / math.sqrt(3) - SIDE / 2
"""How far a hexagon that is as wide as a tile rises above it."""
_HEX_ROW: Final = SIDE * math.sqrt(3) / 2
"""The distance between rows of hexagons."""
_NOTE: Final = 150
"""The least width of a note on the topology."""

HATCHING: Final = (
    '<pattern id="case" width="6" height="6" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect width="6" height="6" fill="#fdeed6"/>'
    '<rect width="2" height="6" fill="#f3c98b"/></pattern>'
)
"""Defines what a tile is filled with if it is settled only in a case: `ground(HATCHED)`."""
HATCHED: Final = "url(#case)"

_ADVANCES: Final = {
    **dict.fromkeys(" ijlI.,:;'|/", 0.34),
    **dict.fromkeys("ftr()-!", 0.42),
    **dict.fromkeys("mwMW%@<>=+", 0.99),
    **dict.fromkeys("ABCDEFGHKLNOPQRSTUVXYZ", 0.79),
}
_USUAL_ADVANCE: Final = 0.64
_BOLD: Final = 1.15
_LEADING: Final = 1.35


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a picture, drawn from its upper left corner at the origin."""

    width: float = 0
    height: float = 0
    body: str = ""


def measure(said: str, size: float, *, bold: bool = False) -> float:
    """Return how wide a line can get: as wide as in DejaVu Sans, wider than in Helvetica."""
    ems = sum(_ADVANCES.get(letter, _USUAL_ADVANCE) for letter in said)
    return ems * size * (_BOLD if bold else 1)


def moved(x: float, y: float, body: str) -> str:
    """Move a part of a picture."""
    return f'<g transform="translate({x:g} {y:g})">{body}</g>'


def text(x: float, y: float, said: str, paint: str = "") -> str:
    """Write a line on a baseline."""
    return f'<text x="{x:g}" y="{y:g}" {paint}>{escape(said)}</text>'.replace(" >", ">")


def words(
    said: str,
    *,
    size: float = 12,
    colour: str = palette.MUTED,
    bold: bool = False,
    width: float | None = None,
    align: float = 0,
) -> Block:
    """Write a sentence, in lines of at most a width; no line ends inside a cell."""
    lines: list[str] = []
    for word in unbroken(said).split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        fits = width is None or measure(longer, size, bold=bold) <= width
        lines = [*lines[:-1], longer] if lines and fits else [*lines, word]
    weight = ' font-weight="bold"' if bold else ""
    anchor = ' text-anchor="middle"' if align else ""
    paint = f'font-size="{size:g}" fill="{colour}"{weight}{anchor}'
    return stack(
        [
            Block(
                span := measure(line, size, bold=bold),
                size * _LEADING,
                text(span * align, size, line.replace("\N{NO-BREAK SPACE}", " "), paint),
            )
            for line in lines
        ],
        align=align,
    )


def beside(blocks: Iterable[Block], *, gap: float = 0, align: float = 0) -> Block:
    """Put blocks side by side; aligned by 0 at the top, by 1 at the bottom."""
    shown = [block for block in blocks if block.width]
    height = max((block.height for block in shown), default=0)
    x, parts = 0.0, []
    for block in shown:
        parts.append(moved(x, (height - block.height) * align, block.body))
        x += block.width + gap
    return Block(max(x - gap, 0), height, "\n".join(parts))


def stack(blocks: Iterable[Block], *, gap: float = 0, align: float = 0) -> Block:
    """Put blocks below each other; aligned by 0 at the left, by 1 at the right."""
    shown = [block for block in blocks if block.width]
    width = max((block.width for block in shown), default=0)
    y, parts = 0.0, []
    for block in shown:
        parts.append(moved((width - block.width) * align, y, block.body))
        y += block.height + gap
    return Block(width, max(y - gap, 0), "\n".join(parts))


def flow(
    blocks: Iterable[Block], width: float, *, gap: float = 16, line: float = 6, align: float = 0
) -> Block:
    """Put blocks side by side, and on more lines if they are wider than a width."""
    lines: list[list[Block]] = []
    for block in blocks:
        before = sum(other.width + gap for other in lines[-1]) if lines else 0
        if lines and before + block.width <= width:
            lines[-1].append(block)
        else:
            lines.append([block])
    return stack((beside(blocks, gap=gap, align=1) for blocks in lines), gap=line, align=align)


def picture(block: Block, *, margin: float, title: str = "", definitions: str = "") -> str:
    """Return a whole SVG picture on a background of its own."""
    width, height = math.ceil(block.width + 2 * margin), math.ceil(block.height + 2 * margin)
    role = ' role="img"' if title else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="Helvetica, Arial, sans-serif"{role}>',
        f"<title>{escape(title)}</title>" if title else "",
        definitions,
        f'<rect width="{width}" height="{height}" rx="10" fill="{palette.BACK}"/>',
        moved(margin, margin, block.body),
        "</svg>",
    ]
    return "\n".join(filter(None, parts))


# ------------------------------------------------------------------------------------------ board


@dataclass(frozen=True, slots=True)
class Tiles:
    """How the cells of a topology are drawn: squares or hexagons, side by side.

    What is drawn on a tile has its centre at (17, 17), whatever the shape.
    """

    topology: Topology

    @property
    def hexagonal(self) -> bool:
        """Whether the cells are hexagons, with odd rows shifted by half of one."""
        return self.topology.kind == "hex"

    def board(
        self, rows: Sequence[int], cols: Sequence[int], *layers: Callable[[Cell], str]
    ) -> Block:
        """Draw a part of a board, layer above layer.

        A layer returns what to draw on a cell, from the upper left corner of its tile.
        """
        corner = self.corners(rows, cols)
        numbers = [
            text(_EDGE + (place + 0.5) * SIDE, 12, str(col)) for place, col in enumerate(cols)
        ]
        numbers += [text(8, corner[row, cols[0]][1] + 21, str(row)) for row in rows]
        drawn = [
            moved(*corner[row, col], part)
            for layer in layers
            for row in rows
            for col in cols
            if (part := layer((row, col)))
        ]
        group = f'<g font-size="11" fill="{palette.AXIS}" text-anchor="middle">'
        body = "\n".join([group, *numbers, *drawn, "</g>"])
        width, height = self._size(rows, cols)
        if self.topology.kind != "torus":
            return Block(_EDGE + width, _EDGE + height, body)
        # The dashes are where the board goes on at the opposite edge.
        frame = (
            f'<rect x="{_EDGE - 1}" y="{_EDGE - 1}" width="{width + 2:g}" height="{height + 2:g}" '
            f'rx="6" fill="none" stroke="{palette.AXIS}" stroke-dasharray="3 3"/>'
        )
        whole = [*rows, *cols] == [*range(self.topology.rows), *range(self.topology.cols)]
        board = Block(_EDGE + width + 2, _EDGE + height + 2, body + frame * whole)
        return stack([board, words(TORUS, width=max(board.width, _NOTE))], gap=4)

    def corners(self, rows: Sequence[int], cols: Sequence[int]) -> dict[Cell, tuple[float, float]]:
        """Return the upper left corner of each tile of a picture."""
        pitch, top, shift = (_HEX_ROW, _HEX_TOP, SIDE / 2) if self.hexagonal else (SIDE, 0, 0)
        return {
            (row, col): (_EDGE + across * SIDE + row % 2 * shift, _EDGE + top + down * pitch)
            for down, row in enumerate(rows)
            for across, col in enumerate(cols)
        }

    def _size(self, rows: Sequence[int], cols: Sequence[int]) -> tuple[float, float]:
        if not self.hexagonal:
            return len(cols) * SIDE, len(rows) * SIDE
        height = (len(rows) - 1) * _HEX_ROW + SIDE + 2 * _HEX_TOP
        return len(cols) * SIDE + SIDE / 2, height

    def _outline(self, over: float, paint: str) -> str:
        """Draw the outline of a tile, this much larger than the tile."""
        if not self.hexagonal:
            side = SIDE - 2 + 2 * over
            return (
                f'<rect x="{1 - over:g}" y="{1 - over:g}" width="{side:g}" height="{side:g}" '
                f'rx="5" {paint}/>'
            )
        half = SIDE / 2 - 1 + over
        tip = half * 2 / math.sqrt(3)
        middle = SIDE / 2
        points = " ".join(
            f"{middle + x * half:.2f},{middle + y * tip:.2f}"
            for x, y in ((0, -1), (1, -0.5), (1, 0.5), (0, 1), (-1, 0.5), (-1, -0.5))
        )
        return f'<polygon points="{points}" stroke-linejoin="round" {paint}/>'

    def ground(self, fill: str, edge: str = "") -> str:
        """Draw the ground of a tile."""
        return self._outline(0, f'fill="{fill}"{edge}')

    def _frame(self, colour: str, width: float, over: float = 0, more: str = "") -> str:
        return self._outline(over, f'fill="none" stroke="{colour}" stroke-width="{width:g}"{more}')

    def tile(self, look: Look) -> str:
        """Draw one cell."""
        opened = is_open(look.code)
        exploded = look.code == CellCode.EXPLODED
        plain = "#fff" if opened else "#f2b8b5" if exploded else palette.CLOSED
        drawn = self.ground(look.paper or plain, ' stroke="#e3e7ee"' * opened)
        if opened:
            drawn += clue(look.code, palette.CLUES[look.code] if look.code >= 0 else palette.AXIS)
        elif exploded:
            drawn += mine_sign("#8d1d22")
        elif look.certain:
            drawn += mine_sign("white") if look.mine else safe_sign("white")
        elif look.paper is not None:
            size = 12 if len(look.label) < 4 else 9.5
            y = 24.5 if look.code == CellCode.FLAGGED else 21.5
            ink = palette.ink_on(look.paper)
            drawn += text(17, y, look.label, f'font-size="{size}" fill="{ink}"')
        elif look.code == CellCode.KNOWN_SAFE:
            drawn += text(17, 22, "s", 'font-size="14" fill="#4a5361"')
        return drawn + self._flag(look) if look.code == CellCode.FLAGGED else drawn

    def _flag(self, look: Look) -> str:
        """Draw a flag, in the corner if the tile shows something else, too."""
        pole, cloth = ("white", "#ff6b61") if look.certain else (palette.INK, palette.FLAG)
        small = look.risk is not None
        flag = (
            f'<g transform="scale({1 if small else 2.1})">'
            f'<path d="M4.5 13V4" stroke="{pole}" stroke-width="1.4"/>'
            f'<path d="M5 3.6l7 2.8-7 2.8z" fill="{cloth}"/></g>'
        )
        if look.certain and not look.mine:
            flag += _STRUCK  # the flag is wrong
        # A hexagon has no corner there.
        return moved(8, -1.5, flag) if small and self.hexagonal else flag

    @property
    def safe_tile(self) -> str:
        """A cell that is certainly safe."""
        return self.tile(Look(CellCode.CLOSED, 0.0, certain=True))

    @property
    def mine_tile(self) -> str:
        """A cell that is certainly a mine."""
        return self.tile(Look(CellCode.CLOSED, 1.0, certain=True))

    @property
    def best(self) -> str:
        """The frame of the best cell."""
        return self._frame(palette.FRAME, 3, over=1)

    @property
    def marked(self) -> str:
        """The frame of a cell that is pointed at."""
        return self._frame(palette.MARK, 3, over=-2, more=' stroke-dasharray="5 2.5"')

    @property
    def clue(self) -> str:
        """The frame of a clue."""
        return self._frame(palette.FRAME, 3)

    @property
    def goal(self) -> str:
        """The frame of the cell that all is about."""
        # Two frames, to differ from that of a clue by more than the colour.
        return self._frame("white", 5) + self._frame(palette.MARK, 3.5, over=1.5)

    @property
    def root(self) -> str:
        """The frame of a root."""
        return self._frame("#e07b00", 3, over=-1)

    @property
    def broken(self) -> str:
        """The frame of a clue that cannot be met."""
        at = (9, SIDE - 7) if self.hexagonal else (5, SIDE - 5)
        return self._frame(palette.CASE, 3.5) + moved(*at, CROSS)

    def note(self, number: str, colour: str) -> str:
        """Write a small number at the lower right of a tile, or at the bottom of a hexagon."""
        if self.hexagonal:
            return text(17, 33, number, f'font-size="9" fill="{colour}"')
        return text(31, 30.5, number, f'font-size="9" fill="{colour}" text-anchor="end"')

    def badge(self, number: str, colour: str) -> str:
        """Put a number on the upper right corner of a tile."""
        width = max(14, measure(number, 10, bold=True) + 5)
        left = SIDE + 1 - width
        drawn = (
            f'<rect x="{left:g}" y="-4" width="{width:g}" height="14" rx="7" fill="{colour}" '
            'stroke="white"/>'
            + text(left + width / 2, 6.5, number, 'font-size="10" font-weight="bold" fill="white"')
        )
        return moved(0, 3, drawn) if self.hexagonal else drawn


def clue(code: int, colour: str) -> str:
    """Draw what an open cell shows."""
    if code == 0:
        return f'<circle cx="17" cy="17" r="1.8" fill="{colour}"/>'
    shown = str(code) if code > 0 else "~" if code == CellCode.PENDING else "?"
    return text(17, 23.5, shown, f'font-size="19" font-weight="bold" fill="{colour}"')


def safe_sign(colour: str) -> str:
    """Draw the sign of a safe cell."""
    return (
        f'<path d="M10 17.5l5 5.5 9.5-11" fill="none" stroke="{colour}" stroke-width="3.2" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def mine_sign(colour: str) -> str:
    """Draw a mine."""
    spikes = "M17 8v18M8 17h18M10.6 10.6l12.8 12.8M23.4 10.6L10.6 23.4"
    return (
        f'<path d="{spikes}" stroke="{colour}" stroke-width="2" stroke-linecap="round"/>'
        f'<circle cx="17" cy="17" r="6" fill="{colour}"/>'
    )


_STRUCK: Final = "".join(
    f'<path d="M3 3.5l10 10M13 3.5l-10 10" stroke="{colour}" stroke-width="{width}"/>'
    for colour, width in (("white", 4), (palette.FLAG, 2))
)
CROSS: Final = (
    f'<circle r="8" fill="{palette.CASE}" stroke="white"/>'
    '<path d="M-3 -3L3 3M3 -3L-3 3" stroke="white" stroke-width="2"/>'
)


def sign(drawn: str, meaning: str) -> Block:
    """Explain what is drawn on a tile."""
    half = f'<g transform="scale(.5)" text-anchor="middle">{drawn}</g>'
    tile = Block(SIDE / 2 * bool(drawn), SIDE / 2, half)
    return beside([tile, words(meaning)], gap=6, align=0.5)


def scale(name: str, colours: Sequence[str], low: str, high: str) -> Block:
    """Explain a scale of colours by its two ends."""
    stops = "".join(
        f'<stop offset="{place / (len(colours) - 1):g}" stop-color="{colour}"/>'
        for place, colour in enumerate(colours)
    )
    bar = (
        f'<linearGradient id="{name}">{stops}</linearGradient>'
        f'<rect width="50" height="12" rx="3" fill="url(#{name})"/>'
    )
    return beside([words(low), Block(50, 12, bar), words(high)], gap=6, align=0.5)
