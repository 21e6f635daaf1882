"""How the start cell changes the longest chain on one board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mineproof import statistics
from mineproof.lab.studies.conditions import ALL_OF_IT, ten_by_ten
from mineproof.lab.studies.wording import is_clear, listed, plain, shown
from mineproof.lab.study import Chart, Coordinate, Measure, Point, Study, grid
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    import polars as pl

    from mineproof.lab.findings import Findings

__all__ = ["STUDY"]

_SIDE: Final = 10
_MINES: Final = (10, 15, 20)
_LONGEST: Final = Measure("longest", "longest chain")
_LINES: Final = {"shortest": "min", "mean": "mean", "longest": "max"}
"""Of the start cells of one board: the one with the shortest longest chain, and so on."""


def _starts(findings: Findings, mines: Coordinate) -> pl.DataFrame:
    """Return every start of every board, the middle counted from the nearest edge."""
    import polars as pl

    records = findings.records(mines=mines).select("seed", "starts").sort("seed").collect()
    starts = records.explode("starts").unnest("starts").drop_nulls("longest")
    last = _SIDE - 1
    edge = pl.min_horizontal("row", "col", last - pl.col("row"), last - pl.col("col"))
    return starts.with_columns(edge=edge)


def _over_boards(starts: pl.DataFrame, how: str) -> Estimate:
    """Estimate the least, mean or greatest chain over the starts of a board."""
    import polars as pl

    by_board = starts.group_by("seed", maintain_order=True)
    return statistics.mean(by_board.agg(getattr(pl.col("longest"), how)())["longest"].to_numpy())


def _difference(starts: pl.DataFrame, one: pl.Expr, other: pl.Expr) -> Estimate | None:
    """Estimate by how much some starts of a board exceed others in the mean, board by board."""
    import polars as pl

    changes = (
        starts.group_by("seed", maintain_order=True)
        .agg(
            pl.col("longest").filter(one).mean().alias("one"),
            pl.col("longest").filter(other).mean().alias("other"),
        )
        .select(change=pl.col("one") - pl.col("other"))
        .drop_nulls()["change"]
    )
    return statistics.mean(changes.to_numpy()) if len(changes) else None


def _spread(findings: Findings, chart: Chart) -> Iterator[Point]:
    for mines in findings.values("mines"):
        starts, games = _starts(findings, mines), findings.games_of(mines=mines)
        for line, how in _LINES.items():
            yield Point(line, mines, None, _over_boards(starts, how), games, wide=False)


def _by_edge(findings: Findings, chart: Chart) -> Iterator[Point]:
    import polars as pl

    for mines in findings.values("mines"):
        starts = _starts(findings, mines)
        for edge in sorted(set(starts["edge"].to_list())):
            some = starts.filter(pl.col("edge") == edge)
            games = some["seed"].n_unique()
            yield Point(mines, edge, None, _over_boards(some, "mean"), games, wide=False)


def _board(findings: Findings, chart: Chart) -> Iterator[Point]:
    """Yield the longest chain from every cell of the first board."""
    import polars as pl

    for mines in findings.values("mines"):
        starts = _starts(findings, mines)
        first = starts.filter(pl.col("seed") == pl.col("seed").min())
        for row, col, longest in first.select("row", "col", "longest").iter_rows():
            value = Estimate(longest, longest, longest)
            yield Point(row, col, mines, value, 1, wide=False)


def _answer(findings: Findings) -> Iterator[str]:
    import polars as pl

    sorts = {
        "a cell at the edge instead of one of the four in the middle": (
            pl.col("edge") == 0,
            pl.col("edge") == _SIDE // 2 - 1,
        ),
        "a cell that opens others instead of one with a number": (
            pl.col("opens"),
            ~pl.col("opens"),
        ),
    }
    boards = {mines: _starts(findings, mines) for mines in findings.values("mines")}
    if boards:
        ends = listed(
            f"{shown(_over_boards(starts, 'min'))} to {shown(_over_boards(starts, 'max'))} with "
            f"{mines} mines"
            for mines, starts in boards.items()
        )
        yield (
            "On one board the longest chain goes, by the start cell alone and in the mean of "
            f"boards, from {ends}."
        )
    for words, (one, other) in sorts.items():
        changes = {
            mines: change
            for mines, starts in boards.items()
            if (change := _difference(starts, one, other)) is not None
        }
        if changes:
            clear = "changes" if any(map(is_clear, changes.values())) else "does not clearly change"
            told = listed(
                f"{shown(change, sign=True)} with {plain(mines)} mines"
                for mines, change in changes.items()
            )
            yield f"To begin at {words} {clear} the longest chain: by {told}."


STUDY: Final = Study(
    "starts",
    title="The longest chain by start cell",
    question=(
        "How does the cell that is opened first change the longest chain of a board? (10×10, each "
        "board solved from every cell that has no mine; where nothing is certain, the least risky "
        "of the cells without a mine is opened, and is a root as the start is.)"
    ),
    arms=grid(
        ["exact"],
        ten_by_ten(_MINES, ALL_OF_IT),
        at=lambda setup: {"mines": setup.mines},
        probe="starts",
    ),
    games=300,
    quick=12,
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
