"""Numbers measured on samples, with the intervals that say how far to trust them.

All intervals are of 95%: drawn anew from fresh samples again and again, they hold the true value
some 95 times of 100.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, pi, sqrt, tan
from statistics import NormalDist
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof.arguments import whole

__all__ = ["Estimate", "difference", "mean", "share", "share_difference"]

Numbers: TypeAlias = Sequence[float] | NDArray[np.float64]
Truths: TypeAlias = Sequence[bool] | NDArray[np.bool_]

_LEVEL: Final = 0.95
_Z: Final = NormalDist().inv_cdf((1 + _LEVEL) / 2)
"""How many standard deviations hold 95% of a normal distribution, to either side."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value from a sample, and the ends of its 95% interval.

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

    def within(self, least: float, most: float) -> Estimate:
        """Cut the interval off where no value can be.

        Examples
        --------
        >>> mean([0.0, 1.0]).within(0, 1)
        Estimate(value=0.5, low=0, high=1)
        """
        return Estimate(self.value, max(self.low, least), min(self.high, most))


def share(successes: int, trials: int) -> Estimate:
    """Estimate a share, with the interval of Wilson (1927).

    It stays within 0 and 1 and keeps its word even where nearly all trials end the same way.

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


def mean(values: Numbers) -> Estimate:
    """Estimate a mean, with Student's interval; one value alone says nothing of its spread.

    Examples
    --------
    >>> print(mean([1, 2, 3, 4]))
    2.5 (0.4482 to 4.552)
    >>> print(mean([7]))
    7 (-inf to inf)
    """
    sample = np.asarray(values, np.float64)
    if sample.ndim != 1 or not sample.size:
        raise ValueError("a mean needs at least one value, in one row")
    value = float(sample.mean())
    if sample.size == 1:
        return Estimate(value, -inf, inf)
    error = float(sample.std(ddof=1)) / sqrt(sample.size)
    reach = _student(sample.size - 1) * error
    return Estimate(value, value - reach, value + reach)


def difference(values: Numbers, reference: Numbers) -> Estimate:
    """Estimate by how much paired numbers exceed their reference in the mean.

    What both of a pair share, such as an easy board, cancels out of the interval.

    Examples
    --------
    >>> print(difference([2, 5, 9, 4], reference=[1, 4, 7, 4]))
    1 (-0.2977 to 2.298)
    """
    one, other = np.asarray(values, np.float64), np.asarray(reference, np.float64)
    _check_pairs(one, other)
    return mean(one - other)


def share_difference(values: Truths, reference: Truths) -> Estimate:
    """Estimate by how much the share of true values exceeds that of their paired reference.

    The interval is the score interval of Tango (1998): all differences that the sample does not
    contradict, each judged by the spread that it would itself bring about. So it keeps its word
    where few pairs differ or none, and there the usual interval would shrink to a point.

    Examples
    --------
    >>> print(share_difference([True, True, False, True], reference=[True, False, False, False]))
    0.5 (-0.2348 to 0.85)
    >>> print(share_difference([True] * 20, reference=[True] * 20))
    0 (-0.1611 to 0.1611)
    """
    one, other = np.asarray(values, np.bool_), np.asarray(reference, np.bool_)
    _check_pairs(one, other)
    gained = int(np.count_nonzero(one & ~other))
    lost = int(np.count_nonzero(other & ~one))
    high = _highest_difference(gained, lost, one.size)
    low = -_highest_difference(lost, gained, one.size)
    return Estimate((gained - lost) / one.size, low, high)


def _highest_difference(gained: int, lost: int, pairs: int) -> float:
    """Return the largest difference of shares that the pairs which differ do not contradict."""

    def fits(shift: float) -> bool:
        # How many pairs would be lost, were the difference this and the sample as likely as can
        # be: the root of a quadratic equation.
        linear = (2 * pairs - gained + lost) * shift - gained - lost
        constant = -lost * shift * (1 - shift)
        root = sqrt(max(0.0, linear * linear - 8 * pairs * constant))
        losing = (root - linear) / (4 * pairs)
        variance = pairs * (2 * losing + shift * (1 - shift))
        return (gained - lost - pairs * shift) ** 2 <= _Z * _Z * variance

    return _boundary(fits, (gained - lost) / pairs, 1.0)


def _boundary(holds: Callable[[float], bool], inside: float, end: float) -> float:
    """Halve the way from where something holds to where it does not, until they meet."""
    if holds(end):
        return end
    for _ in range(60):
        middle = (inside + end) / 2
        if holds(middle):
            inside = middle
        else:
            end = middle
    return inside


def _student(freedom: int) -> float:
    """Return how many standard errors hold 95% of Student's distribution, to either side.

    From three degrees of freedom on by Fisher's expansion around the normal distribution, which
    there is good to a part in a thousand and soon to all digits.
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


def _check_pairs(one: NDArray[np.generic], other: NDArray[np.generic]) -> None:
    if one.ndim != 1 or one.shape != other.shape or not one.size:
        raise ValueError(f"pairs: {one.size} values and {other.size} to compare them with")
