"""`mineproof chains`: chains of influence on a board, and boards with very long ones."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from mineproof.agents import Agent
from mineproof.arena import play
from mineproof.arena.narration import conditions_dict, conditions_of
from mineproof.arguments import counted
from mineproof.chains import Chains, LongChain, chains_of, search_long_chain
from mineproof.cli import options
from mineproof.cli.completion import agent_names, files
from mineproof.cli.output import plain_console
from mineproof.cli.positions import read_file
from mineproof.cli.progress import progress_bar
from mineproof.draw import chain_sentences, chains_svg, chains_text
from mineproof.game import Board, Game
from mineproof.game.setup import drawn_cell
from mineproof.position import Channel, Topology

_EVALUATIONS: Final = 5_000


@click.command(cls=options.BoardCommand)
@click.argument("file", required=False, shell_complete=files)
@options.board
@options.seed
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

    A search looks for boards that need no guess; its default is --start zero. Ctrl-C ends it and
    shows the best board so far.

    Exit codes: 1 a search found nothing, 2 bad input, 4 too wide to answer, 130 stopped by Ctrl-C.
    """
    seed = seed or 0
    if search:
        options.refuse("--search", {"FILE": file, "--agent": agent})
        return _search(board, seed, evaluations or _EVALUATIONS, svg, as_json)
    if evaluations is not None:
        raise click.UsageError("--evaluations needs --search as well.")
    game = _game(file, board, seed)
    record = None
    if agent is not None:
        to_play = Game(
            game.board, game.rules, channel=game.channel, seed=game.seed, first=game.first
        )
        record = play(to_play, agent, seed=seed)
    _show(game, chains_of(game, record), seed, svg, as_json)
    return 0


def _game(file: str | None, board: options.BoardOptions, seed: int) -> Game:
    if file is None:
        setup = board.setup()
        with options.naming("--seed"):
            return setup.game(seed)
    options.refuse("FILE", board.given(options.SIZE))
    name = "standard input" if file == "-" else file
    laid = replace(read_file(file, Board.from_text), name=name)
    first = drawn_cell(laid.topology, board.first, seed)
    if first is not None:
        with options.naming("--first"):
            laid.topology.index(first)
    channel = board.channel or Channel.exact()
    return Game(laid, board.rules, channel=channel, seed=seed, first=first)


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
            best = search_long_chain(
                setup.rows,
                setup.cols,
                setup.mines,
                evaluations=evaluations,
                seed=seed,
                start=setup.rules.start,
                first=drawn_cell(Topology(setup.rows, setup.cols), setup.first, seed),
                progress=keep,
            )
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
    board = game.board
    channel = "exact" if game.channel.is_exact else game.channel.name
    title = conditions_of(board.rows, board.cols, board.mines, game.rules, channel)
    if as_json:
        conditions = {**conditions_dict(game), "seed": seed}
        entry: dict[str, Any] = {"conditions": conditions, **chains.to_dict()}
        if found is not None:
            entry |= {"board": board.to_text(), "first": found.first}
            entry["evaluations"] = found.evaluations
        print(json.dumps(entry, allow_nan=False))
    else:
        console, width = plain_console()
        console.print(title, style="bold", markup=False)
        console.print(chains_text(chains, width=width))
        console.print()
        for line in chain_sentences(chains):
            console.print(line, markup=False)
        if found is not None:
            print(f"\n{board.to_text()}")
    # The picture is last, so that a long search shows its result even if OUT cannot be written.
    if svg is not None:
        svg.write_text(chains_svg(chains, title=title) + "\n", encoding="utf-8")
