"""The terminal grid: cells as text with colours, brackets around some, legends below."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from textwrap import wrap
from typing import NamedTuple, TypeAlias

from rich.text import Text

from mineproof.draw.window import WINDOW, window
from mineproof.position.topology import Cell


class Bracket(NamedTuple):
    """What stands on both sides of a cell, and its style."""

    opening: str
    closing: str
    style: str = "bold"


Brackets: TypeAlias = Callable[[Cell], Bracket | None]


def fitting(width: int | None, rows: int, pitch: int, *, brackets: bool) -> int:
    """Return how many cells fit side by side in a width, next to the numbers of the rows."""
    return WINDOW if width is None else min((width - _margin(rows) - brackets) // pitch, WINDOW)


def _margin(rows: int) -> int:
    return len(str(rows - 1)) + 2


def grid(
    rows: range,
    cols: range,
    pitch: int,
    field: Callable[[Cell], Text],
    brackets: Brackets | None = None,
) -> Text:
    """Draw cells, a pitch of columns each, with their row and column numbers.

    A field must leave one column free. Brackets stand in what is free; neighbours share one if
    that is a single column.
    """
    margin = _margin(rows.stop)
    out = Text(" " * margin + _column_numbers(cols, pitch), "dim", no_wrap=True)
    for row in rows:
        out.append(f"\n{row:>{margin - 1}} ", "dim")
        left: Bracket | None = None
        for cell in ((row, col) for col in cols):
            shown, right = field(cell), brackets(cell) if brackets else None
            free = pitch - len(shown)
            if left and right and free == 1:
                out.append("|", right.style)
            else:
                out.append(*(left[1:] if left else ("",)))
                out.append(" " * (free - bool(left) - bool(right)))
                out.append(*(right[::2] if right else ("",)))
            out.append_text(shown)
            left = right
        out.append(*(left[1:] if left else ("",)))
    return out


def board_grid(
    shape: tuple[int, int],
    pitch: int,
    field: Callable[[Cell], Text],
    *,
    brackets: Brackets | None = None,
    legend: Sequence[str] = (),
    centre: Cell = (0, 0),
    width: int | None = None,
    height: int | None = None,
) -> Text:
    """Draw a board and its legend; what does not fit is cut to the part around a centre."""
    explained, cut = notes(legend, width), list[str]()
    across = fitting(width, shape[0], pitch, brackets=brackets is not None)
    cols = window(shape[1], across, centre[1])
    for _ in range(2):  # to say what is cut takes lines, too
        room = WINDOW if height is None else height - 1 - len(explained) - len(cut)
        rows = window(shape[0], min(room, WINDOW), centre[0])
        if (len(rows), len(cols)) != shape:
            parts = ("rows", rows, shape[0]), ("columns", cols, shape[1])
            cut = notes((f"{name} {it[0]}-{it[-1]} of {size}" for name, it, size in parts), width)
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
