"""The SVG board: a tile per cell, with signs, frames and badges on it, and its legend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from mineproof.draw import svg
from mineproof.draw.looks import Look
from mineproof.draw.palette import AXIS, CASE, CLOSED, CLUES, FRAME, INK, MARK, ink_on
from mineproof.draw.svg import Block, moved, text
from mineproof.position.observation import CellCode, is_open
from mineproof.position.topology import Cell

SIDE: Final = 34
"""The side of a tile."""
_EDGE: Final = 20
"""The width of the row and column numbers."""

HATCHING: Final = (
    '<pattern id="case" width="6" height="6" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect width="6" height="6" fill="#fdeed6"/>'
    '<rect width="2" height="6" fill="#f3c98b"/></pattern>'
)
"""Defines what a tile is filled with if it is settled only in a case: `square(HATCHED)`."""
HATCHED: Final = "url(#case)"


def board(rows: range, cols: range, *layers: Callable[[Cell], str]) -> Block:
    """Draw a part of a board, layer above layer.

    A layer returns what to draw on a cell, from the upper left corner of its tile.
    """
    across = {col: _EDGE + place * SIDE for place, col in enumerate(cols)}
    down = {row: _EDGE + place * SIDE for place, row in enumerate(rows)}
    numbers = [text(x + SIDE / 2, 12, str(col)) for col, x in across.items()]
    numbers += [text(8, y + 21, str(row)) for row, y in down.items()]
    drawn = [
        moved(x, y, part)
        for layer in layers
        for row, y in down.items()
        for col, x in across.items()
        if (part := layer((row, col)))
    ]
    group = f'<g font-size="11" fill="{AXIS}" text-anchor="middle">'
    body = "\n".join([group, *numbers, *drawn, "</g>"])
    return Block(_EDGE + len(cols) * SIDE, _EDGE + len(rows) * SIDE, body)


def tile(look: Look) -> str:
    """Draw one cell."""
    opened = is_open(look.code)
    plain = "#fff" if opened else "#f2b8b5" if look.code == CellCode.EXPLODED else CLOSED
    drawn = square(look.paper or plain, ' stroke="#e3e7ee"' * opened)
    if opened:
        drawn += clue(look.code, CLUES[look.code] if look.code >= 0 else AXIS)
    elif look.code == CellCode.EXPLODED:
        drawn += mine_sign("#8d1d22")
    elif look.certain:
        drawn += mine_sign("white") if look.mine else safe_sign("white")
    elif look.paper is not None:
        size = 12 if len(look.label) < 4 else 9.5
        y = 24.5 if look.code == CellCode.FLAGGED else 21.5
        drawn += text(17, y, look.label, f'font-size="{size}" fill="{ink_on(look.paper)}"')
    elif look.code == CellCode.KNOWN_SAFE:
        drawn += text(17, 22, "s", 'font-size="14" fill="#4a5361"')
    return drawn + _flag(look) if look.code == CellCode.FLAGGED else drawn


def square(fill: str, edge: str = "") -> str:
    """Draw the ground of a tile."""
    return f'<rect x="1" y="1" width="{SIDE - 2}" height="{SIDE - 2}" rx="5" fill="{fill}"{edge}/>'


def clue(code: int, colour: str) -> str:
    """Draw what an open cell shows."""
    if code == 0:
        return f'<circle cx="17" cy="17" r="1.8" fill="{colour}"/>'
    shown = str(code) if code > 0 else "?"
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


def _flag(look: Look) -> str:
    """Draw a flag, in the corner if the tile shows something else, too."""
    pole, cloth = ("white", "#ff6b61") if look.certain else (INK, "#c62828")
    return (
        f'<g transform="scale({1 if look.risk is not None else 2.1})">'
        f'<path d="M4.5 13V4" stroke="{pole}" stroke-width="1.4"/>'
        f'<path d="M5 3.6l7 2.8-7 2.8z" fill="{cloth}"/></g>'
    )


def _frame(colour: str, width: float, over: float = 0, more: str = "") -> str:
    side = SIDE - 2 + 2 * over
    return (
        f'<rect x="{1 - over:g}" y="{1 - over:g}" width="{side:g}" height="{side:g}" rx="5" '
        f'fill="none" stroke="{colour}" stroke-width="{width:g}"{more}/>'
    )


SAFE_TILE: Final = tile(Look(CellCode.CLOSED, 0.0, certain=True))
MINE_TILE: Final = tile(Look(CellCode.CLOSED, 1.0, certain=True))
BEST: Final = _frame(FRAME, 3, over=1)
MARKED: Final = _frame(MARK, 3, over=-2, more=' stroke-dasharray="5 2.5"')
CLUE: Final = _frame(FRAME, 3)
GOAL: Final = _frame("white", 5) + _frame(MARK, 3.5, over=1.5)
"""Two frames, to differ from that of a clue by more than the colour."""
ROOT: Final = _frame("#e07b00", 3, over=-1)
CROSS: Final = (
    f'<circle r="8" fill="{CASE}" stroke="white"/>'
    '<path d="M-3 -3L3 3M3 -3L-3 3" stroke="white" stroke-width="2"/>'
)
BROKEN: Final = _frame(CASE, 3.5) + moved(5, SIDE - 5, CROSS)


def badge(number: str, colour: str) -> str:
    """Put a number on the upper right corner of a tile."""
    width = max(14, svg.measure(number, 10, bold=True) + 5)
    left = SIDE + 1 - width
    return (
        f'<rect x="{left:g}" y="-4" width="{width:g}" height="14" rx="7" fill="{colour}" '
        'stroke="white"/>'
        + text(left + width / 2, 6.5, number, 'font-size="10" font-weight="bold" fill="white"')
    )


def sign(drawn: str, meaning: str) -> Block:
    """Explain what is drawn on a tile."""
    half = f'<g transform="scale(.5)" text-anchor="middle">{drawn}</g>'
    tile = Block(SIDE / 2 * bool(drawn), SIDE / 2, half)
    return svg.row([tile, svg.words(meaning)], gap=6, align=0.5)


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
    return svg.row([svg.words(low), Block(50, 12, bar), svg.words(high)], gap=6, align=0.5)
