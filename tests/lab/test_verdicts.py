"""Verdicts on differences: what is called clear is rarely wrong, and families share the doubt."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.lab.verdicts import games_needed, judge, largest
from mineproof.statistics import Estimate, mean

Z = NormalDist().inv_cdf(0.975)


def estimate(value: float, error: float) -> Estimate:
    return Estimate(value, value - Z * error, value + Z * error, count=100)


def holm(chances: list[float], level: float = 0.05) -> list[bool]:
    """Holm's procedure as it is defined: adjusted chances that never fall."""
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    clear, highest = [False] * len(chances), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, (len(chances) - rank) * chances[place])
        clear[place] = highest <= level
    return clear


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(0.1, 5)), min_size=1, max_size=9))
def test_families_are_corrected_as_holm_does(pairs: list[tuple[float, float]]) -> None:
    found = judge({n: estimate(*pair) for n, pair in enumerate(pairs)}, margin=5)
    chances = [2 * NormalDist().cdf(-abs(value) / error) for value, error in pairs]
    close = any(abs(rank * chance - 0.05) < 1e-6 for rank in range(1, 10) for chance in chances)
    if not close:
        assert [found[n] == "clear" for n in range(len(pairs))] == holm(chances)


@given(st.floats(-9, 9), st.floats(0, 9), st.floats(0, 9))
def test_every_difference_has_one_verdict(value: float, below: float, above: float) -> None:
    difference = Estimate(value, value - below, value + above, count=50)
    verdict = judge({"one": difference}, margin=5)["one"]
    if verdict == "clear":
        assert difference.low >= 0 or difference.high <= 0
    elif verdict == "small":
        assert largest(difference) <= 5
    else:
        assert largest(difference) > 5
        needed = games_needed(difference, 5)
        assert needed is not None
        assert needed > 50


def test_families_without_differences_are_rarely_called_clear() -> None:
    random = np.random.default_rng(5)
    wrong = 0
    for _ in range(400):
        family = {n: mean(random.normal(size=60)) for n in range(8)}
        wrong += "clear" in judge(family, margin=1).values()
    assert wrong / 400 < 0.09


@pytest.mark.parametrize("games", [25, 400])
def test_the_games_needed_suffice(games: int) -> None:
    wide = estimate(0.0, 60 / games**0.5)
    needed = games_needed(Estimate(wide.value, wide.low, wide.high, count=games), margin=5)
    assert needed is not None
    assert 0.9 * 5 <= Z * 60 / needed**0.5 <= 5


def test_without_games_nothing_is_promised() -> None:
    assert games_needed(Estimate(0, -9, 9), margin=5) is None
