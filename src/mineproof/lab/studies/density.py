"""How many mines are found, by density: the basic rules against what improves on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mineproof.lab.studies.changes import differences
from mineproof.lab.studies.conditions import density, ten_by_ten
from mineproof.lab.studies.wording import (
    curve,
    is_clear,
    leaders,
    listed,
    plain,
    shown,
    spans,
    thresholds,
)
from mineproof.lab.study import SCORE, WRONG_FLAGS, Chart, Coordinate, Study, grid

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["STUDY"]

_COUNTING: Final = ("random", "noisy-or", "components", "basic")
_SEARCHING: Final = ("projection", "border", "exact")
_MINES: Final = (5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90)


def _answer(findings: Findings) -> Iterator[str]:
    if not findings.arms:
        return
    yield from _gains(findings)
    yield f"The highest score is that of {leaders(findings, SCORE, 'agent', 'density', {})}."
    for share, words in ((90, "Nine mines of ten"), (50, "Half of the mines")):
        far = thresholds(findings, SCORE, "agent", "density", share, "a density of ")
        yield f"{words} are found {far}."
    yield from _wrong_flags(findings)


def _gains(findings: Findings) -> Iterator[str]:
    """Say where the others are better than basic, and where they are worse."""
    densities = findings.values("density")
    clear = {
        (agent, place): gain
        for agent in findings.values("agent")
        for place, gain in differences(
            findings, SCORE, "density", {"agent": agent}, {"agent": "basic"}
        ).items()
        if is_clear(gain)
    }
    if not clear:
        yield "No agent is told apart from basic: all intervals of the differences hold 0."
        return
    (agent, place), largest = max(clear.items(), key=lambda item: item[1].value)
    if largest.value > 0:
        yield (
            f"The improvement over basic is largest at a density of {plain(place)}, where {agent} "
            f"finds {shown(largest, ' points')} more of the mines."
        )
    for word, sign in (("more", 1), ("less", -1)):
        found: dict[Coordinate, list[Coordinate]] = {}
        for (agent, place), gain in clear.items():
            if sign * gain.value > 0:
                found.setdefault(agent, []).append(place)
        if found:
            who = listed(f"{agent} at {spans(found[agent], densities)}" for agent in found)
            yield f"Beyond their intervals, {word} than basic score {who}."


def _wrong_flags(findings: Findings) -> Iterator[str]:
    most = []
    for agent in findings.values("agent"):
        flags = curve(findings, WRONG_FLAGS, "density", {"agent": agent})
        place = max(flags, key=lambda place: flags[place].value)
        if flags[place].value > 0:
            most.append(f"{agent} sets at most {shown(flags[place])} a game, at {plain(place)}")
    if most:
        yield f"Scores count no wrong flags: {listed(most)}."
    else:
        yield "Scores count no wrong flags, but none was set."


STUDY: Final = Study(
    "density",
    title="Score by density",
    question=(
        "How many of the mines does an agent find as boards get denser, how much do ideas beyond "
        "the two counting rules add, and where does it become hard? (10×10, play goes on after a "
        "mine, any start.)"
    ),
    arms=grid((*_COUNTING, *_SEARCHING), ten_by_ten(_MINES), at=density),
    games=2000,
    quick=40,
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
