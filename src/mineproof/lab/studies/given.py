"""The worth of safe cells given at the start, under the conditions of R2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mineproof.lab.findings import Findings
from mineproof.lab.sentences import agreement, effect, thresholds
from mineproof.lab.study import WINS, Arm, Chart, Coordinate, Published, Study
from mineproof.position import Rules, Setup

__all__ = ["R2_GAMES", "R2_WINS", "STUDY"]

R2_WINS: Final[dict[str, dict[Coordinate, float]]] = {
    "easy": {9: 96.0},
    "medium": {16: 97.0},
    # The report draws with repetition: 120 draws are some 103 cells.
    "hard": {22: 25.0, 53: 40.0, 103: 50.0},
}
"""R2's wins of logic in percent, by level and the number of safe cells given."""

R2_GAMES: Final = 100

_GIVEN: Final = {"easy": (0, 9), "medium": (0, 16), "hard": (0, 22, 53, 103, 120)}
"""By level: none, the root of the number of cells as in R2, and more."""

_BASIC: Final = (0, 9, 16, 22)
"""What basic is given; without cascades its games are long."""


def _setup(level: str, given: int) -> Setup:
    return Setup.level(level, rules=Rules(start="any", cascade=False, given_safe=given))


def _answer(findings: Findings) -> Iterator[str]:
    wins = findings.curves(WINS, "given", level="hard")
    words = "Half of the hard games are won"
    yield from thresholds(words, "with this many cells given:", wins, 50, rising=True)
    for level in findings.values("level"):
        changes = {}
        for agent in findings.values("agent", level=level):
            few, *_, many = 2 * findings.values("given", level=level, agent=agent)
            found = findings.differences(WINS, "agent", level=level, given=(many, few))
            if agent in found and few != many:
                changes[f"{agent} ({many} instead of {few})"] = found[agent]
        what = f"On {level} boards, with more cells given, the win rate"
        yield from effect(what, changes, WINS, "for {}")
        gains = findings.differences(WINS, "given", level=level, agent=("exact", "logic"))
        what = f"On {level} boards, compared with logic, which never guesses, the win rate of exact"
        yield from effect(what, gains, WINS, "with {} cells given")
    for chart in findings.study.charts:
        yield from agreement(findings, chart)


STUDY: Final = Study(
    "given",
    title="Safe cells given at the start",
    question=(
        "How much do safe cells given at the start raise the number of games won? (R2's "
        "conditions: any start, a zero opens no neighbours, a mine ends the game; logic never "
        "guesses.)"
    ),
    arms=tuple(
        Arm(agent, _setup(level, given), {"level": level, "given": given})
        for level, numbers in _GIVEN.items()
        for given in numbers
        for agent in (("logic", "basic", "exact") if given in _BASIC else ("logic", "exact"))
    ),
    games=4_000,
    quick=1_000,
    charts=tuple(
        Chart(
            f"wins-{level}",
            f"Games won by safe cells given, {level} boards",
            WINS,
            x="given",
            x_title="safe cells given",
            published={"logic": Published(wins, R2_GAMES)},
            only={"level": (level,)},
        )
        for level, wins in R2_WINS.items()
    ),
    answer=_answer,
)
