"""What it is worth to be told how many mines there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from mineproof.game.game import Rules
from mineproof.lab.studies.changes import differences, effect
from mineproof.lab.studies.conditions import KEEP_GOING, density, ten_by_ten
from mineproof.lab.studies.wording import is_clear, listed
from mineproof.lab.study import SCORE, WINS, Arm, Chart, Coordinate, Measure, Point, Study, is_wide
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["STUDY"]

_PLAYERS: Final = {
    "clue-heap": {"told": "clue-heap:total", "untold": "clue-heap"},
    "projection": {"told": "projection:global", "untold": "projection"},
    "border": {"told": "border:total", "untold": "border"},
    "exact": {"told": "exact", "untold": "exact:untold"},
}
"""Those that can make use of the total: the agent that is told it, and the one that is not."""

_RULES: Final = {
    "keep-going": (KEEP_GOING, (5, 10, 20, 30, 60, 80, 90)),
    "classic": (Rules(start="safe"), (5, 10, 15, 20, 25)),
}
"""The rules, and the numbers of mines: past a quarter, classic games are hardly won."""

_MEASURED: Final = {"keep-going": SCORE, "classic": WINS}


def _arms() -> Iterator[Arm]:
    for name, (rules, mines) in _RULES.items():
        for setup in ten_by_ten(mines, rules):
            for player, agents in _PLAYERS.items():
                for telling, agent in agents.items():
                    at = {"rules": name, "player": player, "telling": telling, **density(setup)}
                    yield Arm(agent, setup, at)


def _gains(findings: Findings, rules: str, player: Coordinate) -> dict[Coordinate, Estimate]:
    """By density, what a player gains when it is told."""
    told, untold = (
        {"rules": rules, "player": player, "telling": telling} for telling in ("told", "untold")
    )
    return differences(findings, _MEASURED[rules], "density", told, untold)


def _points(findings: Findings, chart: Chart) -> Iterator[Point]:
    [rules] = map(str, chart.only["rules"])
    for player in findings.values("player", rules=rules):
        for place, gain in _gains(findings, rules, player).items():
            games = findings.games_of(rules=rules, player=player, density=place, telling="told")
            yield Point(player, place, None, gain, games, is_wide(gain, chart.measure))


def _answer(findings: Findings) -> Iterator[str]:
    for rules, when, value in (
        ("keep-going", "Where play goes on after a mine", "score"),
        ("classic", "Where a mine ends the game", "win rate"),
    ):
        by_player = {
            player: gains
            for player in findings.values("player", rules=rules)
            if (gains := _gains(findings, rules, player))
        }
        for player in sorted(by_player, key=lambda player: -_largest(by_player[player])):
            where = effect(by_player[player], " points", "a density of {}")
            if where:
                yield f"{when}, being told the total changes the {value} of {player} {where}."
        unmoved = [player for player, gains in by_player.items() if not _largest(gains)]
        if unmoved:
            whose = f"the {value} of {listed(unmoved)}"
            yield f"{when}, no effect of the total on {whose} is beyond its interval."


def _largest(gains: Mapping[Coordinate, Estimate]) -> float:
    """Return how large the largest effect is that is beyond its interval."""
    return max((abs(gain.value) for gain in gains.values() if is_clear(gain)), default=0.0)


STUDY: Final = Study(
    "total",
    title="What the mine total adds",
    question=(
        "How much better does an agent play when it is told how many mines there are? (10×10, "
        "every agent told and untold on the same boards.)"
    ),
    arms=tuple(_arms()),
    games=2000,
    quick=25,
    charts=(
        Chart(
            "score",
            "Score gained by being told; play goes on after a mine, any start",
            Measure("score", "score, told minus untold, points", factor=100.0),
            x="density",
            lines="player",
            only={"rules": ("keep-going",)},
            points=_points,
        ),
        Chart(
            "wins",
            "Wins gained by being told; a mine ends the game, safe start",
            Measure("won", "games won, told minus untold, points", factor=100.0),
            x="density",
            lines="player",
            only={"rules": ("classic",)},
            points=_points,
        ),
    ),
    answer=_answer,
)
