"""Whether intervals contain the true value as often as they claim, on samples of known truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from math import comb, sqrt
from typing import Protocol

import numpy as np
import pytest
from numpy.typing import NDArray

from mineproof.statistics import (
    Bounds,
    Estimate,
    difference,
    mean,
    mean_of,
    share,
    share_difference_of,
)

Rng = np.random.Generator
Numbers = NDArray[np.float64]
Experiment = Callable[[Rng], tuple[float, Estimate]]
"""Draws a sample, and returns the true value and the estimate."""

SAMPLES, MANY_SAMPLES = 5_000, 30_000
SIZES = [SAMPLES, pytest.param(MANY_SAMPLES, marks=pytest.mark.long)]
SCORE: Bounds = (0, 1)
SCORE_DIFFERENCE: Bounds = (-1, 1)


def holds(truth: float, estimate: Estimate) -> bool:
    # A truth on a bound is met by sums that are rounded.
    return estimate.low - 1e-12 <= truth <= estimate.high + 1e-12


def narrowed(estimate: Estimate) -> Estimate:
    """An interval that claims too much: it ends a tenth nearer to the value."""
    value = estimate.value
    return Estimate(
        value, value - 0.9 * (value - estimate.low), value + 0.9 * (estimate.high - value)
    )


def noise(samples: int) -> float:
    """How far the share of intervals that contain the truth may deviate by chance."""
    return 3.5 * sqrt(0.95 * 0.05 / samples)


# -------------------------------------------------------------- intervals that are right on average


def share_of(trials: int) -> Experiment:
    def draw(rng: Rng) -> tuple[float, Estimate]:
        truth = rng.random()
        return truth, share(int(rng.binomial(trials, truth)), trials)

    return draw


def share_difference_among(pairs: int, differing: float) -> Experiment:
    estimate = cache(share_difference_of)

    def draw(rng: Rng) -> tuple[float, Estimate]:
        gaining = rng.random() * differing
        losing = differing - gaining
        gained, lost, _ = rng.multinomial(pairs, [gaining, losing, 1 - differing])
        return gaining - losing, estimate(int(gained), int(lost), pairs)

    return draw


def normal_mean(count: int) -> Experiment:
    return lambda rng: (3.0, mean(rng.normal(3, 2, count)))


def paired_difference(count: int) -> Experiment:
    def draw(rng: Rng) -> tuple[float, Estimate]:
        board = 100 * rng.random(count)
        one = board + rng.uniform(-0.2, 0.4, count)
        other = board + rng.uniform(-0.3, 0.3, count)
        return 0.1, difference(one, other)

    return draw


EXPERIMENTS = {
    "share of 10": share_of(10),
    "share of 50": share_of(50),
    "share of 400": share_of(400),
    "difference of shares, 25 pairs": share_difference_among(25, 0.5),
    "difference of shares, 100 pairs": share_difference_among(100, 0.2),
    "difference of shares, few differ": share_difference_among(1000, 0.02),
    "mean of 2": normal_mean(2),
    "mean of 3": normal_mean(3),
    "mean of 4": normal_mean(4),
    "mean of 10": normal_mean(10),
    "mean of 100": normal_mean(100),
    "difference of 50 pairs": paired_difference(50),
}


def check_coverage(
    experiment: Experiment, samples: int, change: Callable[[Estimate], Estimate] = lambda same: same
) -> None:
    """95% of the intervals contain the truth: no fewer, and no more either."""
    rng = np.random.default_rng(20)
    drawn = (experiment(rng) for _ in range(samples))
    held = sum(holds(truth, change(estimate)) for truth, estimate in drawn)
    # The methods themselves are good to about half a point.
    assert abs(held / samples - 0.95) < 0.006 + noise(samples)


@pytest.mark.parametrize("samples", SIZES)
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_truth_is_held_as_often_as_said(name: str, samples: int) -> None:
    check_coverage(EXPERIMENTS[name], samples)


@pytest.mark.parametrize(
    "name",
    ["share of 50", "difference of shares, 100 pairs", "mean of 10", "difference of 50 pairs"],
)
def test_a_tenth_too_narrow_shows(name: str) -> None:
    with pytest.raises(AssertionError):
        check_coverage(EXPERIMENTS[name], 12_000, narrowed)


# ----------------------------------------------------------------------------- means between bounds


class Population(Protocol):
    """A distribution of bounded values, from which many samples are drawn at once."""

    @property
    def truth(self) -> float:
        """The mean of the distribution."""

    def draw(self, rng: Rng, count: int, samples: int) -> tuple[Numbers, Numbers]:
        """Return the mean and the deviation of each sample."""


@dataclass(frozen=True)
class Few:
    """Few different values, each with its chance."""

    chances: dict[float, float]

    @property
    def truth(self) -> float:
        return sum(value * chance for value, chance in self.chances.items())

    def draw(self, rng: Rng, count: int, samples: int) -> tuple[Numbers, Numbers]:
        values = np.array(list(self.chances))
        counts = rng.multinomial(count, list(self.chances.values()), samples)
        means = counts @ values / count
        variances = (counts * (values - means[:, None]) ** 2).sum(axis=1) / (count - 1)
        return means, np.sqrt(variances)


@dataclass(frozen=True)
class Smooth:
    """A beta distribution."""

    alpha: float
    beta: float

    @property
    def truth(self) -> float:
        return self.alpha / (self.alpha + self.beta)

    def draw(self, rng: Rng, count: int, samples: int) -> tuple[Numbers, Numbers]:
        means, deviations = np.empty(samples), np.empty(samples)
        # All samples at once would fill the memory.
        for part in np.array_split(np.arange(samples), 1 + samples * count // 1_000_000):
            values = rng.beta(self.alpha, self.beta, (part.size, count))
            means[part], deviations[part] = values.mean(axis=1), values.std(axis=1, ddof=1)
        return means, deviations


SCORES: dict[str, Population] = {
    "all perfect": Few({1: 1}),
    "tenths, mostly perfect": Few({1: 0.9, 0.9: 0.05, 0.8: 0.02, 0.7: 0.01, 0.5: 0.01, 0.2: 0.01}),
    "twentieths, mostly perfect": Few({1: 0.75, 0.95: 0.15, 0.9: 0.05, 0.85: 0.03, 0.6: 0.02}),
    "1% half": Few({1: 0.99, 0.5: 0.01}),
    "0.3% nothing": Few({1: 0.997, 0: 0.003}),
    "1% nothing": Few({1: 0.99, 0: 0.01}),
    "3% nothing": Few({1: 0.97, 0: 0.03}),
    "10% nothing": Few({1: 0.9, 0: 0.1}),
    "half nothing": Few({1: 0.5, 0: 0.5}),
    "good, rarely nothing": Few({1: 0.5, 0.95: 0.3, 0.9: 0.19, 0: 0.01}),
    "middling, rarely all or nothing": Few({0.5: 0.96, 0: 0.02, 1: 0.02}),
    "smooth, even": Smooth(1, 1),
    "smooth, good": Smooth(8, 2),
    "smooth, nearly perfect": Smooth(20, 0.5),
}
SCORE_DIFFERENCES: dict[str, Population] = {
    "never": Few({0: 1}),
    "rarely, one way": Few({0: 0.99, 1: 0.01}),
    "rarely, both ways": Few({0: 0.965, 1: 0.03, -1: 0.005}),
    "by tenths": Few({-0.2: 0.05, -0.1: 0.15, 0: 0.45, 0.1: 0.25, 0.2: 0.1}),
    "by tenths, rarely by far": Few({-0.9: 0.01, -0.1: 0.1, 0: 0.69, 0.1: 0.15, 0.2: 0.05}),
    "wildly": Few({-1: 0.25, 0: 0.5, 1: 0.25}),
}


def cases() -> Iterator[object]:
    for bounds, populations in ((SCORE, SCORES), (SCORE_DIFFERENCE, SCORE_DIFFERENCES)):
        for name, population in populations.items():
            for count in (10, 20, 100, 300, 2000):
                # Smooth values take long to draw, and of very many the interval is Student's.
                if count <= 300 or isinstance(population, Few):
                    what = "differ " * (bounds is SCORE_DIFFERENCE) + f"{name}, {count}"
                    yield pytest.param(population, bounds, count, id=what)


def estimates(
    population: Population, bounds: Bounds | None, count: int, samples: int
) -> Iterator[Estimate]:
    rng = np.random.default_rng(21)
    estimate = cache(mean_of)
    for value, deviation in zip(*population.draw(rng, count, samples), strict=True):
        yield estimate(count, float(value), float(deviation), bounds)


def coverage(population: Population, found: Iterable[Estimate]) -> float:
    return float(np.mean([holds(population.truth, estimate) for estimate in found]))


def check_enough(population: Population, found: Iterable[Estimate], samples: int) -> None:
    """At least nearly 95% of the intervals contain the truth; more may if values are rare."""
    assert coverage(population, found) > 0.942 - noise(samples)


@pytest.mark.parametrize("samples", SIZES)
@pytest.mark.parametrize(("population", "bounds", "count"), list(cases()))
def test_bounded_means_are_covered(
    population: Population, bounds: Bounds, count: int, samples: int
) -> None:
    check_enough(population, estimates(population, bounds, count, samples), samples)


@pytest.mark.parametrize(
    ("population", "bounds"),
    [
        (SCORES["half nothing"], SCORE),
        (SCORES["10% nothing"], SCORE),
        (SCORE_DIFFERENCES["wildly"], SCORE_DIFFERENCE),
    ],
)
def test_a_tenth_too_narrow_shows_between_bounds(population: Population, bounds: Bounds) -> None:
    narrow = map(narrowed, estimates(population, bounds, 1000, MANY_SAMPLES))
    with pytest.raises(AssertionError):
        check_enough(population, narrow, MANY_SAMPLES)


@pytest.mark.parametrize(
    "name", ["tenths, mostly perfect", "1% half", "1% nothing", "good, rarely nothing"]
)
def test_students_interval_fails_where_nearly_all_are_alike(name: str) -> None:
    for count in (20, 100):
        with pytest.raises(AssertionError):
            check_enough(SCORES[name], estimates(SCORES[name], None, count, SAMPLES), SAMPLES)


@pytest.mark.parametrize(("count", "wider"), [(100, 1.08), (300, 1.04), (2000, 1.01)])
@pytest.mark.parametrize("name", ["half nothing", "10% nothing", "smooth, even"])
def test_bounds_cost_little_where_student_is_right(name: str, count: int, wider: float) -> None:
    widths = [
        np.mean([estimate.width for estimate in estimates(SCORES[name], bounds, count, 200)])
        for bounds in (SCORE, None)
    ]
    assert 1 <= widths[0] / widths[1] < wider


@pytest.mark.parametrize("samples", SIZES)
def test_bounded_differences_of_pairs_are_covered(samples: int) -> None:
    """Two agents that are equal on most boards, one of which fails on some hard ones."""
    rng = np.random.default_rng(22)
    held = 0
    for _ in range(samples):
        hard = rng.random(80) < 0.2
        other = np.where(hard, rng.integers(0, 11, 80) / 10, 1.0)
        one = np.where(hard & (rng.random(80) < 0.3), 0.0, other)
        held += holds(-0.2 * 0.3 * 0.5, difference(one, other, SCORE_DIFFERENCE))
    assert held / samples > 0.942 - noise(samples)


# ------------------------------------------------------------------------ the worst, without chance


def binomial_coverage(truth: float, found: list[Estimate]) -> float:
    """The exact chance that an interval contains the truth, given an estimate per outcome."""
    trials = len(found) - 1
    return sum(
        comb(trials, successes) * truth**successes * (1 - truth) ** (trials - successes)
        for successes, estimate in enumerate(found)
        if holds(truth, estimate)
    )


@pytest.mark.parametrize("trials", [20, 100])
def test_no_share_is_covered_badly(trials: int) -> None:
    found = [share(successes, trials) for successes in range(trials + 1)]
    for truth in np.linspace(0.05, 0.95, 91):
        assert binomial_coverage(float(truth), found) > 0.91, truth
    rare = [binomial_coverage(float(truth), found) for truth in np.geomspace(0.01, 1, 100) / trials]
    assert 0.83 < min(rare) < 0.85


def bounded_mean_of_shares(trials: int) -> list[Estimate]:
    """The estimate of the mean of bounded values, by the number of ones among zeros."""
    shares = [successes / trials for successes in range(trials + 1)]
    variances = [value * (1 - value) * trials / (trials - 1) for value in shares]
    return [
        mean_of(trials, value, sqrt(variance), SCORE)
        for value, variance in zip(shares, variances, strict=True)
    ]


@pytest.mark.parametrize("trials", [10, 20, 100, pytest.param(500, marks=pytest.mark.long)])
def test_no_mixture_of_the_bounds_is_covered_badly(trials: int) -> None:
    # Of all populations those that have values at the bounds alone are the hardest.
    found = bounded_mean_of_shares(trials)
    for truth in np.geomspace(0.1 / trials, 0.5, 200):
        assert binomial_coverage(float(truth), found) > 0.942, truth


def test_few_differences_are_not_taken_for_none() -> None:
    rng = np.random.default_rng(4)
    estimate = cache(share_difference_of)
    drawn = rng.multinomial(100, [0.01, 0.001, 0.989], SAMPLES)
    held = [holds(0.009, estimate(int(gained), int(lost), 100)) for gained, lost, _ in drawn]
    assert np.mean(held) > 0.93
