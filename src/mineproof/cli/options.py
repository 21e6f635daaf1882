"""Option types, the options that several commands share, and how they become a `Setup`."""

from __future__ import annotations

import math
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args

import click

from mineproof.arguments import meant
from mineproof.game import PRESETS, Preset
from mineproof.position import Cell, Channel
from mineproof.position.rules import OnMine, Rules, Start
from mineproof.position.setup import LEVELS, FirstCell, Setup, mines_at
from mineproof.position.topology import TOPOLOGIES, Topology, TopologyKind

if TYPE_CHECKING:
    from mineproof.agents import Agent

T = TypeVar("T")

_RANDOM_SEEDS: Final = 10**9
"""Seeds are drawn below this number: enough of them, and short enough to type again."""


class _Named(click.Path):
    """A path with a name: an empty one, as of a variable that is not set, is no folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path."""
        if value == "":
            self.fail("the name is empty.", param, ctx)
        return super().convert(value, param, ctx)


FILE: Final = _Named(readable=False)
"""A file to read, or ``-``."""
OUT: Final = _Named(readable=False, path_type=Path)
"""A file or a folder to write."""
FOLDER: Final = click.Path(exists=True, file_okay=False, readable=False)
"""A folder that exists."""


class Whole(click.IntRange):
    """A whole number in a range."""

    name = "whole number"


class Number(click.FloatRange):
    """A number in a range. For Click alone, nan is in every range."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a valid number.", param, ctx)
        return number


class OneOf(click.Choice[str]):
    """One of several words. The error asks whether a similar one was meant."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return what to say of another word."""
        said = super().get_invalid_choice_message(value, ctx)
        return said.removesuffix(".") + meant(value, self.choices)


class Seed(Whole):
    """A seed, or ``random`` to draw one, which is printed on standard error."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the seed."""
        if value == "random":
            value = secrets.randbelow(_RANDOM_SEEDS)
            print(f"mineproof: seed {value}", file=sys.stderr)
        return super().convert(value, param, ctx)


def cell(text: str) -> Cell:
    """Read a cell, such as ``0,3``."""
    try:
        row, col = map(int, text.split(","))
    except ValueError:
        raise ValueError(f"{text!r} is not a row and a column, such as 0,3.") from None
    return row, col


def first_cell(text: str) -> FirstCell:
    """Read a cell, or ``random``."""
    return "random" if text == "random" else cell(text)


def agent(text: str) -> Agent:
    """Read the name of an agent, or its file and class."""
    from mineproof import agents

    return agents.get(text)


def agent_list(text: str) -> list[Agent]:
    """Read the names of several agents, separated by commas."""
    return [agent(name.strip()) for name in text.split(",")]


@contextmanager
def naming(option: str) -> Iterator[None]:
    """Name an option in errors about its value."""
    try:
        yield
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=f"'{option}'") from None


def refuse(option: str, others: Mapping[str, object]) -> None:
    """Refuse an option together with others; those not given are None or False."""
    for other, value in others.items():
        if value is not None and value is not False:
            raise click.UsageError(f"{option} cannot be used with {other}.")


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
svg = click.option(
    "--svg",
    type=OUT,
    metavar="OUT",
    help="Also draw a picture into this file.",
)
html = click.option(
    "--html",
    type=OUT,
    metavar="OUT",
    help="Also write a page with pictures, which needs no other file.",
)
seed = click.option(
    "--seed",
    type=Seed(0),
    metavar="S",
    help="Seed of the board, clues and agent, or random: one is drawn and printed. Default: 0.",
)
workers = click.option(
    "--workers",
    type=Whole(1, 1_000),
    metavar="W",
    help="Number of processes. The results do not depend on it. Default: one per core.",
)
preset = click.option(
    "--preset",
    type=OneOf(list(PRESETS)),
    help="The conditions of a report, which other options override. R0, R3 and R4 have 10 x 10 "
    "cells. R2 gives as many safe cells as the square root of all cells. R0 starts clue-heap with "
    "zero and the others with any, so to compare them give --start.",
)
channel = click.option(
    "--channel",
    type=Channel.parse,
    metavar="NAME",
    help="What clues show: exact, lost:P (each is lost with probability P), late:P (each arrives "
    "with probability P after every later opening), optimistic or cautious. Default: exact.",
)

topology = click.option(
    "--topology",
    type=OneOf(TOPOLOGIES),
    help="Which cells touch: those of a square grid, of one whose opposite edges meet (torus), or "
    "hexagons (hex). Default: square, or what FILE says.",
)

SIZE: Final = ("level", "rows", "cols", "mines", "density")
BOARD: Final = (*SIZE, "topology")
RULES: Final = ("start", "first", "on_mine", "no_cascade", "given_safe", "channel")
"""The board options by their names in Python, in the order of `BoardOptions`."""

_BOARD_OPTIONS: Final = (
    click.option(
        "--level",
        type=OneOf(list(LEVELS)),
        metavar="NAME",
        help=f"Size and mines: {', '.join(LEVELS)}. Default: easy.",
    ),
    click.option("--rows", type=Whole(1), metavar="R", help="Rows, instead of a level."),
    click.option("--cols", type=Whole(1), metavar="C", help="Columns, instead of a level."),
    click.option("--mines", type=Whole(0), metavar="M", help="Mines, with --rows and --cols."),
    click.option(
        "--density",
        type=Number(0, 1),
        metavar="D",
        help="The share of cells with mines, instead of --mines. Rounded down to whole mines.",
    ),
    topology,
    click.option(
        "--start",
        type=OneOf(get_args(Start)),
        help="What has no mines: nothing (any), the first cell (safe), or the first cell and its "
        "neighbours (zero). Default: safe.",
    ),
    click.option(
        "--first",
        type=first_cell,
        metavar="R,C",
        help="The first cell, or random: drawn by the seed. Default: 0,0 with --start safe, "
        "3,3 with --start zero, the agent's choice with --start any.",
    ),
    click.option(
        "--on-mine",
        type=OneOf(get_args(OnMine)),
        help="What a mine does: end the game, or let it continue. Default: end.",
    ),
    click.option(
        "--no-cascade/--cascade", default=None, help="Whether a zero opens its neighbours."
    ),
    click.option(
        "--given-safe",
        type=Whole(0),
        metavar="N",
        help="Number of safe cells given. Default: 0.",
    ),
    channel,
)


def board(command: Callable[..., T], names: Sequence[str] = BOARD + RULES) -> Callable[..., T]:
    """Add the options of a board to a command, which receives them as one `board`."""

    @wraps(command)
    def collected(**values: Any) -> T:
        board = BoardOptions(*(values.pop(name, None) for name in BOARD + RULES))
        return command(board=board, **values)

    for name, option in reversed([*zip(BOARD + RULES, _BOARD_OPTIONS, strict=True)]):
        if name in names:
            collected = option(collected)
    return collected


laid_board = partial(board, names=(*BOARD, "start", "first"))
"""Adds only the options that say where the mines are laid."""


class BoardCommand(click.Command):
    """A command whose help lists the board options under headings of their own."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options into the help."""
        sections: dict[str, list[tuple[str, str]]] = {"Options": [], "Board": [], "Rules": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            heading = (
                "Board" if param.name in BOARD else "Rules" if param.name in RULES else "Options"
            )
            if record is not None and isinstance(param, click.Option):
                sections[heading].append(record)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records)


@dataclass(frozen=True, slots=True)
class BoardOptions:
    """The board options of a command line. An option that is not given is None."""

    level: str | None
    rows: int | None
    cols: int | None
    mines: int | None
    density: float | None
    topology: TopologyKind | None
    start: Start | None
    first: FirstCell
    on_mine: OnMine | None
    no_cascade: bool | None
    given_safe: int | None
    channel: Channel | None

    def given(self, names: Iterable[str]) -> dict[str, bool]:
        """Return which of some options are given, by how they are written."""
        found = (name for name in names if getattr(self, name) is not None)
        return {f"--{name.replace('_', '-')}": True for name in found}

    @property
    def rules(self) -> Rules:
        """The rules, with defaults for options that are not given."""
        return Rules(
            self.start or "safe", self.on_mine or "end", not self.no_cascade, self.given_safe or 0
        )

    def with_preset(self, preset: Preset, names: Iterable[str]) -> BoardOptions:
        """Fill in the options that are not given, except the given safe cells."""
        start = self.start
        if start is None:
            try:
                start = preset.start(names)
            except ValueError as error:
                raise click.UsageError(f"--preset: {error}; give --start any or zero.") from None
        rows, cols = self.rows, self.cols
        if preset.size is not None and self.level is None:
            rows, cols = rows or preset.size[0], cols or preset.size[1]
        return replace(
            self,
            start=start,
            on_mine=self.on_mine or preset.on_mine,
            no_cascade=not preset.cascade if self.no_cascade is None else self.no_cascade,
            rows=rows,
            cols=cols,
        )

    def setup(self, preset: Preset | None = None) -> Setup:
        """Return the conditions of the game, with the given cells of a preset. Errors name options.

        The other conditions of the preset must be filled in already.
        """
        if preset is not None and preset.size and not self.given(("level", "mines", "density")):
            raise click.UsageError("--preset needs --mines or --density as well.")
        if preset is not None and self.given_safe is None:
            setup = self.setup()
            given = preset.given_safe(setup.topology.cells)
            return replace(self, given_safe=given).setup()
        rules = replace(self.rules, given_safe=0)
        size = self.given(("rows", "cols", "mines", "density"))
        kind = self.topology or "square"
        if self.level is not None:
            refuse("--level", size)
        if not size:
            setup = Setup.level(self.level or "easy", rules=rules)
            setup = replace(setup, topology=Topology(*setup.topology.shape, kind))
        elif self.rows is None or self.cols is None:
            missing = [option for option in ("--rows", "--cols") if option not in size]
            raise click.UsageError(f"{next(iter(size))} needs {' and '.join(missing)} as well.")
        elif (self.mines is None) == (self.density is None):
            raise click.UsageError("--rows and --cols need either --mines or --density.")
        else:
            with naming("--rows, --cols"):
                topology = Topology(self.rows, self.cols, kind)
            with naming("--density" if self.mines is None else "--mines"):
                density = mines_at(self.density or 0.0, topology.cells)
                setup = Setup(topology, density if self.mines is None else self.mines, rules)
        with naming("--first"):
            setup = replace(setup, first=self.first)
        with naming("--given-safe"):
            setup = replace(setup, rules=self.rules)
        return replace(setup, channel=self.channel or Channel.exact())
