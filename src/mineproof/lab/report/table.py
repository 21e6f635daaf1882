"""A chart as a table: rows of lines and columns of places for the page, a row a value as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isfinite

from mineproof.arguments import counted
from mineproof.lab.report.plot import Plot, name
from mineproof.lab.report.words import written
from mineproof.lab.study import Coordinate
from mineproof.statistics import Estimate

__all__ = ["Cell", "Group", "Row", "Table", "csv_text"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One value in words.

    Parameters
    ----------
    value
        The number; empty where there is none.
    interval
        From where to where, where that is known.
    wide
        Whether the interval is wider than ten points.
    published
        Whether the number is not ours.
    """

    value: str = ""
    interval: str = ""
    wide: bool = False
    published: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table.

    Parameters
    ----------
    name
        What it is called.
    cells
        Its values, a cell for every column.
    """

    name: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one panel.

    Parameters
    ----------
    name
        What the panel is of; empty where there is but one.
    rows
        Its rows.
    """

    name: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The values of a chart in rows and columns.

    Parameters
    ----------
    corner, columns
        What the rows are of, and the names of the columns.
    groups
        The rows, panel by panel.
    games
        On how many games the values rest, in words.
    """

    corner: str
    columns: tuple[str, ...]
    groups: tuple[Group, ...]
    games: str

    @classmethod
    def of(cls, plot: Plot) -> Table:
        """Put the values of a chart in rows of lines and columns of places.

        Where there are more names than lines, a line becomes a column: long tables are easier to
        read than wide ones. Where every line has places of its own, they are listed.
        """
        fewest, most = plot.games or (0, 0)
        games = counted(most, "game") if fewest == most else f"{fewest:,} to {most:,} games"
        if plot.is_sparse:
            columns: tuple[str, ...] = (plot.value_title, "95% interval", "games")
            return cls(plot.x_title, columns, tuple(_lists(plot)), games)
        groups = {plot.panel_name(panel): _rows(plot, panel) for panel in plot.panels}
        places = tuple(map(name, plot.xs))
        lines = tuple(dict.fromkeys(row.name for rows in groups.values() for row in rows))
        if plot.is_numeric or len(places) <= len(lines):
            found = (Group(panel, rows) for panel, rows in groups.items())
            return cls(plot.chart.lines, places, tuple(found), games)
        turned = (Group(panel, _turned(rows, lines, places)) for panel, rows in groups.items())
        return cls(plot.x_title, lines, tuple(turned), games)


def _turned(
    rows: tuple[Row, ...], lines: tuple[str, ...], places: tuple[str, ...]
) -> tuple[Row, ...]:
    """Make rows of columns."""
    cells = {row.name: row.cells for row in rows}
    nothing = (Cell(),) * len(places)
    columns = [cells.get(line, nothing) for line in lines]
    return tuple(
        Row(place, tuple(column[turn] for column in columns)) for turn, place in enumerate(places)
    )


def _lists(plot: Plot) -> Iterator[Group]:
    """Yield a list of its values for every line: a table of them would be mostly empty."""
    for panel in plot.panels:
        for line in plot.lines:
            rows = []
            for x in plot.xs:
                if (point := plot.point(line, x, panel)) is not None:
                    cell, games = _cell(point.estimate, point.wide), Cell(f"{point.games:,}")
                    value = replace(cell, interval="")
                    rows.append(Row(name(x), (value, Cell(cell.interval), games)))
            if rows:
                where = f"{plot.panel_name(panel)}, " if panel is not None else ""
                yield Group(where + plot.line_name(line), tuple(rows))


def _rows(plot: Plot, panel: Coordinate | None) -> tuple[Row, ...]:
    rows = []
    for line in plot.lines:
        points = [plot.point(line, x, panel) for x in plot.xs]
        if any(points):
            write = _counted if plot.chart.board else _cell
            cells = (Cell() if p is None else write(p.estimate, p.wide) for p in points)
            rows.append(Row(plot.line_name(line), tuple(cells)))
        figures = [plot.published(line, x) for x in plot.xs]
        if any(figure is not None for figure in figures):
            known = (Cell(published=True) if f is None else _published(f) for f in figures)
            rows.append(Row(f"{plot.line_name(line)}, published", tuple(known)))
    return tuple(rows)


def _cell(estimate: Estimate, wide: bool) -> Cell:
    value, low, high = written(estimate)
    if not isfinite(estimate.width):
        return Cell(value, "one game, no interval", wide)
    # A dash beside a minus sign would be hard to read.
    return Cell(value, f"{low} to {high}" if estimate.low < 0 else f"{low}–{high}", wide)


def _published(figure: Estimate) -> Cell:
    known = isfinite(figure.width)
    return (
        replace(_cell(figure, wide=False), published=True)
        if known
        else Cell(f"{figure.value:g}", published=True)
    )


def _counted(estimate: Estimate, wide: bool) -> Cell:
    return Cell(name(estimate.value))


def csv_text(plot: Plot) -> str:
    """Write the values of a chart as CSV, a row each, to all their digits."""
    chart = plot.chart
    places = (
        [chart.lines, chart.x] if chart.panels is None else [chart.panels, chart.lines, chart.x]
    )
    stream = io.StringIO()
    out = csv.writer(stream, lineterminator="\n")
    theirs = ("published", "published_low", "published_high", "published_games")
    out.writerow([*places, "value", "low", "high", "games", "wide", *theirs])
    for panel in plot.panels:
        for line in plot.lines:
            for x in plot.xs:
                point, published = plot.point(line, x, panel), plot.published(line, x)
                if point is None and published is None:
                    continue
                place = [line, x] if chart.panels is None else [panel, line, x]
                values: list[object] = [""] * 5
                if point is not None:
                    estimate = point.estimate
                    values = [estimate.value, estimate.low, estimate.high, point.games]
                    values.append("yes" if point.wide else "no")
                out.writerow([*place, *values, *_published_row(plot, line, published)])
    return stream.getvalue()


def _published_row(plot: Plot, line: Coordinate, figure: Estimate | None) -> list[object]:
    if figure is None:
        return [""] * 4
    ends = [figure.low, figure.high] if isfinite(figure.width) else ["", ""]
    return [figure.value, *ends, plot.chart.published[str(line)].games or ""]
