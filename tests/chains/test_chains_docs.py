"""The page on chains is current: its commands, pictures and boards with very long chains."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

import pytest

from mineproof import Board, Game, Rules, Setup, Topology, agents, cli, play
from mineproof.arena.narration import conditions_of
from mineproof.chains import chains_of, search_long_chain
from mineproof.draw import chains_svg

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "chains.md").read_text(encoding="utf-8")
IMAGES = ROOT / "docs" / "images"
BOARDS = ROOT / "docs" / "long_chains"
COMMANDS = re.findall(r"```console\n\$ mineproof (.*?)```", PAGE, re.DOTALL)
RULES = Rules("zero")


class Row(NamedTuple):
    """What the page says about the boards with this many mines."""

    mines: int
    median: float
    longest: int
    times: float
    seed: int


ROWS = {
    int(mines): Row(int(mines), float(median), int(longest), float(times), int(seed))
    for mines, median, longest, times, seed in re.findall(
        r"^\| (\d+) \| ([\d.]+) \| (\d+) \| ([\d.]+) \| (\d+) \|$", PAGE, re.MULTILINE
    )
}


def game(mines: int) -> Game:
    """The game on the board with the longest chain found for this many mines."""
    board = Board.from_text((BOARDS / f"{mines:02}.txt").read_text(encoding="utf-8"))
    assert (board.rows, board.cols, board.mines) == (10, 10, mines)
    return Game.on(board, RULES)


def pictures() -> Iterator[tuple[str, str]]:
    """Every picture of the page, by name."""
    chains = chains_of(Game.level("easy", seed=2))
    yield "chains.svg", chains_svg(chains, title=conditions_of(9, 9, 10, Rules(), "exact"))
    for mines in ROWS:
        title = conditions_of(10, 10, mines, RULES, "exact")
        yield f"long-chain-{mines:02}.svg", chains_svg(chains_of(game(mines)), title=title)


@pytest.mark.parametrize("example", COMMANDS)
def test_the_commands_print_what_the_page_shows(
    example: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    command, _, shown = example.partition("\n")
    assert cli.main(shlex.split(command)) == 0
    assert capsys.readouterr().out == shown


def test_the_pictures_are_current() -> None:
    for name, drawn in pictures():
        assert (IMAGES / name).read_text(encoding="utf-8") == f"{drawn}\n"
        assert f"](images/{name})" in PAGE


@pytest.mark.parametrize("row", ROWS.values())
def test_long_chains_are_as_long_as_the_page_says(row: Row) -> None:
    chains = chains_of(game(row.mines))
    assert (chains.longest, chains.guesses, chains.exact) == (row.longest, 0, True)
    assert chains.roots == ((3, 3),)
    assert row.times == round(row.longest / row.median, 1) >= 3
    record = play(game(row.mines), agents.get("exact"))
    assert (record.won, record.guesses) == (True, 0)


def test_the_page_lists_every_board() -> None:
    assert [f"{mines:02}.txt" for mines in ROWS] == sorted(file.name for file in BOARDS.iterdir())
    assert set(ROWS) >= {5, 10, 15, 20, 25, 30, 35, 40}


@pytest.mark.long
@pytest.mark.parametrize("row", ROWS.values())
def test_random_boards_have_chains_as_short_as_the_page_says(row: Row) -> None:
    setup = Setup(Topology(10, 10), row.mines, RULES)
    assert median(chains_of(Game(setup, seed)).longest for seed in range(1_000)) == row.median


@pytest.mark.long
@pytest.mark.parametrize("mines", [5, 10])
def test_the_search_finds_the_boards_again(mines: int) -> None:
    found = search_long_chain(
        Setup(Topology(10, 10), mines, Rules("zero")), evaluations=100_000, seed=ROWS[mines].seed
    )
    assert found is not None
    assert found.board == game(mines).board


if __name__ == "__main__":
    for name, drawn in pictures():
        (IMAGES / name).write_text(f"{drawn}\n", encoding="utf-8")
