"""Whether it helps to prefer short chains of influence among cells of equal risk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mineproof.lab.findings import Findings
from mineproof.lab.sentences import effect
from mineproof.lab.studies.chains import LONGEST, MEAN
from mineproof.lab.study import GUESSES, WINS, Arm, Chart, Study
from mineproof.position import Setup
from mineproof.position.topology import Topology

_WITH, _WITHOUT = "exact:chains", "exact"
_BOARDS: Final = {
    "easy": Setup.level("easy"),
    "10×10 with 20 mines": Setup(Topology(10, 10), 20),
    "medium": Setup.level("medium"),
    "expert": Setup.level("expert"),
}
_MEASURES: Final = {
    "wins": (WINS, "games won", "share of games won"),
    "guesses": (GUESSES, "guesses", "number of guesses"),
    "longest": (LONGEST, "the longest chain", "length of the longest chain"),
    "mean": (MEAN, "the mean chain", "mean length of chains"),
}
"""By chart: the measure, and its name in the title and in a sentence."""


def _answer(findings: Findings) -> Iterator[str]:
    for measure, _, value in _MEASURES.values():
        changes = findings.differences(measure, "board", agent=(_WITH, _WITHOUT))
        what = f"With short chains preferred, the {value}"
        yield from effect(what, changes, measure, "on {}")


STUDY: Final = Study(
    "short",
    title="Short chains preferred or not",
    question=(
        "Does it help to open, among cells of equal risk, the one with the shortest chain of "
        "influence? (exact with the option and without, on the same boards; a safe start, and a "
        "mine ends the game. Only guesses between equal risks can differ, because all that is "
        "certainly safe is opened at once. Of 20 intervals around no change at all, one may leave "
        "it out by chance.)"
    ),
    arms=tuple(
        Arm(agent, setup, {"board": board}, probe="chains")
        for board, setup in _BOARDS.items()
        for agent in (_WITHOUT, _WITH)
    ),
    games=2_000,
    quick=200,
    charts=(
        Chart("wins", "Games won, with the preference and without", WINS, "board"),
        *(
            Chart(
                f"{name}-change",
                f"Effect of the preference: {words}",
                measure,
                "board",
                minus=_WITHOUT,
            )
            for name, (measure, words, _) in _MEASURES.items()
        ),
    ),
    answer=_answer,
)
