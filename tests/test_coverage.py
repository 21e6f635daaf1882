"""Whether intervals contain the true value as often as they claim: known truths and real games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from math import comb, inf, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from mineproof import RandomBoards, Setup, Topology, agents
from mineproof.arena.bulk import play_games
from mineproof.position.rules import Rules
from mineproof.statistics import Bounds, Estimate, mean, mean_of, share, share_difference

Rng = np.random.Generator
Numbers = NDArray[np.float64]
Experiment = Callable[[Rng], tuple[float, Estimate]]
"""Draws a sample, and returns the true value and the estimate."""

SAMPLES = 5_000
SIZES = [SAMPLES, pytest.param(30_000, marks=pytest.mark.long)]
KEEP_GOING = Rules(start="any", on_mine="continue")


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
    estimate = cache(share_difference)

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
        return 0.1, mean(one - other)

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
    """95% of the intervals contain the truth: no fewer, and hardly more."""
    rng = np.random.default_rng(20)
    drawn = (experiment(rng) for _ in range(samples))
    held = sum(holds(truth, change(estimate)) for truth, estimate in drawn)
    # The methods are good to half a point, and skewness by chance widens means of few values.
    assert 0.944 - noise(samples) < held / samples < 0.975 + noise(samples)


@pytest.mark.parametrize("samples", SIZES)
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_truth_is_held_as_often_as_said(name: str, samples: int) -> None:
    check_coverage(EXPERIMENTS[name], samples)


@pytest.mark.parametrize(
    "name",
    ["share of 50", "difference of shares, 100 pairs", "mean of 100", "difference of 50 pairs"],
)
def test_a_tenth_too_narrow_shows(name: str) -> None:
    with pytest.raises(AssertionError):
        check_coverage(EXPERIMENTS[name], 12_000, narrowed)


# ------------------------------------------------------------------------------------ real games

COLUMNS = ("won", "score", "hits", "guesses")
FLOOR = 0.93
"""At least this share of the intervals contains the truth."""

SETUPS = {
    "any 5": Setup(Topology(10, 10), 5, KEEP_GOING),
    "any 10": Setup(Topology(10, 10), 10, KEEP_GOING),
    "any 20": Setup(Topology(10, 10), 20, KEEP_GOING),
    "any 40": Setup(Topology(10, 10), 40, KEEP_GOING),
    "safe 10": Setup(Topology(10, 10), 10),
    "safe 20": Setup(Topology(10, 10), 20),
    "zero 10": Setup(Topology(10, 10), 10, Rules(start="zero")),
    "zero 15": Setup(Topology(10, 10), 15, Rules(start="zero")),
    "small 4": Setup(Topology(6, 6), 4, KEEP_GOING),
    "small 8": Setup(Topology(6, 6), 8, KEEP_GOING),
}
NATIVE, SLOW = ("exact", "exact:untold"), ("basic", "noisy-or", "clue-heap")
PLAYED = [
    (setup, agent)
    for setup in SETUPS
    for agent in (*NATIVE, *(SLOW if setup.startswith("small") else ()))
]
QUANTITIES: dict[str, Bounds] = {
    "score": (0, 1),
    "hits": (0, inf),
    "guesses": (0, inf),
    "score difference": (-1, 1),
    "hits difference": (-inf, inf),
}
SHORT = {
    ("zero 15", "exact:untold", "score difference", 100): 0.87,
    ("zero 15", "exact:untold", "score difference", 1000): 0.92,
    ("any 10", "exact:untold", "hits difference", 25): 0.92,
    ("safe 10", "exact:untold", "hits difference", 25): 0.92,
    ("safe 10", "exact:untold", "score difference", 25): 0.92,
    ("any 10", "exact:untold", "wins", 25): 0.92,
}
"""Where fewer intervals contain the truth, and how many of them still do.

The methods fall short here, not the resampling, and docs/studies.md says why. Two rest on rare
events: pairs differ in one game of 50, in most of these by little, but in one of 800 by nearly 1.
The others take so few values that coverage moves in steps.
"""


@cache
def games(setup: str, agent: str) -> Mapping[str, Numbers]:
    """Return the columns of the games that stand for all games of an agent."""
    count = 600 if agent in SLOW else 3000
    boards = RandomBoards(SETUPS[setup], count=count)
    records = play_games(agents.get(agent), boards, range(count))
    return {name: np.array([getattr(r, name) for r in records], np.float64) for name in COLUMNS}


def population(setup: str, agent: str, quantity: str) -> Numbers | None:
    """Return all values of a quantity; None for a difference from the same agent."""
    column, _, differs = quantity.partition(" ")
    column = "won" if column == "wins" else column
    values = games(setup, agent)[column]
    if not differs:
        return values
    return None if agent == "exact" else values - games(setup, "exact")[column][: values.size]


def resamples(values: Numbers, size: int, samples: int) -> tuple[Numbers, NDArray[np.int64]]:
    """Return the different values, and how often each is in every resample."""
    different, count = np.unique(values, return_counts=True)
    rng = np.random.default_rng(24)
    return different, rng.multinomial(size, count / values.size, samples)


def means(
    values: Numbers, bounds: Bounds, size: int, samples: int, *, skewed: bool = True
) -> list[Estimate]:
    """Estimate the mean from every resample, if wanted without the correction for skewness."""
    different, counts = resamples(values, size, samples)
    mean = counts @ different / size
    away = different - mean[:, None]
    square, cube = ((counts * away**power).sum(axis=1) / size for power in (2, 3))
    flat = (counts > 0).sum(axis=1) == 1
    square[flat], cube[flat] = 0, 0
    deviation = np.sqrt(square * size / (size - 1))
    skewness = cube / np.where(flat, 1, square) ** 1.5 * skewed
    summaries = zip(mean.tolist(), deviation.tolist(), skewness.tolist(), strict=True)
    return [mean_of(size, *summary, bounds) for summary in summaries]


def shares(values: Numbers, size: int, samples: int, *, paired: bool) -> list[Estimate]:
    """Estimate the share of wins, or the difference of two, from every resample."""
    different, counts = resamples(values, size, samples)
    by = {value: counts[:, place].tolist() for place, value in enumerate(different.tolist())}
    none = [0] * samples
    one, share_of_pairs = cache(share), cache(share_difference)
    if not paired:
        return [one(wins, size) for wins in by.get(1, none)]
    pairs = zip(by.get(1, none), by.get(-1, none), strict=True)
    return [share_of_pairs(gained, lost, size) for gained, lost in pairs]


def covered(values: Numbers, found: Iterable[Estimate]) -> float:
    truth = float(values.mean())
    return float(np.mean([holds(truth, estimate) for estimate in found]))


def estimates(values: Numbers, quantity: str, size: int, samples: int) -> list[Estimate]:
    if quantity.startswith("wins"):
        return shares(values, size, samples, paired=quantity != "wins")
    return means(values, QUANTITIES[quantity], size, samples)


RESAMPLED = [1_000, pytest.param(20_000, marks=pytest.mark.long)]


@pytest.mark.parametrize("samples", RESAMPLED)
@pytest.mark.parametrize("size", [25, 100, 1000])
@pytest.mark.parametrize(("setup", "agent"), PLAYED)
def test_real_games_are_covered(setup: str, agent: str, size: int, samples: int) -> None:
    for quantity in (*QUANTITIES, "wins", "wins difference"):
        values = population(setup, agent, quantity)
        if values is not None:
            floor = SHORT.get((setup, agent, quantity, size), FLOOR)
            share = covered(values, estimates(values, quantity, size, samples))
            assert share > floor - 3 * sqrt(floor * (1 - floor) / samples), quantity


def test_a_short_share_is_short_without_resampling() -> None:
    """The exact chance is that which resampling finds."""
    truth = float(games("any 10", "exact:untold")["won"].mean())
    exact = binomial_coverage(truth, [share(wins, 25) for wins in range(26)])
    assert 0 < exact - SHORT["any 10", "exact:untold", "wins", 25] < 0.01


@pytest.mark.parametrize("size", [25, 100])
def test_without_the_correction_for_skewness_scores_are_missed(size: int) -> None:
    values = games("zero 15", "exact")["score"]
    assert covered(values, means(values, (0, 1), size, 2000, skewed=False)) < 0.87
    assert covered(values, means(values, (0, 1), size, 2000)) > 0.92


@pytest.mark.parametrize(("size", "wider"), [(25, 1.2), (100, 1.1), (1000, 1.04)])
def test_the_correction_for_skewness_costs_little(size: int, wider: float) -> None:
    ratios = []
    for setup, agent in PLAYED:
        for quantity, bounds in QUANTITIES.items():
            values = population(setup, agent, quantity)
            if values is not None:
                found = [
                    means(values, bounds, size, 100, skewed=skewed) for skewed in (True, False)
                ]
                one, other = (np.mean([estimate.width for estimate in side]) for side in found)
                ratios.append(one / other)
    assert min(ratios) >= 1
    assert np.median(ratios) < wider


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


def test_few_differences_are_not_taken_for_none() -> None:
    rng = np.random.default_rng(4)
    estimate = cache(share_difference)
    drawn = rng.multinomial(100, [0.01, 0.001, 0.989], SAMPLES)
    held = [holds(0.009, estimate(int(gained), int(lost), 100)) for gained, lost, _ in drawn]
    assert np.mean(held) > 0.93
