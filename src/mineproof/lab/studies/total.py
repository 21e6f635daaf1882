"""What it is worth to be told how many mines there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mineproof.game import Rules
from mineproof.lab.findings import Findings
from mineproof.lab.sentences import effect
from mineproof.lab.study import SCORE, WINS, Arm, Chart, Coordinate, Measure, Point, Study
from mineproof.lab.study_boards import KEEP_GOING, density, native, ten_by_ten
from mineproof.statistics import Estimate

_PLAYERS: Final = {
    "exact": {"told": "exact", "untold": "exact:untold"},
    "clue-heap": {"told": "clue-heap:total", "untold": "clue-heap"},
    "projection": {"told": "projection:global", "untold": "projection"},
    "border": {"told": "border:total", "untold": "border"},
}
"""Agents that can use the total: the one that is told it, and the one that is not."""

_RULES: Final = {
    "keep-going": (KEEP_GOING, (5, 10, 20, 30, 60, 80, 90), SCORE, "score"),
    "classic": (Rules(start="safe"), (5, 10, 15, 20, 25), WINS, "win rate"),
}
"""The rules, the numbers of mines, and what is measured; with more mines few classic games are
won."""


def _gains(findings: Findings, rules: str, player: Coordinate) -> dict[Coordinate, Estimate]:
    """Return what a player gains by being told, by density."""
    telling = ("told", "untold")
    measure = _RULES[rules][2]
    return findings.differences(measure, "density", rules=rules, player=player, telling=telling)


def _points(findings: Findings, chart: Chart) -> Iterator[Point]:
    [rules] = map(str, chart.only["rules"])
    for player in findings.values("player", rules=rules):
        for place, gain in _gains(findings, rules, player).items():
            games = findings.games_of(rules=rules, player=player, density=place, telling="told")
            yield chart.point(player, place, gain, games)


def _answer(findings: Findings) -> Iterator[str]:
    for rules, (_, _, measure, value) in _RULES.items():
        for player in findings.values("player", rules=rules):
            gains = _gains(findings, rules, player)
            what = f"With the total told, under {rules} rules, the {value} of {player}"
            yield from effect(what, gains, measure, "at a density of {}")


def _chart(name: str, rules: str, title: str, measure: Measure) -> Chart:
    only = {"rules": (rules,)}
    return Chart(name, title, measure, "density", lines="player", only=only, points=_points)


STUDY: Final = Study(
    "total",
    title="What the mine total adds",
    question=(
        "How much better does an agent play when it is told how many mines there are? (10×10, "
        "every agent told and untold on the same boards.)"
    ),
    arms=tuple(
        Arm(
            agent,
            setup,
            {"rules": name, "player": player, "telling": telling, **density(setup)},
            weight=native(agent, 16),
        )
        for name, (rules, mines, _, _) in _RULES.items()
        for setup in ten_by_ten(mines, rules)
        for player, agents in _PLAYERS.items()
        for telling, agent in agents.items()
    ),
    games=2000,
    quick=25,
    charts=(
        _chart(
            "score",
            "keep-going",
            "Score gained by being told; play goes on after a mine, any start",
            Measure("score", "score, told minus untold, points", factor=100.0),
        ),
        _chart(
            "wins",
            "classic",
            "Wins gained by being told; a mine ends the game, safe start",
            Measure("won", "games won, told minus untold, points", factor=100.0),
        ),
    ),
    answer=_answer,
)
