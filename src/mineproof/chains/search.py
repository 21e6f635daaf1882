"""Boards with very long chains of influence, found by simulated annealing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, get_args

import numpy as np

from mineproof import _core
from mineproof.arguments import choice, counted, whole
from mineproof.board import Board, Start, first_cell
from mineproof.chains.games import chains_of
from mineproof.chains.graph import Chains
from mineproof.game import Game, Rules
from mineproof.random import check_seed
from mineproof.topology import Cell, Topology

__all__ = ["LongChain", "search_long_chain"]

_AT_ONCE: Final = 20
"""After so many evaluations progress is told, and a search can be stopped."""


@dataclass(frozen=True, slots=True)
class LongChain:
    """A board with a long chain: what a search has found.

    Parameters
    ----------
    board
        Where the mines are.
    rules
        The rules under which it needs no guess.
    first
        The cell to open first.
    longest
        The length of its longest chain.
    evaluations
        How many boards were looked at.
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
        """Its chains."""
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
    progress: Callable[[int, LongChain | None], None] | None = None,
) -> LongChain | None:
    """Look for a board with a long chain that needs no guess.

    One mine after the other is moved, and a board with a shorter chain is taken ever more rarely
    (simulated annealing). Boards with a proof too hard to be decided are passed over.

    Parameters
    ----------
    rows, cols, mines
        The size of the board, and how many cells of it are mined.
    evaluations
        How many boards to look at.
    seed
        Lays the board that the search begins with, and draws its moves.
    start, first
        Which cells are free of mines at the start, and the cell to open first.
    progress
        Told now and then how many boards more were looked at, and the best so far. What it raises
        ends the search.

    Returns
    -------
    LongChain or None
        The board with the longest chain, the first of equals; None where every board needs a
        guess.

    Examples
    --------
    >>> found = search_long_chain(6, 6, 6, evaluations=200, seed=1)
    >>> found.longest, found.chains.guesses
    (9, 0)
    """
    topology = Topology(rows, cols)
    choice("start", start, [start for start in get_args(Start) if start != "any"])
    cell = first_cell(topology, start) if first is None else first
    assert cell is not None, "there is one under safe and under zero"
    place = topology.index(cell)
    total = whole("mines", mines)
    most = _core.most_mines(topology.native, _core.Start[start])
    if total > most:
        raise ValueError(f"{counted(total, 'mine')}: the board has room for 0 to {most:,}")
    evaluations = whole("evaluations", evaluations, 1)
    native = _core.ChainSearch(
        topology.native, total, _core.Start[start], place, evaluations, check_seed(seed)
    )
    found = None
    while native.evaluated < evaluations:
        before = native.evaluated
        native.advance(_AT_ONCE)
        if native.best is not None:
            mask, longest = native.best
            board = Board(topology, np.array(mask, np.bool_).reshape(topology.shape))
            found = LongChain(board, Rules(start), topology.cell(place), longest, native.evaluated)
        if progress is not None:
            progress(native.evaluated - before, found)
    return found
