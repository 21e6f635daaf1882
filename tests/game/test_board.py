from collections.abc import Iterator
from itertools import combinations
from pickle import dumps, loads

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof import LEVELS, Board, Cell, CellCode, Game, Rules, Setup, Topology
from mineproof.position import mines_at
from mineproof.position.rules import Start

starts: st.SearchStrategy[Start] = st.sampled_from(["any", "safe", "zero"])
seeds = st.integers(0, 2**64 - 1)


def cells_of(board: Board) -> Iterator[Cell]:
    return ((int(row), int(col)) for row, col in np.argwhere(board.layout))


def permutation(rows: int, cols: int, seed: int) -> list[Cell]:
    """The seed's order of cells, found by adding one mine at a time."""
    order: list[Cell] = []
    for mines in range(1, rows * cols + 1):
        board = Board.random(Setup(Topology(rows, cols), mines, Rules("any")), seed=seed)
        (added,) = set(cells_of(board)) - set(order)
        order.append(added)
    return order


def laid_by_hand(order: list[Cell], mines: int, start: Start, first: Cell) -> set[Cell]:
    """The rule in words: protect, give up neighbours from the end, take the first."""
    near = [c for c in order if c != first and max(abs(c[0] - first[0]), abs(c[1] - first[1])) == 1]
    protected = [] if start == "any" else [first] if start == "safe" else [first, *near]
    while len(order) - len(protected) < mines:
        protected.pop()
    return set([cell for cell in order if cell not in protected][:mines])


@given(st.data(), st.integers(1, 6), st.integers(1, 6), seeds, starts)
def test_mines_are_the_first_unprotected_cells(
    data: st.DataObject, rows: int, cols: int, seed: int, start: Start
) -> None:
    first = data.draw(st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1)))
    mines = data.draw(st.integers(0, rows * cols - (start != "any")))
    board = Board.random(Setup(Topology(rows, cols), mines, Rules(start), first=first), seed=seed)
    order = permutation(rows, cols, seed)
    assert set(cells_of(board)) == laid_by_hand(order, mines, start, first)
    assert board.mines == mines


@given(st.integers(1, 6), st.integers(1, 6), seeds, starts)
def test_one_mine_too_many_is_an_error(rows: int, cols: int, seed: int, start: Start) -> None:
    most = rows * cols - (start != "any")
    mines = "1 mine" if most == 0 else f"{most + 1} mines"
    with pytest.raises(ValueError, match=f"^{mines}: the board has room for 0 to {most}$"):
        Board.random(Setup(Topology(rows, cols), most + 1, Rules(start)), seed=seed)


def test_negative_mines_are_an_error() -> None:
    with pytest.raises(ValueError, match="mines -1: must be a whole number from 0"):
        Board.random(Setup(Topology(3, 3), -1), seed=0)


def test_every_layout_is_equally_likely() -> None:
    layouts = {
        frozenset(pair): 0 for pair in combinations([(r, c) for r in (0, 1) for c in (0, 1, 2)], 2)
    }
    games = 15_000
    for seed in range(games):
        layouts[
            frozenset(cells_of(Board.random(Setup(Topology(2, 3), 2, Rules("any")), seed=seed)))
        ] += 1
    expected = games / len(layouts)
    chi_square = sum((count - expected) ** 2 / expected for count in layouts.values())
    assert chi_square < 42.6  # 14 degrees of freedom, 1 in 10,000


def test_mines_spread_evenly_over_a_large_board() -> None:
    boards, cells, share = 2_000, 480, 99 / 480
    counts = np.zeros((16, 30))
    for seed in range(boards):
        counts += Board.random(Setup(Topology(16, 30), 99, Rules("any")), seed=seed).layout
    # Mines of one board exclude each other: the factor makes up for it.
    variance = boards * share * (1 - share) * cells / (cells - 1)
    chi_square = float(((counts - boards * share) ** 2).sum() / variance)
    assert abs(chi_square - (cells - 1)) < 4 * (2 * (cells - 1)) ** 0.5


@pytest.mark.parametrize(
    ("rows", "cols", "start", "expected"),
    [
        (9, 9, "any", None),
        (9, 9, "safe", (0, 0)),
        (9, 9, "zero", (3, 3)),
        (2, 9, "zero", (1, 3)),
        (1, 1, "zero", (0, 0)),
    ],
)
def test_the_first_cell(rows: int, cols: int, start: Start, expected: Cell | None) -> None:
    assert Setup(Topology(rows, cols), 0, Rules(start)).first_cell() == expected


@pytest.mark.parametrize(
    ("density", "cells", "mines"),
    [(0.29, 100, 29), (0.2, 81, 16), (0.0, 9, 0), (1 / 3, 9, 2), (0.999, 10, 9)],
)
def test_density_is_rounded_down(density: float, cells: int, mines: int) -> None:
    assert mines_at(density, cells) == mines


@pytest.mark.parametrize("density", [-0.1, 1.1, float("nan")])
def test_a_density_is_a_share(density: float) -> None:
    with pytest.raises(ValueError, match="must be a number from 0 to 1"):
        mines_at(density, 9)


def test_one_cell() -> None:
    assert Board.random(Setup(Topology(1, 1), 0), seed=0).mines == 0
    assert Board.random(Setup(Topology(1, 1), 1, Rules("any")), seed=0).mines == 1


@given(st.integers(1, 5), st.integers(1, 5), seeds, st.data())
def test_given_cells_are_safe_and_grow_by_one(
    rows: int, cols: int, seed: int, data: st.DataObject
) -> None:
    mines = data.draw(st.integers(0, rows * cols))
    before: set[Cell] = set()
    for count in range(rows * cols - mines + 1):
        rules = Rules("any", given_safe=count)
        game = Game(Setup(Topology(rows, cols), mines, rules), seed)
        cells = set(map(tuple, np.argwhere(game.observation.cells == CellCode.KNOWN_SAFE.value)))
        assert len(cells) == count
        assert before <= cells
        assert not any(game.board.layout[cell] for cell in cells)
        before = cells


def test_more_given_cells_than_there_are() -> None:
    with pytest.raises(ValueError, match="4 given safe cells: the board has 3 safe cells"):
        Setup(Topology(2, 2), 1, Rules(given_safe=4))


def test_counts() -> None:
    board = Board.from_cells(3, 3, [(0, 0), (2, 2)])
    assert board.counts.tolist() == [[0, 1, 0], [1, 2, 1], [0, 1, 0]]


def test_boards_are_values_that_cannot_be_changed() -> None:
    board = Board.from_cells(2, 2, [(0, 1)])
    assert board == Board.from_cells(2, 2, [(0, 1)])
    assert board != Board.from_cells(2, 2, [(1, 1)])
    assert loads(dumps(board)) == board
    with pytest.raises(ValueError, match="WRITEABLE"):
        board.layout.flags.writeable = True


def test_mines_have_the_shape_of_the_board() -> None:
    with pytest.raises(ValueError, match=r"shape \(2, 3\), expected \(3, 2\)"):
        Board(Topology(3, 2), np.zeros((2, 3), np.bool_))


def test_one_mine() -> None:
    assert repr(Board.from_cells(2, 2, [(0, 0)])) == "Board(2x2, 1 mine)"


def test_levels() -> None:
    sizes = {name: (*level.topology.shape, level.mines) for name, level in LEVELS.items()}
    assert sizes["easy"] == sizes["beginner"] == (9, 9, 10)
    assert sizes["medium"] == (16, 16, 25)
    assert sizes["hard"] == sizes["expert"] == (16, 30, 99)
    assert sizes["intermediate"] == (16, 16, 40)
    assert Board.random(LEVELS["expert"], 5) == Board.random(Setup(Topology(16, 30), 99), seed=5)
