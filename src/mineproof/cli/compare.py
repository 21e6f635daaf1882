"""`mineproof compare`: agents side by side, on the same boards."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import click
from rich.table import Table
from rich.text import Text

from mineproof import arena
from mineproof.agents import Agent
from mineproof.arena import FixedBoards, Games, RandomBoards, Result
from mineproof.arena.workers import cores
from mineproof.arguments import counted
from mineproof.cli import options
from mineproof.cli.narration import rule_words
from mineproof.cli.options import BoardOptions
from mineproof.cli.output import new_table, plain_console, print_table, table_width
from mineproof.cli.positions import read_file
from mineproof.cli.progress import progress_bar
from mineproof.game import PRESETS, Preset, read_boards
from mineproof.position import Channel
from mineproof.statistics import Estimate

_GAMES: Final = 100


@click.command(cls=options.BoardCommand)
@click.option(
    "--agents",
    type=options.agent_list,
    required=True,
    metavar="A,B,...",
    help="Who plays. All are compared with the first.",
)
@click.option(
    "--games",
    type=options.Whole(1, 10_000_000),
    metavar="N",
    help=f"How many games each agent plays. Default: {_GAMES}, or one on each of --boards.",
)
@click.option(
    "--seed",
    type=options.Whole(0),
    default=0,
    metavar="S",
    help="The seed of the first game; the next ones have S + 1, S + 2, ... `mineproof watch "
    "--seed` shows the same game.",
)
@options.board
@click.option(
    "--boards",
    metavar="FILE",
    help="Play on these boards: * mine, . free, an empty line between boards. - is standard input.",
)
@click.option(
    "--preset",
    type=click.Choice(list(PRESETS)),
    help="The conditions of a report, which other options override. R0, R3 and R4 have 10 x 10 "
    "cells. R2 gives as many safe cells as the square root of all cells. R0 starts clue-heap with "
    "zero and the others with any, so to compare them give --start.",
)
@options.workers
@options.as_json
def compare(
    agents: list[Agent],
    games: int | None,
    seed: int,
    board: BoardOptions,
    boards: str | None,
    preset: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Compare agents on the same boards.

    The table has win rates with 95% intervals, means per game, and paired differences from the
    first agent with 95% intervals: of win rates, or of scores if play goes on after a mine.

    95% intervals: Wilson's for shares, Tango's for differences of paired shares, Student's t for
    means and mean differences.

    Exit codes: 1 an agent failed, 2 bad input.
    """
    conditions = None if preset is None else PRESETS[preset]
    if boards is not None:
        options.refuse("--boards", board.given(options.SIZE))
    if conditions is not None:
        board = _with_preset(board, conditions, [agent.name for agent in agents])
    played: Games
    if boards is None:
        played = _random_boards(board, conditions, games or _GAMES, seed)
    else:
        played = _fixed_boards(board, conditions, boards, games, seed)
    with progress_bar(len(played) * len(agents), "games") as advance:
        results = arena.compare(agents, played, workers=workers or cores(), progress=advance)
    if as_json:
        print(json.dumps([result.to_dict() for result in results], allow_nan=False))
    else:
        _show(results, played)


# ------------------------------------------------------------------------------- what is played


def _with_preset(board: BoardOptions, preset: Preset, names: Sequence[str]) -> BoardOptions:
    """Fill in the options that are not given, except the given safe cells."""
    start = board.start
    if start is None:
        try:
            start = preset.start(names)
        except ValueError as error:
            raise click.UsageError(f"--preset: {error}; give --start any or zero.") from None
    rows, cols = board.rows, board.cols
    if preset.size is not None and board.level is None:
        rows, cols = rows or preset.size[0], cols or preset.size[1]
    return replace(
        board,
        start=start,
        on_mine=board.on_mine or preset.on_mine,
        no_cascade=not preset.cascade if board.no_cascade is None else board.no_cascade,
        rows=rows,
        cols=cols,
    )


def _random_boards(
    board: BoardOptions, preset: Preset | None, count: int, seed: int
) -> RandomBoards:
    if preset is not None and preset.size and not board.given(("level", "mines", "density")):
        raise click.UsageError("--preset needs --mines or --density as well.")
    setup = board.setup()
    if preset is not None and board.given_safe is None:
        given = preset.given_safe(setup.rows * setup.cols)
        setup = replace(board, given_safe=given).setup()
    with options.naming("--seed"):
        return RandomBoards(setup, count, seed)


def _fixed_boards(
    board: BoardOptions, preset: Preset | None, file: str, count: int | None, seed: int
) -> FixedBoards:
    boards = read_file(file, read_boards)
    if count is not None and count > len(boards):
        raise click.UsageError(f"--games {count}: --boards has {counted(len(boards), 'board')}.")
    boards = boards[:count]
    rules = board.rules
    if preset is not None and board.given_safe is None:
        given = {preset.given_safe(each.topology.cells) for each in boards}
        if len(given) > 1:
            raise click.UsageError(
                "--preset gives more safe cells on larger boards; give --given-safe for all."
            )
        rules = replace(rules, given_safe=given.pop())
    with options.naming("--boards"):
        channel = board.channel or Channel.exact()
        return FixedBoards(boards, rules, channel, board.first, seed)


# -------------------------------------------------------------------------------- what comes out


def _show(results: Sequence[Result], games: Games) -> None:
    """Print the conditions and the table, with two lines per agent on a narrow terminal."""
    console, width = plain_console()
    console.print(_conditions(games), markup=False)
    table = _table(results, gap=" ")
    if width is not None and table_width(table) > width:
        table = _table(results, gap="\n")
    print_table(table)


def _conditions(games: Games) -> str:
    game = games.game(0)
    size = f"{game.topology.rows} x {game.topology.cols} cells with {counted(game.mines, 'mine')}"
    start, *rules = rule_words(game.rules, "exact" if game.channel.is_exact else game.channel.name)
    words = [
        f"{counted(len(games), 'game')} of each agent",
        "a board each" if isinstance(games, FixedBoards) else size,
        start,
        *([] if game.first is None else ["first cell {},{}".format(*game.first)]),
        *rules,
        f"seeds {game.seed} to {game.seed + len(games) - 1}",
    ]
    return ", ".join(words) + "."


def _table(results: Sequence[Result], gap: str) -> Table:
    """Arrange the results, with the gap between a value and its interval."""
    first = results[0]
    headings = ["games", f"win rate{gap}[95%]", "score", "wrong\nflags", "mines\nhit"]
    headings += ["steps", "guesses", "ms per\ngame"]
    if len(results) > 1:
        measure = "win rate" if first.on_mine == "end" else "score"
        headings.append(f"{measure} minus\n{first.agent}'s{gap}[95%]")
    table = new_table()
    table.add_column("agent", no_wrap=True)
    for heading in headings:
        table.add_column(Text(heading), justify="right", no_wrap=True)
    digits = 1 if first.games < 10_000 else 2
    for result in results:
        means = result.wrong_flags, result.hits, result.steps, result.guesses, result.ms_per_game
        cells = [
            result.agent,
            f"{result.games:,}",
            _interval(result.win_rate, f".{digits}f", f"%{gap}"),
            f"{100 * result.score.value:.{digits}f}%",
            *(f"{mean:.2f}" for mean in means),
        ]
        if result.difference is not None:
            cells.append(_interval(result.difference, f"+.{digits}f", gap))
        table.add_row(*map(Text, cells))
    return table


def _interval(estimate: Estimate, form: str, gap: str) -> str:
    """Write an estimate and its interval in percent."""
    bounds = (estimate.value, estimate.low, estimate.high)
    value, low, high = (format(100 * bound, form) for bound in bounds)
    return f"{value}{gap}[{low},{high}]"
