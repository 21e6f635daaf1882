"""How many mines agents find by density: the two counting rules, and better ideas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mineproof.lab.findings import Findings
from mineproof.lab.sentences import effect, leaders, peaks, thresholds
from mineproof.lab.study import SCORE, WRONG_FLAGS, Chart, Study, grid
from mineproof.lab.study_boards import density, ten_by_ten

_COUNTING: Final = ("random", "noisy-or", "components", "basic")
_SEARCHING: Final = ("projection", "border", "exact")
_MINES: Final = (5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90)


def _answer(findings: Findings) -> Iterator[str]:
    place = "at a density of {}"
    yield from leaders("Of all agents,", findings, SCORE, "density", place)
    scores = findings.curves(SCORE, "density")
    for agent in [agent for agent in reversed(scores) if agent != "basic"]:
        gains = findings.differences(SCORE, "density", agent=(agent, "basic"))
        yield from effect(f"Compared with basic, the score of {agent}", gains, SCORE, place)
    for share, words in ((90, "Nine mines of ten"), (50, "Half of the mines")):
        yield from thresholds(f"{words} are found", "up to a density of", scores, share)
    words = "Wrong flags, which a score does not count, are most frequent"
    yield from peaks(words, findings, WRONG_FLAGS, "density", lines="agent", who="with {}")


def _chart(name: str, title: str, agents: tuple[str, ...]) -> Chart:
    return Chart(name, title, SCORE, "density", only={"agent": agents})


STUDY: Final = Study(
    "density",
    title="Score by density",
    question=(
        "How many of the mines does an agent find as boards get denser, how much do ideas beyond "
        "the two counting rules add, and where does it become hard? (10×10, play goes on after a "
        "mine, any start.)"
    ),
    arms=grid((*_COUNTING, *_SEARCHING), ten_by_ten(_MINES), at=density),
    games=4_000,
    quick=1_000,
    charts=(
        _chart("counting", "Agents that look at one clue at a time", _COUNTING),
        _chart("searching", "Agents that bring clues together, and basic", ("basic", *_SEARCHING)),
        Chart(
            "improvement",
            "Score minus basic's, on the same boards",
            SCORE,
            x="density",
            minus="basic",
            only={"agent": (*_COUNTING[1:], *_SEARCHING)},
        ),
        Chart(
            "wrong-flags",
            "Flags on safe cells, which a score does not count",
            WRONG_FLAGS,
            "density",
        ),
    ),
    answer=_answer,
)
