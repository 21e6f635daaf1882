"""How long chains of influence can be made, beside those of random boards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mineproof import statistics
from mineproof.lab.studies.conditions import ALL_OF_IT, ten_by_ten
from mineproof.lab.studies.wording import listed, shown, spans
from mineproof.lab.study import Chart, Coordinate, Measure, Point, Study, grid
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["STUDY"]

_MINES: Final = (5, 10, 15, 20, 30)
_FOUND: Final = Measure("found", "longest chain")
_TIMES: Final = Measure("found", "longest chain found, as a multiple of the median random board's")


def _lengths(findings: Findings, mines: Coordinate) -> tuple[list[int], list[int]]:
    """Return the longest chains that searches found, and those of random boards."""
    columns = findings.records(mines=mines).select("found", "beside").collect()
    found, beside = columns["found"], columns["beside"].explode()
    return found.drop_nulls().to_list(), beside.drop_nulls().to_list()


def _searched(findings: Findings, mines: Coordinate) -> dict[str, tuple[Estimate, int]]:
    """Estimate what a search finds in the mean, and the median of random boards; from how many."""
    found, beside = _lengths(findings, mines)
    estimates = {}
    if found:
        estimates["searched, mean"] = statistics.mean(found), len(found)
    if beside:
        estimates["random, median"] = statistics.median(beside), len(beside)
    return estimates


def _times(findings: Findings, mines: Coordinate) -> Estimate | None:
    """Estimate how many times the median random chain a search finds, rather too wide."""
    estimates = _searched(findings, mines)
    if len(estimates) < 2:
        return None
    (found, _), (median, _) = estimates.values()
    if median.low <= 0:
        return None
    return Estimate(found.value / median.value, found.low / median.high, found.high / median.low)


def _beside(findings: Findings, chart: Chart) -> Iterator[Point]:
    for mines in findings.values("mines"):
        for line, (estimate, boards) in _searched(findings, mines).items():
            yield Point(line, mines, None, estimate, boards, wide=False)


def _multiples(findings: Findings, chart: Chart) -> Iterator[Point]:
    for mines in findings.values("mines"):
        times = _times(findings, mines)
        if times is not None:
            yield Point("searched", mines, None, times, findings.games_of(mines=mines), wide=False)


def _answer(findings: Findings) -> Iterator[str]:
    multiples = {
        mines: times
        for mines in findings.values("mines")
        if (times := _times(findings, mines)) is not None
    }
    if multiples:
        longer = [mines for mines, times in multiples.items() if times.low > 1]
        where = "At no number of mines do"
        if longer:
            where = f"With {spans(longer, tuple(multiples))} mines"
        told = listed(f"{shown(times)} with {mines}" for mines, times in multiples.items())
        yield (
            f"{where} searches find clearly longer chains than the median random board has; as "
            f"multiples of that, by mines: {told}."
        )
    longest = {
        mines: max(found)
        for mines in findings.values("mines")
        if (found := _lengths(findings, mines)[0])
    }
    if longest:
        told = listed(f"{length} with {mines} mines" for mines, length in longest.items())
        yield f"The longest chains that were found: {told}."


STUDY: Final = Study(
    "search",
    title="Boards with long chains",
    question=(
        "How long a chain of influence can be made with so many mines, and how long is that beside "
        "a random board's? (10×10, solved without a guess from a zero. A search looks at 1,000 "
        "boards, moving one mine at a time; beside each stand 25 random boards, which may need "
        "guesses.)"
    ),
    arms=grid(
        ["exact"],
        ten_by_ten(_MINES, ALL_OF_IT),
        at=lambda setup: {"mines": setup.mines},
        probe="search",
    ),
    games=100,
    quick=3,
    charts=(
        Chart(
            "longest",
            "The longest chain: found by a search, and of random boards",
            _FOUND,
            x="mines",
            x_title="mines on 10×10",
            lines="boards",
            points=_beside,
        ),
        Chart(
            "times",
            "How many times as long as the median random board's",
            _TIMES,
            x="mines",
            x_title="mines on 10×10",
            lines="boards",
            points=_multiples,
        ),
    ),
    answer=_answer,
)
