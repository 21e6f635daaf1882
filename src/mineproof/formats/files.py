"""What a file holds: games, boards and positions, in our text or in a format of other programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Final, TypeVar

import numpy as np

from mineproof.formats.formats import FORMATS, Entry, format_of, is_link, read_foreign
from mineproof.game.board import Board
from mineproof.game.notation import Transcript, is_transcript
from mineproof.position.cells import CellCode
from mineproof.position.model import Channel
from mineproof.position.observation import Observation
from mineproof.position.text import MAX_BYTES, SYMBOLS, decode, lines, read_grid
from mineproof.position.topology import TopologyKind

__all__ = ["Entry", "as_position", "boards_of", "read_boards", "read_entries", "read_positions"]

T = TypeVar("T", Entry, Observation)

_NO_MOVES: Final = "a position has no moves"
_MOST: Final = 100_000
"""The most entries of a file."""
_MOST_CELLS: Final = MAX_BYTES
"""The most cells of all entries. Grids cannot have more, but links and games are short."""


def read_entries(
    source: str | bytes, file: str = "", *, topology: TopologyKind | None = None
) -> list[Entry]:
    r"""Read games, boards and positions. Errors give the number of the entry, from 0.

    Our text has empty lines between entries. The formats of other programs are recognised by their
    content or by the ending of the file's name, if it is given.

    A grid with ``*`` is a board, and so is one of nothing but ``.``, unless its header counts more
    mines than it shows or ends in ``position``, or it has a symbol that only positions have (``F``,
    ``?``, ``~`` or ``s``). Other grids are positions. The topology overrides that of the headers of
    grids; games and boards of other programs have their own.

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
    entries = _each(
        source, file, partial(_checked, topology=topology), partial(_read, topology=topology)
    )
    return [
        replace(entry, name=f"board {number}") if isinstance(entry, Board) else entry
        for number, entry in enumerate(entries)
    ]


def read_boards(
    source: str | bytes, file: str = "", *, topology: TopologyKind | None = None
) -> list[Board]:
    r"""Read boards, and of games their boards, as `read_entries` does.

    Examples
    --------
    >>> [board.mines for board in read_boards("*.\n..\n\n...\n***")]
    [1, 3]
    >>> read_boards("*.\n..\n\n*?")
    Traceback (most recent call last):
    ...
    ValueError: entry 1: a position, not a board
    """
    return boards_of(read_entries(source, file, topology=topology))


def boards_of(entries: Iterable[Entry]) -> list[Board]:
    """Return the boards of what `read_entries` returned."""
    boards = []
    for number, entry in enumerate(entries):
        if isinstance(entry, Transcript) and entry.seed is not None:
            boards.append(replace(entry.beginning().board, name=f"board {number}"))
        elif isinstance(entry, Board):
            boards.append(entry)
        else:
            raise ValueError(f"entry {number}: a position, not a board")
    return boards


def read_positions(
    source: str | bytes,
    file: str = "",
    *,
    mines: int | None = None,
    channel: Channel | None = None,
    moves: int | None = None,
    topology: TopologyKind | None = None,
) -> list[Observation]:
    r"""Read positions; in grids of our text, ``*`` is an exploded mine.

    A board of another format is the position in which nothing is open.

    Parameters
    ----------
    source, file
        As for `read_entries`.
    mines, channel
        Override those of the file.
    moves
        How many moves of a game to make; by default all.
    topology
        As for `read_entries`.

    Examples
    --------
    >>> [seen.mines for seen in read_positions("2x1x1\n.1\n\n. *", mines=1)]
    [1, 1]
    """

    def changed(entry: Entry) -> Observation:
        seen = as_position(_checked(entry, topology), moves)
        total = seen.mines if mines is None else mines
        return replace(seen, mines=total, channel=channel or seen.channel)

    def position(block: str) -> Observation:
        if is_transcript(block):
            return changed(Transcript.from_text(block))
        if moves is not None:
            raise ValueError(_NO_MOVES)
        return Observation.from_text(block, mines=mines, channel=channel, topology=topology)

    return _each(source, file, changed, position)


def as_position(entry: Entry, moves: int | None = None) -> Observation:
    """Return a position: of a game after some or all moves, of a board before the first.

    Examples
    --------
    >>> print(as_position(Board.from_cells(1, 3, [(0, 1)])).to_text())
    3x1x1
    ...
    """
    if isinstance(entry, Transcript):
        return entry.observation(moves)
    if moves is not None:
        raise ValueError(_NO_MOVES)
    if isinstance(entry, Observation):
        return entry
    closed = np.full(entry.topology.shape, CellCode.CLOSED.value, np.int8)
    return Observation(entry.topology, closed, entry.mines)


def _each(
    source: str | bytes, file: str, convert: Callable[[Entry], T], read: Callable[[str], T]
) -> list[T]:
    """Read our text by one function, and convert what another format holds by another."""
    data = source if isinstance(source, bytes) else source.encode()
    named = format_of(file)
    in_blocks = named is not None and FORMATS[named].in_blocks
    found = read_foreign(data, "" if in_blocks else file)
    if found is not None:
        return [convert(found)]

    def one(block: str) -> T:
        foreign = read_foreign(block.encode(), file)
        return read(block) if foreign is None else convert(foreign)

    text = decode(data)
    blocks = list(_blocks(text))
    if len(blocks) < 2:
        return [one(text)]
    if len(blocks) > _MOST:
        raise ValueError(f"{len(blocks):,} entries, but at most {_MOST:,} are read")
    results: list[T] = []
    cells = 0
    for number, block in enumerate(blocks):
        try:
            results.append(one(block))
            cells += results[-1].topology.cells
            if cells > _MOST_CELLS:
                raise ValueError(f"more than {_MOST_CELLS:,} cells in all")
        except ValueError as error:
            raise ValueError(f"entry {number}: {error}") from None
    return results


def _blocks(text: str) -> Iterator[str]:
    """Split text at empty lines; each link is a block of its own."""
    for filled, group in groupby(lines(text), bool):
        block = list(group)
        if filled and all(is_link(line.encode()) for line in block):
            yield from block
        elif filled:
            yield "\n".join(block)


def _read(block: str, topology: TopologyKind | None) -> Entry:
    if is_transcript(block):
        return _checked(Transcript.from_text(block), topology)
    grid = read_grid(block, "".join(SYMBOLS))
    return (Board if grid.is_board else Observation).from_text(block, topology=topology)


def _checked(entry: Entry, topology: TopologyKind | None) -> Entry:
    """Return an entry that states its own topology; refuse another one."""
    own = entry.topology.kind
    if topology not in (None, own):
        raise ValueError(f"the board is {own}, not {topology}")
    return entry
