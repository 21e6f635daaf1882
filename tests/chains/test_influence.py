"""The influence of one clue, against every layout of small positions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import NO_CLUE, Question, answer

from mineproof import Game, Observation, Setup, Topology
from mineproof.chains import influence_of, influences


def test_a_clue_changes_the_risks_of_its_neighbours_and_of_the_rest() -> None:
    # One mine of four: with the 1 in the middle it is one of its two neighbours.
    influence = influence_of(Observation.from_text("5x1x1\n.1..."), (0, 1))
    assert influence.shifts == pytest.approx(
        {(0, 0): 0.25, (0, 2): 0.25, (0, 3): -0.25, (0, 4): -0.25}
    )
    assert (influence.clue, influence.cells, influence.reach) == ((0, 1), 4, 3)


def test_a_clue_that_says_nothing_new_has_no_influence() -> None:
    # The clue beside it also says whether the corner is a mine.
    seen = Observation.from_text("3x2x1\n.1?\n11?")
    assert influence_of(seen, (0, 1)).cells == 0
    assert influence_of(seen, (0, 1)).reach == 0


def test_epsilon_leaves_out_what_hardly_changes() -> None:
    seen = Observation.from_text("9x1x2\n.1.......")
    # Two mines of eight, and one of six beyond the clue.
    shifts = influence_of(seen, (0, 1)).shifts
    assert shifts[0, 0] == pytest.approx(1 / 2 - 1 / 4)
    assert shifts[0, 8] == pytest.approx(1 / 6 - 1 / 4)
    assert influence_of(seen, (0, 1), epsilon=0.1).reach == 1
    assert influence_of(seen, (0, 1), epsilon=0.3).cells == 0


def test_certain_cells_become_uncertain_without_their_clue() -> None:
    influence = influence_of(Observation.from_text("3x1x1\n1.."), (0, 0))
    assert influence.shifts == pytest.approx({(0, 1): 0.5, (0, 2): -0.5})


@given(st.integers(0, 10_000))
def test_influences_match_every_layout(seed: int) -> None:
    game = Game(Setup(Topology(3, 4), 3), seed)
    game.open((0, 0))
    seen = game.observe()
    codes = seen.cells.tolist()
    whole = answer(Question(tuple(map(tuple, codes)), "total", 3)).risks()
    for influence in influences(seen, epsilon=1e-6):
        row, col = influence.clue
        hidden = [list(line) for line in codes]
        hidden[row][col] = NO_CLUE
        without = answer(Question(tuple(map(tuple, hidden)), "total", 3)).risks()
        shifts = {cell: float(whole[cell] - without[cell]) for cell in whole}
        expected = {cell: shift for cell, shift in shifts.items() if abs(shift) > 1e-6}
        assert dict(influence.shifts) == pytest.approx(expected)
        reach = max((max(abs(r - row), abs(c - col)) for r, c in expected), default=0)
        assert (influence.cells, influence.reach) == (len(expected), reach)


def test_influences_are_those_of_the_clues_one_by_one() -> None:
    game = Game.level("easy", seed=5)
    game.open((0, 0))
    seen = game.observe()
    for influence in influences(seen):
        assert influence == influence_of(seen, influence.clue)
    assert len(influences(seen)) == int((seen.cells >= 0).sum())


def test_bad_input_is_rejected_in_one_sentence() -> None:
    seen = Observation.from_text("1.\n..")
    with pytest.raises(ValueError, match=r"\(0, 1\): the cell shows no clue"):
        influence_of(seen, (0, 1))
    with pytest.raises(ValueError, match=r"\(5, 0\): the board has 2 rows and 2 columns"):
        influence_of(seen, (5, 0))
    with pytest.raises(ValueError, match="epsilon -1: must be a number from 0"):
        influence_of(seen, (0, 0), epsilon=-1)
    with pytest.raises(TypeError, match="observation 'seen': must be an Observation"):
        influence_of("seen", (0, 0))  # type: ignore[arg-type]
