"""The effort of answers: small cases by hand, and properties that always hold."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import pytest
import questions
from engine import observation

from mineproof import (
    Board,
    Budget,
    BudgetExceeded,
    Channel,
    Game,
    Observation,
    Rules,
    Solver,
    infer,
)
from mineproof.inference import Effort

MOVE = 16 + 1  # from one partial layout to another, and one product


def scattered(seed: int, side: int = 10) -> Observation:
    cells = side * side
    board = questions.opened(Random(seed), side, side, cells // 5, cells // 3, cascade=False)
    return observation(board)


@pytest.mark.parametrize(
    ("text", "effort"),
    [
        ("00", Effort(0, 0, 0, 0)),
        ("...", Effort(0, 0, 0, 0)),
        ("1..", Effort(0, 0, 0, 0)),  # a single clue settles it
        (".1.", Effort(1, 2, 1, MOVE)),  # two cells that hold one mine
        (".1..1.", Effort(2, 2, 1, 2 * MOVE)),  # twice the same
        (".1.1.", Effort(1, 3, 2, 6 * MOVE)),  # three cells, each mined or not
        (".1.1.1.", Effort(1, 4, 2, 8 * MOVE)),  # a chain opens no more clues at once
        (".1.1.?.1.", Effort(2, 3, 2, 7 * MOVE)),  # the most cells and clues of either
    ],
)
def test_small_rows_by_hand(text: str, effort: Effort) -> None:
    assert infer(Observation.from_text(text)).effort == effort


@pytest.mark.parametrize("channel", ["exact", "optimistic"])
def test_what_a_solver_remembers_is_told_as_counted(channel: str) -> None:
    solver = Solver(channel=Channel.parse(channel))
    for seed in range(5):
        plain = infer(scattered(seed), channel=Channel.parse(channel)).effort
        for _ in range(2):
            assert solver.infer(scattered(seed)).effort == plain


def test_mirrored_boards_have_the_same_components() -> None:
    for seed in range(20):
        cells = scattered(seed).cells
        efforts = [
            infer(Observation(scattered(seed).topology, turned)).effort
            for turned in (cells, cells[::-1], cells[:, ::-1], cells.T)
        ]
        assert len({(effort.components, effort.cells) for effort in efforts}) == 1


def test_the_largest_component_has_closed_cells_only() -> None:
    for seed in range(10):
        posterior = infer(scattered(seed))
        unsettled = np.isfinite(posterior.risk).sum()
        assert 0 < posterior.effort.cells <= unsettled


def strip(rows: int) -> Observation:
    """Columns of mines to find between columns of clues."""
    cols = 15
    rng = np.random.default_rng(rows)
    mines = rng.random((rows, cols)) < 0.4
    mines[:, 1::2] = False
    cells = [(int(row), int(col)) for row, col in np.argwhere(mines)]
    game = Game.on(Board.from_cells(rows, cols, cells), rules=Rules(start="any", cascade=False))
    for row, col in np.ndindex(rows, cols):
        if col % 2:
            game.open((row, col))
    return game.observation


def test_width_and_work_grow_with_the_rows_of_a_strip() -> None:
    efforts = [infer(strip(rows), channel=Channel.optimistic()).effort for rows in range(2, 7)]
    widths = [effort.width for effort in efforts]
    assert widths == sorted(set(widths))
    for narrow, wide in pairwise(efforts):
        assert narrow.work is not None
        assert wide.work is not None
        assert wide.work > 2 * narrow.work


def test_work_is_the_least_budget_that_suffices() -> None:
    for seed in range(10):
        seen = scattered(seed)
        work = infer(seen).effort.work
        assert work is not None
        infer(seen, budget=Budget(nodes=work), require_exact=True)
        with pytest.raises(BudgetExceeded):
            infer(seen, budget=Budget(nodes=work - 1), require_exact=True)


def test_an_estimate_tells_of_the_plan_but_of_no_work() -> None:
    seen, optimistic = scattered(1), Channel.optimistic()
    guess = infer(seen, channel=optimistic, budget=Budget(nodes=1_000))
    assert not guess.exact
    assert guess.effort == infer(seen, channel=optimistic).effort._replace(work=None)
