"""What a text file holds: games, boards and positions, with empty lines between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from typing import TypeAlias, TypeVar

from mineproof.game.board import Board
from mineproof.game.notation import Transcript, is_transcript
from mineproof.position.model import Channel
from mineproof.position.observation import Observation
from mineproof.position.text import SYMBOLS, lines, read_grid

__all__ = ["Entry", "read_boards", "read_entries", "read_positions"]

Entry: TypeAlias = Transcript | Board | Observation
"""A game, a board or a position."""

T = TypeVar("T")


def read_entries(text: str) -> list[Entry]:
    r"""Read games, boards and positions. Errors give the number of the entry, from 0.

    A grid with ``*`` is a board, and so is one of nothing but ``.``, unless its header counts more
    mines than it shows, or it has a symbol that only positions have (``F``, ``?``, ``~`` or ``s``).
    Other grids are positions.

    Examples
    --------
    >>> board, position = read_entries("*1\n11\n\n2x2x1\n.1\n11")
    >>> board, position.mines
    (Board(2x2, 1 mine), 1)
    >>> read_entries("*.\n..\n\n*2\n..")
    Traceback (most recent call last):
    ...
    ValueError: entry 1: (0, 1): count 2, but 1 mine around
    """
    entries = _each(text, _read)
    return [
        replace(entry, name=f"board {number}") if isinstance(entry, Board) else entry
        for number, entry in enumerate(entries)
    ]


def read_boards(text: str) -> list[Board]:
    r"""Read boards, and of games their boards.

    Examples
    --------
    >>> [board.mines for board in read_boards("*.\n..\n\n...\n***")]
    [1, 3]
    >>> read_boards("*.\n..\n\n*?")
    Traceback (most recent call last):
    ...
    ValueError: entry 1: a position, not a board
    """
    boards = []
    for number, entry in enumerate(read_entries(text)):
        if isinstance(entry, Transcript) and entry.seed is not None:
            boards.append(replace(entry.beginning().board, name=f"board {number}"))
        elif isinstance(entry, Board):
            boards.append(entry)
        else:
            raise ValueError(f"entry {number}: a position, not a board")
    return boards


def read_positions(
    text: str, *, mines: int | None = None, channel: Channel | None = None, moves: int | None = None
) -> list[Observation]:
    r"""Read positions; in grids, ``*`` is an exploded mine.

    Parameters
    ----------
    text
        As for `read_entries`.
    mines, channel
        Override those of the text.
    moves
        How many moves of a game to make; by default all.

    Examples
    --------
    >>> [seen.mines for seen in read_positions("2x1x1\n.1\n\n. *", mines=1)]
    [1, 1]
    """

    def position(block: str) -> Observation:
        if not is_transcript(block):
            if moves is not None:
                raise ValueError("a position has no moves")
            return Observation.from_text(block, mines=mines, channel=channel)
        seen = Transcript.from_text(block).observation(moves)
        total = seen.mines if mines is None else mines
        return replace(seen, mines=total, channel=channel or seen.channel)

    return _each(text, position)


def _each(text: str, read: Callable[[str], T]) -> list[T]:
    blocks = ["\n".join(block) for filled, block in groupby(lines(text), bool) if filled]
    if len(blocks) < 2:
        return [read(text)]
    found = []
    for number, block in enumerate(blocks):
        try:
            found.append(read(block))
        except ValueError as error:
            raise ValueError(f"entry {number}: {error}") from None
    return found


def _read(block: str) -> Entry:
    if is_transcript(block):
        return Transcript.from_text(block)
    rows, total = read_grid(block, "".join(SYMBOLS))
    symbols = set().union(*rows)
    shown = sum(row.count("*") for row in rows)
    hides = total is not None and total > shown
    if hides or symbols & set("F?~s") or not (shown or symbols == {"."}):
        return Observation.from_text(block)
    return Board.from_text(block)
