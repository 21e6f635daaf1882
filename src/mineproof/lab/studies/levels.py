"""How often each agent wins on each level, under both usual start rules."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean
from typing import TYPE_CHECKING, Final

from mineproof.game.board import Start
from mineproof.game.game import Rules
from mineproof.game.setup import Setup
from mineproof.lab.studies.sentences import amounts, effect, leader, leaders, listed
from mineproof.lab.study import WINS, Arm, Chart, Study

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

_GUESSING: Final = ("random", "weights", "noisy-or")
_REASONING: Final = (
    *("components", "projection", "logic", "basic", "clue-heap", "border", "exact"),
)
_LEVELS: Final = ("easy", "medium", "intermediate", "expert")
_STARTS: Final[tuple[Start, ...]] = ("safe", "zero")


def _answer(findings: Findings) -> Iterator[str]:
    mean_wins = {
        agent: fmean(
            findings.estimate(WINS, **a.at).value for a in findings.arms if a.agent == agent
        )
        for agent in findings.values("agent")
    }
    if not mean_wins:
        return
    best = max(mean_wins, key=lambda agent: mean_wins[agent])
    for start in findings.values("start"):
        wins = findings.curve(WINS, "level", agent=best, start=start)
        yield from amounts(
            f"Over all levels {best} wins most; with start {start} it wins", wins, WINS, "on {}"
        )
    for start in findings.values("start"):
        words = f"with start {start} the most games are won by"
        yield from leaders(
            words.capitalize(), findings, WINS, "level", "on {}", at={"start": start}
        )
        *_, hardest = findings.values("level", start=start)
        at = {"start": start, "level": hardest}
        yield from leader(f"On {hardest} boards {words}", findings, WINS, at)
    gains = findings.differences(WINS, "level", agent=best, start=("zero", "safe"))
    what = f"With start zero instead of safe, the share of games that {best} wins"
    yield from effect(what, gains, WINS, "on {}")
    for level in findings.values("level"):
        wins_by_agent = findings.curves(WINS, "start", level=level)
        losers = [a for a, wins in wins_by_agent.items() if not any(w.value for w in wins.values())]
        if losers:
            yield f"Not one game on {level} boards was won by {listed(losers)}."


STUDY: Final = Study(
    "levels",
    title="Wins by level",
    question=(
        "How often does each agent win, on the levels of courses and of the classic game, when the "
        "first cell is safe and when it is a zero? (A mine ends the game.)"
    ),
    arms=tuple(
        Arm(agent, Setup.level(level, rules=Rules(start)), {"level": level, "start": start})
        for start in _STARTS
        for level in _LEVELS
        for agent in (*_GUESSING, *_REASONING)
    ),
    games=2000,
    quick=25,
    charts=(
        Chart("wins", "Games won by level and start", WINS, "agent", lines="level", panels="start"),
        Chart(
            "behind",
            "Games won less than exact, on the same boards",
            WINS,
            "level",
            panels="start",
            minus="exact",
            only={"agent": _REASONING},
        ),
    ),
    answer=_answer,
)
