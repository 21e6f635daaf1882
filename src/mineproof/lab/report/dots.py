"""Figures of values by name: a row a value, a dot with its interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mineproof.lab.report.canvas import Canvas, Paper, fitting, text_width
from mineproof.lab.report.key import key_of
from mineproof.lab.report.plot import Plot, name
from mineproof.lab.report.scale import Scale, scale_of_values, tick_label
from mineproof.lab.report.theme import GRID, MUTED, Style
from mineproof.lab.study import Coordinate

__all__ = ["draw_dots"]

_GAP: Final = 20
"""Pixels between panels."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A line at a place of the axis, so many pixels from the top of its band of panels."""

    line: Coordinate
    x: Coordinate
    height: float
    heads: bool
    """Whether a group of rows begins with it."""


@dataclass(frozen=True, slots=True)
class _Panel:
    """A part of the paper with an axis of its own."""

    left: float
    top: float
    wide: float
    high: float
    across: Scale

    def x(self, value: float) -> float:
        return self.left + self.across.place(value) * self.wide


def draw_dots(plot: Plot, styles: Mapping[Coordinate, Style], paper: Paper) -> Canvas:
    """Draw values by name: a group of rows for every place along the axis, a row for every line."""
    size, edge = paper.size, paper.edge
    key = key_of(plot, styles, paper, lines=False)
    # Panels side by side share their rows; on narrow paper each has its own.
    beside = 1 if paper.is_narrow else min(len(plot.panels), 3)
    bands = [plot.panels[start : start + beside] for start in range(0, len(plot.panels), beside)]
    rows = [list(_rows(plot, band, size)) for band in bands]
    labels = [_label(plot, row) for band in rows for row in band]
    left = edge + 12 + max(text_width(label, size - 1) for label in labels)
    left = min(left, paper.width * 0.5)
    right = edge + 12
    wide = (paper.width - left - right - _GAP * (beside - 1)) / beside
    head, foot = size * 1.9 * (plot.panels != (None,)), size * 1.9
    heights = [band[-1].height + size for band in rows]
    top = edge + key.height
    height = top + sum(heights) + len(bands) * (head + foot) + size * 1.6 + edge

    canvas = Canvas(paper.width, height)
    key.draw(canvas, edge)
    for band, places, high in zip(bands, rows, heights, strict=True):
        for column, value in enumerate(band):
            x = left + column * (wide + _GAP)
            panel = _Panel(x, top + head, wide, high, scale_of_values(plot))
            title = plot.panel_name(value)
            canvas.text(x, top + head - size, title, fitting(title, size - 1, wide), bold=True)
            _draw_axis(canvas, panel, plot, paper, places)
            for line in plot.lines:
                own = [row for row in places if row.line == line]
                _draw_line(canvas, panel, plot, styles[line], own, value)
        _name_rows(canvas, plot, places, paper, left, top + head)
        top += head + high + foot
    middle = left + (paper.width - left - right) / 2
    canvas.heading(middle, height - edge - size * 0.6, plot.value_title, paper)
    return canvas


def _rows(plot: Plot, band: tuple[Coordinate | None, ...], size: float) -> Iterator[_Row]:
    """Put rows below each other, without those that have no value in any panel of a band."""
    grouped = len(plot.lines) > 1
    height = size * (0.2 if grouped else 0.8)
    for x in plot.xs:
        lines = [
            line
            for line in plot.lines
            if plot.published(line, x) is not None
            or any(plot.point(line, x, panel) is not None for panel in band)
        ]
        height += size * 1.8 * (grouped and bool(lines))
        for turn, line in enumerate(lines):
            yield _Row(line, x, height, heads=grouped and turn == 0)
            height += size * 1.45


def _label(plot: Plot, row: _Row) -> str:
    return plot.line_name(row.line) if len(plot.lines) > 1 else name(row.x)


def _draw_axis(
    canvas: Canvas, panel: _Panel, plot: Plot, paper: Paper, rows: Sequence[_Row]
) -> None:
    size, bottom, end = paper.size - 1, panel.top + panel.high, panel.left + panel.wide
    ticks = panel.across.ticks(max(2, min(10, int(panel.wide / (size * 3.8)))))
    levels = [panel.top + row.height for row in rows]
    canvas.segments([(panel.left, level, end, level) for level in levels], GRID, 0.6)
    canvas.segments([(panel.x(t), panel.top, panel.x(t), bottom) for t in ticks], GRID, 0.8)
    canvas.segments([(panel.left, bottom, end, bottom)], MUTED, 0.8)
    for tick in ticks:
        canvas.text(
            panel.x(tick), bottom + size, tick_label(tick), size, colour=MUTED, align="center"
        )
    if plot.chart.minus is not None:
        canvas.segments([(panel.x(0), panel.top, panel.x(0), bottom)], MUTED, 1)


def _draw_line(
    canvas: Canvas,
    panel: _Panel,
    plot: Plot,
    style: Style,
    rows: Sequence[_Row],
    value: Coordinate | None,
) -> None:
    found = [(row, plot.point(row.line, row.x, value)) for row in rows]
    points = [
        (panel.top + row.height, point.estimate)
        for row, point in found
        if point is not None and panel.across.shows(point.estimate.value)
    ]
    if points:
        bars = [(panel.x(e.low), y, panel.x(e.high), y) for y, e in points]
        canvas.segments(bars, style.colour, 1.8, strength=0.75)
        canvas.markers([panel.x(e.value) for _, e in points], [y for y, _ in points], style)
    figures = [(row, plot.published(row.line, row.x)) for row in rows]
    others = [
        (panel.x(figure), panel.top + row.height)
        for row, figure in figures
        if figure is not None and panel.across.shows(figure)
    ]
    if others:
        canvas.markers([x for x, _ in others], [y for _, y in others], style, hollow=True)


def _name_rows(
    canvas: Canvas, plot: Plot, rows: Sequence[_Row], paper: Paper, left: float, top: float
) -> None:
    """Write the name of every row beside it, and that of every group above its first row."""
    for row in rows:
        level = top + row.height
        if row.heads:
            head = level - paper.size * 1.35
            size = fitting(name(row.x), paper.size - 1, paper.width * 0.9)
            canvas.text(paper.edge, head, name(row.x), size, bold=True)
        label = _label(plot, row)
        size = fitting(label, paper.size - 1, left - paper.edge - 9)
        canvas.text(left - 9, level, label, size, align="right")
