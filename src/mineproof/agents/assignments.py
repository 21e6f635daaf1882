"""Assignments of mines to the border, which are the closed cells next to clues."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from mineproof.position.topology import Cell

__all__ = ["Exhausted", "Limit", "assignments", "border_cells", "borders", "clue_by_clue"]


class Exhausted(Exception):
    """A search needs more steps than it may take."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The least and the largest number of mines among some cells."""

    cells: tuple[Cell, ...]
    least: int
    most: int

    @property
    def can_be_met(self) -> bool:
        """Whether any assignment keeps the limit."""
        return self.most >= 0 and self.least <= len(self.cells)


def border_cells(limits: Iterable[Limit]) -> list[Cell]:
    """Return the cells of all limits in row order."""
    return sorted({cell for limit in limits for cell in limit.cells})


def borders(limits: Iterable[Limit]) -> list[list[Limit]]:
    """Split limits into borders that share no cell, so that each can be searched on its own.

    Examples
    --------
    >>> pair = [Limit(((0, 0), (0, 1)), 1, 1), Limit(((0, 1), (0, 2)), 1, 1)]
    >>> [len(border) for border in borders([*pair, Limit(((5, 5),), 0, 1)])]
    [2, 1]
    """
    found: list[tuple[list[Limit], set[Cell]]] = []
    for limit in limits:
        apart = [border for border in found if border[1].isdisjoint(limit.cells)]
        touched = [border for border in found if not border[1].isdisjoint(limit.cells)]
        joined = [*chain.from_iterable(border for border, _ in touched), limit]
        cells = set(limit.cells).union(*(cells for _, cells in touched))
        found = [*apart, (joined, cells)]
    return [border for border, _ in found]


def clue_by_clue(limits: Sequence[Limit]) -> list[Cell]:
    """Order cells so that limits are decided early.

    The next limit is always one that has some of its cells in order, and the fewest others.

    Examples
    --------
    >>> wide, narrow = Limit(((0, 0), (0, 1), (0, 2)), 1, 1), Limit(((0, 2), (0, 3)), 1, 1)
    >>> clue_by_clue([wide, narrow])
    [(0, 2), (0, 3), (0, 0), (0, 1)]
    """
    order: dict[Cell, None] = {}
    waiting = [(limit.cells, [*limit.cells]) for limit in limits]
    while waiting:
        touched = [pair for pair in waiting if len(pair[1]) < len(pair[0])] or waiting
        _, added = min(touched, key=lambda pair: len(pair[1]))
        order.update(dict.fromkeys(added))
        shrunk = ((cells, [cell for cell in left if cell not in order]) for cells, left in waiting)
        waiting = [(cells, left) for cells, left in shrunk if left]
    return list(order)


def assignments(
    limits: Sequence[Limit], cells: Sequence[Cell], steps: int = -1
) -> Iterator[list[Cell]]:
    """Yield the mines of each assignment of these cells that breaks no limit.

    Each cell, in the given order, is first a mine and then free. As soon as a limit is broken, the
    search goes back. After this many steps it raises `Exhausted`, unless they are negative.

    Examples
    --------
    >>> row = [(0, 0), (0, 1), (0, 2)]
    >>> limits = [Limit(((0, 0), (0, 1)), 1, 1), Limit(((0, 1), (0, 2)), 1, 1)]
    >>> list(assignments(limits, row))
    [[(0, 0), (0, 2)], [(0, 1)]]
    """
    least = [limit.least for limit in limits]
    most = [limit.most for limit in limits]
    room = [len(limit.cells) for limit in limits]
    numbers: dict[Cell, list[int]] = defaultdict(list)
    for number, limit in enumerate(limits):
        for cell in limit.cells:
            numbers[cell].append(number)
    limits_of = [numbers[cell] for cell in cells]
    # The values that are still to be tried for each cell reached so far; True is a mine.
    untried: list[list[bool]] = [[False, True]] if cells else []
    decided: list[bool] = []
    while untried:
        place = len(untried) - 1
        if len(decided) > place:
            mine = decided.pop()
            for k in limits_of[place]:
                room[k] += 1
                least[k] += mine
                most[k] += mine
        if not untried[-1]:
            untried.pop()
            continue
        if steps == 0:
            raise Exhausted
        steps -= 1
        mine = untried[-1].pop()
        if any(most[k] <= 0 if mine else least[k] >= room[k] for k in limits_of[place]):
            continue
        decided.append(mine)
        for k in limits_of[place]:
            room[k] -= 1
            least[k] -= mine
            most[k] -= mine
        if len(decided) == len(cells):
            yield [cell for cell, mine in zip(cells, decided, strict=True) if mine]
        else:
            untried.append([False, True])
