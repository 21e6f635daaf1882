"""Reading positions and boards from files, and the options that describe a position."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from mineproof.cli import options
from mineproof.cli.completion import files
from mineproof.position import Channel, Observation, text

T = TypeVar("T")
R = TypeVar("R")


def read_file(file: str, parse: Callable[[str], T]) -> T:
    """Read a file, or standard input for ``-``. Errors name the source."""
    source = "standard input" if file == "-" else file
    if not source.isprintable() or not source:
        source = ascii(source)
    try:
        return parse(text.decode(_read_bytes(file)))
    except OSError as error:
        raise ValueError(f"{source}: {(error.strerror or 'unreadable').lower()}") from None
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None


def _read_bytes(file: str) -> bytes:
    """Read one byte more than the limit at most, which is enough to refuse the input."""
    if file != "-":
        with open(file, "rb") as stream:
            return stream.read(text.MAX_BYTES + 1)
    if sys.stdin is None:
        raise ValueError("closed")
    return sys.stdin.buffer.read(text.MAX_BYTES + 1)


def position_options(command: Callable[..., R]) -> Callable[..., R]:
    """Add a file and its options to a command, which receives the `observation` and `flags`."""

    @click.argument("file", shell_complete=files)
    @click.option(
        "--mines",
        type=options.Whole(0),
        metavar="N",
        help="All mines of the board, including exploded ones. Default: the number in the "
        "header of FILE, or else unknown.",
    )
    @options.channel
    @click.option(
        "--flags",
        type=click.Choice(["ignore", "trust"]),
        default="ignore",
        help="Whether a flag counts as a mine.",
    )
    @wraps(command)
    def collected(file: str, mines: int | None, channel: Channel | None, **values: Any) -> R:
        observation = read_file(
            file, lambda text: Observation.from_text(text, mines=mines, channel=channel)
        )
        return command(observation=observation, **values)

    return collected
