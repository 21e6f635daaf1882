"""How strong our players are, against the best figures that others published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, get_args

from mineproof.arguments import counted
from mineproof.game.board import Start
from mineproof.game.game import Rules
from mineproof.game.setup import Setup
from mineproof.lab.studies.wording import difference, is_clear, lead, listed, shown
from mineproof.lab.study import WINS, Arm, Chart, Coordinate, Study
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["STUDY"]

_PLAYERS: Final = ("exact",)

_STARTS: Final = tuple(start for start in get_args(Start) if start != "any")
_LEVELS: Final = ("8×8", "beginner", "intermediate", "expert")

_PUBLISHED: Final[Mapping[str, Mapping[str, Mapping[Coordinate, float]]]] = {
    "safe": {
        "Studholme 2000": {"expert": 33.9},
        "Buffet 2013": {"intermediate": 74.4, "expert": 38.7},
        "Becerra 2015": {"intermediate": 75.9, "expert": 32.9},
        "Tu 2017 (PSEQ-D256)": {
            "8×8": 81.771,
            "beginner": 91.695,
            "intermediate": 78.230,
            "expert": 40.047,
        },
        "minesolve at depth 1": {"expert": 39.00},
        "minesolve at depth 4": {"expert": 40.80},
        "Hill's solver (measured)": {"beginner": 91.45, "intermediate": 78.70, "expert": 41.12},
    },
    "zero": {
        "Tu 2017 (PSEQ-D256)": {
            "8×8": 90.345,
            "beginner": 97.167,
            "intermediate": 89.076,
            "expert": 53.450,
        },
        "Hill's solver (measured)": {"beginner": 97.13, "intermediate": 89.72, "expert": 54.48},
    },
}
"""Wins in percent by start rule, player and level; Hill's solver has no figures but measured ones.

Starts differ where players choose their own: at a corner under safe, near (3, 3) under zero.
"""


def _setup(level: str, start: Start) -> Setup:
    rules = Rules(start=start)
    return Setup(8, 8, 10, rules) if level == "8×8" else Setup.level(level, rules=rules)


def _arms() -> Iterator[Arm]:
    for level in _LEVELS:
        for start in _STARTS:
            for player in _PLAYERS:
                yield Arm(player, _setup(level, start), {"level": level, "start": start})


def _answer(findings: Findings) -> Iterator[str]:
    for start in findings.values("start"):
        yield from _wins(findings, start)
        yield from _beside_published(findings, start)
    yield from _gain_of_a_zero(findings)


def _wins(findings: Findings, start: Coordinate) -> Iterator[str]:
    """Say who of ours wins most on each level."""
    said = []
    for level in findings.values("level", start=start):
        best = lead(findings, WINS, "agent", {"level": level, "start": start})
        if best is not None:
            said.append(f"on {level} by {best.sentence('%', ' points')}")
    if said:
        yield f"Under start {start} the most games are won {listed(said)}."


def _beside_published(findings: Findings, start: Coordinate) -> Iterator[str]:
    """Compare the best of ours with the figures of others, level by level."""
    said: dict[str, list[str]] = {"ahead of": [], "behind": [], "not to be told from": []}
    ahead = behind = figures = 0
    for level in findings.values("level", start=start):
        best = lead(findings, WINS, "agent", {"level": level, "start": start})
        published = _published(start, level)
        if best is None or not published:
            continue
        gaps = {player: _minus(best.value, figure) for player, figure in published.items()}
        figures += len(gaps)
        ahead += sum(gap.low > 0 for gap in gaps.values())
        behind += sum(gap.high < 0 for gap in gaps.values())
        player = max(published, key=published.__getitem__)
        gap, other = gaps[player], f"{player} with {published[player]:g}% on {level}"
        if gap.low > 0:
            said["ahead of"].append(f"{other} by {shown(gap, ' points')}")
        elif gap.high < 0:
            said["behind"].append(f"{other} by {shown(_minus(gap, 0.0, sign=-1), ' points')}")
        else:
            said["not to be told from"].append(other)
    words = [f"{how} {listed(cases)}" for how, cases in said.items() if cases]
    if words:
        yield (
            f"Of {counted(figures, 'figure')} of others, {ahead} lie below its interval and "
            f"{behind} above; against the best of them it is {'; '.join(words)}."
        )


def _published(start: Coordinate, level: Coordinate) -> dict[str, float]:
    """Return the figures of others for a level, by player."""
    players = _PUBLISHED[str(start)].items()
    return {player: values[level] for player, values in players if level in values}


def _minus(estimate: Estimate, figure: float, sign: int = 1) -> Estimate:
    """Subtract a figure of which no interval is known."""
    value, *ends = (
        sign * (number - figure) for number in (estimate.value, estimate.low, estimate.high)
    )
    return Estimate(value, min(ends), max(ends))


def _gain_of_a_zero(findings: Findings) -> Iterator[str]:
    """Say what the start rule is worth to each player."""
    for player in findings.values("agent"):
        said = []
        for level in findings.values("level", agent=player):
            at: dict[str, Coordinate] = {"agent": player, "level": level}
            gain = difference(findings, WINS, {**at, "start": "zero"}, {**at, "start": "safe"})
            if gain is not None:
                doubt = "" if is_clear(gain) else ", which may be chance,"
                said.append(f"{shown(gain, ' points', sign=True)}{doubt} on {level}")
        if said:
            yield f"Starting at a zero changes the wins of {player} by {listed(said)}."


def _chart(start: Start) -> Chart:
    return Chart(
        start,
        f"Wins under start {start}, and what others published",
        WINS,
        x="level",
        only={"start": (start,)},
        published=_PUBLISHED[start],
    )


STUDY: Final = Study(
    "strength",
    title="Strength by level",
    question=(
        "How many games do our strongest players win, level by level and under both start rules, "
        "and how does that compare with the best that was published?"
    ),
    arms=tuple(_arms()),
    games=100_000,
    quick=5_000,
    charts=tuple(_chart(start) for start in _STARTS),
    answer=_answer,
)
