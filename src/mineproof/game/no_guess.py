"""Boards that a perfect reasoner finishes from the first cell without a guess."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

import numpy as np

from mineproof import _core
from mineproof.arguments import choice, counted, instance, whole
from mineproof.errors import NoBoardFound
from mineproof.game.board import Board
from mineproof.position.rules import Start
from mineproof.position.setup import Setup
from mineproof.proofs.proof import Technique
from mineproof.random import check_seed

__all__ = ["TRIES", "Needed", "no_guess_board"]

Needed: TypeAlias = Literal["counting", "subset", "cases", "total"]
"""The techniques that a board can need."""

TRIES: Final = 10_000
"""How many times a search changes a board or checks one, unless told otherwise."""


def no_guess_board(
    setup: Setup, *, seed: int, technique: Needed | None = None, tries: int = TRIES
) -> Board:
    """Lay mines so that no guess is needed from the first cell on.

    The mines are first laid as by `Board.random`. If the board needs no guess, that is the result.
    Otherwise a few mines are moved wherever the reasoning gets stuck, until the board is solved
    from the start without a change. So a board is found only if it was solved.

    Parameters
    ----------
    setup
        The conditions. The start rule is ``safe`` or ``zero``, and clues are exact.
    seed
        As for `Board.random`.
    technique
        The hardest technique that the board must need: ``counting``, ``subset``, ``cases`` or
        ``total``, as in `Technique`. By default, any board without a guess will do.
    tries
        How many times the search may change a board or check one from its start.

    Raises
    ------
    NoBoardFound
        If no board was found.

    Examples
    --------
    >>> from mineproof.game import difficulty
    >>> from mineproof import Rules
    >>> expert = Setup.level("expert", rules=Rules("zero"))
    >>> board = no_guess_board(expert, seed=1, technique="subset")
    >>> board, str(difficulty(board).technique)
    (Board(16x30, 99 mines), 'subset')
    """
    instance("setup", setup, Setup, "Setup.level('easy')")
    choice("start", setup.rules.start, [start for start in get_args(Start) if start != "any"])
    if not setup.channel.is_exact:
        raise ValueError(f"channel {setup.channel.name!r}: clues must be exact")
    if technique is not None:
        choice("technique", technique, get_args(Needed))
    cells = setup.topology
    tries = whole("tries", tries, 1, 2**63 - 1)
    mask = _core.no_guess_mines(
        setup.native,
        Technique.TOTAL if technique is None else Technique[technique.upper()],
        technique is not None,
        check_seed(seed),
        tries,
    )
    if mask is None:
        such = "needs no guess" if technique is None else f"needs '{technique}' and no guess"
        size = f"{cells.rows} rows, {cells.cols} columns and {counted(setup.mines, 'mine')}"
        raise NoBoardFound(f"found no board with {size} that {such} in {tries:,} tries")
    return Board(cells, mask.reshape(cells.shape).astype(np.bool_))
