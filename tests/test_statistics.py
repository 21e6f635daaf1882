"""Intervals: known values, and samples that are difficult to judge."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan, sqrt
from typing import Any

import numpy as np
import pytest

from mineproof.statistics import (
    Bounds,
    Estimate,
    difference,
    mean,
    mean_of,
    median,
    rank_correlation,
    share,
    share_difference,
    share_difference_of,
)

SCORE: Bounds = (0, 1)
SCORE_DIFFERENCE: Bounds = (-1, 1)


def ends(estimate: Estimate) -> tuple[float, float]:
    return estimate.low, estimate.high


# ----------------------------------------------------------------------------------- known values


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # The examples of Newcombe (1998), for single shares.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_known_shares(successes: int, trials: int, low: float, high: float) -> None:
    estimate = share(successes, trials)
    assert estimate.value == successes / trials
    assert ends(estimate) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("gained", "lost", "count", "low", "high"),
    [
        # Worked examples of Fagerland, Lydersen and Laake's book on contingency tables.
        (6, 16, 161, -0.1240, -0.0054),
        (1, 7, 21, -0.5172, -0.0260),
    ],
)
def test_known_differences_of_shares(
    gained: int, lost: int, count: int, low: float, high: float
) -> None:
    estimate = share_difference_of(gained, lost, count)
    assert estimate.value == (gained - lost) / count
    assert ends(estimate) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.30265), (3, 3.18245), (4, 2.77645), (9, 2.26216), (99, 1.98422)],
)
def test_known_means(freedom: int, quantile: float) -> None:
    sample = np.arange(freedom + 1.0)
    error = sample.std(ddof=1) / sqrt(sample.size)
    estimate = mean(sample)
    assert estimate.value == sample.mean()
    assert (estimate.high - estimate.value) / error == pytest.approx(quantile, rel=2e-3)
    assert estimate.high - estimate.value == pytest.approx(estimate.value - estimate.low)


def test_a_difference_is_a_mean_of_differences() -> None:
    rng = np.random.default_rng(1)
    one, other = rng.random(30), rng.random(30)
    assert difference(one, other) == mean(one - other)
    # What all pairs share says nothing against either side.
    assert ends(difference(one + 100 * other, 100 * other)) == pytest.approx(ends(mean(one)))


@pytest.mark.parametrize("count", [1, 2, 7, 100, 10_000])
def test_where_all_values_are_alike_the_interval_is_exact(count: int) -> None:
    # The end of Clopper and Pearson where all trials succeed.
    exact = 0.025 ** (1 / count)
    assert ends(mean([1.0] * count, SCORE)) == pytest.approx((exact if count > 1 else 0, 1))
    assert ends(mean_of(count, 0, 0, SCORE)) == pytest.approx((0, 1 - exact if count > 1 else 1))


def test_bounds_join_two_errors() -> None:
    student = mean_of(50, 0.8, 0.3)
    alike = mean_of(50, 0.8, 0, SCORE)
    both = mean_of(50, 0.8, 0.3, SCORE)
    for end in ("low", "high"):
        reaches = [getattr(estimate, end) - 0.8 for estimate in (student, alike, both)]
        assert reaches[0] ** 2 + reaches[1] ** 2 == pytest.approx(reaches[2] ** 2)


def test_bounds_can_be_shifted_and_stretched() -> None:
    score = mean_of(40, 0.9, 0.2, SCORE)
    stretched = mean_of(40, 0.8, 0.4, SCORE_DIFFERENCE)
    assert ends(stretched) == pytest.approx((2 * score.low - 1, 2 * score.high - 1))


# ---------------------------------------------------------------------------- samples known by sums


def test_sums_say_what_samples_say() -> None:
    rng = np.random.default_rng(2)
    one, other = rng.random(200), rng.random(200)
    for bounds in (None, SCORE):
        assert mean(one, bounds) == mean_of(200, one.mean(), one.std(ddof=1), bounds)
    won, reference = one > 0.4, other > 0.6
    gained, lost = int((won & ~reference).sum()), int((reference & ~won).sum())
    assert share_difference(won, reference) == share_difference_of(gained, lost, 200)


@pytest.mark.parametrize("deviation", [0.0, nan])
def test_rounded_sums_are_taken_for_what_they_mean(deviation: float) -> None:
    exact = mean_of(10**6, 1, 0, SCORE)
    assert mean_of(10**6, 1 + 1e-12, deviation, SCORE) == exact
    assert mean_of(10**6, 3.5, deviation) == Estimate(3.5, 3.5, 3.5)


@pytest.mark.parametrize("count", [10**6, 10**9, 10**12])
def test_of_very_many_all_intervals_are_normal(count: int) -> None:
    error = 1.959964 / sqrt(count)
    wide = share(count // 5, count), mean_of(count, 0.2, 0.4), mean_of(count, 0.2, 0.4, SCORE)
    for estimate in wide:
        assert estimate.width / (2 * 0.4 * error) == pytest.approx(1, abs=1e-3)
    few = share_difference_of(3 * count // 1000, count // 1000, count)
    spread = sqrt(0.004 - 0.002**2)
    assert few.width / (2 * spread * error) == pytest.approx(1, abs=1e-2)
    assert few.low < few.value < few.high


# ---------------------------------------------------------------------------------- at the fringe


@pytest.mark.parametrize("deviation", [None, 0.0, nan])
def test_one_value_says_nothing_of_its_spread(deviation: float | None) -> None:
    assert mean([0.5]) == mean_of(1, 0.5, deviation) == Estimate(0.5, -inf, inf)
    assert mean([0.5], SCORE) == mean_of(1, 0.5, deviation, SCORE) == Estimate(0.5, 0, 1)


def test_bounds_are_kept_and_no_interval_is_a_point() -> None:
    for count in (2, 30, 2000):
        for value in (0.0, 0.02, 0.5, 0.98, 1.0):
            for deviation in (0.0, 0.01, sqrt(value * (1 - value))):
                estimate = mean_of(count, value, deviation, SCORE)
                assert 0 <= estimate.low <= value <= estimate.high <= 1
                assert estimate.width > 1 / count


def test_pairs_that_never_differ_leave_a_doubt_about_scores() -> None:
    scores = np.linspace(0, 1, 60)
    estimate = difference(scores, scores, SCORE_DIFFERENCE)
    assert estimate.low == -estimate.high < -0.05
    assert difference(scores, scores) == Estimate(0, 0, 0)


@pytest.mark.parametrize("count", [1, 2, 7, 1000])
def test_pairs_that_never_differ_leave_a_doubt(count: int) -> None:
    # Tango's equation can be solved by hand here.
    z = 1.959964
    doubt = z * z / (count + z * z)
    assert ends(share_difference_of(0, 0, count)) == pytest.approx((-doubt, doubt))


@pytest.mark.parametrize("count", [1, 5, 60])
def test_pairs_that_always_differ(count: int) -> None:
    assert share_difference_of(count, 0, count).high == 1
    assert share_difference_of(0, count, count).low == -1
    assert -1 < share_difference_of(count, 0, count).low < 1


def test_sides_can_be_swapped() -> None:
    for gained, lost in [(3, 8), (0, 4), (11, 2)]:
        there = share_difference_of(gained, lost, 40)
        back = share_difference_of(lost, gained, 40)
        assert (there.value, there.low, there.high) == (-back.value, -back.high, -back.low)
        assert there.low < there.value < there.high
    there, back = (mean_of(40, value, 0.1, SCORE_DIFFERENCE) for value in (0.2, -0.2))
    assert (there.value, there.low, there.high) == (-back.value, -back.high, -back.low)


@pytest.mark.parametrize(("count", "low", "high"), [(6, 1, 6), (8, 1, 8), (9, 2, 8), (100, 40, 61)])
def test_known_medians(count: int, low: int, high: int) -> None:
    # The ranks are those of the tables for the sign test.
    values = np.random.default_rng(1).permutation(np.arange(1.0, count + 1))
    assert ends(median(values)) == (low, high)
    assert median(values).value == (count + 1) / 2


def test_five_values_bear_no_interval_of_a_median() -> None:
    assert ends(median([1, 2, 3, 4, 5])) == (-inf, inf)


def test_medians_keep_their_word() -> None:
    chances = np.random.default_rng(3)
    held = 0
    for _ in range(1000):
        low, high = ends(median(chances.exponential(size=25)))
        held += low <= np.log(2) <= high
    assert held > 940


def test_ranks_rise_together_or_apart() -> None:
    rising = list(range(10))
    same, turned = rank_correlation([(rising, rising)]), rank_correlation([(rising, rising[::-1])])
    assert same is not None
    assert turned is not None
    assert (same.value, turned.value) == pytest.approx((1, -1))
    assert 0.9 < same.low <= same.high == 1
    # By the textbook formula, 1 - 6 * 8 / (5 * 24).
    some = rank_correlation([([1, 2, 3, 4, 5], [20, 10, 30, 50, 40.0])])
    assert some is not None
    assert some.value == pytest.approx(1 - 6 * 4 / 120)
    ties = rank_correlation([([1, 2, 2, 3], [1, 5, 5, 9])])
    assert ties is not None
    assert ties.value == pytest.approx(1)


def test_what_sets_groups_apart_does_not_count() -> None:
    chances = np.random.default_rng(4)
    groups = [
        (level + chances.random(40), -level + chances.random(40)) for level in range(0, 90, 9)
    ]
    apart = rank_correlation(groups)
    one, other = (np.concatenate(side) for side in zip(*groups, strict=True))
    together = rank_correlation([(one, other)])
    assert apart is not None
    assert together is not None
    assert apart.low < 0 < apart.high
    assert together.high < -0.9


def test_correlations_keep_their_word() -> None:
    chances = np.random.default_rng(5)
    held = 0
    for _ in range(1000):
        groups = [(chances.random(8), chances.random(8)) for _ in range(3)]
        found = rank_correlation(groups)
        assert found is not None
        held += found.low <= 0 <= found.high
    assert held > 930


def test_too_little_to_correlate() -> None:
    assert rank_correlation([]) is None
    assert rank_correlation([([1, 2, 3], [1, 2, 3])]) is None
    assert rank_correlation([([1] * 9, range(9))]) is None
    assert rank_correlation([([1, 2], [2, 1]), ([1, 2, 3], [1, 2, 3])]) is not None


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: median([]), "a median needs at least one value"),
        (lambda: rank_correlation([([1.0, 2.0], [1.0])]), "pairs: 2 values and 1 to compare"),
        (lambda: share(1, 0), "trials 0: must be a whole number from 1"),
        (lambda: share(4, 3), "successes 4: must be a whole number from 0 to 3"),
        (lambda: mean([]), "at least one value"),
        (lambda: mean([0.5, 1.5], SCORE), "value 1.5: must be a number from 0 to 1"),
        (lambda: mean([0.5, nan], SCORE), "value nan: must be a number from 0 to 1"),
        (lambda: mean([0.5, nan]), "mean nan: must be a finite number"),
        (lambda: mean_of(0, 0.5, 0.1), "count 0: must be a whole number from 1"),
        (lambda: mean_of(9, 1.01, 0.1, SCORE), "mean 1.01: must be a number from 0 to 1"),
        (lambda: mean_of(9, 0.5, -0.1), "deviation -0.1: must be a finite number from 0"),
        (lambda: mean_of(9, 0.5, None), "deviation None: must be a finite number from 0"),
        (lambda: mean_of(9, 1, 1, (1, 1)), "bounds .1, 1.: must be two finite numbers"),
        (lambda: mean_of(9, 1, 1, (0, inf)), "bounds .0, inf.: must be two finite numbers"),
        (lambda: difference([1.0, 2.0], [1.0]), "pairs: 2 values and 1 to compare them with"),
        (lambda: difference([2.0], [0.0], SCORE_DIFFERENCE), "value 2.0: must be a number from -1"),
        (lambda: share_difference_of(3, 8, 10), "lost 8: must be a whole number from 0 to 7"),
        (lambda: share_difference_of(0, 0, 0), "pairs 0: must be a whole number from 1"),
        (lambda: share_difference([], []), "pairs: 0 values and 0 to compare them with"),
    ],
)
def test_wrong_samples(wrong: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        wrong()
