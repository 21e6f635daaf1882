"""`mineproof generate`: random boards, and boards that need no guess."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, replace
from typing import Any, Final, get_args

import click

from mineproof.cli import options
from mineproof.game import Board, difficulty, measure, no_guess_board
from mineproof.game.no_guess import TRIES, Needed
from mineproof.position import Cell, Setup

_MOST_BOARDS: Final = 1_000_000


@click.command(cls=options.BoardCommand)
@options.laid_board
@options.seed
@click.option("--no-guess", is_flag=True, help="Boards that need no guess from the first cell on.")
@click.option(
    "--technique",
    type=options.OneOf(get_args(Needed)),
    help="The hardest technique that each board must need, with --no-guess.",
)
@click.option(
    "--count",
    type=options.Whole(1, _MOST_BOARDS),
    default=1,
    metavar="N",
    help="How many boards, with the seeds S, S + 1 and so on.",
)
@click.option(
    "--tries",
    type=options.Whole(1, 2**63 - 1),
    metavar="N",
    help=f"How many changes and boards a search tries, with --no-guess. Default: {TRIES:,}.",
)
@options.as_json
def generate(
    board: options.BoardOptions,
    seed: int | None,
    no_guess: bool,
    technique: Needed | None,
    count: int,
    tries: int | None,
    as_json: bool,
) -> None:
    """Generate boards.

    With --no-guess, a perfect reasoner who opens the first cell can open all other safe cells
    without a guess; the default is then --start zero. The mines of the random board with the same
    seed are moved only where it would need a guess.

    Boards are printed as text, separated by blank lines: * mine, . free, after a line with
    COLSxROWSxMINES. With --json there is one object per board and line, with its first cell and
    its measures.

    Exit codes: 2 bad input, 4 no board found.
    """
    if not no_guess:
        for option, value in (("--technique", technique), ("--tries", tries)):
            if value is not None:
                raise click.UsageError(f"{option} needs --no-guess as well.")
    elif board.start == "any":
        raise click.UsageError("--no-guess needs --start safe or --start zero.")
    else:
        board = replace(board, start=board.start or "zero")
    setup = board.setup()
    for number in range(count):
        each = (seed or 0) + number
        with options.naming("--seed"):
            first, laid = _lay(setup, each, no_guess, technique, tries or TRIES)
        if as_json:
            print(json.dumps(_entry(laid, each, first, no_guess)))
        else:
            print("\n" * (number > 0) + laid.to_text())
        if no_guess and not as_json and (number == 0 or setup.first == "random"):
            which = f"board {number}: " * (setup.first == "random")
            sentence = f"{which}open {first} first; then no guess is needed"
            print(f"mineproof: {sentence}", file=sys.stderr)


def _lay(
    setup: Setup, seed: int, no_guess: bool, technique: Needed | None, tries: int
) -> tuple[Cell | None, Board]:
    """Return the first cell and the board of a seed."""
    if not no_guess:
        board = Board.random(setup, seed)
    else:
        board = no_guess_board(setup, seed=seed, technique=technique, tries=tries)
    return setup.first_cell(seed), board


def _entry(board: Board, seed: int, first: Cell | None, no_guess: bool) -> dict[str, Any]:
    entry = {"seed": seed, "first": first, "board": board.to_text(), **asdict(measure(board))}
    if no_guess:
        entry["technique"] = str(difficulty(board, first).technique)
    return entry
