"""`mineproof measure`: how much there is to open on boards, and how hard they are."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any, Final

import click
from rich.text import Text

from mineproof import game
from mineproof.cli import options
from mineproof.cli.output import print_columns, right
from mineproof.cli.positions import read_file
from mineproof.formats import read_entries
from mineproof.formats.files import boards_of
from mineproof.game import Board, Transcript, difficulty
from mineproof.position import Cell, TopologyKind
from mineproof.position.rules import Rules
from mineproof.position.setup import Setup


@click.command()
@click.argument("file", type=options.FILE)
@click.option(
    "--first",
    type=options.cell,
    metavar="R,C",
    help="The cell from which boards are solved. Default: the one that a game opened first, and "
    "else 3,3 or the nearest cell to it.",
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
    boards = read_file(file, partial(_boards, topology=topology))
    found = [_measured(board, own if first is None else first, first) for board, own in boards]
    if as_json:
        print(*map(json.dumps, found), sep="\n")
        return
    numbers = {"rows": "rows", "cols": "cols", "mines": "mines", "3BV": "bbbv"}
    numbers |= {name: name for name in ("openings", "islands")}
    print_columns(
        {"board": [right(number) for number in range(len(found))]}
        | {heading: [right(each[name]) for each in found] for heading, name in numbers.items()}
        | {heading: [Text(write(each)) for each in found] for heading, write in _WORDS.items()}
    )


def _boards(
    data: bytes, name: str, topology: TopologyKind | None
) -> list[tuple[Board, Cell | None]]:
    """Return the boards of a file, and the first cells of those that were played."""
    entries = read_entries(data, name, topology=topology)
    firsts = [each.first_opened if isinstance(each, Transcript) else None for each in entries]
    return list(zip(boards_of(entries), firsts, strict=True))


def _measured(board: Board, first: Cell | None, asked: Cell | None) -> dict[str, Any]:
    """Return the measures of a board; not its difficulty if nobody asked for a mine as first."""
    entry: dict[str, Any] = {"rows": board.rows, "cols": board.cols}
    entry |= {"topology": board.topology.kind, "mines": board.mines}
    entry |= asdict(game.measure(board))
    first = first or Setup(board.topology, 0, Rules("zero")).first_cell()
    assert first is not None, "zero has a first cell"
    if asked is None and board.layout[first]:
        return entry
    with options.naming("--first"):
        found = difficulty(board, first)
    technique = None if found.technique is None else str(found.technique)
    entry |= {"first": found.first, "technique": technique, "opened": found.opened}
    entry["settled"] = {str(technique): count for technique, count in found.settled.items()}
    return entry


def _needs(entry: dict[str, Any]) -> str:
    return entry.get("technique", "the first cell is a mine") or "a guess"


def _share_opened(entry: dict[str, Any]) -> str:
    safe = entry["rows"] * entry["cols"] - entry["mines"]
    return f"{entry['opened'] / safe:.0%}" if "opened" in entry else "-"


_WORDS: Final[Mapping[str, Callable[[dict[str, Any]], str]]] = {
    "first": lambda entry: str(entry.get("first", "-")),
    "needs": _needs,
    "opened": _share_opened,
}
"""The columns after the numbers, and what they show."""
