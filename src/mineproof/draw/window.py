"""The part of a board that is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from mineproof.position import Observation
from mineproof.position.topology import Cell

WINDOW: Final = 100
"""The most rows or columns that are drawn."""


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
