"""Sets of seeds."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

__all__ = ["Ranges"]


class Ranges:
    """A set of whole numbers, kept as ranges; an end does not belong to its range.

    Examples
    --------
    >>> ranges = Ranges()
    >>> for first in (0, 50, 200):
    ...     ranges.add(first, first + 50)
    >>> list(ranges)
    [(0, 100), (200, 250)]
    >>> list(ranges.within(90, 220))
    [(90, 100), (200, 220)]
    >>> ranges.lacking(0, 300), ranges.lacking(0, 220), ranges.lacking(20, 80)
    ((100, 300), (100, 200), None)
    """

    def __init__(self) -> None:
        self._edges: list[int] = []

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self._edges[::2], self._edges[1::2], strict=True)

    def add(self, first: int, end: int) -> None:
        """Add a range; ranges that touch become one."""
        # Edges alternate: at an odd place in their list a number is inside a range.
        left, right = bisect_left(self._edges, first), bisect_right(self._edges, end)
        self._edges[left:right] = [first] * (left % 2 == 0) + [end] * (right % 2 == 0)

    def within(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the parts of the set that lie in a range."""
        place = (bisect_right(self._edges, first) - 1) & ~1
        for at in range(max(place, 0), len(self._edges), 2):
            low, high = max(first, self._edges[at]), min(end, self._edges[at + 1])
            if self._edges[at] >= end:
                return
            if low < high:
                yield low, high

    def lacking(self, first: int, end: int) -> tuple[int, int] | None:
        """Return the shortest part of a range that has all its numbers which the set lacks."""
        left, right = bisect_right(self._edges, first), bisect_left(self._edges, end)
        if left % 2:
            first = self._edges[left]
        if right % 2:
            end = self._edges[right - 1]
        return (first, end) if first < end else None
