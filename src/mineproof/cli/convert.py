"""`mineproof convert`: games, boards and positions from one format to another."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Final, Literal

import click

from mineproof.cli import options
from mineproof.cli.positions import chosen, number_option, read_file
from mineproof.formats import FORMATS, Entry, read_entries, write_entry
from mineproof.formats.files import as_position
from mineproof.formats.formats import format_of
from mineproof.game import Board, Transcript
from mineproof.position import Observation
from mineproof.writing import write_whole

_SEPARATORS: Final = {"text": b"\n", "mine": b"\n", "ptt": b"", "llama": b""}
"""What is between entries, in the formats that hold several."""
_PARTS: Final = ("board", "position")
"""What can be kept of a game."""


@click.command()
@click.argument("file", type=options.FILE)
@click.argument("out", type=options.FILE)
@click.option(
    "--to",
    type=click.Choice([name for name, one in FORMATS.items() if one.write]),
    help="The format to write. Default: the one that OUT ends in; without an ending, text.",
)
@click.option(
    "--as",
    "kind",
    type=click.Choice(_PARTS),
    help="Of a game, keep only its board or its last position. Of a board, keep the position in "
    "which nothing is open.",
)
@click.option(
    "--moves",
    type=options.Whole(0),
    metavar="N",
    help="Of a game, keep only the position after N moves.",
)
@number_option
def convert(
    file: str,
    out: str,
    to: str | None,
    kind: Literal["board", "position"] | None,
    moves: int | None,
    number: int | None,
) -> None:
    """Convert FILE to another format and write it to OUT.

    FILE and OUT are files, or - for standard input and output. FILE may also be a link to PTT or
    Llama. Its format is recognised; OUT ends in one of these:

    \b
    .txt           text of mineproof: one or more games, boards and positions
    .mbf, .abf     MBF: a board
    .url           links to PTT: boards, one per line (--to llama: links to Llama)
    .mine          JSMinesweeper: a position
    .board         ms-toollib: a board, a position or both
    .rawvf         RAWVF: a game as mouse clicks
    .avf, .evf, .mvf, .rmv   replays, which can only be read

    What a format cannot hold is refused.

    Exit codes: 1 OUT cannot be written, 2 bad input or OUT cannot hold it.
    """  # noqa: D301 - Click keeps the lines after a real backspace as they are.
    if moves is not None:
        options.refuse("--moves", {"--as board": kind == "board"})
        kind = "position"
    name = to or _format(out)
    entries = chosen(read_file(file, read_entries), number)
    if len(entries) > 1 and not FORMATS[name].in_blocks:
        raise click.UsageError(
            f"{FORMATS[name].title} holds one entry, and FILE has {len(entries)}: choose one with "
            "--number."
        )
    written = [_written(_kept(entry, kind, moves), name) for entry in entries]
    data = _SEPARATORS.get(name, b"").join(written)
    if out == "-":
        sys.stdout.buffer.write(data)
    else:
        write_whole(Path(out), data)


def _format(out: str) -> str:
    """Return the format that OUT ends in, which is text if it has no ending."""
    name, ending = format_of(out), PurePath(out).suffix
    if name is None and ending:
        written = [one for one in FORMATS.values() if one.write]
        *most, last = (known for one in written for known in one.endings)
        raise click.UsageError(
            f"OUT ends in {ending!a}: must be {', '.join(most)} or {last}, unless --to names the "
            "format."
        )
    return name or "text"


def _kept(entry: Entry, kind: str | None, moves: int | None) -> Entry:
    """Return what is asked for of an entry."""
    if kind == "position":
        with options.naming("--moves" if moves is not None else "--as"):
            return as_position(entry, moves)
    if kind == "board" and not isinstance(entry, Board):
        if isinstance(entry, Observation) or entry.seed is None:
            raise click.BadParameter("board: it is not in FILE.", param_hint="'--as'")
        return entry.beginning().board
    return entry


def _written(entry: Entry, name: str) -> bytes:
    try:
        return write_entry(entry, name)
    except ValueError as error:
        fitting = [f"--as {kind}" for kind in _PARTS if _fits(entry, kind, name)]
        hint = f"; {' or '.join(fitting)} keeps a part" if fitting else ""
        raise ValueError(f"{error}{hint}") from None


def _fits(entry: Entry, kind: str, name: str) -> bool:
    """Whether a format can hold a part of a game."""
    if isinstance(entry, Transcript):
        with suppress(ValueError, click.BadParameter):
            write_entry(_kept(entry, kind, None), name)
            return True
    return False
