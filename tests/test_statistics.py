"""Intervals: known values, and samples that are difficult to judge."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mineproof import statistics
from mineproof.cli.compare import compare
from mineproof.statistics import (
    Bounds,
    Estimate,
    mean,
    mean_of,
    median,
    rank_correlation,
    share,
    share_difference,
)

SCORE: Bounds = (0, 1)
SCORE_DIFFERENCE: Bounds = (-1, 1)
COUNT: Bounds = (0, inf)


def ends(estimate: Estimate) -> tuple[float, float]:
    return estimate.low, estimate.high


def test_the_methods_are_named() -> None:
    page = (Path(__file__).parents[1] / "docs" / "studies.md").read_text(encoding="utf-8")
    methods = (
        "95% intervals: Wilson's for shares, Tango's for differences of paired shares, Student's t "
        "for means and mean differences."
    )
    for text in (statistics.__doc__, compare.__doc__, page):
        assert methods in " ".join((text or "").split())


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
    estimate = share_difference(gained, lost, count)
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


@pytest.mark.parametrize("count", [2, 7, 100, 10_000])
def test_the_rule_of_three_applies_if_all_values_are_equal(count: int) -> None:
    three = 3 / count
    some = min(three, 1)
    assert ends(mean([1.0] * count, SCORE)) == pytest.approx((1 - some, 1))
    assert ends(mean([0.0] * count, SCORE)) == pytest.approx((0, some))
    assert ends(mean([0.8] * count, SCORE)) == pytest.approx((0.8 * (1 - some), 0.8 + 0.2 * some))
    assert ends(mean([0.0] * count, SCORE_DIFFERENCE)) == pytest.approx((-some, some))
    assert ends(mean([0] * count, COUNT)) == pytest.approx((0, three))
    assert ends(mean([5] * count, COUNT)) == pytest.approx((5 - 5 * some, 5 + three))
    assert ends(mean([0] * count)) == pytest.approx((-three, three))


def test_an_interval_ends_at_the_bounds() -> None:
    student = mean_of(20, 0.9, 0.3)
    assert student.low < 0.8 < 1 < student.high
    assert ends(mean_of(20, 0.9, 0.3, bounds=SCORE)) == (student.low, 1)
    assert mean_of(20, 0.9, 3, bounds=COUNT).low == 0
    assert mean_of(20, -0.9, 0.3, bounds=SCORE_DIFFERENCE).low == -1


def test_100_paired_games_have_the_width_of_students_interval() -> None:
    changes = np.random.default_rng(3).normal(0.01, 0.048, 100)
    assert mean(changes, SCORE_DIFFERENCE).width == pytest.approx(2 * 0.0095, rel=0.1)


def test_only_the_end_towards_the_long_tail_moves() -> None:
    straight = mean_of(50, 0.8, 0.1)
    left, right = (mean_of(50, 0.8, 0.1, skewness) for skewness in (-2.0, 2.0))
    assert left.low < straight.low
    assert left.high == straight.high
    assert right.low == straight.low
    assert right.high - 0.8 == pytest.approx(0.8 - left.low)


def test_hall_transformation_is_inverted() -> None:
    skewness, count = 2.0, 50
    high = mean_of(count, 0.0, 1.0, skewness).high
    # Hall's transformation of the studentized mean at the upper end is the lower quantile.
    t = -high * sqrt(count)
    tilt = skewness / sqrt(count)
    transformed = t + tilt * t**2 / 3 + tilt**2 * t**3 / 27 + tilt / 6
    assert transformed == pytest.approx(-2.009575, rel=1e-5)


def test_a_mean_scales_with_its_values() -> None:
    score = mean_of(40, 0.9, 0.2, -1.5, SCORE)
    stretched = mean_of(40, 0.8, 0.4, -1.5, SCORE_DIFFERENCE)
    assert ends(stretched) == pytest.approx((2 * score.low - 1, 2 * score.high - 1))


# ---------------------------------------------------------------------------- samples known by sums


def test_summaries_say_what_samples_say() -> None:
    sample = np.random.default_rng(2).exponential(size=200)
    away = sample - sample.mean()
    skewness = (away**3).mean() / (away**2).mean() ** 1.5
    for bounds in (COUNT, (-inf, inf)):
        summary = mean_of(200, sample.mean(), sample.std(ddof=1), skewness, bounds)
        assert ends(mean(sample, bounds)) == pytest.approx(ends(summary))
    assert mean(sample).high - mean(sample).value > mean(sample).value - mean(sample).low


@pytest.mark.parametrize("deviation", [0.0, 1e-17, nan])
def test_rounding_is_not_spread(deviation: float) -> None:
    exact = mean_of(10**6, 1, 0, bounds=SCORE)
    assert mean_of(10**6, 1 + 1e-12, deviation, nan, SCORE) == exact
    assert exact.low == pytest.approx(1 - 3e-6)
    values = [0.1 + 0.2] * 999
    assert ends(mean(values, SCORE)) == pytest.approx((0.3 * (1 - 3 / 999), 0.3 + 0.7 * 3 / 999))


@pytest.mark.parametrize("count", [10**6, 10**9, 10**12])
def test_of_very_many_all_intervals_are_normal(count: int) -> None:
    error = 1.959964 / sqrt(count)
    wide = share(count // 5, count), mean_of(count, 0.2, 0.4), mean_of(count, 0.2, 0.4, 1.5, SCORE)
    for estimate in wide:
        assert estimate.width / (2 * 0.4 * error) == pytest.approx(1, abs=1e-3)
    few = share_difference(3 * count // 1000, count // 1000, count)
    spread = sqrt(0.004 - 0.002**2)
    assert few.width / (2 * spread * error) == pytest.approx(1, abs=1e-2)
    assert few.low < few.value < few.high


# ---------------------------------------------------------------------------------- at the fringe


@pytest.mark.parametrize("deviation", [None, 0.0, nan])
def test_one_value_says_nothing_of_its_spread(deviation: float | None) -> None:
    assert mean([0.5]) == mean_of(1, 0.5, deviation) == Estimate(0.5, -inf, inf)
    assert mean([0.5], SCORE) == mean_of(1, 0.5, deviation, None, SCORE) == Estimate(0.5, 0, 1)
    assert mean([7], COUNT) == Estimate(7, 0, inf)


def test_bounds_are_kept_and_no_interval_is_a_point() -> None:
    for count in (2, 30, 2000):
        for value in (0.0, 0.02, 0.5, 0.98, 1.0):
            for deviation in (0.0, 0.01, sqrt(value * (1 - value))):
                for skewness in (-sqrt(count), 0, sqrt(count)):
                    estimate = mean_of(count, value, deviation, skewness, SCORE)
                    assert 0 <= estimate.low <= value <= estimate.high <= 1
                    assert estimate.width > 0


@pytest.mark.parametrize("count", [1, 2, 7, 1000])
def test_pairs_that_never_differ_leave_a_doubt(count: int) -> None:
    # Tango's equation can be solved by hand here.
    z = 1.959964
    doubt = z * z / (count + z * z)
    assert ends(share_difference(0, 0, count)) == pytest.approx((-doubt, doubt))


@pytest.mark.parametrize("count", [1, 5, 60])
def test_pairs_that_always_differ(count: int) -> None:
    assert share_difference(count, 0, count).high == 1
    assert share_difference(0, count, count).low == -1
    assert -1 < share_difference(count, 0, count).low < 1


def test_sides_can_be_swapped() -> None:
    for gained, lost in [(3, 8), (0, 4), (11, 2)]:
        there = share_difference(gained, lost, 40)
        back = share_difference(lost, gained, 40)
        assert (there.value, there.low, there.high) == (-back.value, -back.high, -back.low)
        assert there.low < there.value < there.high
    there, back = (mean_of(40, sign * 0.2, 0.1, sign * 3, SCORE_DIFFERENCE) for sign in (1, -1))
    assert (there.value, there.low, there.high) == (-back.value, -back.high, -back.low)


@pytest.mark.parametrize(("count", "low", "high"), [(6, 1, 6), (8, 1, 8), (9, 2, 8), (100, 40, 61)])
def test_known_medians(count: int, low: int, high: int) -> None:
    # The ranks are those of the tables for the sign test.
    values = np.random.default_rng(1).permutation(np.arange(1.0, count + 1))
    assert ends(median(values)) == (low, high)
    assert median(values).value == (count + 1) / 2


@pytest.mark.parametrize("count", [999, 1_000, 1_100, 50_000])
def test_many_values_have_a_median(count: int) -> None:
    low, high = ends(median(np.arange(1.0, count + 1)))
    assert low + high == count + 1
    # The ranks of the normal approximation.
    assert low == pytest.approx((count - 1.96 * np.sqrt(count)) / 2, abs=1)


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
        (lambda: mean([0.5, nan]), "value nan: must be a number from -inf to inf"),
        (lambda: mean_of(9, nan, 0.1), "mean nan: must be a finite number"),
        (lambda: mean_of(0, 0.5, 0.1), "count 0: must be a whole number from 1"),
        (lambda: mean_of(9, 1.01, 0.1, 0, SCORE), "mean 1.01: must be a number from 0 to 1"),
        (lambda: mean_of(9, 0.5, -0.1), "deviation -0.1: must be a finite number from 0"),
        (lambda: mean_of(9, 0.5, None), "deviation None: must be a finite number from 0"),
        (lambda: mean_of(9, 0.5, 0.1, nan), "skewness nan: must be a finite number"),
        (lambda: mean_of(9, 0.5, 0.1, None), "skewness None: must be a finite number"),
        (lambda: mean_of(9, 1, 1, 0, (1, 1)), "bounds .1, 1.: must be two numbers, the lower one"),
        (lambda: mean_of(9, -1, 1, 0, COUNT), "mean -1: must be a number from 0 to inf"),
        (lambda: mean([2.0], SCORE_DIFFERENCE), "value 2.0: must be a number from -1"),
        (lambda: share_difference(3, 8, 10), "lost 8: must be a whole number from 0 to 7"),
        (lambda: share_difference(0, 0, 0), "pairs 0: must be a whole number from 1"),
    ],
)
def test_wrong_samples(wrong: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        wrong()
