"""Intervals: known values, and whether they hold the truth as often as they say."""

from __future__ import annotations

from collections.abc import Callable
from math import comb, inf, sqrt
from typing import Any

import numpy as np
import pytest

from mineproof.statistics import Estimate, difference, mean, share, share_difference

Rng = np.random.Generator
SAMPLED, LONG = 2_000, 20_000
SIZES = [SAMPLED, pytest.param(LONG, marks=pytest.mark.long)]


def ends(estimate: Estimate) -> tuple[float, float]:
    return estimate.low, estimate.high


def pairs(gained: int, lost: int, count: int) -> Estimate:
    """The difference of shares where so many pairs of all differ, either way."""
    same = count - gained - lost
    one = [True] * gained + [False] * lost + [True] * same
    other = [False] * gained + [True] * lost + [True] * same
    return share_difference(one, other)


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
    estimate = pairs(gained, lost, count)
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


# ---------------------------------------------------------------------------------- at the fringe


def test_one_value_says_nothing_of_its_spread() -> None:
    assert mean([0.5]) == Estimate(0.5, -inf, inf)
    assert mean([0.5]).within(0, 1) == Estimate(0.5, 0, 1)


@pytest.mark.parametrize("count", [1, 2, 7, 1000])
def test_pairs_that_never_differ_leave_a_doubt(count: int) -> None:
    # Tango's equation can be solved by hand here.
    z = 1.959964
    doubt = z * z / (count + z * z)
    assert ends(pairs(0, 0, count)) == pytest.approx((-doubt, doubt))


@pytest.mark.parametrize("count", [1, 5, 60])
def test_pairs_that_always_differ(count: int) -> None:
    assert pairs(count, 0, count).high == 1
    assert pairs(0, count, count).low == -1
    assert -1 < pairs(count, 0, count).low < 1


def test_sides_can_be_swapped() -> None:
    for gained, lost in [(3, 8), (0, 4), (11, 2)]:
        there, back = pairs(gained, lost, 40), pairs(lost, gained, 40)
        assert (there.value, there.low, there.high) == (-back.value, -back.high, -back.low)
        assert there.low < there.value < there.high


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: share(1, 0), "trials 0: must be a whole number from 1"),
        (lambda: share(4, 3), "successes 4: must be a whole number from 0 to 3"),
        (lambda: mean([]), "at least one value"),
        (lambda: difference([1.0, 2.0], [1.0]), "pairs: 2 values and 1 to compare them with"),
        (lambda: share_difference([], []), "pairs: 0 values and 0 to compare them with"),
    ],
)
def test_wrong_samples(wrong: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        wrong()


# --------------------------------------------------------------------------------------- coverage


def check_coverage(draw: Callable[[Rng], tuple[float, Estimate]], samples: int) -> None:
    """Of many samples, 95% hold the truth, within four standard errors of that count."""
    rng = np.random.default_rng(20)
    held = 0
    for _ in range(samples):
        truth, estimate = draw(rng)
        held += estimate.low <= truth <= estimate.high
    # The methods themselves are good to about half a point.
    assert abs(held / samples - 0.95) < 0.006 + 4 * sqrt(0.95 * 0.05 / samples)


@pytest.mark.parametrize("samples", SIZES)
@pytest.mark.parametrize("trials", [10, 50, 400])
def test_shares_are_covered(trials: int, samples: int) -> None:
    def draw(rng: Rng) -> tuple[float, Estimate]:
        truth = rng.random()
        return truth, share(int(rng.binomial(trials, truth)), trials)

    check_coverage(draw, samples)


@pytest.mark.parametrize("trials", [20, 100])
def test_no_share_is_covered_badly(trials: int) -> None:
    estimates = [share(successes, trials) for successes in range(trials + 1)]
    for truth in np.linspace(0.05, 0.95, 91):
        chances = [
            comb(trials, k) * truth**k * (1 - truth) ** (trials - k) for k in range(trials + 1)
        ]
        held = sum(
            chance
            for chance, estimate in zip(chances, estimates, strict=True)
            if estimate.low <= truth <= estimate.high
        )
        assert held > 0.91, truth


@pytest.mark.parametrize("samples", SIZES)
@pytest.mark.parametrize(("count", "differing"), [(25, 0.5), (100, 0.2), (1000, 0.02), (1000, 0.5)])
def test_differences_of_shares_are_covered(count: int, differing: float, samples: int) -> None:
    def draw(rng: Rng) -> tuple[float, Estimate]:
        gained = rng.random() * differing
        lost = differing - gained
        counts = rng.multinomial(count, [gained, lost, 1 - differing])
        return gained - lost, pairs(int(counts[0]), int(counts[1]), count)

    check_coverage(draw, samples)


def test_few_differences_are_not_taken_for_none() -> None:
    rng = np.random.default_rng(4)
    held = 0
    for _ in range(SAMPLED):
        gained, lost, _ = rng.multinomial(100, [0.01, 0.001, 0.989])
        estimate = pairs(int(gained), int(lost), 100)
        held += estimate.low <= 0.009 <= estimate.high
    assert held / SAMPLED > 0.93


@pytest.mark.parametrize("samples", SIZES)
@pytest.mark.parametrize("count", [2, 3, 4, 10, 100])
def test_means_are_covered(count: int, samples: int) -> None:
    check_coverage(lambda rng: (0.0, mean(rng.normal(size=count))), samples)


@pytest.mark.parametrize("samples", SIZES)
def test_differences_are_covered(samples: int) -> None:
    def draw(rng: Rng) -> tuple[float, Estimate]:
        board = rng.random(50)
        one = np.clip(board + rng.uniform(-0.2, 0.4, 50), -1, 2)
        other = np.clip(board + rng.uniform(-0.3, 0.3, 50), -1, 2)
        return 0.1, difference(one, other)

    check_coverage(draw, samples)
