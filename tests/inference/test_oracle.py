"""The oracle against numbers anyone can work out by hand."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import oracle
import pytest
import questions
from oracle import CLOSED, EXPLODED, FLAGGED, Question

half = Fraction(1, 2)


def test_one_clue_between_two_cells() -> None:
    truth = oracle.answer(Question(((CLOSED, 1, CLOSED),), "total", 1))
    assert truth.risks() == {(0, 0): half, (0, 2): half}
    assert truth.expected_mines() == 1


def test_a_total_and_an_island() -> None:
    truth = oracle.answer(Question(((CLOSED, 1, 0, CLOSED),), "density", Fraction(1, 5)))
    assert truth.risks() == {(0, 0): 1, (0, 3): 0}
    truth = oracle.answer(Question(((CLOSED, 1, -3, CLOSED),), "density", Fraction(1, 5)))
    assert truth.risks() == {(0, 0): 1, (0, 3): Fraction(1, 5)}
    assert truth.totals() == {1: Fraction(4, 5), 2: Fraction(1, 5)}


def test_unknown_density_is_the_rule_of_succession() -> None:
    truth = oracle.answer(Question(((EXPLODED, EXPLODED, CLOSED),)))
    assert truth.risk((0, 2)) == Fraction(3, 4)


def test_noisy_clues_by_bayes() -> None:
    seen_zero = Question(((0, CLOSED),), "density", half, oracle.optimistic())
    assert oracle.answer(seen_zero).risk((0, 1)) == Fraction(1, 3)
    seen_one = Question(((1, CLOSED),), "density", half, oracle.cautious())
    assert oracle.answer(seen_one).risk((0, 1)) == Fraction(2, 3)
    chances = oracle.answer(seen_one).clue_chances((0, 1))
    assert chances[:2] == [Fraction(1, 6), Fraction(1, 6)]
    assert sum(chances) == Fraction(1, 3)


def test_trusted_flags_are_mines() -> None:
    question = Question(((FLAGGED, 1, CLOSED),), trust=True)
    assert oracle.answer(question).risks() == {(0, 0): 1, (0, 2): 0}


def test_smallest_clash() -> None:
    question = Question(((1, CLOSED, 0), (CLOSED, 2, CLOSED), (1, CLOSED, CLOSED)), "total", 5)
    assert oracle.smallest_clash(question, question.clues(), use_total=False) is None
    assert oracle.smallest_clash(question, question.clues(), use_total=True) == 1


@pytest.mark.parametrize("seed", range(200))
def test_backtracking_counts_like_the_walk(seed: int) -> None:
    rng = Random(seed)
    kind = questions.played if seed % 2 else questions.arbitrary
    question = kind(rng, rng.choice(questions.PRIORS), oracle.exact(), trust=seed % 3 == 0)
    counts: dict[int, int] = {}
    for mines, _ in oracle.answer(question).layouts:
        counts[len(mines)] = counts.get(len(mines), 0) + 1
    assert oracle.count_by_total(question) == counts
