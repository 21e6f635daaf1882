"""Chains of tiny boards, worked out again from the definitions alone.

Every layout of the closed cells is looked at, and every set of clues: what a board is solved by,
round after round, how many clues each cell needs, and how long its chain is at least.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import touching

from mineproof import Board, Game, Rules
from mineproof.chains import chains_of
from mineproof.position.topology import TOPOLOGIES, Cell, TopologyKind

Layout = frozenset[Cell]


@dataclass
class Slow:
    """Solves a board as the definition says, and notes of each cell how it was settled."""

    rows: int
    cols: int
    mines: Layout
    cascade: bool
    topology: TopologyKind
    open: set[Cell] = field(default_factory=set)
    length: dict[Cell, int] = field(default_factory=dict)
    premises: dict[Cell, int] = field(default_factory=dict)
    by_total: set[Cell] = field(default_factory=set)
    guesses: int = 0

    def around(self, cell: Cell) -> list[Cell]:
        return touching(self.topology, self.rows, self.cols)[cell]

    def clue(self, cell: Cell) -> int:
        return sum(near in self.mines for near in self.around(cell))

    def cells(self) -> list[Cell]:
        return list(product(range(self.rows), range(self.cols)))

    def settle(self, cell: Cell, length: int, premises: int) -> None:
        self.length[cell], self.premises[cell] = length, premises

    def show(self, cells: list[Cell]) -> None:
        """Open cells, and what a cascade opens, each settled by a zero of the shortest chain."""
        self.open.update(cells)
        while self.cascade:
            reached = [
                (self.length[zero] + 1, near)
                for zero in self.open
                if self.clue(zero) == 0
                for near in self.around(zero)
                if near not in self.open
            ]
            if not reached:
                return
            for length, cell in sorted(reached):
                if length == min(reached)[0] and cell not in self.open:
                    if cell not in self.length:
                        self.settle(cell, length, 1)
                    self.open.add(cell)

    def layouts(self) -> Iterator[Layout]:
        closed = [cell for cell in self.cells() if cell not in self.open]
        for size in range(len(closed) + 1):
            yield from map(frozenset, combinations(closed, size))

    def broken(self, layout: Layout) -> frozenset[Cell]:
        """The clues that a layout breaks."""
        return frozenset(
            cell
            for cell in self.open
            if sum(near in layout for near in self.around(cell)) != self.clue(cell)
        )

    def round(self) -> list[Cell]:
        """Settle all that is certain, and return what of it is safe."""
        broken = {layout: self.broken(layout) for layout in self.layouts()}
        told = len(self.mines)
        fitting = [lay for lay, clues in broken.items() if not clues and len(lay) == told]
        closed = [cell for cell in self.cells() if cell not in self.open]
        safe = []
        for cell in closed:
            fates = {cell in layout for layout in fitting}
            if len(fates) > 1:
                continue
            if fates == {False}:
                safe.append(cell)
            if cell not in self.length:
                against = {lay: clues for lay, clues in broken.items() if {cell in lay} != fates}
                self.prove(cell, against)
        return safe

    def prove(self, cell: Cell, against: dict[Layout, frozenset[Cell]]) -> None:
        """Find the smallest sets of clues, and among them the shortest chain."""
        with_total = not all(against.values())
        if with_total:
            self.by_total.add(cell)
        breaks = {
            clues
            for layout, clues in against.items()
            if not with_total or len(layout) == len(self.mines)
        }
        for size in range(len(self.open) + 1):
            proofs = [
                chosen
                for chosen in combinations(sorted(self.open), size)
                if all(not clues.isdisjoint(chosen) for clues in breaks)
            ]
            if proofs:
                chains = [max((self.length[clue] for clue in set_), default=-1) for set_ in proofs]
                return self.settle(cell, min(chains) + 1, size)
        raise AssertionError(cell)

    def solve(self, first: Cell) -> None:
        self.settle(first, 0, 0)
        self.show([first])
        while True:
            safe = self.round()
            if len(self.open) == self.rows * self.cols - len(self.mines):
                return
            if not safe:
                self.guesses += 1
                return
            self.show(safe)


def compare(
    rows: int,
    cols: int,
    mines: Layout,
    first: Cell,
    topology: TopologyKind = "square",
    *,
    cascade: bool,
) -> Slow:
    slow = Slow(rows, cols, mines, cascade, topology)
    slow.solve(first)
    board = Board.from_cells(rows, cols, mines, topology=topology)
    game = Game.on(board, Rules(cascade=cascade), first=first)
    chains = chains_of(game)
    assert chains.exact
    assert bool(chains.guesses) == bool(slow.guesses)
    # After a guess the two go different ways, so only what came before is compared.
    guess = next((link.cell for link in chains.links if link.origin == "guess"), None)
    known = [link for link in chains.links if link.origin != "guess"]
    if guess is not None:
        known = known[: [link.cell for link in chains.links].index(guess)]
    assert {link.cell for link in known} == set(slow.length)
    for link in known:
        assert link.length == slow.length[link.cell], link
        assert len(link.premises) == slow.premises[link.cell], link
        assert link.uses_total == (link.cell in slow.by_total), link
    return slow


@st.composite
def boards(draw: st.DrawFn, cells: int) -> tuple[int, int, Layout, Cell, TopologyKind]:
    topology = draw(st.sampled_from(TOPOLOGIES))
    rows = 3 if topology == "torus" else draw(st.integers(1, 4))
    cols = draw(st.integers(3 if topology == "torus" else 2, max(2, cells // rows)))
    all_cells = list(product(range(rows), range(cols)))
    first = draw(st.sampled_from(all_cells))
    others = [cell for cell in all_cells if cell != first]
    mines = draw(st.sets(st.sampled_from(others), max_size=max(1, len(others) // 3)))
    return rows, cols, frozenset(mines), first, topology


@given(boards(cells=12), st.booleans())
def test_chains_are_what_the_definition_says(
    drawn: tuple[int, int, Layout, Cell, TopologyKind], cascade: bool
) -> None:
    compare(*drawn, cascade=cascade)


@pytest.mark.long
@given(boards(cells=14), st.booleans())
def test_chains_of_more_boards_are_what_the_definition_says(
    drawn: tuple[int, int, Layout, Cell, TopologyKind], cascade: bool
) -> None:
    compare(*drawn, cascade=cascade)


def test_the_boards_are_not_all_trivial() -> None:
    slow = [
        compare(3, 5, frozenset(mines), (0, 0), cascade=True)
        for mines in (
            [(0, 4), (2, 1)],
            [(1, 3), (2, 0)],
            [(0, 2), (2, 2)],
            [(0, 3), (2, 4), (2, 0)],
        )
    ]
    assert max(max(one.premises.values()) for one in slow) > 2
    assert any(one.by_total for one in slow)
    assert max(max(one.length.values()) for one in slow) > 4
