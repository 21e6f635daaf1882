"""What it is worth to be given some safe cells at the start, under the conditions of R2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mineproof.game.game import Rules
from mineproof.game.setup import Setup
from mineproof.lab.studies.changes import differences, effect, turns
from mineproof.lab.studies.published import R2_WINS, agrees
from mineproof.lab.studies.wording import aside, crossing, curve, difference, listed, placed
from mineproof.lab.study import WINS, Arm, Chart, Coordinate, Study
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["STUDY"]

_GIVEN: Final = {
    "easy": (0, 9),
    "medium": (0, 16),
    "hard": (0, 22, 53, 103, 120),
}
"""By level: none, the root of the cells as R2 gives, and more."""

_BASIC: Final = (0, 9, 16, 22)
"""What basic is given: without cascades its games are long."""


def _arms() -> Iterator[Arm]:
    for level, numbers in _GIVEN.items():
        for given in numbers:
            rules = Rules(start="any", cascade=False, given_safe=given)
            setup = Setup.level(level, rules=rules)
            for agent in ("logic", "basic", "exact") if given in _BASIC else ("logic", "exact"):
                yield Arm(agent, setup, {"level": level, "given": given})


def _answer(findings: Findings) -> Iterator[str]:
    yield from _half(findings)
    for level in findings.values("level"):
        changes: dict[Coordinate, Estimate] = {}
        for agent in findings.values("agent", level=level):
            at = {"level": level, "agent": agent}
            few, *_, many = 2 * findings.values("given", **at)
            change = difference(findings, WINS, {**at, "given": many}, {**at, "given": few})
            if change is not None and few != many:
                changes[f"{agent} from {few} to {many}"] = change
        if changes:
            yield (
                f"On {level} boards, with more cells given, the share of games won "
                f"{turns(changes, ' points')}."
            )
    yield from _worth_of_guessing(findings)
    yield from _beside_the_report(findings)


def _half(findings: Findings) -> Iterator[str]:
    """Say how many given cells it takes to win half of the hard games."""
    needed = []
    for agent in findings.values("agent", level="hard"):
        wins = curve(findings, WINS, "given", {"level": "hard", "agent": agent})
        found = crossing(wins, 50, rising=True)
        if found is not None:
            needed.append(f"{placed(found, wins)} for {agent}")
    if needed:
        yield f"To win half of the hard games, so many cells must be given: {listed(needed)}."


def _worth_of_guessing(findings: Findings) -> Iterator[str]:
    """Say what is won by guessing at the lowest risk where logic is stuck."""
    for level in findings.values("level"):
        exact, logic = ({"level": level, "agent": agent} for agent in ("exact", "logic"))
        gains = differences(findings, WINS, "given", exact, logic)
        if gains:
            where = effect(gains, " points", "{} given cells") or "nowhere beyond its interval"
            yield f"Guessing where logic is stuck changes wins on {level} boards {where}."


def _beside_the_report(findings: Findings) -> Iterator[str]:
    """Say how the report's figures fit ours."""
    said: dict[bool, list[str]] = {True: [], False: []}
    for level, published in R2_WINS.items():
        at: dict[str, Coordinate] = {"level": level, "agent": "logic"}
        ours = curve(findings, WINS, "given", at)
        for given, theirs in published.values.items():
            if given in ours:
                games = findings.games_of(**at, given=given)
                fits = agrees(ours[given], games, theirs, published.games)
                text = f"{theirs:g}% on {level} with {given} given (ours {aside(ours[given], '%')})"
                said[fits].append(text)
    if said[True]:
        yield f"Of R2's figures for logic, within chance of ours are {listed(said[True])}."
    if said[False]:
        yield f"Of R2's figures for logic, not to be explained by chance are {listed(said[False])}."


STUDY: Final = Study(
    "given",
    title="Safe cells given at the start",
    question=(
        "How many more games are won the more safe cells are given at the start? (R2's conditions: "
        "any start, a zero opens no neighbours, a mine ends the game; logic never guesses.)"
    ),
    arms=tuple(_arms()),
    games=2000,
    quick=25,
    charts=tuple(
        Chart(
            f"wins-{level}",
            f"Games won by safe cells given, {level} boards",
            WINS,
            x="given",
            x_title="safe cells given",
            published={"logic": published.values},
            only={"level": (level,)},
        )
        for level, published in R2_WINS.items()
    ),
    answer=_answer,
)
