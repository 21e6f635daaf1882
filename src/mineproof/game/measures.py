"""How much there is to open on a board, and how hard the reasoning is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from mineproof import _core
from mineproof.arguments import instance
from mineproof.game.board import Board
from mineproof.inference.posterior import Budget
from mineproof.position.rules import Rules
from mineproof.position.setup import Setup
from mineproof.position.topology import Cell
from mineproof.proofs.proof import Technique

__all__ = ["Difficulty", "Measures", "difficulty", "measure"]


@dataclass(frozen=True, slots=True)
class Measures:
    """How much there is to open on a board.

    Parameters
    ----------
    bbbv
        The 3BV of the board ("Bechtel's Board Benchmark Value"): the fewest cells that must be
        opened to win without flags. It is the number of openings plus the number of safe cells that
        no opening shows.
    openings
        The number of openings: connected regions of cells without a mine around them.
    islands
        The number of islands: connected regions of safe cells that no opening shows.
    """

    bbbv: int
    openings: int
    islands: int


def measure(board: Board) -> Measures:
    r"""Measure how much there is to open.

    Examples
    --------
    >>> measure(Board.from_text("*1000\n11000\n22222\n**2**\n....."))
    Measures(bbbv=9, openings=1, islands=2)
    """
    instance("board", board, Board, "Board.random(Setup.level('easy'), seed=1)")
    openings, islands, bbbv = _core.measures(board.topology.native, board.layout.ravel())
    return Measures(bbbv, openings, islands)


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard it is to solve a board from a first cell without a guess.

    Parameters
    ----------
    first
        The first cell.
    technique
        The hardest technique that is needed; None if a guess is needed.
    opened
        The number of safe cells that can be opened without a guess.
    settled
        The number of cells, safe or mined, that each technique settles. In each round the simplest
        technique that settles any cell settles all that it can. ``GIVEN`` counts the first cell and
        the cells that cascades open. Mines that nothing settles before the last safe cell is open
        do not count.
    """

    first: Cell
    technique: Technique | None
    opened: int
    settled: Mapping[Technique, int]


def difficulty(
    board: Board, first: Cell | None = None, *, budget: Budget | None = None
) -> Difficulty:
    r"""Measure how hard a board is to solve from a first cell, without a guess.

    The reasoner knows the number of mines. Whether a technique suffices does not depend on the
    order in which it is used.

    Parameters
    ----------
    board
        The board.
    first
        The cell to open first; (3, 3) or the nearest cell to it if not given.
    budget
        As for `infer`.

    Raises
    ------
    BudgetExceeded
        If a position is too wide for an exact answer.

    Examples
    --------
    >>> found = difficulty(Board.from_text("*1...\n11...\n....."), (2, 4))
    >>> str(found.technique), found.opened
    ('given', 14)
    >>> difficulty(Board.from_text("*1\n11"), (1, 1)).technique is None
    True
    """
    instance("board", board, Board, "Board.random(Setup.level('easy'), seed=1)")
    topology = board.topology
    start = first or Setup(topology, 0, Rules("zero")).first_cell()
    assert start is not None, "zero has a first cell"
    place = topology.index(start)
    first = topology.cell(place)
    if board.layout[first]:
        raise ValueError(f"{board.name}: the first cell, {first}, is a mine")
    budget = budget or Budget()
    opened, counts = _core.settle(
        topology.native, board.layout.ravel(), [place], budget.nodes, budget.bytes
    )
    settled = dict(zip(Technique, counts, strict=True))
    solved = opened == topology.cells - board.mines
    hardest = max(technique for technique, count in settled.items() if count)
    return Difficulty(first, hardest if solved else None, opened, MappingProxyType(settled))
