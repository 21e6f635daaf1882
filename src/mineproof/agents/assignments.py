"""Assignments of mines to the border, the closed cells beside clues: searched depth first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mineproof.position.topology import Cell

__all__ = ["Exhausted", "Limit", "assignments", "border_cells", "borders", "clue_by_clue"]


class Exhausted(Exception):
    """A search took more steps than it was given."""


@dataclass(frozen=True, slots=True)
class Limit:
    """At least and at most so many of these cells are mines.

    Examples
    --------
    >>> next(assignments([(0, 0), (0, 1)], [Limit(((0, 0), (0, 1)), 1, 1)], steps=9))
    [(0, 0)]
    """

    cells: tuple[Cell, ...]
    least: int
    most: int

    @property
    def can_be_met(self) -> bool:
        """Whether any assignment keeps it."""
        return self.most >= 0 and self.least <= len(self.cells)


def border_cells(limits: Iterable[Limit]) -> list[Cell]:
    """Return the cells of all limits in row order.

    Examples
    --------
    >>> border_cells([Limit(((0, 2), (1, 0)), 1, 1), Limit(((0, 1), (1, 0)), 1, 1)])
    [(0, 1), (0, 2), (1, 0)]
    """
    return sorted({cell for limit in limits for cell in limit.cells})


def borders(limits: Iterable[Limit]) -> list[list[Limit]]:
    """Split limits into borders that share no cell, and so can be searched apart.

    Examples
    --------
    >>> chain = [Limit(((0, 0), (0, 1)), 1, 1), Limit(((0, 1), (0, 2)), 1, 1)]
    >>> [len(border) for border in borders([*chain, Limit(((5, 5),), 0, 1)])]
    [2, 1]
    """
    found: list[tuple[list[Limit], set[Cell]]] = []
    for limit in limits:
        joined, cells, apart = (
            list[Limit](),
            set(limit.cells),
            list[tuple[list[Limit], set[Cell]]](),
        )
        for border in found:
            if border[1].isdisjoint(limit.cells):
                apart.append(border)
            else:
                joined += border[0]
                cells |= border[1]
        found = [*apart, ([*joined, limit], cells)]
    return [border for border, _ in found]


def clue_by_clue(limits: Sequence[Limit]) -> list[Cell]:
    """Order cells so that limits are decided early: always the touched one with least to add.

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


def assignments(cells: Sequence[Cell], limits: Sequence[Limit], steps: int) -> Iterator[list[Cell]]:
    """Yield the mines of every assignment that keeps all limits.

    Cells are decided one after the other in the order given, each first as a mine and then as
    free; what a limit forbids already is not followed any further.

    Parameters
    ----------
    cells
        All cells of the limits, and no others.
    limits
        What an assignment must keep.
    steps
        How many cells may be decided, all backtracking included, before `Exhausted` is raised.

    Examples
    --------
    >>> row = [(0, 0), (0, 1), (0, 2)]
    >>> list(assignments(row, [Limit(((0, 0), (0, 1)), 1, 1), Limit(((0, 1), (0, 2)), 1, 1)], 99))
    [[(0, 0), (0, 2)], [(0, 1)]]
    """
    touching = [[k for k, limit in enumerate(limits) if cell in limit.cells] for cell in cells]
    least = [limit.least for limit in limits]
    most = [limit.most for limit in limits]
    room = [len(limit.cells) for limit in limits]
    # What is still to be tried for every cell that was reached: True for a mine.
    untried: list[list[bool]] = [[False, True]]
    decided: list[bool] = []
    while untried:
        place = len(untried) - 1
        around = touching[place]
        if len(decided) > place:
            mine = decided.pop()
            for k in around:
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
        if any(most[k] <= 0 if mine else least[k] >= room[k] for k in around):
            continue
        decided.append(mine)
        for k in around:
            room[k] -= 1
            least[k] -= mine
            most[k] -= mine
        if len(decided) == len(cells):
            yield [cell for cell, mine in zip(cells, decided, strict=True) if mine]
        else:
            untried.append([False, True])
