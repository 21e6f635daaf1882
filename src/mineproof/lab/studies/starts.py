"""How the start cell changes the longest chain on one board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from statistics import fmean
from typing import Any, Final, TypeAlias

from mineproof import statistics
from mineproof.lab.findings import Findings
from mineproof.lab.sentences import amounts, effect
from mineproof.lab.study import Chart, Coordinate, Measure, Point, Study, grid
from mineproof.lab.study_boards import WHOLE_BOARD, mines, ten_by_ten
from mineproof.statistics import Estimate

_Start: TypeAlias = Mapping[str, Any]
"""A start cell: its row and column, whether it opens others, and the longest chain from it."""

_SIDE: Final = 10
_LONGEST: Final = Measure("longest", "longest chain")
_LINES: Final[Mapping[str, Callable[[list[int]], float]]] = {
    "shortest": min,
    "mean": fmean,
    "longest": max,
}
"""Over the start cells of one board."""


def _boards(findings: Findings, number: Coordinate) -> list[list[_Start]]:
    """Return the start cells of every board."""
    rows = findings.columns("starts", mines=number)
    boards = ([start for start in starts if start["longest"] is not None] for (starts,) in rows)
    return [starts for starts in boards if starts]


def _edge(start: _Start) -> int:
    """Return how many cells are between a start and the nearest edge."""
    row, col = start["row"], start["col"]
    return int(min(row, col, _SIDE - 1 - row, _SIDE - 1 - col))


_Kind: TypeAlias = Callable[[_Start], bool | None]
"""Whether a start is of a kind; None if it is left out."""

_KINDS: Final[Mapping[str, _Kind]] = {
    "at the edge instead of one of the four in the middle": (
        lambda start: {0: True, _SIDE // 2 - 1: False}.get(_edge(start))
    ),
    "that opens others instead of one with a number": lambda start: start["opens"],
}


def _lengths(starts: Iterable[_Start]) -> list[int]:
    return [start["longest"] for start in starts]


def _over_boards(boards: Iterable[list[_Start]], line: str) -> Estimate:
    lengths = [_LINES[line](_lengths(starts)) for starts in boards]
    return statistics.mean(lengths, _LONGEST.bounds)


def _difference(boards: Iterable[list[_Start]], kind: _Kind) -> Estimate | None:
    """Estimate, board by board, the mean of starts of a kind minus that of the others."""
    pairs = (
        [_lengths(start for start in starts if kind(start) is is_one) for is_one in (True, False)]
        for starts in boards
    )
    changes = [fmean(some) - fmean(others) for some, others in pairs if some and others]
    return statistics.mean(changes) if changes else None


def _spread(findings: Findings, chart: Chart) -> Iterator[Point]:
    for number in findings.values("mines"):
        boards = _boards(findings, number)
        for line in _LINES:
            yield chart.point(line, number, _over_boards(boards, line))


def _by_edge(findings: Findings, chart: Chart) -> Iterator[Point]:
    for number in findings.values("mines"):
        boards = _boards(findings, number)
        for edge in sorted({_edge(start) for starts in boards for start in starts}):
            at_edge = ([s for s in starts if _edge(s) == edge] for starts in boards)
            yield chart.point(number, edge, _over_boards(filter(None, at_edge), "mean"))


def _board(findings: Findings, chart: Chart) -> Iterator[Point]:
    """Yield the longest chain from every cell of the first board."""
    for number in findings.values("mines"):
        for start in _boards(findings, number)[0]:
            longest = start["longest"]
            value = Estimate(longest, longest, longest)
            yield chart.point(start["row"], start["col"], value, 1, number)


def _answer(findings: Findings) -> Iterator[str]:
    boards = {number: _boards(findings, number) for number in findings.values("mines")}
    for line in ("longest", "shortest"):
        found = {number: _over_boards(starts, line) for number, starts in boards.items()}
        words = f"From the start cell that makes it {line}, the longest chain of a board is"
        yield from amounts(words, found, _LONGEST, "with {} mines")
    for words, kind in _KINDS.items():
        compared = {number: _difference(starts, kind) for number, starts in boards.items()}
        changes = {number: change for number, change in compared.items() if change is not None}
        what = f"From a start cell {words}, the length of the longest chain"
        yield from effect(what, changes, _LONGEST, "with {} mines")


STUDY: Final = Study(
    "starts",
    title="The longest chain by start cell",
    question=(
        "How does the cell that is opened first change the longest chain of a board? (10×10, each "
        "board solved from every cell that has no mine. Where nothing is certain, the least risky "
        "cell without a mine is opened, and counts as a root like the start.)"
    ),
    arms=grid(["exact"], ten_by_ten((10, 15, 20), WHOLE_BOARD), at=mines, probe="starts"),
    games=300,
    quick=100,
    charts=(
        Chart(
            "board",
            "One board of each kind: the longest chain from every start cell",
            _LONGEST,
            x="column",
            lines="row",
            panels="mines",
            points=_board,
            board=True,
        ),
        Chart(
            "spread",
            "The longest chain over all start cells of a board, in the mean of boards",
            _LONGEST,
            x="mines",
            x_title="mines on 10×10",
            lines="of its start cells",
            points=_spread,
        ),
        Chart(
            "edge",
            "The longest chain by the distance of the start from the edge",
            _LONGEST,
            x="edge",
            x_title="cells between the start and the nearest edge",
            lines="mines",
            points=_by_edge,
        ),
    ),
    answer=_answer,
)
