"""SVG pictures put together from blocks: words, and blocks side by side or one below the other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

from mineproof.draw.grid import unbroken
from mineproof.draw.palette import BACK, MUTED

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
    colour: str = MUTED,
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


def row(blocks: Iterable[Block], *, gap: float = 0, align: float = 0) -> Block:
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
    return stack((row(blocks, gap=gap, align=1) for blocks in lines), gap=line, align=align)


def picture(block: Block, *, margin: float, title: str = "", definitions: str = "") -> str:
    """Return a whole SVG picture on a background of its own."""
    width, height = round(block.width + 2 * margin), round(block.height + 2 * margin)
    role = ' role="img"' if title else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="Helvetica, Arial, sans-serif"'
        f"{role}>",
        f"<title>{escape(title)}</title>" if title else "",
        definitions,
        f'<rect width="{width}" height="{height}" rx="10" fill="{BACK}"/>',
        moved(margin, margin, block.body),
        "</svg>",
    ]
    return "\n".join(filter(None, parts))
