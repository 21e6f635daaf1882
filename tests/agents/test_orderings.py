"""Which agent beats which on the same boards, if play continues after a mine."""

from __future__ import annotations

import pytest

from mineproof import RandomBoards, Rules, Setup, Topology, compare
from mineproof.arena.compare import Result
from mineproof.statistics import Estimate

KEEP_GOING = Rules("any", "continue")
DENSITIES = (15, 20, 25, 30)


def scores(names: list[str], games: int) -> list[list[Result]]:
    """Results by density, each agent's paired with the first."""
    return [
        compare(
            names, RandomBoards(Setup(Topology(10, 10), mines, KEEP_GOING), count=games, seed=1000)
        )
        for mines in DENSITIES
    ]


def differences(names: list[str], games: int) -> list[Estimate]:
    """By how much the second agent's score exceeds the first's."""
    found = [results[1].score_difference for results in scores(names, games)]
    return [difference for difference in found if difference is not None]


@pytest.mark.long
@pytest.mark.parametrize(
    ("better", "worse"),
    [("exact", "border"), ("border", "projection"), ("border", "basic"), ("basic", "random")],
)
def test_orderings_hold(better: str, worse: str) -> None:
    for difference in differences([worse, better], 250):
        assert difference.low > 0, (better, worse, difference)


def test_the_widest_gaps_show_at_once() -> None:
    for difference in differences(["random", "exact"], 20):
        assert difference.low > 0.5


@pytest.mark.parametrize("games", [100, pytest.param(2000, marks=pytest.mark.long)])
def test_telling_the_total_never_hurts_exact(games: int) -> None:
    for difference in differences(["exact:untold", "exact"], games):
        assert difference.high > 0, difference
