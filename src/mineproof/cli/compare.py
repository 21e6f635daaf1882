"""`mineproof compare`: agents side by side, on the same boards."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import cycle, islice
from typing import Any, Final

import click
from rich.text import Text

from mineproof import arena
from mineproof.agents import Agent
from mineproof.arena import ComparisonStopped, FixedBoards, Games, RandomBoards, Result
from mineproof.arena.narration import conditions_dict, rule_words
from mineproof.arena.workers import cores
from mineproof.arguments import counted
from mineproof.cli import options
from mineproof.cli.completion import agent_names
from mineproof.cli.options import BoardOptions
from mineproof.cli.output import (
    columns_width,
    percent_interval,
    plain_console,
    print_columns,
    print_wrapped,
    right,
)
from mineproof.cli.positions import read_file
from mineproof.cli.progress import progress_bar
from mineproof.formats import Entry, read_entries
from mineproof.game import PRESETS, Board, Preset, Transcript
from mineproof.position import Channel, Observation

_GAMES: Final = 100
_MEANINGS: Final[Mapping[str, str]] = {
    "score": "share of the mines flagged at the end, or all in a won game",
    "wrong flags": "flags on safe cells at the end",
    "hits": "mines that exploded",
    "steps": "decisions, each of one or more actions",
    "guesses": "openings that the agent does not claim to be safe",
}
"""What the columns mean. All are means per game."""


@click.command(
    cls=options.BoardCommand,
    epilog="\b\nMeans per game:\n"
    + "\n".join(f"  {name:<13}{meaning}" for name, meaning in _MEANINGS.items()),
)
@click.option(
    "--agents",
    type=options.agent_list,
    required=True,
    metavar="A,B,...",
    shell_complete=agent_names,
    help="Who plays: names, or path/to/file.py:Class. All are compared with the first.",
)
@click.option(
    "--games",
    type=options.Whole(1, 10_000_000),
    metavar="N",
    help=f"How many games each agent plays. Default: {_GAMES}, or one on each of --boards.",
)
@click.option(
    "--seed",
    type=options.Seed(0),
    default=0,
    metavar="S",
    help="The seed of the first game, or random; the next ones have S + 1, S + 2, ... `mineproof "
    "watch --seed` shows the same game.",
)
@options.board
@click.option(
    "--boards",
    type=options.FILE,
    metavar="FILE",
    help="Play on these boards: * mine, . free, an empty line between boards. FILE may also hold "
    "games, whose boards are played, and positions to continue from, and be in a format that "
    "`mineproof convert --help` lists. - is standard input.",
)
@options.preset
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
) -> int:
    """Compare agents on the same boards.

    The table has win rates with 95% intervals, means per game, and paired differences from the
    first agent with 95% intervals: of win rates, or of scores if play goes on after a mine.

    95% intervals: Wilson's for shares, Tango's for differences of paired shares, Student's t for
    means and mean differences.

    Ctrl-C ends the comparison and shows the games that all agents have finished.

    Exit codes: 1 an agent failed, 2 bad input, 130 stopped by Ctrl-C.
    """
    conditions = None if preset is None else PRESETS[preset]
    if boards is not None:
        options.refuse("--boards", board.given(options.SIZE))
    if conditions is not None:
        board = board.with_preset(conditions, [agent.name for agent in agents])
    played: Games
    if boards is None:
        played = _random_boards(board, conditions, games or _GAMES, seed)
    else:
        played = _fixed_boards(board, conditions, boards, games, seed)
    code = 0
    try:
        with progress_bar(len(played) * len(agents), "games") as advance:
            results = arena.compare(agents, played, workers=workers or cores(), progress=advance)
    except ComparisonStopped as stop:
        results, code = stop.results, 130
        finished = f"{results[0].games if results else 0:,} of {counted(len(played), 'game')}"
        print(f"mineproof: stopped: all agents have finished {finished}", file=sys.stderr)
    if as_json and results:
        entries = [result.to_dict() for result in results]
        print(json.dumps({"conditions": _conditions_dict(played), "agents": entries}))
    elif results:
        _show(results, played)
    return code


# ------------------------------------------------------------------------------- what is played


def _random_boards(
    board: BoardOptions, preset: Preset | None, count: int, seed: int
) -> RandomBoards:
    setup = board.setup(preset)
    with options.naming("--seed"):
        return RandomBoards(setup, count, seed)


def _fixed_boards(
    board: BoardOptions, preset: Preset | None, file: str, count: int | None, seed: int
) -> FixedBoards:
    boards = [
        _playable(entry)
        for entry in read_file(file, partial(read_entries, topology=board.topology))
    ]
    if count is not None and count > len(boards):
        if any(isinstance(each, Board) for each in boards):
            have = counted(len(boards), "board")
            raise click.UsageError(f"--games {count}: --boards has {have}.")
        boards = list(islice(cycle(boards), count))
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


def _playable(entry: Entry) -> Board | Observation:
    """Return a board or a position; of a game its board, or else its last position."""
    if not isinstance(entry, Transcript):
        return entry
    return entry.observation() if entry.seed is None else entry.beginning().board


# -------------------------------------------------------------------------------- what comes out


def _conditions_dict(games: Games) -> dict[str, Any]:
    """Return the conditions in plain values, with None for a size that boards differ in."""
    conditions = conditions_dict(games.game(0))
    if isinstance(games, FixedBoards):
        every = [conditions_dict(games.game(number)) for number in range(len(games))]
        for name in ("rows", "cols", "topology", "mines"):
            same = all(each[name] == conditions[name] for each in every)
            conditions[name] = conditions[name] if same else None
    kind = "fixed" if isinstance(games, FixedBoards) else "random"
    first = "random" if _draws_first(games) else conditions["first"]
    return {**conditions, "first": first, "boards": kind, "games": len(games)}


def _draws_first(games: Games) -> bool:
    """Whether each game draws its first cell."""
    of = games.setup if isinstance(games, RandomBoards) else games
    return getattr(of, "first", None) == "random"


def _show(results: Sequence[Result], games: Games) -> None:
    """Print the conditions, the table, in two parts if it is too wide, and what it means."""
    console, _ = plain_console()
    print_wrapped(_conditions(games, results[0].games))
    agents = {"agent": [Text(result.agent) for result in results]}
    means, layouts = _means(results), []
    gaps = [(_wins(results, gap), _differences(results, gap)) for gap in (" ", "\n")]
    layouts += [[wins | means | differences] for wins, differences in gaps]
    layouts += [[wins | differences, means] for wins, differences in gaps]
    for tables in layouts:
        if all(columns_width(agents | table) <= console.width for table in tables):
            break
    for table in tables:
        console.print()
        print_columns(agents | table)
    console.print()
    print_wrapped(
        *(f"{name:<13}{meaning}" for name, meaning in _MEANINGS.items()), hanging=" " * 13
    )


def _conditions(games: Games, finished: int) -> str:
    game = games.game(0)
    kind = "" if game.topology.kind == "square" else f"{game.topology.kind}, "
    size = f"{kind}{' x '.join(map(str, game.topology.shape))} cells"
    size = f"{size} with {counted(game.mines, 'mine')}"
    start, *rules = rule_words(game.rules, "exact" if game.channel.is_exact else game.channel.name)
    first = "random" if _draws_first(games) else game.first
    some = "" if finished == len(games) else f"{finished:,} of "
    words = [
        f"{some}{counted(len(games), 'game')} of each agent",
        "a board each" if isinstance(games, FixedBoards) else size,
        start,
        *([] if first is None else [f"first cell {first}"]),
        *rules,
        f"seeds {game.seed} to {game.seed + len(games) - 1}",
    ]
    return ", ".join(words) + "."


def _wins(results: Sequence[Result], gap: str) -> dict[str, list[Text]]:
    digits = _digits(results)
    return {
        f"win rate{gap}[95%]": [
            percent_interval(result.win_rate, f".{digits}f", f"%{gap}") for result in results
        ],
        "score": [right(f"{100 * result.score.value:.{digits}f}%") for result in results],
    }


def _means(results: Sequence[Result]) -> dict[str, list[Text]]:
    names = ("wrong_flags", "hits", "steps", "guesses", "ms_per_game")
    headings = ("wrong\nflags", "hits", "steps", "guesses", "ms per\ngame")
    return {
        heading: [right(f"{getattr(result, name):.2f}") for result in results]
        for heading, name in zip(headings, names, strict=True)
    }


def _differences(results: Sequence[Result], gap: str) -> dict[str, list[Text]]:
    first, form = results[0], f"+.{_digits(results)}f"
    if len(results) == 1:
        return {}
    measure = "win rate" if first.on_mine == "end" else "score"
    return {
        f"{measure} minus\n{first.agent}'s{gap}[95%]": [
            Text() if result.difference is None else percent_interval(result.difference, form, gap)
            for result in results
        ]
    }


def _digits(results: Sequence[Result]) -> int:
    return 1 if results[0].games < 10_000 else 2
