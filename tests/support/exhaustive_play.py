"""Optimal play by trying everything: slow, and with nothing in common with the core."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from itertools import combinations

from mineproof.position import Cell, Topology

Layout = frozenset[Cell]


class ExhaustivePlay:
    """Plays every cell in every situation, and counts the layouts that are won at best."""

    def __init__(self, topology: Topology, *, cascade: bool) -> None:
        self.cells = frozenset(topology.cell(place) for place in range(topology.cells))
        self.near = {cell: frozenset(topology.neighbours(cell)) for cell in self.cells}
        self.cascade = cascade
        self.won = cache(self._won)

    def _won(self, layouts: frozenset[Layout], opened: frozenset[Cell]) -> int:
        """Return the layouts won at best, if the player has opened these cells in all of them."""
        playing = frozenset(one for one in layouts if opened != self.cells - one)
        done = len(layouts) - len(playing)
        moves = self.cells - opened
        return done + (max(self.won_by(playing, opened, move) for move in moves) if playing else 0)

    def won_by(self, layouts: frozenset[Layout], opened: frozenset[Cell], move: Cell) -> int:
        """Return the layouts won at best after opening a cell."""
        seen: dict[tuple[tuple[Cell, int], ...], set[Layout]] = {}
        for layout in layouts:
            if move not in layout:
                revealed = self._reveal(layout, opened, move)
                clues = tuple(sorted((cell, len(self.near[cell] & layout)) for cell in revealed))
                seen.setdefault(clues, set()).add(layout)
        return sum(
            self.won(frozenset(group), opened | {cell for cell, _ in clues})
            for clues, group in seen.items()
        )

    def _reveal(self, layout: Layout, opened: Collection[Cell], move: Cell) -> set[Cell]:
        revealed, pending = set[Cell](), [move]
        while pending:
            cell = pending.pop()
            if cell in revealed or cell in opened:
                continue
            revealed.add(cell)
            if self.cascade and not self.near[cell] & layout:
                pending += self.near[cell]
        return revealed


def all_layouts(cells: Iterable[Cell], mines: int) -> frozenset[Layout]:
    """Return all ways to lay the mines on some cells."""
    return frozenset(map(frozenset, combinations(sorted(cells), mines)))
