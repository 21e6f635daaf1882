"""An observation and its risks as an SVG picture."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from mineproof.draw.looks import (
    CLUES,
    HEAT,
    WINDOW,
    Look,
    Looks,
    hexadecimal,
    percent,
    window,
)
from mineproof.position.observation import CellCode, Observation
from mineproof.position.topology import Cell

if TYPE_CHECKING:
    from mineproof.inference.posterior import Posterior

__all__ = ["SIDE", "board_svg", "mine_sign", "safe_sign", "tile", "word"]

SIDE: Final = 34
"""The side of a tile."""
_EDGE: Final = 26
_FOOT: Final = 26
_LEGEND: Final = 330
"""The width that the legend needs."""


def board_svg(
    observation: Observation,
    posterior: Posterior | None = None,
    *,
    marked: Collection[Cell] = (),
    most: int = WINDOW,
    legend: bool = True,
) -> str:
    r"""Draw an observation as a self-contained SVG picture.

    Parameters
    ----------
    observation
        What a player sees.
    posterior
        Its risks; without them closed cells are drawn plain.
    marked
        Cells to put a dashed frame around.
    most
        The most rows and columns to draw: a larger board is cut to the part around the first
        marked cell, and the best one where there is room for both.
    legend
        Whether to explain the colours of risks, where the picture is wide enough.

    Examples
    --------
    >>> from mineproof.position.observation import Observation
    >>> board_svg(Observation.from_text("1.1\n111"))[:4]
    '<svg'
    """
    looks = Looks.risks(observation, posterior)
    best = looks.best
    shown = [*marked, *([] if best is None else [best])]
    rows = window(observation.rows, most, _centre([row for row, _ in shown], most))
    cols = window(observation.cols, most, _centre([col for _, col in shown], most))
    width = len(cols) * SIDE + 2 * _EDGE
    legend = legend and posterior is not None and width >= _LEGEND
    height = len(rows) * SIDE + 2 * _EDGE + (_FOOT if legend else 0)
    across = {col: _EDGE + place * SIDE for place, col in enumerate(cols)}
    down = {row: _EDGE + place * SIDE for place, row in enumerate(rows)}
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" text-anchor="middle" '
        'font-family="Helvetica, Arial, sans-serif">',
        f'<rect width="{width}" height="{height}" rx="10" fill="#fbfbfd"/>',
        '<g font-size="11" fill="#8a92a0">',
        *(word(x + SIDE / 2, 17, str(col)) for col, x in across.items()),
        *(word(13, y + 22, str(row)) for row, y in down.items()),
        "</g>",
    ]
    for row, y in down.items():
        for col, x in across.items():
            parts.append(f'<g transform="translate({x} {y})">')
            parts.extend(tile(looks[row, col]))
            parts.append("</g>")
    if best is not None and best[0] in down and best[1] in across:
        parts.append(_frame(across[best[1]], down[best[0]], SIDE))
    for row, col in marked:
        if row in down and col in across:
            parts.append(_mark(across[col], down[row]))
    if legend:
        parts.extend(_legend(width, height - _FOOT - 12))
    return "\n".join([*parts, "</svg>"])


def tile(look: Look) -> Iterator[str]:
    """Draw one cell in a square of `SIDE`, its corner at the origin."""
    fill = "#fff" if look.code >= 0 or look.code == CellCode.NO_CLUE else "#cfd6e2"
    if look.code == CellCode.EXPLODED:
        fill = "#f2b8b5"
    if look.heat is not None:
        fill = hexadecimal(look.heat)
    side = SIDE - 2
    yield f'<rect x="1" y="1" width="{side}" height="{side}" rx="5" fill="{fill}"'
    yield ' stroke="#e3e7ee"/>' if look.code >= 0 or look.code == CellCode.NO_CLUE else "/>"
    if look.code > 0:
        paint = f'font-size="19" font-weight="bold" fill="{CLUES[look.code]}"'
        yield word(17, 23.5, str(look.code), paint)
    elif look.code == 0:
        yield f'<circle cx="17" cy="17" r="1.8" fill="{CLUES[0]}"/>'
    elif look.code == CellCode.NO_CLUE:
        yield word(17, 23, "?", 'font-size="17" fill="#8a92a0"')
    elif look.code == CellCode.EXPLODED:
        yield mine_sign("#8d1d22")
    elif look.risk is None:
        if look.code == CellCode.KNOWN_SAFE:
            yield word(17, 22, "s", 'font-size="14" fill="#4a5361"')
    elif not look.certain:
        label = percent(look.risk)
        paint = f'font-size="{12 if len(label) < 4 else 10.5}" fill="{look.ink}"'
        height = 21.5 if look.code != CellCode.FLAGGED else 24.5
        yield word(17, height, label.replace("<", "&lt;").replace(">", "&gt;"), paint)
    elif look.risk > 0.5:
        yield mine_sign("white")
    else:
        yield safe_sign("white")
    if look.code == CellCode.FLAGGED:
        yield _flag(certain=look.certain)


def _flag(*, certain: bool) -> str:
    pole, cloth = ("white", "#ff6b61") if certain else ("#20242b", "#c62828")
    return (
        f'<path d="M4.5 13V4" stroke="{pole}" stroke-width="1.4"/>'
        f'<path d="M5 3.6l7 2.8-7 2.8z" fill="{cloth}"/>'
    )


def _frame(x: float, y: float, side: float) -> str:
    """Frame the best cell."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{side}" height="{side}" rx="{side / 6:.2g}" '
        f'fill="none" stroke="#1f5fd0" stroke-width="{max(side / 11, 2):.2g}"/>'
    )


def _mark(x: float, y: float) -> str:
    """Mark a cell, so that the frame of the best one can still be seen around it."""
    return (
        f'<rect x="{x + 3:g}" y="{y + 3:g}" width="{SIDE - 6}" height="{SIDE - 6}" rx="3" '
        'fill="none" stroke="#c2187a" stroke-width="3" stroke-dasharray="5 2.5"/>'
    )


def _centre(places: Sequence[int], most: int) -> int:
    """Return the middle between the first place and the last, or the first if they are too far."""
    if not places:
        return 0
    first, last = places[0], places[-1]
    return (first + last + 1) // 2 if abs(first - last) < most else first


def safe_sign(colour: str) -> str:
    """Draw the sign of a safe cell, for a tile."""
    return (
        f'<path d="M10 17.5l5 5.5 9.5-11" fill="none" stroke="{colour}" stroke-width="3.2" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def mine_sign(colour: str) -> str:
    """Draw a mine, for a tile."""
    spikes = "M17 8v18M8 17h18M10.6 10.6l12.8 12.8M23.4 10.6L10.6 23.4"
    return (
        f'<path d="{spikes}" stroke="{colour}" stroke-width="2" stroke-linecap="round"/>'
        f'<circle cx="17" cy="17" r="6" fill="{colour}"/>'
    )


def _legend(width: int, top: int) -> Iterator[str]:
    """Explain certain cells, the colours of risks between them, flags and the best cell."""
    yield '<linearGradient id="heat">'
    for place, colour in enumerate(HEAT):
        yield f'<stop offset="{place / (len(HEAT) - 1):g}" stop-color="{hexadecimal(colour)}"/>'
    yield "</linearGradient>"
    yield f'<g transform="translate({(width - _LEGEND) / 2:g} {top})">'
    for x, risk in ((0, 0.0), (182, 1.0)):
        yield f'<g transform="translate({x}) scale(.5)">'
        yield from tile(Look(CellCode.CLOSED, risk, certain=True))
        yield "</g>"
    yield '<rect x="86" y="3" width="44" height="11" rx="3" fill="url(#heat)"/>'
    yield f'<g transform="translate(237)">{_flag(certain=False)}</g>'
    yield _frame(286, 1.5, 14)
    yield '<g font-size="11" fill="#626b79">'
    for x, label in (
        (33, "safe"),
        (67, "&gt; 0%"),
        (155, "&lt; 100%"),
        (216, "mine"),
        (264, "flag"),
        (318, "best"),
    ):
        yield word(x, 12.5, label)
    yield "</g></g>"


def word(x: float, y: float, content: str, paint: str = "") -> str:
    """Write a line of text; what is special to XML must have been escaped."""
    return f'<text x="{x:g}" y="{y:g}" {paint}>{content}</text>'.replace(" >", ">")
