"""How often each agent wins on each level, under both usual start rules."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import Final

from mineproof.lab.findings import Findings
from mineproof.lab.sentences import amounts, effect, leader, leaders, listed, top
from mineproof.lab.study import WINS, Arm, Chart, Study
from mineproof.lab.verdicts import judge
from mineproof.position import Rules, Setup, Start

_GUESSING: Final = ("random", "weights", "noisy-or")
_REASONING: Final = (
    *("components", "projection", "logic", "basic"),
    *("clue-heap", "border", "exact", "champion"),
)
_LEVELS: Final = ("easy", "medium", "intermediate", "expert")
_STARTS: Final[tuple[Start, ...]] = ("safe", "zero")


def _ahead_of(findings: Findings, best: str) -> bool:
    """Whether any other agent clearly wins more than the best one on a level."""
    leads = {
        (start, agent, level): lead
        for start in findings.values("start")
        for agent in findings.values("agent", start=start)
        for level, lead in findings.differences(
            WINS, "level", start=start, agent=(agent, best)
        ).items()
        if agent != best
    }
    verdicts = judge(leads, WINS.margin)
    return any(verdicts[key] == "clear" and leads[key].value > 0 for key in leads)


def _answer(findings: Findings) -> Iterator[str]:
    wins: dict[str, list[float]] = {}
    for arm in findings.arms:
        wins.setdefault(arm.agent, []).append(findings.estimate(WINS, **arm.at).value)
    if not wins:
        return
    best = max(wins, key=lambda agent: fmean(wins[agent]))
    words = f"No agent clearly wins more than {best} on any level;"
    if _ahead_of(findings, best):
        words = f"On average over all levels, {best} wins the most games;"
    for start in findings.values("start"):
        by_level = findings.curve(WINS, "level", agent=best, start=start)
        yield from amounts(f"{words} with start {start} it wins", by_level, WINS, "on {}")
        words = "And"
    for start in findings.values("start"):
        at = {"start": start}
        yield from leaders(f"With start {start},", findings, WINS, "level", "on {}", at=at)
        *_, hardest = findings.values("level", **at)
        where = f"On {hardest} with start {start},"
        yield from leader(where, findings, WINS, {**at, "level": hardest})
    gains = findings.differences(WINS, "level", agent=best, start=("zero", "safe"))
    what = f"With start zero instead of safe, the win rate of {best}"
    yield from effect(what, gains, WINS, "on {}")
    for level in findings.values("level"):
        by_start = findings.curves(WINS, "start", level=level)
        losers = [agent for agent, won in by_start.items() if won[top(won)].value == 0]
        if losers:
            yield f"On {level}, {listed(losers)} won no game at all."


STUDY: Final = Study(
    "levels",
    title="Wins by level",
    question=(
        "How often does each agent win, on the levels of courses and of the classic game, when the "
        "first cell is safe and when it is a zero? (A mine ends the game.)"
    ),
    arms=tuple(
        Arm(
            agent,
            Setup.level(level, rules=Rules(start)),
            {"level": level, "start": start},
        )
        for start in _STARTS
        for level in _LEVELS
        for agent in (*_GUESSING, *_REASONING)
    ),
    games=8_000,
    quick=1_000,
    charts=(
        Chart("wins", "Games won by level and start", WINS, "agent", lines="level", panels="start"),
        Chart(
            "behind",
            "Win rate minus exact's, on the same boards",
            WINS,
            "level",
            panels="start",
            minus="exact",
            only={"agent": _REASONING},
        ),
    ),
    answer=_answer,
)
