"""Score, hits and steps against the number of mines: what R0 draws, with more agents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mineproof.lab.studies.changes import differences, turns
from mineproof.lab.studies.conditions import ten_by_ten
from mineproof.lab.studies.wording import curve, listed, shown, thresholds
from mineproof.lab.study import HITS, SCORE, STEPS, Chart, Coordinate, Study, grid
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["STUDY"]

_AGENTS: Final = ("noisy-or", "components", "clue-heap", "basic", "exact")
_MINES: Final = (5, 10, 15, 20, 30, 40, 50)


def _answer(findings: Findings) -> Iterator[str]:
    mines = findings.values("mines")
    if not mines:
        return
    far = thresholds(findings, SCORE, "agent", "mines", 90, "a number of ")
    yield f"Nine mines of ten are found {far}."
    yield from _hits(findings)
    yield from _steps(findings, mines)


def _hits(findings: Findings) -> Iterator[str]:
    """Say whether hits grow in proportion to the mines."""
    growing: dict[str, list[str]] = {}
    for agent in findings.values("agent"):
        hits = curve(findings, HITS, "mines", {"agent": agent})
        shares = {mines: _percent(estimate, float(mines)) for mines, estimate in hits.items()}
        few, *_, many = (*shares, *shares)
        first, last = shares[few], shares[many]
        how = "in proportion to the mines, as far as intervals tell,"
        if last.low > first.high:
            how = "faster than the mines"
        elif last.high < first.low:
            how = "more slowly than the mines"
        text = f"{agent}: {shown(first, '%')} of {few} mines, {shown(last, '%')} of {many}"
        if few != many:
            growing.setdefault(how, []).append(text)
    for how, texts in growing.items():
        yield f"Hits grow {how} with {'; '.join(texts)}."


def _percent(hits: Estimate, mines: float) -> Estimate:
    value, low, high = (100 * number / mines for number in (hits.value, hits.low, hits.high))
    return Estimate(value, max(low, 0.0), min(high, 100.0))


def _steps(findings: Findings, mines: tuple[Coordinate, ...]) -> Iterator[str]:
    """Say how many steps games take on the fullest boards, and whether they still get more."""
    *_, before, last = (*mines, *mines)
    steps = {
        agent: findings.estimate(STEPS, agent=agent, mines=last)
        for agent in findings.values("agent", mines=last)
    }
    taken = listed(f"{shown(value)} with {agent}" for agent, value in steps.items())
    yield f"With {last} mines a game takes so many steps: {taken}."
    changes = differences(findings, STEPS, "agent", {"mines": last}, {"mines": before})
    if changes and before != last:
        yield f"From {before} to {last} mines that number {turns(changes)}."


STUDY: Final = Study(
    "mines",
    title="Score, hits and steps by the number of mines",
    question=(
        "How do the mines found, the mines hit and the steps of a game change with the number of "
        "mines? (10×10, play goes on after a mine, any start.)"
    ),
    arms=grid(_AGENTS, ten_by_ten(_MINES), at=lambda setup: {"mines": setup.mines}),
    games=2000,
    quick=40,
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
