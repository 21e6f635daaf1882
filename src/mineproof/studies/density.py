"""How many mines are found, by density: the basic rules against what improves on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mineproof.statistics import Estimate
from mineproof.studies.conditions import density, ten_by_ten
from mineproof.studies.wording import (
    curve,
    difference,
    is_clear,
    leaders,
    listed,
    plain,
    shown,
    spans,
    thresholds,
)
from mineproof.study import SCORE, WRONG_FLAGS, Chart, Coordinate, Study, grid

if TYPE_CHECKING:
    from mineproof.findings import Findings

__all__ = ["STUDY"]

_COUNTING: Final = ("random", "noisy-or", "components", "basic")
_SEARCHING: Final = ("projection", "border", "exact")
_MINES: Final = (5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90)


def _answer(findings: Findings) -> Iterator[str]:
    best = leaders(findings, SCORE, "agent", "density", {})
    if best:
        yield f"The highest score is that of {best}."
    yield from _gains(findings)
    for share, words in ((90, "Nine mines of ten"), (50, "Half of the mines")):
        if findings.arms:
            far = thresholds(findings, SCORE, "agent", "density", share, "a density of ")
            yield f"{words} are found {far}."
    yield from _wrong_flags(findings)


def _gains(findings: Findings) -> Iterator[str]:
    """Say where the others are better than basic, and where they are worse."""
    densities = findings.values("density")
    better: dict[Coordinate, list[Coordinate]] = {}
    worse: dict[Coordinate, list[Coordinate]] = {}
    largest: tuple[Estimate, Coordinate, Coordinate] | None = None
    for place in densities:
        for agent in findings.values("agent", density=place):
            here: dict[str, Coordinate] = {"density": place}
            if agent == "basic":
                continue
            gain = difference(findings, SCORE, {"agent": agent, **here}, {"agent": "basic", **here})
            if gain is None or not is_clear(gain):
                continue
            (better if gain.value > 0 else worse).setdefault(agent, []).append(place)
            if largest is None or gain.value > largest[0].value:
                largest = gain, agent, place
    for found, word in ((better, "more"), (worse, "less")):
        if found:
            who = listed(f"{agent} at {spans(found[agent], densities)}" for agent in found)
            yield f"Beyond their intervals, {word} than basic score {who}."
    if largest is not None and largest[0].value > 0:
        gain, agent, place = largest
        yield (
            f"The improvement over basic is largest at a density of {plain(place)}, where {agent} "
            f"finds {shown(gain, ' points')} more of the mines."
        )
    elif len(densities) and not better and not worse:
        yield "No agent is told apart from basic yet: all intervals of the differences hold 0."


def _wrong_flags(findings: Findings) -> Iterator[str]:
    most: dict[Coordinate, tuple[Estimate, Coordinate]] = {}
    for agent in findings.values("agent"):
        flags = curve(findings, WRONG_FLAGS, "density", {"agent": agent})
        place = max(flags, key=lambda place: flags[place].value)
        if flags[place].value > 0:
            most[agent] = flags[place], place
    if most:
        who = listed(
            f"{agent} ({shown(flags)} a game at {plain(place)})"
            for agent, (flags, place) in most.items()
        )
        yield f"Scores count no wrong flags; they are set by {who}, at most."
    elif findings.arms:
        yield "No agent set a wrong flag."


STUDY: Final = Study(
    "density",
    title="Score by density",
    question=(
        "How many of the mines does an agent find as boards get denser, how much do ideas beyond "
        "the two counting rules add, and where does it become hard? (10×10, play goes on after a "
        "mine, any start.)"
    ),
    arms=grid((*_COUNTING, *_SEARCHING), ten_by_ten(_MINES), at=density),
    games=1000,
    quick=50,
    charts=(
        Chart(
            "counting",
            "Agents that look at one clue at a time",
            SCORE,
            x="density",
            only={"agent": _COUNTING},
        ),
        Chart(
            "searching",
            "Agents that bring clues together, and basic",
            SCORE,
            x="density",
            only={"agent": ("basic", *_SEARCHING)},
        ),
        Chart(
            "improvement",
            "What they find beyond basic, on the same boards",
            SCORE,
            x="density",
            minus="basic",
            only={"agent": ("noisy-or", "components", "basic", *_SEARCHING)},
        ),
        Chart(
            "wrong-flags",
            "Flags on safe cells, which a score does not count",
            WRONG_FLAGS,
            x="density",
        ),
    ),
    answer=_answer,
)
