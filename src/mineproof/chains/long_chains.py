"""Searches for boards with very long chains of influence, by simulated annealing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, get_args

import numpy as np

from mineproof import _core
from mineproof.arguments import choice, counted, whole
from mineproof.chains.chains import Chains, chains_of
from mineproof.game.board import Board, first_cell
from mineproof.game.game import Game
from mineproof.position.rules import Rules, Start
from mineproof.position.topology import Cell, Topology, TopologyKind
from mineproof.random import check_seed

__all__ = ["LongChain", "search_long_chain"]

_AT_ONCE: Final = 20
"""The evaluations between two reports of progress, where a search can be stopped."""


@dataclass(frozen=True, slots=True)
class LongChain:
    """A board with a long chain, found by a search.

    Parameters
    ----------
    board
        The board.
    rules
        The rules under which it needs no guess.
    first
        The cell to open first.
    longest
        The length of its longest chain.
    evaluations
        The number of boards that were tried.
    """

    board: Board
    rules: Rules
    first: Cell
    longest: int
    evaluations: int

    @property
    def game(self) -> Game:
        """A game on the board."""
        return Game(self.board, self.rules, first=self.first)

    @property
    def chains(self) -> Chains:
        """The chains of the board."""
        return chains_of(self.game)


def search_long_chain(
    rows: int,
    cols: int,
    mines: int,
    *,
    evaluations: int,
    seed: int = 0,
    start: Start = "zero",
    first: Cell | None = None,
    topology: TopologyKind = "square",
    progress: Callable[[int, LongChain | None], None] | None = None,
) -> LongChain | None:
    """Search for a board with a long chain that needs no guess.

    The search moves one mine at a time and accepts boards with shorter chains more and more rarely
    (simulated annealing). It skips boards with a proof that is too hard to decide.

    Parameters
    ----------
    rows, cols, mines
        The size of the board and its number of mines.
    evaluations
        The number of boards to try.
    seed
        Determines the first board and the moves of the search.
    start, first
        The start rule, and the cell to open first.
    topology
        Which cells touch: ``square``, ``torus`` or ``hex``, as for `Topology`.
    progress
        Called now and then with the number of boards tried since the last call and the best result
        so far. An exception that it raises ends the search.

    Returns
    -------
    LongChain or None
        The first board with the longest chain; None if every board needs a guess.

    Examples
    --------
    >>> found = search_long_chain(6, 6, 6, evaluations=200, seed=1)
    >>> found.longest, found.chains.guesses
    (9, 0)
    """
    cells = Topology(rows, cols, topology)
    choice("start", start, [start for start in get_args(Start) if start != "any"])
    cell = first_cell(cells, start) if first is None else first
    assert cell is not None, "safe and zero have a first cell"
    place = cells.index(cell)
    total = whole("mines", mines)
    most = _core.most_mines(cells.native, _core.Start[start])
    if total > most:
        raise ValueError(f"{counted(total, 'mine')}: the board has room for 0 to {most:,}")
    evaluations = whole("evaluations", evaluations, 1)
    native = _core.ChainSearch(
        cells.native, total, _core.Start[start], place, evaluations, check_seed(seed)
    )
    found = None
    while native.evaluated < evaluations:
        before = native.evaluated
        native.advance(_AT_ONCE)
        if native.best is not None:
            mask, longest = native.best
            board = Board(cells, np.array(mask, np.bool_).reshape(cells.shape))
            found = LongChain(board, Rules(start), cells.cell(place), longest, native.evaluated)
        if progress is not None:
            progress(native.evaluated - before, found)
    return found
