"""How strong our players are, compared with the best figures that others published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from mineproof.lab.findings import Findings
from mineproof.lab.sentences import amounts, effect, excess, listed
from mineproof.lab.study import WINS, Arm, Chart, Coordinate, Published, Study
from mineproof.position import Rules, Setup, Start
from mineproof.position.topology import Topology

_PLAYERS: Final = ("champion", "exact")
_STARTS: Final[tuple[Start, ...]] = ("safe", "zero")
_LEVELS: Final = ("8×8", "beginner", "intermediate", "expert")


def _by_level(*wins: float) -> Mapping[Coordinate, float]:
    return dict(zip(_LEVELS[-len(wins) :], wins, strict=True))


_TU: Final = (
    "Tu, Li, Chen, Guo and Huang, Exploring Efficient Strategies for Minesweeper, 2017: PSEQ with "
    "endings solved at 256 layouts or fewer. 10⁸ games per figure, so within 0.01 points."
)
_HILL: Final = (
    "D. Hill's JSMinesweeper in Java, measured by the authors of mineproof: 58,000 games per level "
    "with start safe, 23,000 with start zero; ±0.4 and ±0.6 points on expert."
)
_MINESOLVE: Final = "minesolve, a C program that looks several moves ahead. Start safe; games: "

_PUBLISHED: Final[Mapping[Start, Mapping[str, Published]]] = {
    "safe": {
        "Studholme 2000": Published(
            _by_level(33.9),
            source="Studholme, Minesweeper as a Constraint Satisfaction Problem, 2000. Start safe; "
            "neither games nor interval are known to us.",
        ),
        "Buffet 2013": Published(
            _by_level(74.4, 38.7),
            source="Buffet and others, Optimistic Heuristics for MineSweeper, 2013. Start safe; "
            "neither games nor interval are known to us.",
        ),
        "Becerra 2015": Published(
            _by_level(75.9, 32.9),
            source="Becerra, Algorithmic Approaches to Playing Minesweeper, 2015: constraints by "
            "components. Start safe; neither games nor interval are known to us.",
        ),
        "Tu 2017": Published(_by_level(81.771, 91.695, 78.230, 40.047), 100_000_000, _TU),
        "minesolve, depth 1": Published(_by_level(39.00), 10_000_000, f"{_MINESOLVE}10⁷."),
        "minesolve, depth 4": Published(_by_level(40.80), 1_000_000, f"{_MINESOLVE}10⁶."),
        "Hill's solver": Published(_by_level(91.45, 78.70, 40.90), 58_000, _HILL),
    },
    "zero": {
        "Tu 2017": Published(_by_level(90.345, 97.167, 89.076, 53.450), 100_000_000, _TU),
        "Hill's solver": Published(_by_level(97.13, 89.72, 54.46), 23_000, _HILL),
    },
}
"""Wins in percent by start rule, player and level.

All begin where it is best for them: at a corner under safe and near (3, 3) under zero, as ours do.
"""


def _setup(level: str, start: Start) -> Setup:
    rules = Rules(start=start)
    return Setup(Topology(8, 8), 10, rules) if level == "8×8" else Setup.level(level, rules=rules)


def _answer(findings: Findings) -> Iterator[str]:
    ours, plain = _PLAYERS
    for start in findings.values("start"):
        wins = findings.curve(WINS, "level", agent=ours, start=start)
        yield from amounts(f"With start {start}, {ours} wins", wins, WINS, "on {}")
        best = {level: _best(start, level) for level in wins}
        gaps = {level: excess(wins[level], best[level][1]) for level in wins}
        what = f"Compared with the best published player, the win rate of {ours} with start {start}"
        yield from effect(what, gaps, WINS, "on {}")
        if best:
            players = listed(f"{who} on {level} ({won:g}%)" for level, (who, won) in best.items())
            yield f"With start {start}, the best published player is {players}."
    for start in findings.values("start"):
        gains = findings.differences(WINS, "level", start=start, agent=_PLAYERS)
        what = f"Compared with {plain}, the win rate of {ours} with start {start}"
        yield from effect(what, gains, WINS, "on {}")
    gains = findings.differences(WINS, "level", agent=ours, start=("zero", "safe"))
    what = f"With start zero instead of safe, the win rate of {ours}"
    yield from effect(what, gains, WINS, "on {}")


def _best(start: Coordinate, level: Coordinate) -> tuple[str, float]:
    """Return the best of the others on a level, and its wins in percent."""
    players = _PUBLISHED["safe" if start == "safe" else "zero"].items()
    found = {who: published.values.get(level, 0.0) for who, published in players}
    return max(found.items(), key=lambda item: item[1])


STUDY: Final = Study(
    "strength",
    title="Strength by level",
    question=(
        "How many games do our strongest players win, level by level and under both start rules, "
        "and how does that compare with the best published figures? (The first cell is a corner "
        "with start safe, and near (3, 3) with start zero.)"
    ),
    arms=tuple(
        Arm(player, _setup(level, start), {"level": level, "start": start})
        for level in _LEVELS
        for start in _STARTS
        for player in _PLAYERS
    ),
    games=100_000,
    quick=1_000,
    charts=tuple(
        Chart(
            start,
            f"Wins with start {start}, ours and published",
            WINS,
            x="level",
            only={"start": (start,)},
            published=_PUBLISHED[start],
        )
        for start in _STARTS
    ),
    answer=_answer,
)
