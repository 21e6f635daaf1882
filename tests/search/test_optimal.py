"""Optimal play on small boards, against exhaustive play."""

from __future__ import annotations

import json
from fractions import Fraction
from math import comb

import pytest
from exhaustive_play import ExhaustivePlay, all_layouts

from mineproof import BudgetExceeded, Rules, Setup, Topology
from mineproof.cli import main
from mineproof.position.rules import Start
from mineproof.position.topology import TopologyKind
from mineproof.search.optimal import Optimum, optimal

SMALL = [(1, 1, 0), (1, 4, 2), (2, 2, 1), (2, 3, 2), (2, 4, 3), (3, 3, 2), (3, 3, 3), (3, 3, 7)]


def setup(
    rows: int, cols: int, mines: int, start: Start = "safe", topology: TopologyKind = "square"
) -> Setup:
    return Setup(Topology(rows, cols, topology), mines, Rules(start))


def exhaustive(
    rows: int,
    cols: int,
    mines: int,
    start: Start,
    topology: TopologyKind = "square",
    *,
    cascade: bool,
) -> Optimum:
    play = ExhaustivePlay(Topology(rows, cols, topology), cascade=cascade)
    wins: dict[tuple[int, int], Fraction] = {}
    for first in play.cells:
        kept = {"any": set(), "safe": {first}, "zero": {first, *play.near[first]}}[start]
        free = play.cells - kept
        if len(free) >= mines:
            layouts = all_layouts(free, mines)
        else:
            near = all_layouts(kept - {first}, mines - len(free))
            layouts = frozenset(free | extra for extra in near)
        wins[first] = Fraction(play.won_by(layouts, frozenset(), first), len(layouts))
    best = max(wins.values())
    return Optimum(best, tuple(sorted(cell for cell, win in wins.items() if win == best)))


@pytest.mark.parametrize("start", ["any", "safe", "zero"])
@pytest.mark.parametrize("board", SMALL)
def test_optimum_equals_exhaustive_play_and_a_cascade_changes_nothing(
    board: tuple[int, int, int], start: Start
) -> None:
    found = optimal(setup(*board, start))
    assert found == exhaustive(*board, start, cascade=False)
    assert found == exhaustive(*board, start, cascade=True)


@pytest.mark.parametrize("start", ["any", "safe", "zero"])
@pytest.mark.parametrize(
    ("board", "topology"),
    [
        *((board, "hex") for board in SMALL),
        *((board, "hex") for board in [(4, 2, 2), (2, 4, 2), (5, 2, 2)]),
        *((board, "torus") for board in [(3, 3, 2), (3, 3, 7), (3, 4, 1)]),
    ],
)
def test_optimum_equals_exhaustive_play_on_other_topologies(
    board: tuple[int, int, int], topology: TopologyKind, start: Start
) -> None:
    assert optimal(setup(*board, start, topology)) == exhaustive(
        *board, start, topology, cascade=True
    )


def test_four_by_four_with_four_mines() -> None:
    found = optimal(Setup(Topology(4, 4), 4, Rules("any")))
    edges = {(r, c) for r in range(4) for c in range(4) if (r in (0, 3)) != (c in (0, 3))}
    assert found == Optimum(Fraction(961, 1820), tuple(sorted(edges)))


def test_a_safe_start_leaves_out_lost_layouts_only() -> None:
    free, safe = (
        optimal(Setup(Topology(4, 4), 3, Rules("any"))),
        optimal(Setup(Topology(4, 4), 3, Rules("safe"))),
    )
    assert safe.best == free.best
    assert safe.win * comb(15, 3) == free.win * comb(16, 3)


def test_turning_the_board_turns_the_answer() -> None:
    flat, tall = optimal(Setup(Topology(3, 5), 4)), optimal(Setup(Topology(5, 3), 4))
    assert flat.win == tall.win
    assert sorted((col, row) for row, col in flat.best) == list(tall.best)


@pytest.mark.parametrize(
    "board", [(9, 9, 10), (8, 8, 10), (6, 6, 3), (10**6, 10**6, 3), (2**30, 2**30, 0)]
)
def test_a_board_that_is_too_large_is_refused_at_once(board: tuple[int, int, int]) -> None:
    with pytest.raises((BudgetExceeded, ValueError), match=r"too large|2\*\*28"):
        optimal(setup(*board), work=10**6)


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    board = ["--rows", "3", "--cols", "3", "--mines", "2", "--start", "any", "--no-cascade"]
    assert main(["optimal", *board, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["win"] == "2/3"
    assert answer["best"] == [[0, 1], [1, 0], [1, 2], [2, 1]]
    assert main(["optimal", *board]) == 0
    assert capsys.readouterr().out == (
        "Optimal play wins 2/3 = 66.6667% of games.\n"
        "4 best first moves: (0, 1), (1, 0), (1, 2), (2, 1).\n"
    )


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--rows", "9", "--cols", "9", "--mines", "10"], 4, "9x9 with 10 mines is too large"),
        (
            ["--rows", "2", "--cols", "2", "--mines", "4"],
            2,
            "4 mines: the board has room for 0 to 3",
        ),
        (["--rows", "0", "--cols", "2", "--mines", "1"], 2, "--rows"),
    ],
)
def test_command_errors(
    options: list[str], code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["optimal", *options]) == code
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1
