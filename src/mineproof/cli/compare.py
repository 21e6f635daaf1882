"""`mineproof compare`: agents side by side, on the same boards."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Final, TypeAlias

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mineproof import arena
from mineproof.agents import get
from mineproof.arena.boards import FixedBoards, Games, RandomBoards
from mineproof.arena.compare import Result
from mineproof.arena.workers import cores
from mineproof.arguments import choice, counted
from mineproof.cli.files import read_file
from mineproof.cli.options import (
    ChannelOption,
    ColsOption,
    DensityOption,
    FirstOption,
    GivenSafeOption,
    JsonOption,
    LevelOption,
    MinesOption,
    NoCascadeOption,
    OnMineOption,
    RowsOption,
    StartOption,
    named,
    read_seed,
    read_setup,
    read_whole,
)
from mineproof.cli.progress import progress_bar
from mineproof.game.board import read_boards
from mineproof.game.presets import PRESETS, Preset
from mineproof.statistics import Estimate

__all__ = ["compare"]

_GAMES: Final = 100
_MOST_GAMES: Final = 10_000_000
_MOST_WORKERS: Final = 1_000


def compare(
    context: typer.Context,
    agents: Annotated[
        str, typer.Option(metavar="A,B,...", help="Who plays; all are compared with the first.")
    ],
    games: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help=f"How many games each agent plays. Default: {_GAMES}, or all of --boards.",
        ),
    ] = None,
    level: LevelOption = None,
    rows: RowsOption = None,
    cols: ColsOption = None,
    mines: MinesOption = None,
    density: DensityOption = None,
    start: StartOption = "safe",
    first: FirstOption = None,
    on_mine: OnMineOption = "end",
    no_cascade: NoCascadeOption = False,
    given_safe: GivenSafeOption = "0",
    channel: ChannelOption = "exact",
    preset: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(PRESETS),
            help="The conditions of a report, which other options override. R0, R3 and R4 play "
            "10 x 10 cells, and R2 gives the square root of the cells. R0 starts clue-heap at "
            "zero but the others at any, so comparing it with them needs --start.",
        ),
    ] = None,
    boards: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Plays on these boards: * mine, . free, a blank line between boards; - is "
            "standard input.",
        ),
    ] = None,
    workers: Annotated[
        str | None,
        typer.Option(
            metavar="W",
            help="How many processes play, which changes no result. Default: one a core.",
        ),
    ] = None,
    seed: Annotated[
        str,
        typer.Option(
            metavar="S",
            help="Game i, from 0, takes its board, clues and agent's chance from seed S + i: "
            "mineproof watch --seed shows the very same game.",
        ),
    ] = "0",
    as_json: JsonOption = False,
) -> None:
    """Let agents play the same boards and compare them.

    The table gives win rates with 95% intervals, means a game, and paired differences to the
    first agent with 95% intervals: of win rates, or of scores where play goes on after a mine.
    Exit codes: 1 an agent failed, 2 bad input.
    """
    names = [name.strip() for name in agents.split(",")]
    with named("--agents"):
        players = [get(name) for name in names]
    count = None if games is None else read_whole("--games", games, least=1, most=_MOST_GAMES)
    processes = cores()
    if workers is not None:
        processes = read_whole("--workers", workers, least=1, most=_MOST_WORKERS)
    first_seed = read_seed("--seed", seed)
    words = {name: context.params[name] for name in _BOARD_OPTIONS}
    written = {name for name in words if _is_written(context, name)}
    conditions = _read_preset(preset)
    if conditions is not None:
        words |= _preset_words(conditions, written, names)
    if boards is None:
        played: Games = _random_boards(words, written, conditions, count or _GAMES, first_seed)
    else:
        played = _fixed_boards(words, written, conditions, boards, count, first_seed)
    with progress_bar(len(played) * len(players), "games") as advance:
        results = arena.compare(players, played, workers=processes, progress=advance)
    if as_json:
        print(json.dumps([result.to_dict() for result in results], allow_nan=False))
    else:
        _show(results, played)


# ------------------------------------------------------------------------------- what is played

Words: TypeAlias = dict[str, Any]
"""The board options as they are written, by their names in Python."""

_SIZE_OPTIONS: Final = ("level", "rows", "cols", "mines", "density")
_BOARD_OPTIONS: Final = (
    *_SIZE_OPTIONS,
    "start",
    "first",
    "on_mine",
    "no_cascade",
    "given_safe",
    "channel",
)


def _is_written(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def _read_preset(name: str | None) -> Preset | None:
    if name is None:
        return None
    choice("--preset", name, PRESETS)
    return PRESETS[name]


def _preset_words(preset: Preset, written: set[str], names: Sequence[str]) -> Words:
    """Say in words what a preset sets; what is written goes before."""
    words: Words = {"on_mine": preset.on_mine, "no_cascade": not preset.cascade}
    if "start" not in written:
        try:
            words["start"] = preset.start(names)
        except ValueError as error:
            raise ValueError(f"--preset: {error}; say --start any or --start zero") from None
    if preset.size is not None and "level" not in written:
        words["rows"], words["cols"] = map(str, preset.size)
    return {name: word for name, word in words.items() if name not in written}


def _given_words(preset: Preset | None, written: set[str], cells: int) -> Words:
    if preset is None or "given_safe" in written:
        return {}
    return {"given_safe": str(preset.given_safe(cells))}


def _random_boards(
    words: Words, written: set[str], preset: Preset | None, count: int, seed: int
) -> RandomBoards:
    if preset is not None and preset.size and not {"level", "mines", "density"} & written:
        raise ValueError("--preset: leaves the mines open, say --mines or --density")
    setup = read_setup(**words)
    given = _given_words(preset, written, setup.rows * setup.cols)
    setup = read_setup(**(words | given))
    with named("--seed"):
        return RandomBoards(setup, count, seed)


def _fixed_boards(
    words: Words,
    written: set[str],
    preset: Preset | None,
    file: str,
    count: int | None,
    seed: int,
) -> FixedBoards:
    for name in _SIZE_OPTIONS:
        if name in written:
            raise ValueError(f"--boards: cannot stand beside --{name}")
    boards = read_file(file, read_boards)
    if count is not None and count > len(boards):
        raise ValueError(f"--games {count}: --boards has {counted(len(boards), 'board')}")
    boards = boards[:count]
    given = [_given_words(preset, written, board.topology.cells) for board in boards]
    if given != given[:1] * len(given):
        raise ValueError("--preset: gives more cells on larger boards, say --given-safe N for all")
    # The first board lends its size, so that the options can be read as ever.
    size = {"rows": str(boards[0].rows), "cols": str(boards[0].cols), "mines": "0"}
    setup = read_setup(**(words | size | given[0]))
    with named("--boards"):
        return FixedBoards(boards, setup.rules, setup.channel, setup.first, seed)


# -------------------------------------------------------------------------------- what comes out


def _show(results: Sequence[Result], games: Games) -> None:
    """Print the conditions and the table, in two lines an agent where a terminal is narrow."""
    console = Console(highlight=False, soft_wrap=True)
    console.print(", ".join(_conditions(games)) + ".", markup=False)
    table = _table(results, gap=" ")
    if console.is_terminal and _width(table) > console.width:
        table = _table(results, gap="\n")
    # Numbers are never cut: what is wider still is left to the terminal.
    Console(highlight=False, width=max(console.width, _width(table))).print(table)


def _width(table: Table) -> int:
    return Console(width=1_000).measure(table).maximum


def _conditions(games: Games) -> Iterator[str]:
    game = games.game(0)
    board, rules = game.board, game.rules
    yield f"{counted(len(games), 'game')} of each agent"
    if isinstance(games, FixedBoards):
        yield "a board each"
    else:
        yield f"{board.rows} x {board.cols} cells with {counted(board.total, 'mine')}"
    yield f"start {rules.start}"
    if game.first is not None:
        yield "first cell {},{}".format(*game.first)
    yield "a mine ends the game" if rules.on_mine == "end" else "play goes on after a mine"
    if not rules.cascade:
        yield "no cascade"
    if rules.given_safe:
        yield f"{counted(rules.given_safe, 'safe cell')} given"
    if not game.channel.is_exact:
        yield f"channel {game.channel.name}"
    yield f"seeds {game.seed} to {game.seed + len(games) - 1}"


def _table(results: Sequence[Result], gap: str) -> Table:
    """Arrange the results; the gap stands between a value and its interval."""
    first = results[0]
    headings = ["games", f"win rate{gap}[95%]", "score", "wrong\nflags", "mines\nhit"]
    headings += ["steps", "guesses", "ms a\ngame"]
    if len(results) > 1:
        measure = "win rate" if first.on_mine == "end" else "score"
        headings.append(f"{measure} minus\n{first.agent}'s{gap}[95%]")
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("agent", no_wrap=True)
    for heading in headings:
        table.add_column(Text(heading), justify="right", no_wrap=True)
    # More games tell more digits apart.
    digits = 1 if first.games < 10_000 else 2
    for result in results:
        table.add_row(*map(Text, _cells(result, gap, digits)))
    return table


def _cells(result: Result, gap: str, digits: int) -> Iterator[str]:
    yield result.agent
    yield f"{result.games:,}"
    yield _percents(f"{{}}%{gap}[{{}},{{}}]", result.win_rate, f".{digits}f")
    yield f"{100 * result.score.value:.{digits}f}%"
    for mean in (result.wrong_flags, result.hits, result.steps, result.guesses, result.ms_per_game):
        yield f"{mean:.2f}"
    if result.difference is not None:
        yield _percents(f"{{}}{gap}[{{}},{{}}]", result.difference, f"+.{digits}f")


def _percents(text: str, estimate: Estimate, form: str) -> str:
    values = (estimate.value, estimate.low, estimate.high)
    return text.format(*(format(100 * value, form) for value in values))
