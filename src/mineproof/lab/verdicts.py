"""Three verdicts on differences: clear, small, or undecided because there are too few games.

Differences that are judged together are a family: at most 5% of families have a difference that is
called clear although there is none (Holm, 1979).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, floor, isfinite, log10
from statistics import NormalDist
from typing import Final, Literal, TypeAlias, TypeVar

from mineproof.statistics import Estimate

__all__ = ["Verdict", "games_needed", "is_clear", "judge", "largest"]

K = TypeVar("K")

Verdict: TypeAlias = Literal["clear", "small", "undecided"]

_NORMAL: Final = NormalDist()
_LEVEL: Final = 0.05
_Z: Final = _NORMAL.inv_cdf(1 - _LEVEL / 2)


def judge(differences: Mapping[K, Estimate], margin: float) -> dict[K, Verdict]:
    """Judge a family of differences.

    A difference is clear if Holm's procedure tells it from 0, small if its interval is within the
    margin, and else undecided.

    Examples
    --------
    >>> some = {"a": Estimate(9, 6, 12), "b": Estimate(1, -1, 3), "c": Estimate(4, -8, 16)}
    >>> judge(some, margin=5)
    {'a': 'clear', 'b': 'small', 'c': 'undecided'}

    One interval that barely leaves out 0 is not enough among many:

    >>> one = {"one": Estimate(2.0, 0.1, 3.9)}
    >>> many = {n: Estimate(0.0, -2.0, 2.0) for n in range(9)}
    >>> judge(one, 5)["one"], judge({**one, **many}, 5)["one"]
    ('clear', 'small')
    """
    chances = {key: _chance(found) for key, found in differences.items()}
    clear, left = set(), len(chances)
    for key in sorted(chances, key=lambda key: chances[key]):
        if chances[key] > _LEVEL / left:
            break
        clear.add(key)
        left -= 1
    return {
        key: "clear" if key in clear else "small" if largest(found) <= margin else "undecided"
        for key, found in differences.items()
    }


def _chance(difference: Estimate) -> float:
    """Return how likely a value at least as far from 0 is by chance, as the interval implies it."""
    value = difference.value
    reach = value - difference.low if value > 0 else difference.high - value
    if not isfinite(reach) or value == 0:
        return 1.0
    return 2 * (1 - _NORMAL.cdf(_Z * abs(value) / reach)) if reach > 0 else 0.0


def is_clear(difference: Estimate) -> bool:
    """Whether a difference that is judged alone is clear: its interval does not contain 0.

    Examples
    --------
    >>> is_clear(Estimate(2.0, 0.5, 3.5)), is_clear(Estimate(2.0, -0.5, 4.5))
    (True, False)
    """
    return difference.low > 0 or difference.high < 0


def largest(difference: Estimate) -> float:
    """Return how large a difference may be, by its interval.

    Examples
    --------
    >>> largest(Estimate(1.0, -2.0, 4.0))
    4.0
    """
    return max(abs(difference.low), abs(difference.high))


def games_needed(difference: Estimate, margin: float) -> int | None:
    """Return about how many games make the interval as narrow as the margin, to two digits.

    Examples
    --------
    >>> games_needed(Estimate(2.0, -18.0, 22.0, count=25), margin=5)
    400
    """
    if difference.count is None or not isfinite(difference.width):
        return None
    games = difference.count * (difference.width / 2 / margin) ** 2
    if games <= difference.count:  # narrow enough, but off centre
        games = 2.0 * difference.count
    step: int = 10 ** max(floor(log10(games)) - 1, 0)
    return step * ceil(games / step)
