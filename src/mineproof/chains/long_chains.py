"""Searches for boards with very long chains of influence, by simulated annealing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, get_args

import numpy as np

from mineproof import _core
from mineproof.arguments import choice, instance, whole
from mineproof.chains.chains import Chains, chains_of
from mineproof.game.board import Board
from mineproof.game.game import Game
from mineproof.position.rules import Rules, Start
from mineproof.position.setup import Setup
from mineproof.position.topology import Cell
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
        return Game.on(self.board, self.rules, first=self.first)

    @property
    def chains(self) -> Chains:
        """The chains of the board."""
        return chains_of(self.game)


def search_long_chain(
    setup: Setup,
    *,
    evaluations: int,
    seed: int = 0,
    progress: Callable[[int, LongChain | None], None] | None = None,
) -> LongChain | None:
    """Search for a board with a long chain that needs no guess.

    The search moves one mine at a time and accepts boards with shorter chains more and more rarely
    (simulated annealing). It skips boards with a proof that is too hard to decide.

    Parameters
    ----------
    setup
        The conditions. The start rule is ``safe`` or ``zero``; other rules and the channel do not
        matter.
    evaluations
        The number of boards to try.
    seed
        Determines the first board and the moves of the search.
    progress
        Called now and then with the number of boards tried since the last call and the best result
        so far. An exception that it raises ends the search.

    Returns
    -------
    LongChain or None
        The first board with the longest chain; None if every board needs a guess.

    Examples
    --------
    >>> from mineproof import Topology
    >>> setup = Setup(Topology(6, 6), 6, Rules("zero"))
    >>> found = search_long_chain(setup, evaluations=200, seed=1)
    >>> found.longest, found.chains.guesses
    (9, 0)
    """
    start = instance("setup", setup, Setup, "Setup.level('easy')").rules.start
    choice("start", start, [start for start in get_args(Start) if start != "any"])
    first = setup.first_cell(seed)
    assert first is not None, "safe and zero have a first cell"
    evaluations = whole("evaluations", evaluations, 1)
    native = _core.ChainSearch(setup.native, evaluations, check_seed(seed))
    found = None
    while native.evaluated < evaluations:
        before = native.evaluated
        native.advance(_AT_ONCE)
        if native.best is not None:
            mask, longest = native.best
            mines = np.array(mask, np.bool_).reshape(setup.topology.shape)
            board = Board(setup.topology, mines)
            found = LongChain(board, Rules(start), first, longest, native.evaluated)
        if progress is not None:
            progress(native.evaluated - before, found)
    return found
