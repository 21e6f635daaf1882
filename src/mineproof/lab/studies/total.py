"""What it is worth to be told how many mines there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mineproof.lab.findings import Findings
from mineproof.lab.sentences import effect
from mineproof.lab.study import SCORE, WINS, Arm, Chart, Study
from mineproof.lab.study_boards import KEEP_GOING, density, ten_by_ten
from mineproof.position import Rules

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


def _answer(findings: Findings) -> Iterator[str]:
    for rules, (_, _, measure, value) in _RULES.items():
        for player in findings.values("player", rules=rules):
            at = {"rules": rules, "player": player}
            gains = findings.differences(measure, "density", **at, telling=("told", "untold"))
            what = f"With the total told, under {rules} rules, the {value} of {player}"
            yield from effect(what, gains, measure, "at a density of {}")


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
        )
        for name, (rules, mines, _, _) in _RULES.items()
        for setup in ten_by_ten(mines, rules)
        for player, agents in _PLAYERS.items()
        for telling, agent in agents.items()
    ),
    games=8_000,
    quick=1_000,
    charts=tuple(
        Chart(
            name,
            f"{what} gained by being told; {conditions}",
            measure,
            x="density",
            lines="player",
            only={"rules": (rules,)},
            minus="untold",
            minus_of="telling",
        )
        for name, rules, measure, what, conditions in (
            ("score", "keep-going", SCORE, "Score", "play goes on after a mine, any start"),
            ("wins", "classic", WINS, "Wins", "a mine ends the game, safe start"),
        )
    ),
    answer=_answer,
)
