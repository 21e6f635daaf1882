"""How often every agent wins on the levels, under both usual starts."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import TYPE_CHECKING, Final

from mineproof.game.board import Start
from mineproof.game.game import Rules
from mineproof.game.setup import Setup
from mineproof.lab.studies.changes import differences
from mineproof.lab.studies.wording import curve, lead, leaders, listed, shown
from mineproof.lab.study import WINS, Arm, Chart, Coordinate, Study

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["STUDY"]

_AGENTS: Final = (
    "random",
    "weights",
    "noisy-or",
    "components",
    "projection",
    "logic",
    "basic",
    "clue-heap",
    "border",
    "exact",
)
_LEVELS: Final = ("easy", "medium", "intermediate", "expert")
_STARTS: Final[tuple[Start, ...]] = ("safe", "zero")


def _arms() -> Iterator[Arm]:
    for start in _STARTS:
        for level in _LEVELS:
            setup = Setup.level(level, rules=Rules(start))
            for agent in _AGENTS:
                yield Arm(agent, setup, {"level": level, "start": start})


def _answer(findings: Findings) -> Iterator[str]:
    strongest = _strongest(findings)
    if strongest is None:
        return
    yield from _rates(findings, strongest)
    for start in findings.values("start"):
        *_, hardest = findings.values("level", start=start)
        best = lead(findings, WINS, "agent", {"start": start, "level": hardest})
        if best is not None:
            yield (
                f"With start {start} the most games are won by "
                f"{leaders(findings, WINS, 'agent', 'level', {'start': start})}; on {hardest} "
                f"boards it is {best.sentence('%', ' points')}."
            )
    yield from _worth_of_zero(findings, strongest)
    yield from _without_wins(findings)


def _strongest(findings: Findings) -> Coordinate | None:
    """Return who wins most over all levels."""

    def wins(agent: Coordinate) -> float:
        places = [dict(arm.at) for arm in findings.arms if arm.at["agent"] == agent]
        return fmean(findings.estimate(WINS, **place).value for place in places)

    return max(findings.values("agent"), key=wins, default=None)


def _rates(findings: Findings, agent: Coordinate) -> Iterator[str]:
    rates = []
    for start in findings.values("start", agent=agent):
        wins = curve(findings, WINS, "level", {"agent": agent, "start": start})
        by_level = listed(f"{shown(rate, '%')} on {level}" for level, rate in wins.items())
        rates.append(f"{by_level} with start {start}")
    yield f"Over all levels {agent} wins most: {'; '.join(rates)}."


def _worth_of_zero(findings: Findings, agent: Coordinate) -> Iterator[str]:
    """Say what the kinder start is worth."""
    zero, safe = ({"agent": agent, "start": start} for start in ("zero", "safe"))
    gains = differences(findings, WINS, "level", zero, safe)
    if gains:
        worth = listed(f"{shown(gains[level], ' points', sign=True)} on {level}" for level in gains)
        yield f"To {agent} a zero start instead of a safe one is worth {worth}."


def _without_wins(findings: Findings) -> Iterator[str]:
    without: list[str] = []
    for level in findings.values("level"):
        losers = [
            agent
            for agent in findings.values("agent", level=level)
            if all(
                findings.estimate(WINS, agent=agent, level=level, start=start).value == 0
                for start in findings.values("start", agent=agent, level=level)
            )
        ]
        if losers:
            without.append(f"on {level} boards by {listed(losers)}")
    if without:
        yield f"Not a single game was won {'; '.join(without)}."


STUDY: Final = Study(
    "levels",
    title="Wins by level",
    question=(
        "How often does each agent win, on the levels of courses and of the classic game, when the "
        "first cell is safe and when it is a zero? (A mine ends the game.)"
    ),
    arms=tuple(_arms()),
    games=2000,
    quick=25,
    charts=(
        Chart(
            "wins",
            "Games won by level and start",
            WINS,
            x="agent",
            lines="level",
            panels="start",
        ),
        Chart(
            "behind",
            "Games won less than exact, on the same boards",
            WINS,
            x="level",
            panels="start",
            minus="exact",
            only={
                "agent": (
                    "components",
                    "projection",
                    "logic",
                    "basic",
                    "clue-heap",
                    "border",
                    "exact",
                )
            },
        ),
    ),
    answer=_answer,
)
