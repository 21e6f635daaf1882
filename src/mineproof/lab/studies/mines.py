"""Score, hits and steps by the number of mines: what R0 draws, with more agents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mineproof.lab.findings import Findings
from mineproof.lab.sentences import amounts, effect, growth, thresholds
from mineproof.lab.study import HITS, SCORE, STEPS, Chart, Study, grid
from mineproof.lab.study_boards import mines, ten_by_ten

_AGENTS: Final = ("noisy-or", "components", "clue-heap", "basic", "exact")
_MINES: Final = (5, 10, 15, 20, 30, 40, 50)


def _answer(findings: Findings) -> Iterator[str]:
    scores = findings.curves(SCORE, "mines")
    yield from thresholds("Nine mines of ten are found", "up to this many mines:", scores, 90)
    axis = findings.values("mines")
    if len(axis) < 2:
        return
    few, *_, before, many = (axis[0], *axis)
    words, ratio = f"From {few} to {many} mines, hits grow", float(many) / float(few)
    hits = findings.curves(HITS, "mines")
    yield from growth(words, hits, (few, many), ratio, "the number of mines")
    steps = findings.curve(STEPS, "agent", mines=many)
    yield from amounts(f"With {many} mines, the steps of a game are", steps, STEPS)
    changes = findings.differences(STEPS, "agent", mines=(many, before))
    what = f"With {many} instead of {before} mines, the number of steps"
    yield from effect(what, changes, STEPS, "with {}")


STUDY: Final = Study(
    "mines",
    title="Score, hits and steps by the number of mines",
    question=(
        "How do the mines found, the mines hit and the steps of a game change with the number of "
        "mines? (10×10, play goes on after a mine, any start.)"
    ),
    arms=grid(_AGENTS, ten_by_ten(_MINES), at=mines),
    games=4_000,
    quick=1_000,
    charts=tuple(
        Chart(name, title, measure, x="mines", x_title="mines on 10×10")
        for name, title, measure in (
            ("score", "Mines found by the number of mines", SCORE),
            ("hits", "Mines hit by the number of mines", HITS),
            ("steps", "Steps by the number of mines", STEPS),
        )
    ),
    answer=_answer,
)
