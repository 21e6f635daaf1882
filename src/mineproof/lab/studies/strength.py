"""How strong our players are, compared with the best figures that others published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from mineproof.game import Rules, Setup, Start
from mineproof.lab.sentences import agreement, amounts, effect, excess
from mineproof.lab.study import WINS, Arm, Chart, Coordinate, Study
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

_PLAYERS: Final = ("exact",)
_STARTS: Final[tuple[Start, ...]] = ("safe", "zero")
_LEVELS: Final = ("8×8", "beginner", "intermediate", "expert")


def _by_level(*wins: float) -> Mapping[Coordinate, float]:
    return dict(zip(_LEVELS[-len(wins) :], wins, strict=True))


_PUBLISHED: Final[Mapping[str, Mapping[str, Mapping[Coordinate, float]]]] = {
    "safe": {
        "Studholme 2000": _by_level(33.9),
        "Buffet 2013": _by_level(74.4, 38.7),
        "Becerra 2015": _by_level(75.9, 32.9),
        "Tu 2017 (PSEQ-D256)": _by_level(81.771, 91.695, 78.230, 40.047),
        "minesolve at depth 1": _by_level(39.00),
        "minesolve at depth 4": _by_level(40.80),
        "Hill's solver (measured)": _by_level(91.45, 78.70, 41.12),
    },
    "zero": {
        "Tu 2017 (PSEQ-D256)": _by_level(90.345, 97.167, 89.076, 53.450),
        "Hill's solver (measured)": _by_level(97.13, 89.72, 54.48),
    },
}
"""Wins in percent by start rule, player and level; nobody published figures of Hill's solver.

Players that choose their first cell begin at a corner under safe and near (3, 3) under zero.
"""

_GAMES: Final = {
    "safe": {
        "Tu 2017 (PSEQ-D256)": 100_000_000,
        "minesolve at depth 1": 10_000_000,
        "minesolve at depth 4": 1_000_000,
        "Hill's solver (measured)": 58_000,
    },
    "zero": {"Tu 2017 (PSEQ-D256)": 100_000_000, "Hill's solver (measured)": 23_000},
}
"""On how many games these figures rest, if that is known."""


def _setup(level: str, start: Start) -> Setup:
    rules = Rules(start=start)
    return Setup(8, 8, 10, rules) if level == "8×8" else Setup.level(level, rules=rules)


def _answer(findings: Findings) -> Iterator[str]:
    for start in findings.values("start"):
        for player in findings.values("agent", start=start):
            wins = findings.curve(WINS, "level", agent=player, start=start)
            yield from amounts(f"Under start {start}, {player} wins", wins, WINS, "on {}")
            gaps = dict(_over_the_best(str(start), wins))
            what = f"Compared with the best published figure, the share that {player} wins"
            yield from effect(f"{what} under start {start}", gaps, WINS, "on {}")
    for chart in findings.study.charts:
        yield from agreement(findings, chart)
    for player in findings.values("agent"):
        gains = findings.differences(WINS, "level", agent=player, start=("zero", "safe"))
        what = f"With start zero instead of safe, the share of games that {player} wins"
        yield from effect(what, gains, WINS, "on {}")


def _over_the_best(
    start: str, wins: Mapping[Coordinate, Estimate]
) -> Iterator[tuple[Coordinate, Estimate]]:
    for level, ours in wins.items():
        figures = {who: values.get(level, 0.0) for who, values in _PUBLISHED[start].items()}
        who = max(figures, key=lambda who: figures[who])
        yield f"{level} (against {figures[who]:g}% by {who})", excess(ours, figures[who])


STUDY: Final = Study(
    "strength",
    title="Strength by level",
    question=(
        "How many games do our strongest players win, level by level and under both start rules, "
        "and how does that compare with the best that was published?"
    ),
    arms=tuple(
        Arm(player, _setup(level, start), {"level": level, "start": start})
        for level in _LEVELS
        for start in _STARTS
        for player in _PLAYERS
    ),
    games=100_000,
    quick=5_000,
    charts=tuple(
        Chart(
            start,
            f"Wins under start {start}, and what others published",
            WINS,
            x="level",
            only={"start": (start,)},
            published=_PUBLISHED[start],
            published_games=_GAMES[start],
        )
        for start in _STARTS
    ),
    answer=_answer,
)
