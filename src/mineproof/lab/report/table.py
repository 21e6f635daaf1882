"""A chart as a table: rows of lines and columns of places for the page, a row per value as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import TypeAlias

from mineproof.lab.report.chart_words import written
from mineproof.lab.report.plot import Plot
from mineproof.lab.sentences import plain
from mineproof.lab.study import Coordinate
from mineproof.statistics import Estimate

__all__ = ["Cell", "Table", "csv_text", "values"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One value in words: the number, its interval if that is known, and how it is marked."""

    value: str = ""
    interval: str = ""
    wide: bool = False
    published: bool = False


Rows: TypeAlias = Mapping[str, tuple[Cell, ...]]
"""By name: a cell for every column."""


@dataclass(frozen=True, slots=True)
class Table:
    """The values of a chart in rows and columns.

    Parameters
    ----------
    corner, columns
        What the rows are of, and the names of the columns.
    groups
        The rows by panel; the name is empty if there is only one.
    """

    corner: str
    columns: tuple[str, ...]
    groups: Mapping[str, Rows]

    @classmethod
    def of(cls, plot: Plot) -> Table:
        """Put the values of a chart in rows of lines and columns of places.

        If there are more names than lines, a line becomes a column: long tables are easier to
        read than wide ones. If every line has places of its own, they are listed.
        """
        if plot.is_sparse:
            columns: tuple[str, ...] = (plot.value_title, "95% interval", "games")
            return cls(plot.x_title, columns, dict(_lists(plot)))
        groups = {plot.panel_name(panel): dict(_rows(plot, panel)) for panel in plot.panels}
        places = tuple(map(plain, plot.xs))
        lines = tuple(dict.fromkeys(line for rows in groups.values() for line in rows))
        if plot.is_numeric or len(places) <= len(lines):
            return cls(plot.chart.lines, places, groups)
        nothing = (Cell(),) * len(places)
        turned = {
            panel: {
                place: tuple(rows.get(line, nothing)[turn] for line in lines)
                for turn, place in enumerate(places)
            }
            for panel, rows in groups.items()
        }
        return cls(plot.x_title, lines, turned)


def _lists(plot: Plot) -> Iterator[tuple[str, Rows]]:
    """Yield a list of values for every line, as a table would be mostly empty."""
    for panel in plot.panels:
        for line in plot.lines:
            rows = {}
            for point in plot.along(line, panel):
                cell, games = _cell(point.estimate, point.wide), Cell(f"{point.games:,}")
                rows[plain(point.x)] = replace(cell, interval=""), Cell(cell.interval), games
            if rows:
                where = f"{plot.panel_name(panel)}, " if panel is not None else ""
                yield where + plot.line_name(line), rows


def _rows(plot: Plot, panel: Coordinate | None) -> Iterator[tuple[str, tuple[Cell, ...]]]:
    for line in plot.lines:
        points = [plot.point(line, x, panel) for x in plot.xs]
        if any(points):
            cells = (
                Cell()
                if point is None
                else Cell(plain(point.estimate.value))
                if plot.chart.board
                else _cell(point.estimate, point.wide)
                for point in points
            )
            yield plot.line_name(line), tuple(cells)
        figures = [plot.published(line, x) for x in plot.xs]
        if any(figures):
            yield f"{plot.line_name(line)}, published", tuple(map(_published, figures))


def _cell(estimate: Estimate, wide: bool) -> Cell:
    value, low, high = written(estimate)
    if not isfinite(estimate.width):
        return Cell(value, "one game, no interval", wide)
    # A dash beside a minus sign would be hard to read.
    return Cell(value, f"{low} to {high}" if estimate.low < 0 else f"{low}–{high}", wide)


def _published(figure: Estimate | None) -> Cell:
    if figure is None or isfinite(figure.width):
        return replace(Cell() if figure is None else _cell(figure, wide=False), published=True)
    return Cell(f"{figure.value:g}", published=True)


def values(plot: Plot) -> tuple[list[str], Iterator[list[object]]]:
    """Return the names and the rows of a chart's values, to all their digits."""
    chart = plot.chart
    places = [name for name in (chart.panels, chart.lines, chart.x) if name is not None]
    theirs = ("published", "published_low", "published_high", "published_games")
    return [*places, "value", "low", "high", "games", "wide", *theirs], _values(plot)


def _values(plot: Plot) -> Iterator[list[object]]:
    for panel in plot.panels:
        for line in plot.lines:
            for x in plot.xs:
                point, figure = plot.point(line, x, panel), plot.published(line, x)
                ours: list[object] = [""] * 5
                theirs: list[object] = [""] * 4
                if point is not None:
                    found = point.estimate
                    wide = "yes" if point.wide else "no"
                    ours = [found.value, found.low, found.high, point.games, wide]
                if figure is not None:
                    ends = [figure.low, figure.high] if isfinite(figure.width) else ["", ""]
                    theirs = [figure.value, *ends, plot.chart.published[str(line)].games or ""]
                if point is not None or figure is not None:
                    place = [line, x] if plot.chart.panels is None else [panel, line, x]
                    yield [*place, *ours, *theirs]


def csv_text(names: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Write a table as CSV."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows([names, *rows])
    return stream.getvalue()
