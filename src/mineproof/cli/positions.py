"""Reading positions and boards from files, and the options that describe a position."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial, wraps
from typing import Any, TypeVar

import click

from mineproof.cli import options
from mineproof.formats import Entry, read_entries, read_positions
from mineproof.game import Game, Transcript
from mineproof.position import Channel, Observation, TopologyKind, text

T = TypeVar("T")
R = TypeVar("R")


def read_file(file: str, parse: Callable[[bytes, str], T]) -> T:
    """Read a file, standard input for ``-``, or a link to a board. Errors name the source.

    The function that parses it receives its content and its name.
    """
    source = "standard input" if file == "-" else file
    if not source.isprintable() or not source:
        source = ascii(source)
    try:
        return parse(_read_bytes(file), file)
    except OSError as error:
        raise ValueError(f"{source}: {(error.strerror or 'unreadable').lower()}") from None
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None


def _read_bytes(file: str) -> bytes:
    """Read one byte more than the limit at most, which is enough to refuse the input."""
    if file.startswith(("http://", "https://")):
        return file.encode()
    if file != "-":
        with open(file, "rb") as stream:
            return stream.read(text.MAX_BYTES + 1)
    if sys.stdin is None:
        raise ValueError("closed")
    return sys.stdin.buffer.read(text.MAX_BYTES + 1)


number_option = click.option(
    "--number",
    type=options.Whole(0),
    metavar="N",
    help="Take only this one of several games, boards or positions in FILE, counted from 0.",
)


def chosen(entries: Sequence[T], number: int | None) -> list[T]:
    """Return all entries of a file, or the one with this number."""
    if number is not None and number >= len(entries):
        last = f"must be 0 to {len(entries) - 1}" if len(entries) > 1 else "FILE has only number 0"
        raise click.BadParameter(f"{number}: {last}.", param_hint="'--number'")
    return list(entries) if number is None else [entries[number]]


def one_entry(file: str, number: int | None, topology: TopologyKind | None = None) -> Entry:
    """Return the only entry of a file, or the one with this number."""
    entries = chosen(read_file(file, partial(read_entries, topology=topology)), number)
    if len(entries) > 1:
        raise click.UsageError(f"FILE has {len(entries)} entries: choose one with --number.")
    return entries[0]


def for_each(entries: Sequence[T], show: Callable[[T], R], values: Mapping[str, Any]) -> list[R]:
    """Show entries one after the other, under headings if there are several and no `--json`."""
    several = len(entries) > 1
    for option in ("svg", "html"):
        if several and values.get(option) is not None:
            raise click.UsageError(
                f"--{option} needs --number: FILE has {len(entries)} entries, counted from 0."
            )
    results = []
    for number, entry in enumerate(entries):
        if several and not values["as_json"]:
            print("\n" * (number > 0) + f"Entry {number}:")
        results.append(show(entry))
    return results


def position_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add a file and its options to a command, which receives each `observation`, and `flags`."""

    @click.argument("file", type=options.FILE)
    @click.option(
        "--mines",
        type=options.Whole(0),
        metavar="M",
        help="All mines of the board, including exploded ones. Default: the number in FILE, or "
        "else unknown.",
    )
    @options.channel
    @options.topology
    @click.option(
        "--flags",
        type=click.Choice(["ignore", "trust"]),
        default="ignore",
        help="Whether a flag counts as a mine.",
    )
    @click.option(
        "--moves",
        type=options.Whole(0),
        metavar="N",
        help="Take the position after N moves of the game in FILE. Default: after all.",
    )
    @number_option
    @wraps(command)
    def collected(
        file: str,
        mines: int | None,
        channel: Channel | None,
        topology: TopologyKind | None,
        moves: int | None,
        number: int | None,
        **values: Any,
    ) -> None:
        read = partial(read_positions, mines=mines, channel=channel, moves=moves, topology=topology)
        found = read_file(file, read)
        for_each(chosen(found, number), lambda seen: command(observation=seen, **values), values)

    return collected


def started(
    entry: Entry | None,
    board: options.BoardOptions,
    seed: int,
    file: str = "",
    *,
    several: bool = False,
) -> Game:
    """Start a game: on the board of an entry, from its position, or by the options alone.

    The entry says what the board is, and a game also its rules, so options for these are refused.
    """
    if entry is None:
        setup = board.setup()
        with options.naming("--seed"):
            return Game.laid(setup, seed)
    rules = board.rules
    if isinstance(entry, Transcript):
        options.refuse("a game in FILE", board.given(options.RULES))
        if entry.seed is not None:
            return entry.beginning()
        rules = entry.rules
        entry = entry.observation()
    if isinstance(entry, Observation):
        options.refuse("a position in FILE", board.given(("start", "first", "given_safe")))
        seen = replace(entry, channel=board.channel or entry.channel)
        return Game.from_position(seen, rules, seed=seed)
    if isinstance(board.first, tuple):
        with options.naming("--first"):
            entry.topology.index(board.first)
    source = "standard input" if file == "-" else file
    laid = replace(entry, name=f"{source}: {entry.name}" if several else source)
    return Game.on(laid, rules, channel=board.channel, seed=seed, first=board.first)
