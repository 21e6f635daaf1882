"""`mineproof measure`: how much there is to open on boards, and how hard they are."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from typing import Any

import click
from rich.text import Text

from mineproof import game
from mineproof.cli import options
from mineproof.cli.completion import files
from mineproof.cli.output import print_columns
from mineproof.cli.positions import read_file
from mineproof.game import Board, Difficulty, difficulty, read_boards
from mineproof.game.board import first_cell
from mineproof.position import Cell, TopologyKind


@click.command()
@click.argument("file", shell_complete=files)
@click.option(
    "--first",
    type=options.cell,
    metavar="R,C",
    help="The cell from which boards are solved. Default: 3,3 or the nearest cell to it.",
)
@options.topology
@options.as_json
def measure(file: str, first: Cell | None, topology: TopologyKind | None, as_json: bool) -> None:
    """Measure boards: 3BV, openings, islands, and how hard they are.

    FILE has one or more boards as text, separated by blank lines, * mine and . free; - is standard
    input. It may also hold games, whose boards are measured, and be in a format that `mineproof
    convert --help` lists.

    3BV is the fewest cells to open that win. An opening is a connected region of cells with no mine
    around them, an island a connected region of safe cells that no opening shows.

    A board is as hard as the hardest technique that it needs: counting (one clue), subset (two
    clues), cases (any number of clues) or total (the number of mines left). Otherwise it needs a
    guess, and the last column shows how many safe cells can be opened without one.

    Exit codes: 2 bad input, 4 too wide to answer.
    """
    boards = read_file(file, partial(read_boards, topology=topology))
    found = [_difficulty(board, first) for board in boards]
    if as_json:
        for board, hardness in zip(boards, found, strict=True):
            print(json.dumps(_entry(board, hardness)))
        return
    measured = [game.measure(board) for board in boards]
    numbers: dict[str, list[int]] = {
        "rows": [board.rows for board in boards],
        "cols": [board.cols for board in boards],
        "mines": [board.mines for board in boards],
        "3BV": [each.bbbv for each in measured],
        "openings": [each.openings for each in measured],
        "islands": [each.islands for each in measured],
    }
    columns = {
        "board": [_number(number) for number in range(len(boards))],
        **{name: [_number(value) for value in values] for name, values in numbers.items()},
        "first": [Text("-" if each is None else str(each.first)) for each in found],
        "needs": [Text(_needs(each)) for each in found],
        "opened": [
            Text(f"{each.opened / (board.topology.cells - board.mines):.0%}" if each else "-")
            for board, each in zip(boards, found, strict=True)
        ],
    }
    print_columns(columns)


def _difficulty(board: Board, first: Cell | None) -> Difficulty | None:
    """Return nothing if the first cell is a mine but was not chosen by the user."""
    if first is not None:
        with options.naming("--first"):
            return difficulty(board, first)
    chosen = first_cell(board.topology, "zero")
    return None if board.layout[chosen] else difficulty(board, chosen)


def _needs(found: Difficulty | None) -> str:
    if found is None:
        return "the first cell is a mine"
    return "a guess" if found.technique is None else str(found.technique)


def _entry(board: Board, found: Difficulty | None) -> dict[str, Any]:
    entry: dict[str, Any] = {"rows": board.rows, "cols": board.cols}
    entry |= {"topology": board.topology.kind, "mines": board.mines}
    entry |= asdict(game.measure(board))
    if found is not None:
        technique = None if found.technique is None else str(found.technique)
        settled = {str(technique): count for technique, count in found.settled.items()}
        entry |= {"first": found.first, "technique": technique, "opened": found.opened}
        entry["settled"] = settled
    return entry


def _number(value: int) -> Text:
    return Text(str(value), justify="right")
