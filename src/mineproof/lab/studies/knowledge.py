"""How agents represent what they know: how much they keep, and what a clue costs them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from mineproof import statistics
from mineproof.lab.findings import Findings
from mineproof.lab.sentences import amounts, growth
from mineproof.lab.study import Arm, Chart, Measure, Point, Study
from mineproof.lab.study_boards import WHOLE_BOARD
from mineproof.position import Setup
from mineproof.position.topology import Topology

_ENTRIES: Final = Measure(
    "most_entries", "entries of the knowledge base, at most", most="keeps the most entries"
)
_BYTES: Final = Measure(
    "most_bytes", "bytes of the agent's memory, at most", most="needs the most memory"
)
_TIME: Final = Measure(
    "clue_seconds", "time per clue, µs", factor=1e6, unit=" µs", most="takes longest per clue"
)

_AGENTS: Final = (
    *("noisy-or", "weights", "basic", "logic", "clue-heap"),
    *("border", "projection", "components", "exact"),
)
_BOARDS: Final = {"10×10": (10, 10, 15), "16×16": (16, 16, 40), "22×22": (22, 22, 75)}
_PARTS: Final = 10


def _answer(findings: Findings) -> Iterator[str]:
    if not findings.arms:
        return
    small, *_, size = 2 * findings.values("size")
    ratio = _cells(size) / _cells(small)
    for measure, words, what in (
        (_ENTRIES, "the largest number of entries is", "largest number of entries"),
        (_BYTES, "the largest memory, in bytes, is", "largest memory"),
        (_TIME, "a clue takes", "time per clue"),
    ):
        curve = findings.curve(measure, "agent", size=size)
        yield from amounts(f"On {size}, {words}", curve, measure)
        curves = findings.curves(measure, "size")
        words = f"From {small} to {size}, the {what} grows"
        yield from growth(words, curves, (small, size), ratio, "the number of cells")


def _cells(size: object) -> float:
    rows, cols, _ = _BOARDS[str(size)]
    return float(rows * cols)


def _by_part(findings: Findings, chart: Chart) -> Iterator[Point]:
    """Yield the mean of a list's tenth parts over all games of an arm."""
    for arm in findings.arms:
        column = findings.columns(chart.measure.column, **arm.at)
        rows = [values for (values,) in column if values is not None]
        for part in range(_PARTS if rows else 0):
            found = statistics.mean([float(values[part]) for values in rows], (0.0, float("inf")))
            place = (part + 1) / _PARTS
            yield chart.point(arm.at["agent"], place, found, panel=arm.at["size"])


STUDY: Final = Study(
    "knowledge",
    title="How knowledge is represented",
    question=(
        "How much does an agent keep while it plays (numbers on cells, sentences, clues, an "
        "assignment, risks), how does that grow during a game and with the board, and what does a "
        "clue cost? (Density 0.155, play goes on after a mine, from a zero.)"
    ),
    arms=tuple(
        Arm(agent, Setup(Topology(rows, cols), mines, WHOLE_BOARD), {"size": size}, "knowledge")
        for size, (rows, cols, mines) in _BOARDS.items()
        for agent in _AGENTS
    ),
    games=200,
    quick=100,
    charts=(
        *(
            Chart(
                f"{column}-growth",
                f"{title} during a game",
                replace(measure, column=column, title=measure.title.removesuffix(", at most")),
                x="part",
                x_title="share of the decisions",
                panels="size",
                points=_by_part,
            )
            for column, title, measure in (
                ("entries", "Entries", _ENTRIES),
                ("bytes", "Memory", _BYTES),
            )
        ),
        Chart("clue-time", "Time per clue", _TIME, "size"),
    ),
    answer=_answer,
)
