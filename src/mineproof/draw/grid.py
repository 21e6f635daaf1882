"""The terminal grid: cells as text with colours, brackets around some, legends below."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from textwrap import wrap
from typing import Final, NamedTuple

from rich.text import Text

from mineproof.position import Observation
from mineproof.position.topology import Cell

WINDOW: Final = 100
"""The most rows or columns that are drawn."""


class Bracket(NamedTuple):
    """What stands on both sides of a cell, and its style."""

    opening: str
    closing: str
    style: str = "bold"


_NO_BRACKET: Final = Bracket("", "", "")


def fitting(width: int | None, rows: int, pitch: int) -> int:
    """Return how many cells fit between the numbers of the rows and a last bracket."""
    return WINDOW if width is None else min((width - _margin(rows) - 1) // pitch, WINDOW)


def _margin(rows: int) -> int:
    return len(str(rows - 1)) + 2


def grid(
    rows: range,
    cols: range,
    pitch: int,
    field: Callable[[Cell], Text],
    brackets: Callable[[Cell], Bracket | None],
) -> Text:
    """Draw cells with their row and column numbers, in `pitch` columns per cell.

    A field must leave one column free for brackets; neighbours share it if it is the only one.
    """
    margin = _margin(rows.stop)
    out = Text(no_wrap=True).append(" " * margin + _column_numbers(cols, pitch), "dim")
    for row in rows:
        out.append(f"\n{row:>{margin - 1}} ", "dim")
        left = _NO_BRACKET
        for cell in ((row, col) for col in cols):
            shown, right = field(cell), brackets(cell) or _NO_BRACKET
            free = pitch - len(shown)
            if free == 1 and left.closing and right.opening:
                out.append("|", right.style)
            else:
                out.append(left.closing, left.style)
                out.append(" " * (free - len(left.closing + right.opening)))
                out.append(right.opening, right.style)
            out.append_text(shown)
            left = right
        out.append(left.closing, left.style)
    return out


def board_grid(
    shape: tuple[int, int],
    pitch: int,
    field: Callable[[Cell], Text],
    *,
    brackets: Callable[[Cell], Bracket | None],
    legend: Sequence[str],
    centre: Cell,
    width: int | None = None,
    height: int | None = None,
) -> Text:
    """Draw a board and its legend; what does not fit is cut to the part around a centre."""
    explained, cut = notes(legend, width), list[str]()
    cols = window(shape[1], fitting(width, shape[0], pitch), centre[1])
    for _ in range(2):  # the note about what is cut takes lines, too
        room = WINDOW if height is None else height - 1 - len(explained) - len(cut)
        rows = window(shape[0], min(room, WINDOW), centre[0])
        if (len(rows), len(cols)) != shape:
            parts = ("rows", rows, shape[0]), ("columns", cols, shape[1])
            cut = notes(
                (f"{name} {part[0]}-{part[-1]} of {size}" for name, part, size in parts), width
            )
    below = [Text(line, "dim") for line in (*cut, *explained)]
    return Text("\n", no_wrap=True).join([grid(rows, cols, pitch, field, brackets), *below])


def _column_numbers(cols: range, pitch: int) -> str:
    """Number every column, or every fifth if the numbers are too long."""
    gap = 1 if len(str(cols[-1])) < pitch else 5
    line = ""
    for place, col in enumerate(cols, start=1):
        if col % gap == 0 and len(line) <= place * pitch - len(str(col)):
            line += str(col).rjust(place * pitch - len(line))
    return line


def notes(items: Iterable[str], width: int | None) -> list[str]:
    """Put notes side by side, as many on a line as the width allows."""
    lines: list[str] = []
    for item in items:
        if lines and len(lines[-1]) + 2 + len(item) <= (width or WINDOW):
            lines[-1] += f"  {item}"
        else:
            lines.append(item)
    return lines


def unbroken(words: str) -> str:
    """Join the two numbers of every cell by a no-break space."""
    return re.sub(r"(\(\d+,) ", "\\1\N{NO-BREAK SPACE}", words)


def wrapped(words: str, width: int | None) -> list[str]:
    """Break a sentence into lines, but never inside a cell."""
    lines = [words] if width is None else wrap(unbroken(words), max(width, 20))
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def side_by_side(left: Text, right: Text) -> Text:
    r"""Put two drawings side by side.

    Examples
    --------
    >>> print(side_by_side(Text("ab\nc"), Text("d\ne")).plain)
    ab   d
    c    e
    """
    lines = left.split("\n"), right.split("\n")
    width = max(line.cell_len for line in lines[0]) + 3
    rows = []
    for number in range(max(map(len, lines))):
        here, there = (side[number] if number < len(side) else Text() for side in lines)
        here.pad_right(width - here.cell_len)
        rows.append(here + there)
    return Text("\n").join(rows)


def window(length: int, most: int, centre: int) -> range:
    """Return at most this many places of a row or column, around a centre.

    Examples
    --------
    >>> window(30, most=10, centre=12), window(30, most=10, centre=1), window(5, most=10, centre=1)
    (range(7, 17), range(0, 10), range(0, 5))
    """
    most = max(most, 1)
    first = max(0, min(centre - most // 2, length - most))
    return range(first, min(first + most, length))


def region(
    observation: Observation, cells: Iterable[Cell], *, centre: Cell, most: int
) -> tuple[range, range]:
    """Return the rows and columns around some cells, or the most of them around a centre."""

    def around(places: Sequence[int], size: int, middle: int) -> range:
        shown = range(size)[max(min(places) - 1, 0) : max(places) + 2]
        part = window(len(shown), most, middle - shown.start)
        return shown[part.start : part.stop]

    rows, cols = zip(*cells, strict=True)
    return around(rows, observation.rows, centre[0]), around(cols, observation.cols, centre[1])
