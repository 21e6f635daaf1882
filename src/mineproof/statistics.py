"""Estimates from samples, with 95% confidence intervals.

If sampling is repeated many times, about 95% of the intervals contain the true value. Functions
whose names end in `_of` take a summary of the sample: counts, or a mean and a standard deviation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import atanh, comb, expm1, hypot, inf, isfinite, isnan, log, pi, sqrt, tan, tanh
from statistics import NormalDist
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof.arguments import sentence, whole

__all__ = [
    "Bounds",
    "Estimate",
    "difference",
    "mean",
    "mean_of",
    "median",
    "rank_correlation",
    "share",
    "share_difference",
    "share_difference_of",
]

Numbers: TypeAlias = Sequence[float] | NDArray[np.float64]
Truths: TypeAlias = Sequence[bool] | NDArray[np.bool_]
Bounds: TypeAlias = tuple[float, float]
"""The lowest and the highest possible value, such as (0, 1) for a score."""

_LEVEL: Final = 0.95
_Z: Final = NormalDist().inv_cdf((1 + _LEVEL) / 2)
"""95% of a normal distribution is within this many standard deviations of its mean."""

_TAIL: Final = (1 - _LEVEL) / 2
"""The chance that the true value is beyond one given end of an interval."""

_ROUNDING: Final = 1e-6
"""How far rounding may push a mean beyond its bounds, as a share of their distance."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value estimated from a sample, and the ends of its 95% interval.

    Examples
    --------
    >>> print(Estimate(0.5, low=0.25, high=0.75))
    0.5 (0.25 to 0.75)
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.4g} ({self.low:.4g} to {self.high:.4g})"

    @property
    def width(self) -> float:
        """The distance between the ends."""
        return self.high - self.low


def share(successes: int, trials: int) -> Estimate:
    """Estimate a share, with the interval of Wilson (1927).

    The interval stays within 0 and 1 and is reliable even if nearly all trials have the same
    result. Only a share so small that most samples show no success is missed more often, in the
    worst case one time in six.

    Examples
    --------
    >>> print(share(8, 10))
    0.8 (0.4902 to 0.9433)
    >>> print(share(0, 10))
    0 (0 to 0.2775)
    """
    trials = whole("trials", trials, 1)
    successes = whole("successes", successes, 0, trials)
    value = successes / trials
    weight = _Z * _Z / trials
    centre = (value + weight / 2) / (1 + weight)
    reach = sqrt(value * (1 - value) * weight + weight * weight / 4) / (1 + weight)
    low = 0.0 if successes == 0 else centre - reach
    high = 1.0 if successes == trials else centre + reach
    return Estimate(value, low, high)


def mean(values: Numbers, bounds: Bounds | None = None) -> Estimate:
    """Estimate a mean, with the interval of `mean_of`.

    Examples
    --------
    >>> print(mean([1, 2, 3, 4]))
    2.5 (0.4482 to 4.552)
    >>> print(mean([1, 1, 1, 0.9], bounds=(0, 1)))
    0.975 (0.3823 to 1)
    """
    sample = np.asarray(values, np.float64)
    if sample.ndim != 1 or not sample.size:
        raise ValueError("a mean needs at least one value, in a list or one-dimensional array")
    if bounds is not None:
        _check_bounds("value", float(sample.min()), bounds)
        _check_bounds("value", float(sample.max()), bounds)
    deviation = float(sample.std(ddof=1)) if sample.size > 1 else None
    return mean_of(sample.size, float(sample.mean()), deviation, bounds)


def mean_of(
    count: int, mean: float, deviation: float | None, bounds: Bounds | None = None
) -> Estimate:
    """Estimate a mean from the mean of a sample, with Student's interval or a bounded one.

    Student's interval relies on the spread of the sample: if nearly all values are equal, it
    shrinks to a point and misses rare values. With bounds, it is combined, like an independent
    error, with the largest effect of values at the bounds that a sample of this size may have
    missed. This gives the interval of Clopper and Pearson (1934) if all values are equal, and
    Student's interval for large samples. It contains the true mean at least 94% of the time.
    Intervals with a proof, such as that of Maurer and Pontil (2009), are about twice as wide.

    Parameters
    ----------
    count
        The number of values.
    mean, deviation
        The mean of the values, and their standard deviation, with division by `count - 1`. A single
        value has no deviation. NaN counts as 0: together with a finite mean, it is the root of a
        variance that rounding made negative.
    bounds
        The lowest and the highest possible value; (-1, 1) for differences of scores.

    Examples
    --------
    >>> print(mean_of(250, mean=31.4, deviation=8))
    31.4 (30.4 to 32.4)
    >>> print(mean_of(1, mean=7, deviation=None))
    7 (-inf to inf)
    >>> print(mean_of(100, mean=1, deviation=0, bounds=(0, 1)))
    1 (0.9638 to 1)
    """
    count = whole("count", count, 1)
    if not isfinite(mean):
        raise ValueError(sentence("mean", mean, "a finite number"))
    reach = _student_reach(count, deviation)
    if bounds is None:
        return Estimate(mean, mean - reach, mean + reach)
    _check_bounds("mean", mean, bounds)
    least, most = bounds
    mean = min(max(mean, least), most)
    unseen = -expm1(log(_TAIL) / count)
    low = mean - hypot(reach, unseen * (mean - least))
    high = mean + hypot(reach, unseen * (most - mean))
    return Estimate(mean, max(low, least), min(high, most))


def median(values: Numbers) -> Estimate:
    """Estimate a median, with an interval between two of the values (Thompson, 1936).

    It makes no assumption about the distribution. Five or fewer values give no finite interval.

    Examples
    --------
    >>> print(median([3, 1, 4, 1, 5, 9, 2, 6]))
    3.5 (1 to 9)
    >>> print(median([1, 2, 3]))
    2 (-inf to inf)
    """
    sample = np.sort(np.asarray(values, np.float64))
    if sample.ndim != 1 or not sample.size:
        raise ValueError("a median needs at least one value, in a list or one-dimensional array")
    count = sample.size
    # Each value is on either side of the true median with chance 1/2, so the number of values
    # beyond each end follows from the binomial distribution.
    beyond, chance = 0, 1
    while chance <= _TAIL * 2**count:
        beyond += 1
        chance += comb(count, beyond)
    ends = (sample[beyond - 1], sample[count - beyond]) if beyond else (-inf, inf)
    return Estimate(float(np.median(sample)), *map(float, ends))


def rank_correlation(groups: Sequence[tuple[Numbers, Numbers]]) -> Estimate | None:
    """Estimate the rank correlation of paired numbers, from -1 to 1, within groups.

    For one group this is Spearman's correlation, with the interval of Bonett and Wright (2000). For
    several, ranks are centred in each group, so that differences between groups do not count. The
    result is None if there are too few pairs, or if one of the numbers never changes.

    Examples
    --------
    >>> print(rank_correlation([([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5])]))
    0.8286 (-0.1272 to 0.9865)
    >>> rank_correlation([([1, 2, 3, 4, 5, 6], [7, 7, 7, 7, 7, 7])]) is None
    True
    """
    ranks, others = [], []
    for one, other in groups:
        pair = np.asarray(one, np.float64), np.asarray(other, np.float64)
        _check_pairs(*pair)
        ranks.append(_centred_ranks(pair[0]))
        others.append(_centred_ranks(pair[1]))
    free = sum(len(group) - 1 for group in ranks) - 2
    if free < 1:
        return None
    x, y = np.concatenate(ranks), np.concatenate(others)
    spread = sqrt(float(x @ x) * float(y @ y))
    if spread == 0:
        return None
    value = float(x @ y) / spread
    error = _Z * sqrt((1 + value * value / 2) / free)
    middle = atanh(min(max(value, _ROUNDING - 1), 1 - _ROUNDING))
    return Estimate(value, min(tanh(middle - error), value), max(tanh(middle + error), value))


def _centred_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each value, centred on 0 and divided by their number; equals share one."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    middle_of_equals = np.cumsum(count) - (count + 1) / 2
    ranks: NDArray[np.float64] = middle_of_equals[place] - (values.size - 1) / 2
    return ranks / values.size


def difference(values: Numbers, reference: Numbers, bounds: Bounds | None = None) -> Estimate:
    """Estimate the mean difference between paired numbers and their reference.

    What both numbers of a pair have in common, such as an easy board, does not widen the interval.
    The bounds are those of a difference.

    Examples
    --------
    >>> print(difference([2, 5, 9, 4], reference=[1, 4, 7, 4]))
    1 (-0.2977 to 2.298)
    >>> print(difference([0.9] * 50, reference=[0.9] * 50, bounds=(-1, 1)))
    0 (-0.07112 to 0.07112)
    """
    one, other = np.asarray(values, np.float64), np.asarray(reference, np.float64)
    _check_pairs(one, other)
    return mean(one - other, bounds)


def share_difference(values: Truths, reference: Truths) -> Estimate:
    """Estimate the difference between the share of true values and that of a paired reference.

    Examples
    --------
    >>> print(share_difference([True, True, False, True], reference=[True, False, False, False]))
    0.5 (-0.2348 to 0.85)
    """
    one, other = np.asarray(values, np.bool_), np.asarray(reference, np.bool_)
    _check_pairs(one, other)
    gained = int(np.count_nonzero(one & ~other))
    lost = int(np.count_nonzero(other & ~one))
    return share_difference_of(gained, lost, one.size)


def share_difference_of(gained: int, lost: int, pairs: int) -> Estimate:
    """Estimate a difference of paired shares from the number of pairs that differ.

    The interval is the score interval of Tango (1998): all differences that the sample does not
    contradict, each tested with the variance that it implies. So it is reliable even if few or no
    pairs differ, where the usual interval shrinks to a point.

    Parameters
    ----------
    gained
        The number of pairs in which only the value is true.
    lost
        The number of pairs in which only the reference is true.
    pairs
        The number of all pairs.

    Examples
    --------
    >>> print(share_difference_of(gained=12, lost=3, pairs=200))
    0.045 (0.008061 to 0.08917)
    >>> print(share_difference_of(gained=0, lost=0, pairs=20))
    0 (-0.1611 to 0.1611)
    """
    pairs = whole("pairs", pairs, 1)
    gained = whole("gained", gained, 0, pairs)
    lost = whole("lost", lost, 0, pairs - gained)
    high = _highest_difference(gained, lost, pairs)
    low = -_highest_difference(lost, gained, pairs)
    return Estimate((gained - lost) / pairs, low, high)


def _highest_difference(gained: int, lost: int, pairs: int) -> float:
    """Return the largest difference of shares that the sample does not contradict."""

    def fits(shift: float) -> bool:
        # The share of lost pairs that makes the sample most likely, given the difference, is the
        # root of a quadratic equation.
        linear = (2 * pairs - gained + lost) * shift - gained - lost
        constant = -lost * shift * (1 - shift)
        root = sqrt(max(0.0, linear * linear - 8 * pairs * constant))
        losing = (root - linear) / (4 * pairs)
        variance = pairs * (2 * losing + shift * (1 - shift))
        return (gained - lost - pairs * shift) ** 2 <= _Z * _Z * variance

    return _boundary(fits, (gained - lost) / pairs, 1.0)


def _boundary(holds: Callable[[float], bool], inside: float, end: float) -> float:
    """Find by bisection the last point from `inside` to `end` at which the condition holds."""
    if holds(end):
        return end
    for _ in range(60):
        middle = (inside + end) / 2
        if holds(middle):
            inside = middle
        else:
            end = middle
    return inside


def _student_reach(count: int, deviation: float | None) -> float:
    """Return half the width of Student's interval for a mean."""
    if count == 1:
        return inf
    if deviation is None or deviation < 0 or deviation == inf:
        raise ValueError(sentence("deviation", deviation, "a finite number from 0"))
    error = 0.0 if isnan(deviation) else deviation / sqrt(count)
    return _student(count - 1) * error


def _student(freedom: int) -> float:
    """Return the 97.5% quantile of Student's distribution.

    From three degrees of freedom, this is Fisher's expansion around the normal distribution, with
    an error of at most one in a thousand that quickly becomes negligible.
    """
    if freedom == 1:
        return tan(pi * _LEVEL / 2)
    if freedom == 2:
        return _LEVEL * sqrt(2 / (1 - _LEVEL**2))
    z, square = _Z, _Z * _Z
    terms = (
        (square + 1) * z / 4,
        ((5 * square + 16) * square + 3) * z / 96,
        (((3 * square + 19) * square + 17) * square - 15) * z / 384,
        ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) * z / 92160,
    )
    result = z
    for power, term in enumerate(terms, start=1):
        result += term / float(freedom) ** power
    return result


def _check_bounds(name: str, value: float, bounds: Bounds) -> None:
    least, most = bounds
    if not -inf < least < most < inf:
        raise ValueError(sentence("bounds", bounds, "two finite numbers, the lower one first"))
    slack = _ROUNDING * (most - least)
    if not least - slack <= value <= most + slack:
        raise ValueError(sentence(name, value, f"a number from {least} to {most}"))


def _check_pairs(one: NDArray[np.generic], other: NDArray[np.generic]) -> None:
    if one.ndim != 1 or one.shape != other.shape or not one.size:
        raise ValueError(f"pairs: {one.size} values and {other.size} to compare them with")
