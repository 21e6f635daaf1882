"""What a reader may have to look up: agents, levels, counts, methods, limits and sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from mineproof.agents import registered
from mineproof.game.levels import LEVELS
from mineproof.lab.report.page import Term
from mineproof.lab.study import Study

__all__ = ["LIMITS", "METHODS", "agents", "sources", "terms"]


def agents() -> Iterator[Term]:
    """Yield the agents with their ideas and sources."""
    for kind in registered().values():
        idea = (kind.__doc__ or "").strip().partition("\n")[0]
        options = "; ".join(f":{option} {what}" for option, what in kind.options.items())
        yield Term(kind.name, f"{idea} {options}".strip(), kind.report and f"({kind.report})")


def terms() -> Iterator[Term]:
    """Yield the levels, and the words that studies use."""
    sizes: dict[str, list[str]] = {}
    for level in LEVELS.values():
        size = f"{level.rows}×{level.cols} cells with {level.mines} mines"
        sizes.setdefault(size, []).append(level.name)
    for size, names in sizes.items():
        yield Term(", ".join(names), f"{size}.")
    yield from _TERMS


def sources(studies: Iterable[Study]) -> Iterator[Term]:
    """Yield the student reports, and where the published figures of studies come from."""
    yield from _REPORTS
    found = {
        name: published.source
        for study in studies
        for chart in study.charts
        for name, published in chart.published.items()
        if published.source
    }
    yield from (Term(name, source) for name, source in found.items())


_TERMS: Final = (
    Term("start safe", "The first cell is not a mine."),
    Term("start zero", "The first cell and its neighbours are not mines, so it opens others."),
    Term("start any", "The first cell may be a mine."),
    Term("classic", "The game ends at the first mine. It is won if every safe cell is open."),
    Term("keep-going", "A mine explodes and is known from then on; play continues."),
    Term("score", "The share of the mines that were flagged and did not explode."),
    Term("hits", "Mines that exploded."),
    Term("step", "One decision of an agent; it may open or flag several cells."),
    Term("guess", "An opening that the agent does not claim to be safe."),
    Term("wrong flags", "Flags on safe cells at the end. The score does not count them."),
    Term("density", "Mines divided by cells."),
    Term("risk", "The chance that a cell is a mine, given everything the agent was told."),
    Term("chain", "A path from an opening to a settled cell, along the clues of smallest proofs."),
    Term("lost clue", "A clue that is missing with a given chance."),
    Term("optimistic clue", "A clue that shows any number from 0 to the truth."),
    Term("cautious clue", "A clue that shows any number from the truth to all neighbours."),
    Term("R0 to R4", "Five student reports on Minesweeper agents; see Sources."),
)

METHODS: Final = (
    "Every value is an estimate over independent games with a 95% interval: a bar or a band in "
    "figures, small print in tables. Cells of boards are counted and have no interval.",
    "Shares, such as games won, have Wilson's interval, which stays between 0 and 100% and has no "
    "zero width even if all games end alike.",
    "Differences of shares on the same boards have Tango's interval for paired shares. Means, and "
    "mean differences on the same boards, have Student's interval, widened for skewed values; if "
    "all values are equal, the rule of three widens it. Medians and rank correlations have the "
    "intervals of Thompson and of Bonett and Wright.",
    "Agents of a study play the same boards, so differences are taken game by game.",
    "Differences get one of three verdicts. Clear: Holm's procedure, over all differences that a "
    "sentence or a figure names together, tells it from 0 at the 5% level; the chances are those "
    "that the intervals imply. At most X: the interval lies within 5 points, or within one per "
    "game of what is counted. Undecided: neither, with the games that it would take.",
    "A level's figure rests on all games of that kind in the records, whichever study played them.",
    "† marks intervals wider than ten points. Hollow markers are values that others published.",
)

LIMITS: Final = (
    "Results hold for random boards of the given sizes, densities and start rules. Boards of "
    "other generators may behave differently.",
    "The agents of student reports follow their written descriptions. Where a report leaves "
    "something open, the file of the agent says what was assumed.",
    "Measured times depend on the machine and on what else it was doing.",
    "Published figures come from other programs, often with other first cells, and some name "
    "neither games nor intervals.",
)

_REPORTS: Final = (
    Term("R0", "Zuo, Xu and Wang, Mine Sweeper, 2019. Student report."),
    Term("R1", "Reddy and Singh, Minesweeper, Inference-Informed Action. Student report."),
    Term("R2", "Chang, Report (a propositional-logic player). Student report; 100 games."),
    Term("R3", "Cao and Mao, Homework 2 Mine Sweeper. Student report; 10 games."),
    Term(
        "R4",
        "Yang, Inference-Informed Action: MineSweeper, 2021. Student report; 150 games, "
        "100 with an option.",
    ),
)
