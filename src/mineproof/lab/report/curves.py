"""Figures of values against a number: a curve a line, with its intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Final

from mineproof.lab.report.canvas import Canvas, Paper, fitting, text_width
from mineproof.lab.report.key import DIAGONAL, key_of
from mineproof.lab.report.plot import Plot
from mineproof.lab.report.scale import Scale, scale_of_places, scale_of_values, tick_label
from mineproof.lab.report.theme import GRID, MUTED, Style
from mineproof.lab.study import Coordinate

__all__ = ["draw_curves"]

_MANY: Final = 24
"""So many values of a line, and a band is clearer than bars."""

_GAP: Final = 14
"""Pixels between panels."""


@dataclass(frozen=True, slots=True)
class _Panel:
    """A part of the paper with axes of its own.

    Parameters
    ----------
    left, top, wide, high
        Where it is, in pixels.
    across, up
        The scales of its axes.
    """

    left: float
    top: float
    wide: float
    high: float
    across: Scale
    up: Scale

    def x(self, place: float) -> float:
        return self.left + self.across.place(place) * self.wide

    def y(self, value: float) -> float:
        return self.top + (1 - self.up.place(value)) * self.high


def draw_curves(plot: Plot, styles: Mapping[Coordinate, Style], paper: Paper) -> Canvas:
    """Draw values against a number."""
    size, edge, panels = paper.size, paper.edge, len(plot.panels)
    direct = panels == 1 and not paper.is_narrow and len(plot.lines) > 1
    key = key_of(plot, styles, paper, lines=len(plot.lines) > 1 and not direct)
    up, across = scale_of_values(plot), scale_of_places(plot)

    left = edge + 8 + max(text_width(tick_label(tick), size - 1) for tick in up.ticks(6))
    names = max(text_width(plot.line_name(line), size - 1) for line in plot.lines)
    right = edge + (34 + names if direct else 8)
    columns = min(panels, 2 if paper.is_narrow or panels == 4 else 3)
    wide = (paper.width - left - right - _GAP * (columns - 1)) / columns
    high = min(300.0, wide * 0.95) if panels == 1 else min(max(wide * 0.78, 130.0), 220.0)
    head, foot = size * 1.9 * (panels > 1), size * 1.9
    top = edge + size * 1.9 + key.height
    height = top + ceil(panels / columns) * (head + high + foot) + size * 1.6 + edge

    canvas = Canvas(paper.width, height)
    title = fitting(plot.value_title, size, paper.width - 2 * edge)
    canvas.text(edge, edge + size * 0.6, plot.value_title, title)
    key.draw(canvas, edge + size * 1.5)
    for place, value in enumerate(plot.panels):
        row, column = divmod(place, columns)
        x, y = left + column * (wide + _GAP), top + row * (head + high + foot) + head
        panel = _Panel(x, y, wide, high, across, up)
        name = plot.panel_name(value)
        canvas.text(x, y - size, name, fitting(name, size - 1, wide * 0.95), bold=True)
        _draw_axes(canvas, panel, plot, paper, labelled=column == 0)
        for turn, line in enumerate(plot.lines):
            aside = _shift(plot, wide) * (turn - (len(plot.lines) - 1) / 2)
            _draw_line(canvas, panel, plot, styles[line], line, value, aside)
        if direct:
            _name_lines(canvas, panel, plot, styles, paper)
    middle = left + (columns * (wide + _GAP) - _GAP) / 2
    canvas.heading(middle, height - edge - size * 0.6, plot.x_title, paper)
    return canvas


def _draw_axes(canvas: Canvas, panel: _Panel, plot: Plot, paper: Paper, *, labelled: bool) -> None:
    size, end = paper.size - 1, panel.left + panel.wide
    ticks = panel.up.ticks(6)
    canvas.segments([(panel.left, panel.y(t), end, panel.y(t)) for t in ticks], GRID, 0.8)
    bottom = panel.top + panel.high
    canvas.segments([(panel.left, bottom, end, bottom)], MUTED, 0.8)
    for tick in ticks if labelled else []:
        canvas.text(
            panel.left - 6, panel.y(tick), tick_label(tick), size, colour=MUTED, align="right"
        )
    for x in _places(plot, panel, size):
        canvas.text(panel.x(x), bottom + size, tick_label(x), size, colour=MUTED, align="center")
    if plot.chart.minus is not None:
        canvas.segments([(panel.left, panel.y(0), end, panel.y(0))], MUTED, 1)
    if plot.chart.diagonal:
        low, high = panel.across.low, panel.across.high
        ends = (panel.x(low), panel.y(low), panel.x(high), panel.y(high))
        canvas.segments([ends], MUTED, 1, dashes=DIAGONAL)


def _places(plot: Plot, panel: _Panel, size: float) -> list[float]:
    """Number the places that were measured, where there is room for all, else round ones."""
    xs = [float(x) for x in plot.xs]
    widths = [text_width(tick_label(x), size) + 6 for x in xs]
    crowded = any(
        panel.x(other) - panel.x(one) < (width + next_width) / 2
        for (one, other), (width, next_width) in zip(pairwise(xs), pairwise(widths), strict=True)
    )
    if not crowded and not plot.chart.diagonal:
        return xs
    most = max(2, min(10, int(panel.wide / (size * 3.8))))
    return panel.across.ticks(most, whole=all(isinstance(x, int) for x in plot.xs))


def _shift(plot: Plot, wide: float) -> float:
    """Return how far aside of each other lines are drawn, so that all intervals can be seen."""
    return 0.0 if plot.is_sparse else min(1.2, wide / len(plot.xs) / 2 / len(plot.lines))


def _draw_line(
    canvas: Canvas,
    panel: _Panel,
    plot: Plot,
    style: Style,
    line: Coordinate,
    value: Coordinate | None,
    aside: float,
) -> None:
    figures = [(x, figure) for x in plot.xs if (figure := plot.published(line, x)) is not None]
    others = [(panel.x(float(x)), panel.y(y)) for x, y in figures if panel.up.shows(y)]
    if others:
        canvas.curve([x for x, _ in others], [y for _, y in others], style, hollow=True)
    found = [point for x in plot.xs if (point := plot.point(line, x, value)) is not None]
    points = [point for point in found if panel.up.shows(point.estimate.value)]
    xs = [panel.x(float(point.x)) + aside for point in points]
    low = [panel.y(point.estimate.low) for point in points]
    high = [panel.y(point.estimate.high) for point in points]
    if len(points) > _MANY:
        canvas.band(xs, low, high, style.colour)
    elif points:
        bars = [(x, a, x, b) for x, a, b in zip(xs, low, high, strict=True)]
        canvas.segments(bars, style.colour, 1.1, strength=0.75)
    if points:
        canvas.curve(xs, [panel.y(point.estimate.value) for point in points], style)


def _name_lines(
    canvas: Canvas,
    panel: _Panel,
    plot: Plot,
    styles: Mapping[Coordinate, Style],
    paper: Paper,
) -> None:
    """Write the names of lines beside their ends, as close as they can stand."""
    ends = {line: end for line in plot.lines if (end := _end(panel, plot, line)) is not None}
    wanted = [(y - panel.top) / panel.high for _, y in ends.values()]
    heights = spread(wanted, (paper.size + 2) / panel.high)
    beside = panel.left + panel.wide + 20
    for (line, (x, y)), height in zip(ends.items(), heights, strict=True):
        level = panel.top + height * panel.high
        canvas.segments([(x + 6, y, beside - 2, level)], MUTED, 0.7)
        canvas.markers([beside + 4], [level], styles[line])
        canvas.text(beside + 12, level, plot.line_name(line), paper.size - 1)


def _end(panel: _Panel, plot: Plot, line: Coordinate) -> tuple[float, float] | None:
    """Return where a line ends."""
    for x in reversed(plot.xs):
        point = plot.point(line, x, plot.panels[0])
        value = plot.published(line, x) if point is None else point.estimate.value
        if value is not None and panel.up.shows(value):
            return panel.x(float(x)), panel.y(value)
    return None


def spread(heights: Sequence[float], gap: float) -> list[float]:
    """Move heights between 0 and 1 apart until no two are closer than a gap, as little as needed.

    Those that are too close form a block, centred where its members wanted to be.

    Examples
    --------
    >>> spread([0.5, 0.5, 0.9], gap=0.25)
    [0.375, 0.625, 0.9]
    >>> [round(height, 3) for height in spread([1.0, 1.0], gap=0.1)]
    [0.9, 1.0]
    """
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    blocks: list[list[int]] = [[place] for place in order]

    def start(block: list[int]) -> float:
        length = gap * (len(block) - 1)
        centre = sum(heights[place] for place in block) / len(block)
        return max(min(centre - length / 2, 1 - length), 0.0)

    while True:
        for number, (one, other) in enumerate(pairwise(blocks)):
            if start(other) - start(one) < gap * len(one) - 1e-9:
                blocks[number : number + 2] = [one + other]
                break
        else:
            break
    result = [0.0] * len(heights)
    for block in blocks:
        for turn, place in enumerate(block):
            result[place] = start(block) + gap * turn
    return result
