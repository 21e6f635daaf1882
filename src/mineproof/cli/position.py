"""The position that a verb is about: a file of text, and what is known beside it."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import typer

from mineproof.arguments import choice
from mineproof.cli.files import read_file
from mineproof.cli.options import read_channel, read_whole
from mineproof.position.observation import Observation

__all__ = ["FlagsOption", "PositionArgument", "TotalOption", "read_flags", "read_position"]

PositionArgument: TypeAlias = Annotated[
    str, typer.Argument(metavar="FILE", help="A position as text; - is standard input.")
]
TotalOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="N",
        help="All mines of the board, exploded ones included. Default: the file's header "
        "line; without either, the density is unknown.",
    ),
]
FlagsOption: TypeAlias = Annotated[
    str, typer.Option(metavar="ignore|trust", help="What flags mean: nothing, or mines.")
]


def read_position(file: str, *, mines: str | None, channel: str) -> Observation:
    """Read a position from a file.

    Raises
    ------
    ValueError
        One sentence that names the option, or the file and the place in it.
    """
    total = None if mines is None else read_whole("--mines", mines)
    own = read_channel(channel)
    return read_file(file, lambda text: Observation.from_text(text, mines=total, channel=own))


def read_flags(text: str) -> Literal["ignore", "trust"]:
    """Read what flags mean.

    Examples
    --------
    >>> read_flags("trust")
    'trust'
    """
    choice("--flags", text, ("ignore", "trust"))
    return "trust" if text == "trust" else "ignore"
