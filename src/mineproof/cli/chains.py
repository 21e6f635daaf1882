"""`mineproof chains`: chains of influence on a board, and boards with very long ones."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from mineproof.agents import Agent
from mineproof.arena import play
from mineproof.arena.narration import conditions, conditions_dict
from mineproof.arguments import counted
from mineproof.chains import Chains, LongChain, chains_of, search_long_chain
from mineproof.cli import options
from mineproof.cli.completion import agent_names
from mineproof.cli.output import plain_console, print_wrapped
from mineproof.cli.positions import chosen, for_each, number_option, read_file, started
from mineproof.cli.progress import progress_bar
from mineproof.draw import chain_sentences, chains_svg, chains_text
from mineproof.formats import read_entries
from mineproof.game import Game
from mineproof.writing import write_whole

_EVALUATIONS: Final = 5_000


@click.command(cls=options.BoardCommand)
@click.argument("file", required=False, type=options.FILE)
@options.board
@options.seed
@number_option
@click.option(
    "--agent",
    type=options.agent,
    metavar="NAME",
    shell_complete=agent_names,
    help="Take the game that this agent plays. Default: a solver plays, with lucky guesses.",
)
@click.option("--search", is_flag=True, help="Search for a board with a very long chain.")
@click.option(
    "--evaluations",
    type=options.Whole(1, 10**9),
    metavar="N",
    help=f"How many boards a search looks at. Default: {_EVALUATIONS:,}.",
)
@options.svg
@options.as_json
def chains(
    file: str | None,
    board: options.BoardOptions,
    seed: int | None,
    number: int | None,
    agent: Agent | None,
    search: bool,
    evaluations: int | None,
    svg: Path | None,
    as_json: bool,
) -> int:
    """Show chains of influence on a board.

    A clue settles cells, and their clues settle more. A cell is settled by a smallest set of clues
    that proves it. Its chain is one longer than the longest chain of these clues. First openings
    and guesses are roots, where chains begin. Each cell shows the length of its chain, and the
    longest chain is in brackets.

    FILE is a board as text, * mine and . free, to use instead of a random one; - is standard input.
    It may also be a game, whose board and rules are used, or a position: its hidden mines are drawn
    by the seed, and its open cells are roots. It may hold several, with empty lines between them,
    or be in a format that `mineproof convert --help` lists.

    A search looks for boards that need no guess; its default is --start zero. Ctrl-C ends it and
    shows the best board so far.

    Exit codes: 1 a search found nothing or the agent failed, 2 bad input, 4 too wide to answer, 130
    stopped by Ctrl-C.
    """
    seed = seed or 0
    if search:
        options.refuse("--search", {"FILE": file, "--agent": agent})
        return _search(board, seed, evaluations or _EVALUATIONS, svg, as_json)
    if evaluations is not None:
        raise click.UsageError("--evaluations needs --search as well.")
    if file is None:
        games = [started(None, board, seed)]
    else:
        options.refuse("FILE", board.given(options.SIZE))
        entries = chosen(read_file(file, partial(read_entries, topology=board.topology)), number)
        several = len(entries) > 1
        games = [started(entry, board, seed, file, several=several) for entry in entries]

    def show(game: Game) -> None:
        record = None if agent is None else play(game.restarted(), agent, seed=seed)
        _show(game, chains_of(game, record), game.seed, svg, as_json)

    for_each(games, show, {"svg": svg, "as_json": as_json})
    return 0


def _search(
    board: options.BoardOptions, seed: int, evaluations: int, svg: Path | None, as_json: bool
) -> int:
    options.refuse("--search", board.given(("on_mine", "no_cascade", "given_safe", "channel")))
    if board.start == "any":
        raise click.UsageError("--search needs --start safe or --start zero.")
    setup = replace(board, start=board.start or "zero").setup()
    best: LongChain | None = None
    stopped = False
    with progress_bar(evaluations, "boards") as advance:

        def keep(done: int, found: LongChain | None) -> None:
            nonlocal best
            best = found
            advance(done)

        try:
            best = search_long_chain(setup, evaluations=evaluations, seed=seed, progress=keep)
        except KeyboardInterrupt:
            stopped = True
    if best is None:
        if not stopped:
            print("mineproof: every board that was looked at needs a guess", file=sys.stderr)
        return 130 if stopped else 1
    if stopped:
        looked_at = counted(best.evaluations, "board")
        print(f"mineproof: stopped: the best of {looked_at}", file=sys.stderr)
    _show(best.game, best.chains, seed, svg, as_json, best)
    return 130 if stopped else 0


def _show(
    game: Game,
    chains: Chains,
    seed: int,
    svg: Path | None,
    as_json: bool,
    found: LongChain | None = None,
) -> None:
    board, title = game.board, conditions(game)
    if as_json:
        told = {**conditions_dict(game), "seed": seed}
        entry: dict[str, Any] = {"conditions": told, **chains.to_dict()}
        if found is not None:
            entry |= {"board": board.to_text(), "first": found.first}
            entry["evaluations"] = found.evaluations
        print(json.dumps(entry, allow_nan=False))
    else:
        console, width = plain_console()
        print_wrapped(title, style="bold")
        console.print(chains_text(chains, width=width))
        print_wrapped("", *chain_sentences(chains))
        if found is not None:
            print(f"\n{board.to_text()}")
    # The picture is last, so that a long search shows its result even if OUT cannot be written.
    if svg is not None:
        write_whole(svg, chains_svg(chains, title=title) + "\n")
