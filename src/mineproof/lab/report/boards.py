"""Figures of boards: a value in every cell, the higher the stronger its colour."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Final

from mineproof.lab.report.canvas import Canvas, Paper, fitting
from mineproof.lab.report.plot import Plot, name
from mineproof.lab.report.theme import GRID, MUTED, STYLES, Style
from mineproof.lab.study import Coordinate

__all__ = ["draw_boards"]

_GAP: Final = 18
"""Pixels between boards."""

_LARGEST: Final = 30.0
"""Pixels of a cell at most."""

_FAINTEST, _STRONGEST = 0.06, 0.5
"""How strong the colour of a cell is: words have to be read on it, on light pages and dark ones."""


def draw_boards(plot: Plot, styles: Mapping[Coordinate, Style], paper: Paper) -> Canvas:
    """Draw a board a panel: its rows are the lines of the plot, its columns the places."""
    size, edge, margin = paper.size, paper.edge, 1.6 * paper.size
    rows, cols = len(plot.lines), len(plot.xs)
    beside = 1 if paper.is_narrow else min(len(plot.panels), 3)
    room = (paper.width - 2 * edge - (_GAP + margin) * beside + _GAP) / beside
    cell = min(room / cols, _LARGEST)
    head = size * (3.4 if plot.panels != (None,) else 1.6)
    tall = head + rows * cell + _GAP
    top = edge + size * 1.9
    canvas = Canvas(paper.width, top + ceil(len(plot.panels) / beside) * tall + edge)
    least, most = _range(plot)
    title = f"{plot.value_title}, from {name(least)} (faint) to {name(most)} (strong)"
    canvas.text(edge, edge + size * 0.6, title, fitting(title, size, paper.width - 2 * edge))
    for number, panel in enumerate(plot.panels):
        line, column = divmod(number, beside)
        left = edge + margin + column * (cols * cell + margin + _GAP)
        _draw_board(canvas, plot, panel, paper, left, top + line * tall + head, cell)
    return canvas


def _range(plot: Plot) -> tuple[float, float]:
    """Return the least and the most value of all boards."""
    values = [point.estimate.value for point in plot.points]
    return min(values, default=0.0), max(values, default=0.0)


def _draw_board(
    canvas: Canvas,
    plot: Plot,
    panel: Coordinate | None,
    paper: Paper,
    left: float,
    top: float,
    cell: float,
) -> None:
    least, most = _range(plot)
    small = min(paper.size - 1, cell * 0.52)
    wide = cell * len(plot.xs)
    title = plot.panel_name(panel)
    canvas.text(
        left, top - paper.size * 2.4, title, fitting(title, paper.size - 1, wide), bold=True
    )
    for down, row in enumerate(plot.lines):
        y = top + (down + 0.5) * cell
        canvas.text(left - 5, y, name(row), small, colour=MUTED, align="right")
        for across, col in enumerate(plot.xs):
            point, x = plot.point(row, col, panel), left + (across + 0.5) * cell
            if point is None:
                canvas.square(x, y, cell - 1, GRID)
                continue
            share = (point.estimate.value - least) / (most - least) if most > least else 1.0
            strength = _FAINTEST + (_STRONGEST - _FAINTEST) * share
            canvas.square(x, y, cell - 1, STYLES[0].colour, strength=strength)
            canvas.text(x, y, name(point.estimate.value), small, align="center")
    for across, col in enumerate(plot.xs):
        x = left + (across + 0.5) * cell
        canvas.text(x, top - paper.size * 0.8, name(col), small, colour=MUTED, align="center")
