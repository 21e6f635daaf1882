"""How long chains of influence can be made, compared with those of random boards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mineproof import statistics
from mineproof.lab.findings import Findings
from mineproof.lab.sentences import amounts, listed
from mineproof.lab.study import Chart, Coordinate, Measure, Point, Study, grid
from mineproof.lab.study_boards import WHOLE_BOARD, mines, ten_by_ten
from mineproof.statistics import Estimate

_FOUND: Final = Measure("found", "longest chain")
_TIMES: Final = Measure(
    "found",
    "longest chain found, as a multiple of the median random board's",
    unit=" times",
)


def _lengths(findings: Findings, number: Coordinate) -> tuple[list[int], list[int]]:
    """Return the longest chain of each search, and of each random board."""
    rows = findings.columns("found", "beside", mines=number)
    found = [length for length, _ in rows if length is not None]
    return found, [length for _, beside in rows for length in beside if length is not None]


def _searched(findings: Findings, number: Coordinate) -> dict[str, Estimate]:
    """Estimate the mean longest chain of searches, and the median of random boards."""
    found, beside = _lengths(findings, number)
    mean = {"searched, mean": statistics.mean(found, _FOUND.bounds)} if found else {}
    return mean | ({"random, median": statistics.median(beside)} if beside else {})


def _times(findings: Findings) -> dict[Coordinate, Estimate]:
    """Estimate the ratio of searched to median random chains; the interval is too wide."""
    times = {}
    for number in findings.values("mines"):
        estimates = [*_searched(findings, number).values()]
        if len(estimates) == 2 and estimates[1].low > 0:
            one, two = estimates
            ends = one.low / two.high, one.high / two.low
            times[number] = Estimate(one.value / two.value, *ends, count=one.count)
    return times


def _beside(findings: Findings, chart: Chart) -> Iterator[Point]:
    for number in findings.values("mines"):
        for line, estimate in _searched(findings, number).items():
            yield chart.point(line, number, estimate)


def _multiples(findings: Findings, chart: Chart) -> Iterator[Point]:
    for number, times in _times(findings).items():
        yield chart.point("searched", number, times)


def _answer(findings: Findings) -> Iterator[str]:
    times = _times(findings)
    words = "Compared with the median random board, the longest chain that a search finds is"
    yield from amounts(words, times, _TIMES, "as long with {} mines")
    found = {number: _lengths(findings, number)[0] for number in findings.values("mines")}
    longest = [
        f"{max(lengths)} with {number} mines" for number, lengths in found.items() if lengths
    ]
    if longest:
        yield f"The longest chains found have a length of {listed(longest)}."


STUDY: Final = Study(
    "search",
    title="Boards with long chains",
    question=(
        "How long a chain of influence can a search make with a given number of mines, compared "
        "with a random board? (10×10, solved without a guess from a zero. A search looks at 1,000 "
        "boards, moving one mine at a time; each is compared with 25 random boards, which may need "
        "guesses.)"
    ),
    arms=grid(["exact"], ten_by_ten((5, 10, 15, 20, 30), WHOLE_BOARD), at=mines, probe="search"),
    games=100,
    quick=100,
    charts=tuple(
        Chart(name, title, measure, "mines", "mines on 10×10", "boards", points=points)
        for name, title, measure, points in (
            (
                "longest",
                "The longest chain: found by a search, and of random boards",
                _FOUND,
                _beside,
            ),
            (
                "times",
                "The longest chain found, relative to the median random board",
                _TIMES,
                _multiples,
            ),
        )
    ),
    answer=_answer,
)
