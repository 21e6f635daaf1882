"""Estimates from samples, with 95% confidence intervals.

95% intervals: Wilson's for shares, Tango's for differences of paired shares, Student's t for means
and mean differences. `median` and `rank_correlation` name their own.

If sampling is repeated many times, about 95% of the intervals contain the true value. Fewer contain
it if most samples miss a rare event that matters: docs/studies.md has figures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import atanh, cbrt, exp, inf, isfinite, isnan, lgamma, log, pi, sqrt, tan, tanh
from statistics import NormalDist
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof.arguments import sentence, whole

__all__ = [
    "Bounds",
    "Estimate",
    "mean",
    "mean_of",
    "median",
    "rank_correlation",
    "share",
    "share_difference",
]

Numbers: TypeAlias = Sequence[float] | NDArray[np.float64]
Bounds: TypeAlias = tuple[float, float]
"""The lowest and the highest possible value: (0, 1) for a score, (0, inf) for a count."""

_UNBOUNDED: Final = (-inf, inf)

_LEVEL: Final = 0.95
_Z: Final = NormalDist().inv_cdf((1 + _LEVEL) / 2)
"""95% of a normal distribution is within this many standard deviations of its mean."""

_TAIL: Final = (1 - _LEVEL) / 2
"""The chance that the true value is beyond one given end of an interval."""

_ROUNDING: Final = 1e-6
"""How far rounding may push a value, as a share of it or of 1."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value estimated from a sample, and the ends of its 95% interval.

    Parameters
    ----------
    value, low, high
        The value and the ends.
    count
        The size of the sample, if that is known.

    Examples
    --------
    >>> print(Estimate(0.5, low=0.25, high=0.75))
    0.5 (0.25 to 0.75)
    """

    value: float
    low: float
    high: float
    count: int | None = field(default=None, compare=False, repr=False, kw_only=True)

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
    return Estimate(value, low, high, count=trials)


def mean(values: Numbers, bounds: Bounds = _UNBOUNDED) -> Estimate:
    """Estimate a mean, or the mean difference of pairs, with the interval of `mean_of`.

    To compare pairs, pass their differences and the bounds of a difference: what both numbers of a
    pair have in common, such as an easy board, then does not widen the interval.

    Examples
    --------
    >>> print(mean([1, 2, 3, 4]))
    2.5 (0.4482 to 4.552)
    >>> print(mean([1, 1, 1, 0.9], bounds=(0, 1)))
    0.975 (0.7201 to 1)
    >>> print(mean([0, 0, 0, 0, 0, 0, 0, 0], bounds=(0, inf)))
    0 (0 to 0.375)
    """
    sample = np.asarray(values, np.float64)
    if sample.ndim != 1 or not sample.size:
        raise ValueError("a mean needs at least one value, in a list or one-dimensional array")
    for value in (float(sample.min()), float(sample.max())):
        _check_bounds("value", value, bounds)
    value, deviation = float(sample.mean()), float(sample.std(ddof=min(1, sample.size - 1)))
    if _is_flat(value, deviation):
        return mean_of(sample.size, value, 0.0, bounds=bounds)
    skewness = float(np.mean(((sample - value) / sample.std()) ** 3))
    return mean_of(sample.size, value, deviation, skewness, bounds)


def mean_of(
    count: int,
    mean: float,
    deviation: float | None,
    skewness: float | None = 0.0,
    bounds: Bounds = _UNBOUNDED,
) -> Estimate:
    """Estimate a mean from a summary of the sample, with Student's interval.

    The interval ends at the bounds at the latest. Two things change it, because Student's interval
    relies on the spread of the sample:

    - If the values are skewed, the end on the side of the long tail is moved outwards as Hall
      (1992) computes it. Otherwise the interval can miss the true mean of a score that is 1 in
      nearly all games four times as often as it should.
    - If all values are equal, each end moves by the rule of three: at most 3 of `count` further
      values differ, so it moves 3 / count of the way to the bound. On a side without a bound it
      moves by 3 / count. This is the usual limit for a count of which none was seen, and unbounded
      quantities are counts, or measured times, which are never all equal.

    Parameters
    ----------
    count
        The number of values.
    mean, deviation
        The mean of the values, and their standard deviation, with division by `count - 1`. A single
        value has no deviation. NaN counts as 0: together with a finite mean, it is the root of a
        variance that rounding made negative.
    skewness
        The mean cube of the standardized values, with division by `count`. It is ignored if all
        values are equal.
    bounds
        The lowest and the highest possible value; (-1, 1) for differences of scores.

    Examples
    --------
    >>> print(mean_of(250, mean=31.4, deviation=8))
    31.4 (30.4 to 32.4)
    >>> print(mean_of(1, mean=7, deviation=None, bounds=(0, inf)))
    7 (0 to inf)
    >>> print(mean_of(100, mean=1, deviation=0, bounds=(0, 1)))
    1 (0.97 to 1)
    """
    count = whole("count", count, 1)
    if not isfinite(mean):
        raise ValueError(sentence("mean", mean, "a finite number"))
    _check_bounds("mean", mean, bounds)
    least, most = bounds
    mean = min(max(mean, least), most)
    if count == 1:
        return Estimate(mean, least, most, count=count)
    if deviation is None or deviation < 0 or deviation == inf:
        raise ValueError(sentence("deviation", deviation, "a finite number from 0"))
    if _is_flat(mean, deviation):
        below, above = (side if isfinite(side) else 1.0 for side in (mean - least, most - mean))
        fall, rise = 3 / count * below, 3 / count * above
    else:
        if skewness is None or not isfinite(skewness):
            raise ValueError(sentence("skewness", skewness, "a finite number"))
        error, tilt = deviation / sqrt(count), skewness / sqrt(count)
        quantile = _student(count - 1)
        fall, rise = error * _reach(quantile, tilt), error * _reach(quantile, -tilt)
    return Estimate(mean, max(mean - fall, least), min(mean + rise, most), count=count)


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
    beyond, chance = 0, _heads(0, count)
    while chance <= _TAIL:
        beyond += 1
        chance += _heads(beyond, count)
    ends = (sample[beyond - 1], sample[count - beyond]) if beyond else (-inf, inf)
    return Estimate(float(np.median(sample)), *map(float, ends), count=count)


def _heads(number: int, count: int) -> float:
    """Return the chance of a number of heads in a number of throws of a coin."""
    ways = lgamma(count + 1) - lgamma(number + 1) - lgamma(count - number + 1)
    return exp(ways - count * log(2))


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
    low, high = tanh(middle - error), tanh(middle + error)
    return Estimate(value, min(low, value), max(high, value), count=x.size)


def _centred_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each value, centred on 0 and divided by their number; equals share one."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    middle_of_equals = np.cumsum(count) - (count + 1) / 2
    ranks: NDArray[np.float64] = middle_of_equals[place] - (values.size - 1) / 2
    return ranks / values.size


def share_difference(gained: int, lost: int, pairs: int) -> Estimate:
    """Estimate the difference of paired shares from the number of pairs that differ.

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
    >>> print(share_difference(gained=12, lost=3, pairs=200))
    0.045 (0.008061 to 0.08917)
    >>> print(share_difference(gained=0, lost=0, pairs=20))
    0 (-0.1611 to 0.1611)
    """
    pairs = whole("pairs", pairs, 1)
    gained = whole("gained", gained, 0, pairs)
    lost = whole("lost", lost, 0, pairs - gained)
    high = _highest_difference(gained, lost, pairs)
    low = -_highest_difference(lost, gained, pairs)
    return Estimate((gained - lost) / pairs, low, high, count=pairs)


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


def _is_flat(mean: float, deviation: float) -> bool:
    """Whether all values are equal, except for rounding."""
    return isnan(deviation) or deviation <= 1e-9 * abs(mean)


def _reach(quantile: float, tilt: float) -> float:
    """Return how many standard errors the mean is above the lower end.

    This is the inverse of Hall's cubic transformation, or Student's quantile if that is larger. The
    tilt is the skewness divided by the root of the number of values. For the upper end, it changes
    its sign.
    """
    shifted = quantile - tilt / 6
    root = cbrt(1 + tilt * shifted)
    return max(quantile, 3 * shifted / (root * root + root + 1))


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
    if not least < most:
        raise ValueError(sentence("bounds", bounds, "two numbers, the lower one first"))
    slack = _ROUNDING * max(1.0, abs(value))
    if not (isfinite(value) and least - slack <= value <= most + slack):
        raise ValueError(sentence(name, value, f"a number from {least} to {most}"))


def _check_pairs(one: NDArray[np.generic], other: NDArray[np.generic]) -> None:
    if one.ndim != 1 or one.shape != other.shape or not one.size:
        raise ValueError(f"pairs: {one.size} values and {other.size} to compare them with")
