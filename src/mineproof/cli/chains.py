"""`mineproof chains`: what settled what, the longest chain, and boards with very long ones."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from mineproof import agents
from mineproof.arena.play import play
from mineproof.arguments import counted
from mineproof.chains import Chains, LongChain, chains_of, search_long_chain
from mineproof.cli import narration
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
    SeedOption,
    named,
    read_seed,
    read_setup,
    read_whole,
)
from mineproof.cli.progress import progress_bar
from mineproof.draw import chain_sentences, chains_svg, chains_text
from mineproof.game.board import Board
from mineproof.game.game import Game

__all__ = ["chains"]

_EVALUATIONS: Final = 5_000
_MOST_EVALUATIONS: Final = 10**9


def chains(
    context: typer.Context,
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="A board as text, * mine and . free, in place of a random one; - is standard "
            "input.",
            show_default=False,
        ),
    ] = None,
    level: LevelOption = None,
    rows: RowsOption = None,
    cols: ColsOption = None,
    mines: MinesOption = None,
    density: DensityOption = None,
    seed: SeedOption = "0",
    start: Annotated[
        str | None,
        typer.Option(
            metavar="any|safe|zero",
            help="What is free of mines: nothing, the first cell, or it and its neighbours. "
            "Default: safe, and zero with --search.",
            show_default=False,
        ),
    ] = None,
    first: FirstOption = None,
    on_mine: OnMineOption = "end",
    no_cascade: NoCascadeOption = False,
    given_safe: GivenSafeOption = "0",
    channel: ChannelOption = "exact",
    agent: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Take the game that this agent plays. Default: the board is solved, round after "
            "round, with lucky guesses where nothing is certain.",
        ),
    ] = None,
    search: Annotated[
        bool,
        typer.Option("--search", help="Look for a board with a very long chain and no guess."),
    ] = False,
    evaluations: Annotated[
        str | None,
        typer.Option(
            metavar="N", help=f"How many boards a search looks at. Default: {_EVALUATIONS:,}."
        ),
    ] = None,
    svg: Annotated[
        str | None, typer.Option(metavar="OUT", help="Draw a picture into this file, too.")
    ] = None,
    as_json: JsonOption = False,
) -> int | None:
    """Show chains of influence: a clue settles cells, and their clues settle more.

    A cell is settled by a smallest set of clues that entails it; its chain is one longer than the
    longest among theirs. First openings and guesses are roots, where chains begin. Every cell bears
    the length of its chain, and the longest chain stands in brackets. A search that is stopped by
    Ctrl-C shows the best board so far. Exit codes: 1 a search has found nothing, 2 bad input,
    4 too wide to answer, 130 stopped by Ctrl-C.
    """
    number = read_seed("--seed", seed)
    words = {name: context.params[name] for name in _BOARD_OPTIONS}
    words["start"] = start or ("zero" if search else "safe")
    written = {name for name in context.params if _is_written(context, name)}
    if not search:
        if evaluations is not None:
            raise ValueError("--evaluations: needs --search as well")
        game = _random_game(words, number) if file is None else _game(file, words, written, number)
        shown = _chains(game, agent)
        _show(shown, _title(game), as_json=as_json)
        _draw(shown, _title(game), svg)
        return None
    found, stopped = _search(words, written, evaluations, number)
    if found is None:
        if not stopped:
            print("mineproof: every board that was looked at needs a guess", file=sys.stderr)
        return 130 if stopped else 1
    if stopped:
        looked_at = counted(found.evaluations, "board")
        print(f"mineproof: stopped: the best of {looked_at}", file=sys.stderr)
    shown, title = found.chains, _title(found.game)
    board = Board.to_text(found.board)
    more = {"board": board, "first": list(found.first), "evaluations": found.evaluations}
    _show(shown, title, as_json=as_json, more=more)
    if not as_json:
        print(f"\n{board}")
    _draw(shown, title, svg)
    return 130 if stopped else None


_SIZE_OPTIONS: Final = ("level", "rows", "cols", "mines", "density")
_RULE_OPTIONS: Final = ("on_mine", "no_cascade", "given_safe", "channel")
_BOARD_OPTIONS: Final = (*_SIZE_OPTIONS, *_RULE_OPTIONS, "first")


def _is_written(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def _refuse_beside(option: str, others: tuple[str, ...], written: set[str]) -> None:
    for name in others:
        if name in written:
            other = "FILE" if name == "file" else f"--{name.replace('_', '-')}"
            raise ValueError(f"{option}: cannot stand beside {other}")


def _random_game(words: dict[str, Any], seed: int) -> Game:
    return read_setup(**words).game(seed)


def _game(file: str, words: dict[str, Any], written: set[str], seed: int) -> Game:
    _refuse_beside("FILE", _SIZE_OPTIONS, written)
    board = read_file(file, Board.from_text)
    # The board lends its size, so that the options can be read as ever.
    size = {"rows": str(board.rows), "cols": str(board.cols), "mines": "0"}
    setup = read_setup(**(words | size))
    name = "standard input" if file == "-" else file
    return Game(
        replace(board, name=name),
        setup.rules,
        channel=setup.channel,
        seed=seed,
        first=setup.first,
    )


def _chains(game: Game, agent: str | None) -> Chains:
    if agent is None:
        return chains_of(game)
    with named("--agent"):
        player = agents.get(agent)
    begun_anew = Game(
        game.board, game.rules, channel=game.channel, seed=game.seed, first=game.first
    )
    return chains_of(game, play(begun_anew, player, seed=game.seed))


def _search(
    words: dict[str, Any], written: set[str], evaluations: str | None, seed: int
) -> tuple[LongChain | None, bool]:
    """Return the best board, and whether someone stopped the search."""
    _refuse_beside("--search", ("file", "agent", *_RULE_OPTIONS), written)
    if words["start"] == "any":
        raise ValueError("--start any: the start of a search is fixed, say safe or zero")
    setup = read_setup(**words)
    most = evaluations or str(_EVALUATIONS)
    count = read_whole("--evaluations", most, least=1, most=_MOST_EVALUATIONS)
    best: LongChain | None = None
    with progress_bar(count, "boards") as advance:

        def tell(done: int, found: LongChain | None) -> None:
            nonlocal best
            best = found
            advance(done)

        try:
            best = search_long_chain(
                setup.rows,
                setup.cols,
                setup.mines,
                evaluations=count,
                seed=seed,
                start=setup.rules.start,
                first=setup.first,
                progress=tell,
            )
        except KeyboardInterrupt:
            return best, True
    return best, False


def _title(game: Game) -> str:
    channel = "exact" if game.channel.is_exact else game.channel.name
    board = game.board
    return narration.conditions_of(board.rows, board.cols, board.total, game.rules, channel)


def _show(
    shown: Chains, title: str, *, as_json: bool, more: Mapping[str, Any] | None = None
) -> None:
    if as_json:
        print(json.dumps(shown.to_dict() | dict(more or {}), allow_nan=False))
        return
    console = Console(highlight=False, soft_wrap=True)
    console.print(title, style="bold", markup=False)
    console.print(chains_text(shown, width=console.width if console.is_terminal else None))
    console.print()
    for line in chain_sentences(shown):
        console.print(line, markup=False)


def _draw(shown: Chains, title: str, svg: str | None) -> None:
    """Draw last: what a long search has found is told even where a picture cannot be written."""
    if svg is not None:
        Path(svg).write_text(chains_svg(shown, title=title) + "\n", encoding="utf-8")
