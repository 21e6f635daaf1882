"""The options that several verbs share, and how their words become values.

Words are read here rather than by Typer, so that every refusal is one sentence in our own words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Annotated, Any, TypeAlias, get_args

import typer

from mineproof.arguments import choice, sentence, share, whole
from mineproof.game.board import LEVELS, Start, mine_total
from mineproof.game.game import OnMine, Rules
from mineproof.game.setup import Setup
from mineproof.position.model import Channel
from mineproof.position.topology import Cell

__all__ = [
    "ChannelOption",
    "ColsOption",
    "DensityOption",
    "FirstOption",
    "GivenSafeOption",
    "JsonOption",
    "LevelOption",
    "MinesOption",
    "NoCascadeOption",
    "OnMineOption",
    "RowsOption",
    "SeedOption",
    "StartOption",
    "named",
    "read_cell",
    "read_channel",
    "read_seed",
    "read_setup",
    "read_whole",
]

LevelOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(LEVELS),
        help="The size and the mines by name. Default: easy.",
        show_default=False,
    ),
]
RowsOption: TypeAlias = Annotated[
    str | None, typer.Option(metavar="R", help="Rows, in place of a level.")
]
ColsOption: TypeAlias = Annotated[
    str | None, typer.Option(metavar="C", help="Columns, in place of a level.")
]
MinesOption: TypeAlias = Annotated[
    str | None, typer.Option(metavar="M", help="Mines, where rows and columns are given.")
]
DensityOption: TypeAlias = Annotated[
    str | None,
    typer.Option(metavar="D", help="The share of cells that are mined, rounded down."),
]
SeedOption: TypeAlias = Annotated[
    str, typer.Option(metavar="S", help="Lays the board, draws the clues, and moves the agent.")
]
StartOption: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="|".join(get_args(Start)),
        help="What is free of mines: nothing, the first cell, or it and its neighbours.",
    ),
]
FirstOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="R,C",
        help="The first cell. Default: 0,0 under safe, 3,3 under zero, else the agent's choice.",
    ),
]
OnMineOption: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="|".join(get_args(OnMine)), help="Whether a mine ends the game or play goes on."
    ),
]
NoCascadeOption: TypeAlias = Annotated[
    bool, typer.Option("--no-cascade/--cascade", help="A zero does not open its neighbours.")
]
GivenSafeOption: TypeAlias = Annotated[
    str, typer.Option(metavar="N", help="How many safe cells are given away at the start.")
]
ChannelOption: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="exact|lost:P|optimistic|cautious",
        help="How clues come about: lost:P drops a clue with probability P.",
    ),
]
JsonOption: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def read_setup(
    *,
    level: str | None,
    rows: str | None,
    cols: str | None,
    mines: str | None,
    density: str | None,
    start: str,
    first: str | None,
    on_mine: str,
    no_cascade: bool,
    given_safe: str,
    channel: str,
) -> Setup:
    """Turn the words of the board options into a value.

    Raises
    ------
    ValueError
        One sentence that names the option.
    """
    choice("--start", start, get_args(Start))
    choice("--on-mine", on_mine, get_args(OnMine))
    words: Any = {"start": start, "on_mine": on_mine}
    rules = Rules(**words, cascade=not no_cascade)
    _check_size(level, {"--rows": rows, "--cols": cols, "--mines": mines, "--density": density})
    if rows is None or cols is None:
        choice("--level", level or "easy", LEVELS)
        setup = Setup.level(level or "easy", rules=rules)
    else:
        size = read_whole("--rows", rows, least=1), read_whole("--cols", cols, least=1)
        with named("--rows, --cols"):
            setup = Setup(*size, mines=0, rules=rules)
        total = _read_total(mines, density, size[0] * size[1])
        with named("--density" if mines is None else "--mines"):
            setup = replace(setup, mines=total)
    if first is not None:
        cell = read_cell("--first", first)
        with named("--first"):
            setup = replace(setup, first=cell)
    given = read_whole("--given-safe", given_safe)
    with named("--given-safe"):
        setup = replace(setup, rules=replace(rules, given_safe=given))
    return replace(setup, channel=read_channel(channel))


def read_channel(text: str) -> Channel:
    """Read the channel's option.

    Examples
    --------
    >>> read_channel("loud")
    Traceback (most recent call last):
    ...
    ValueError: --channel 'loud': must be exact, lost:P with P from 0 to 1, optimistic or cautious
    """
    try:
        return Channel.parse(text)
    except ValueError as error:
        raise ValueError(f"--{error}") from None


def read_seed(option: str, text: str) -> int:
    """Read a seed.

    Examples
    --------
    >>> read_seed("--seed", "7")
    7
    """
    return read_whole(option, text, most=2**64 - 1)


def read_whole(option: str, text: str, *, least: int = 0, most: int | None = None) -> int:
    """Read a whole number.

    Examples
    --------
    >>> read_whole("--mines", "many")
    Traceback (most recent call last):
    ...
    ValueError: --mines 'many': must be a whole number from 0
    """
    number: Any = text
    with suppress(ValueError):
        number = int(text)
    try:
        return whole(option, number, least, most)
    except TypeError as error:
        raise ValueError(str(error)) from None


def read_cell(option: str, text: str) -> Cell:
    """Read a cell.

    Examples
    --------
    >>> read_cell("--first", "0,3")
    (0, 3)
    """
    row, comma, col = text.partition(",")
    try:
        if comma:
            return int(row), int(col)
    except ValueError:
        pass
    raise ValueError(sentence(option, text, "a row and a column, such as 0,3"))


@contextmanager
def named(option: str) -> Iterator[None]:
    """Let the sentence of a refusal begin with the option that it is about."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{option}: {error}") from None


def _check_size(level: str | None, sizes: Mapping[str, str | None]) -> None:
    """Refuse options of the size that cannot stand together, or not alone."""
    given = [option for option, text in sizes.items() if text is not None]
    missing = [option for option in ("--rows", "--cols") if sizes[option] is None]
    if not given:
        return
    if level is not None:
        raise ValueError(f"--level: cannot stand beside {given[0]}")
    if missing:
        raise ValueError(f"{given[0]}: needs {' and '.join(missing)} as well")
    if "--mines" in given and "--density" in given:
        raise ValueError("--mines: cannot stand beside --density")
    if "--mines" not in given and "--density" not in given:
        raise ValueError("--rows and --cols: need --mines or --density as well")


def _read_total(mines: str | None, density: str | None, cells: int) -> int:
    if density is None:
        return read_whole("--mines", mines or "")
    return mine_total(None, _read_share("--density", density), cells)


def _read_share(option: str, text: str) -> float:
    try:
        return share(option, float(text))
    except ValueError:
        raise ValueError(sentence(option, text, "a number from 0 to 1")) from None
