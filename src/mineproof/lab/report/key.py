"""The key of a figure: what its lines mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from mineproof.lab.report.canvas import Canvas, Paper, text_width
from mineproof.lab.report.plot import Plot
from mineproof.lab.report.theme import MUTED, Style
from mineproof.lab.study import Coordinate

__all__ = ["DIAGONAL", "Key", "key_of"]

DIAGONAL = (0.0, (4.0, 3.0))
"""The dashes of the line on which value and place are equal."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """What one thing means; without a style it is the diagonal."""

    words: str
    style: Style | None
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class Key:
    """Tells what lines mean, in as many columns as there is room for.

    Parameters
    ----------
    paper
        How much room there is.
    entries
        What to tell of.
    """

    paper: Paper
    entries: tuple[_Entry, ...]

    @property
    def height(self) -> float:
        """How high it is, in pixels."""
        rows = ceil(len(self.entries) / self._columns) if self.entries else 0
        return rows * self._pitch + (6 if rows else 0)

    def draw(self, canvas: Canvas, top: float) -> None:
        """Put it on the paper, so many pixels from the top."""
        size = self.paper.size - 1
        rows = ceil(len(self.entries) / self._columns) if self.entries else 0
        for place, entry in enumerate(self.entries):
            column, row = divmod(place, rows)
            x = self.paper.edge + column * self._width
            y = top + (row + 0.5) * self._pitch
            if entry.style is None:
                canvas.segments([(x, y, x + 22, y)], MUTED, 1, dashes=DIAGONAL)
            elif entry.hollow:
                canvas.markers([x + 11], [y], entry.style, hollow=True)
            else:
                canvas.segments(
                    [(x, y, x + 22, y)], entry.style.colour, 1.8, dashes=entry.style.dashes
                )
                canvas.markers([x + 11], [y], entry.style)
            canvas.text(x + 28, y, entry.words, size)

    @property
    def _pitch(self) -> float:
        return self.paper.size * 1.5

    @property
    def _width(self) -> float:
        return 44 + max(text_width(entry.words, self.paper.size - 1) for entry in self.entries)

    @property
    def _columns(self) -> int:
        room = self.paper.width - 2 * self.paper.edge + 16
        return max(1, min(len(self.entries), int(room / self._width)))


def key_of(plot: Plot, styles: Mapping[Coordinate, Style], paper: Paper, *, lines: bool) -> Key:
    """Make the key of a figure, with its lines or only with what else is to be told."""
    entries = [_Entry(plot.line_name(line), styles[line]) for line in plot.lines if lines]
    if plot.chart.published:
        entries.append(_Entry("published", Style(MUTED, "o"), hollow=True))
    if plot.chart.diagonal:
        entries.append(_Entry("where both are equal", None))
    return Key(paper, tuple(entries))
