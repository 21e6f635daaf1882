"""Boards in a terminal: the symbol of each cell, the grid, brackets around cells, legends below."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from string import whitespace
from textwrap import wrap
from typing import Final, NamedTuple

from rich.text import Text

from mineproof.arguments import escaped
from mineproof.draw.palette import CLUES, FLAG, SAFE
from mineproof.position.cells import CellCode
from mineproof.position.topology import Cell, Topology

SYMBOLS: Final[Mapping[int, tuple[str, str]]] = {
    0: ("0", "dim"),
    **{clue: (str(clue), f"bold {CLUES[clue]}") for clue in range(1, 9)},
    CellCode.NO_CLUE: ("?", "dim"),
    CellCode.PENDING: ("~", "dim"),
    CellCode.CLOSED: (".", "#4a5361 on #b4bccb"),
    CellCode.FLAGGED: ("F", f"bold {FLAG} on #b4bccb"),
    CellCode.KNOWN_SAFE: ("s", f"bold {SAFE} on #b4bccb"),
    CellCode.EXPLODED: ("*", "bold #ffffff on #c62828"),
}
"""The symbol and the style of every code."""

TORUS: Final = "torus: opposite edges touch"
_NOTES: Final = {"square": [], "torus": [TORUS], "hex": ["hex: a cell touches up to 6 others"]}
"""What a drawing says about the topology."""

WINDOW: Final = 100
"""The most rows or columns that are drawn."""


class Bracket(NamedTuple):
    """What stands on both sides of a cell, and its style."""

    opening: str
    closing: str
    style: str = "bold"


_NO_BRACKET: Final = Bracket("", "", "")


def even(topology: Topology, pitch: int) -> int:
    """Return an even number of columns per hexagon, so that half of one can be drawn."""
    return pitch + pitch % 2 if topology.kind == "hex" else pitch


def _shift(topology: Topology, pitch: int) -> int:
    """Return by how many columns odd rows are shifted."""
    return pitch // 2 if topology.kind == "hex" else 0


def fitting(width: int | None, topology: Topology, pitch: int) -> int:
    """Return how many cells fit between the numbers of the rows and a last bracket."""
    if width is None:
        return WINDOW
    pitch = even(topology, pitch)
    free = width - _margin(topology.rows) - 1 - _shift(topology, pitch)
    return min(free // pitch, WINDOW)


def topology_notes(topology: Topology) -> list[str]:
    """Say what a drawing does not show of a topology."""
    return _NOTES[topology.kind]


def _margin(rows: int) -> int:
    return len(str(rows - 1)) + 2


def grid(
    topology: Topology,
    rows: Sequence[int],
    cols: Sequence[int],
    pitch: int,
    field: Callable[[Cell], Text],
    brackets: Callable[[Cell], Bracket | None],
) -> Text:
    """Draw cells with their row and column numbers, in `pitch` columns per cell.

    A field must leave one column free for brackets; neighbours share it if it is the only one. Odd
    rows of hexagons are shifted by half a cell.
    """
    pitch = even(topology, pitch)
    margin = _margin(max(rows) + 1)
    out = Text(no_wrap=True).append(" " * margin + _column_numbers(cols, pitch), "dim")
    for row in rows:
        out.append(f"\n{row:>{margin - 1}} " + " " * (row % 2 * _shift(topology, pitch)), "dim")
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
    topology: Topology,
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
    shape = topology.shape
    explained, cut = notes([*legend, *topology_notes(topology)], width), list[str]()
    cols = window(shape[1], fitting(width, topology, pitch), centre[1])
    for _ in range(2):  # the note about what is cut takes lines, too
        room = WINDOW if height is None else height - 1 - len(explained) - len(cut)
        rows = window(shape[0], min(room, WINDOW), centre[0])
        if (len(rows), len(cols)) != shape:
            parts = ("rows", rows, shape[0]), ("columns", cols, shape[1])
            cut = notes(
                (f"{name} {part[0]}-{part[-1]} of {size}" for name, part, size in parts), width
            )
    below = [Text(line, "dim") for line in (*cut, *explained)]
    return Text("\n", no_wrap=True).join(
        [grid(topology, rows, cols, pitch, field, brackets), *below]
    )


def _column_numbers(cols: Sequence[int], pitch: int) -> str:
    """Number every column, or every fifth if the numbers are too long."""
    gap = 1 if len(str(max(cols))) < pitch else 5
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


def harmless(words: str) -> str:
    """Write characters that would act on a terminal as their escapes, except white space."""
    return escaped(words, whitespace)


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
    topology: Topology, cells: Iterable[Cell], *, centre: Cell, most: int
) -> tuple[list[int], list[int]]:
    """Return the rows and columns around some cells, or the most of them around a centre.

    On a torus they may go on from the last one to the first.
    """

    def around(places: Sequence[int], size: int, middle: int) -> list[int]:
        shown = list(range(size))[max(min(places) - 1, 0) : max(places) + 2]
        if topology.kind == "torus":
            shown = _arc(sorted(set(places)), size)
        part = window(len(shown), most, shown.index(middle))
        return shown[part.start : part.stop]

    rows, cols = zip(*cells, strict=True)
    return around(rows, topology.rows, centre[0]), around(cols, topology.cols, centre[1])


def _arc(places: Sequence[int], size: int) -> list[int]:
    """Return the shortest part of a circle with all these places, and one more at both ends.

    Examples
    --------
    >>> _arc([0, 1, 8], size=9)
    [7, 8, 0, 1, 2]
    >>> _arc([3, 5], size=9), _arc([0, 3], size=6)
    ([2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5])
    """
    before = [places[-1], *places[:-1]]
    gaps = [(place - last) % size or size for last, place in zip(before, places, strict=True)]
    widest = max(gaps)
    if widest <= 3:
        return list(range(size))
    first = places[gaps.index(widest)]
    return [(first - 1 + step) % size for step in range(size - widest + 3)]
