"""Boards without a guess and measures, checked against slow solvers written independently."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof import Board, Budget, BudgetExceeded, Cell, Game, Rules, Setup, Topology, infer
from mineproof.errors import NoBoardFound
from mineproof.game import difficulty, measure, no_guess_board
from mineproof.game.no_guess import Needed
from mineproof.position import LEVELS, mines_at
from mineproof.position.rules import Start
from mineproof.proofs import Technique

Clue = tuple[frozenset[Cell], int]
"""Unknown cells and how many of them are mines."""


class SlowReasoner:
    """Solves a board in rounds, with sets of cells."""

    def __init__(self, board: Board, first: Cell) -> None:
        self.board = board
        self.around = {
            cell: frozenset(board.topology.neighbours(cell))
            for cell in map(board.topology.cell, range(board.topology.cells))
        }
        self.open: set[Cell] = set()
        self.mines: set[Cell] = set()
        self.settled = dict.fromkeys(Technique, 0)
        self.learn({first: False}, Technique.GIVEN)

    @property
    def unknown(self) -> set[Cell]:
        return set(self.around) - self.open - self.mines

    @property
    def solved(self) -> bool:
        return len(self.open) + self.board.mines == len(self.around)

    def learn(self, found: dict[Cell, bool], technique: Technique) -> bool:
        for cell, mine in found.items():
            assert mine == self.board.layout[cell]
            (self.mines if mine else self.open).add(cell)
        self.settled[technique] += len(found)
        zeros = [cell for cell in self.open if self.board.counts[cell] == 0]
        shown = {near for zero in zeros for near in self.around[zero]} - self.open
        if shown:
            self.learn(dict.fromkeys(shown, False), Technique.GIVEN)
        return bool(found)

    def clues(self) -> list[Clue]:
        clues = []
        for cell in self.open:
            left = self.around[cell] - self.open - self.mines
            if left:
                mines = int(self.board.counts[cell]) - len(self.around[cell] & self.mines)
                clues.append((left, mines))
        return clues

    def count(self) -> dict[Cell, bool]:
        found = {}
        for cells, mines in self.clues():
            if mines in (0, len(cells)):
                found.update(dict.fromkeys(cells, mines > 0))
        return found

    def compare(self) -> dict[Cell, bool]:
        found = {}
        for (one, mines), (other, others) in combinations(self.clues(), 2):
            for (a, m), (b, n) in (
                ((one, mines), (other, others)),
                ((other, others), (one, mines)),
            ):
                shared, rest = a & b, b - a
                possible = [k for k in range(len(shared) + 1) if 0 <= m - k <= len(a - b)]
                if not shared or not rest or not possible:
                    continue
                if n <= min(possible):
                    found.update(dict.fromkeys(rest, False))
                elif n - max(possible) >= len(rest):
                    found.update(dict.fromkeys(rest, True))
        return found

    def entailed(self, *, total: bool) -> dict[Cell, bool]:
        unknown, clues = sorted(self.unknown), self.clues()
        left = self.board.mines - len(self.mines)
        possible = [
            set(layout)
            for size in ([left] if total else range(len(unknown) + 1))
            for layout in combinations(unknown, size)
            if all(len(cells.intersection(layout)) == mines for cells, mines in clues)
        ]
        return {
            cell: cell in possible[0]
            for cell in unknown
            if len({cell in layout for layout in possible}) == 1
        }

    def solve(self, hardest: Technique) -> bool:
        while not self.solved:
            if self.learn(self.count(), Technique.COUNTING):
                continue
            if hardest >= Technique.SUBSET and self.learn(self.compare(), Technique.SUBSET):
                continue
            if hardest >= Technique.CASES and self.learn(
                self.entailed(total=False), Technique.CASES
            ):
                continue
            if hardest >= Technique.TOTAL and self.learn(
                self.entailed(total=True), Technique.TOTAL
            ):
                continue
            return False
        return True


@st.composite
def small_boards(draw: st.DrawFn) -> tuple[Board, Cell]:
    rows, cols = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    first = draw(st.sampled_from(cells))
    others = [cell for cell in cells if cell != first]
    mines = draw(st.sets(st.sampled_from(others), max_size=5)) if others else set()
    return Board.from_cells(rows, cols, mines), first


@given(small_boards())
@settings(deadline=None)
def test_difficulty_is_what_a_slow_solver_finds(case: tuple[Board, Cell]) -> None:
    board, first = case
    slow = SlowReasoner(board, first)
    solved = slow.solve(Technique.TOTAL)
    found = difficulty(board, first)
    assert found.settled == slow.settled
    assert found.opened == len(slow.open)
    hardest = max(technique for technique, count in slow.settled.items() if count)
    assert found.technique == (hardest if solved else None)


def play_without_guess(board: Board, start: Start, first: Cell) -> None:
    """Play with exact inference, which must always find a safe cell."""
    game = Game.on(board, Rules(start), first=first)
    game.open(first)
    while game.outcome is None:
        safe = infer(game.observation).safe
        assert safe
        for cell in safe:
            if game.observation.closed[cell]:
                game.open(cell)
    assert game.won


@pytest.mark.parametrize("start", ["safe", "zero"])
@pytest.mark.parametrize("level", ["beginner", "intermediate", "expert"])
def test_no_guess_is_needed(level: str, start: Start) -> None:
    size = LEVELS[level]
    for seed in range(4):
        board = no_guess_board(replace(size, rules=Rules(start)), seed=seed)
        assert board.mines == size.mines
        play_without_guess(board, start, (0, 0) if start == "safe" else (3, 3))


@pytest.mark.long
def test_no_guess_is_needed_on_many_boards() -> None:
    for seed in range(300):
        for density in (0.1, 0.2, 0.3, 0.5):
            board = no_guess_board(
                Setup(Topology(12, 14), mines_at(density, 168), Rules("zero"), first=(6, 7)),
                seed=seed,
            )
            play_without_guess(board, "zero", (6, 7))


@pytest.mark.parametrize("technique", get_args(Needed))
@pytest.mark.parametrize("level", ["beginner", "expert"])
def test_the_technique_is_needed(level: str, technique: Needed) -> None:
    size = LEVELS[level]
    for seed in range(3):
        board = no_guess_board(
            replace(size, rules=Rules("zero")),
            seed=seed,
            technique=technique,
        )
        assert difficulty(board).technique == Technique[technique.upper()]
        play_without_guess(board, "zero", (3, 3))
        # Comparing two clues is enough exactly for the simple ones.
        simple = technique in ("counting", "subset")
        assert SlowReasoner(board, (3, 3)).solve(Technique.SUBSET) == simple
        assert SlowReasoner(board, (3, 3)).solve(Technique.COUNTING) == (technique == "counting")


def test_a_seed_gives_the_same_board_again() -> None:
    boards = [
        no_guess_board(Setup(Topology(16, 30), 99, Rules("zero")), seed=seed) for seed in (1, 1, 2)
    ]
    assert boards[0] == boards[1] != boards[2]


def test_only_boards_that_need_a_guess_are_changed() -> None:
    kept = 0
    for seed in range(40):
        laid = Board.random(Setup(Topology(9, 9), 10, Rules("zero")), seed=seed)
        solvable = difficulty(laid).technique is not None
        assert (
            no_guess_board(Setup(Topology(9, 9), 10, Rules("zero")), seed=seed) == laid
        ) == solvable
        kept += solvable
    assert 0 < kept < 40


def test_where_none_is_found_a_sentence_says_so() -> None:
    with pytest.raises(NoBoardFound, match="found no board with 9 rows, 9 columns and 1 mine"):
        no_guess_board(
            Setup(Topology(9, 9), 1, Rules("zero")), seed=0, technique="total", tries=100
        )


def test_bad_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="start 'any': must be safe or zero"):
        no_guess_board(Setup(Topology(9, 9), 1, Rules("any")), seed=0)
    with pytest.raises(ValueError, match="technique 'luck': must be counting, subset"):
        no_guess_board(Setup(Topology(9, 9), 1, Rules("zero")), seed=0, technique="luck")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"\(9, 0\): the board has 9 rows"):
        no_guess_board(Setup(Topology(9, 9), 1, Rules("zero"), first=(9, 0)), seed=0)
    with pytest.raises(ValueError, match="81 mines: the board has room for 0 to 80"):
        no_guess_board(Setup(Topology(9, 9), 81, Rules("zero")), seed=0)
    with pytest.raises(ValueError, match=r"board: the first cell, \(0, 0\), is a mine"):
        difficulty(Board.from_cells(3, 3, [(0, 0)]), (0, 0))


def test_a_budget_is_kept() -> None:
    board = no_guess_board(Setup(Topology(16, 30), 99, Rules("zero")), seed=0, technique="cases")
    with pytest.raises(BudgetExceeded):
        difficulty(board, budget=Budget(nodes=0))


def regions(topology: Topology, cells: set[Cell]) -> int:
    count, left = 0, set(cells)
    while left:
        count += 1
        region = [left.pop()]
        while region:
            near = left.intersection(topology.neighbours(region.pop()))
            left -= near
            region += near
    return count


@given(st.integers(1, 12), st.integers(1, 12), st.floats(0, 1), st.integers(0, 2**32))
def test_measures_are_what_a_slow_count_finds(
    rows: int, cols: int, density: float, seed: int
) -> None:
    board = Board.random(
        Setup(Topology(rows, cols), mines_at(density, rows * cols), Rules("any")), seed=seed
    )
    zeros = {(int(r), int(c)) for r, c in np.argwhere((board.counts == 0) & ~board.layout)}
    shown = zeros | {near for zero in zeros for near in board.topology.neighbours(zero)}
    safe = {(int(r), int(c)) for r, c in np.argwhere(~board.layout)}
    found = measure(board)
    assert found.openings == regions(board.topology, zeros)
    assert found.islands == regions(board.topology, safe - shown)
    assert found.bbbv == found.openings + len(safe - shown)


def test_another_program_measures_the_same() -> None:
    ms_toollib = pytest.importorskip("ms_toollib")
    for seed in range(20):
        board = Board.random(LEVELS["expert"], seed)
        theirs = ms_toollib.Board(np.where(board.layout, -1, board.counts).tolist())
        ours = measure(board)
        assert (ours.bbbv, ours.openings, ours.islands) == (theirs.bbbv, theirs.op, theirs.isl)
