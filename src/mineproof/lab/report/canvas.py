"""Paper to draw on: words, lines and markers at places counted in pixels from the top left.

Figures put down few and simple things, with no axes of Matplotlib's own: those take most of the
time, and a report has some hundred figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.transforms import Affine2D

from mineproof.lab.report.theme import BACK, INK, Style

__all__ = ["SETTINGS", "Canvas", "Paper", "fitting", "text_width"]

SETTINGS: Final[Mapping[Any, Any]] = {
    "figure.dpi": 72,
    "font.family": ["DejaVu Sans"],
    "path.simplify": False,
    "svg.fonttype": "none",
    "text.parse_math": False,
}
"""Settings of Matplotlib under which figures are made and written: a point is a pixel."""

_MARKER_SIZES: Final = {"D": 5.6, "P": 8.4, "X": 8.0, "p": 7.6, "^": 7.2, "v": 7.2}
"""So that all look equally large."""


@dataclass(frozen=True, slots=True)
class Paper:
    """How much room there is.

    Parameters
    ----------
    width
        In pixels.
    size
        Of the writing.
    edge
        How much of it stays empty on every side.
    """

    width: int
    size: float
    edge: int

    @property
    def is_narrow(self) -> bool:
        """Whether it is as wide as a phone."""
        return self.width < 500


def text_width(text: str, size: float) -> float:
    """Return about how wide a text is, rather more than less."""
    return 0.6 * size * len(text)


def fitting(text: str, size: float, room: float) -> float:
    """Return the size at which a text fits, at most that which is wanted.

    Examples
    --------
    >>> fitting("mines", 12, room=100), round(fitting("a long title", 12, room=72), 2)
    (12, 10.0)
    """
    return min(size, size * room / max(text_width(text, size), 1))


class Canvas:
    """Paper to draw on.

    Parameters
    ----------
    width, height
        In pixels.
    """

    def __init__(self, width: float, height: float) -> None:
        self.figure = Figure(figsize=(width / 72, height / 72), facecolor=BACK)
        pixels = Affine2D().scale(1 / width, -1 / height).translate(0, 1)
        self._pixels = pixels + self.figure.transFigure
        self._layer = 0

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        *,
        colour: str = INK,
        align: Literal["left", "center", "right"] = "left",
        bold: bool = False,
    ) -> None:
        """Write words, their middle at the height y."""
        self.figure.text(
            x,
            y,
            words,
            transform=self._pixels,
            fontsize=size,
            color=colour,
            ha=align,
            va="center",
            weight="bold" if bold else "normal",
            zorder=self._next(),
        )

    def heading(self, x: float, y: float, words: str, paper: Paper) -> None:
        """Write words around x, all of them on the paper."""
        size = fitting(words, paper.size, paper.width - 2 * paper.edge)
        half = text_width(words, size) / 2
        x = min(max(x, paper.edge + half), paper.width - paper.edge - half)
        self.text(x, y, words, size, align="center")

    def segments(
        self,
        ends: Iterable[tuple[float, float, float, float]],
        colour: str,
        width: float,
        *,
        dashes: str | tuple[float, tuple[float, float]] = "-",
        strength: float = 1.0,
    ) -> None:
        """Draw straight lines, each from one place to another."""
        lines = LineCollection(
            [[(x, y), (to_x, to_y)] for x, y, to_x, to_y in ends],
            colors=colour,
            linewidths=width,
            linestyles=[dashes],
            alpha=strength,
            transform=self._pixels,
            zorder=self._next(),
        )
        self.figure.add_artist(lines)

    def curve(
        self, xs: Sequence[float], ys: Sequence[float], style: Style, *, hollow: bool = False
    ) -> None:
        """Draw a line with its markers: hollow and thin for what others published."""
        self._line(
            xs,
            ys,
            style,
            hollow,
            color=style.colour,
            linestyle=(0, (3, 3)) if hollow else style.dashes,
            linewidth=1.1 if hollow else 1.8,
        )

    def markers(
        self, xs: Sequence[float], ys: Sequence[float], style: Style, *, hollow: bool = False
    ) -> None:
        """Draw markers alone."""
        self._line(xs, ys, style, hollow, linestyle="none")

    def band(
        self, xs: Sequence[float], low: Sequence[float], high: Sequence[float], colour: str
    ) -> None:
        """Fill what is between two curves, lightly."""
        around = [*zip(xs, low, strict=True), *reversed(list(zip(xs, high, strict=True)))]
        self.figure.add_artist(
            Polygon(
                around,
                facecolor=colour,
                alpha=0.16,
                linewidth=0,
                transform=self._pixels,
                zorder=self._next(),
            )
        )

    def square(self, x: float, y: float, side: float, colour: str, strength: float = 1.0) -> None:
        """Fill a square around a place."""
        near, far = -side / 2, side / 2
        corners = [(near, near), (far, near), (far, far), (near, far)]
        self.figure.add_artist(
            Polygon(
                [(x + dx, y + dy) for dx, dy in corners],
                facecolor=colour,
                alpha=strength,
                linewidth=0,
                transform=self._pixels,
                zorder=self._next(),
            )
        )

    def _line(
        self, xs: Sequence[float], ys: Sequence[float], style: Style, hollow: bool, **look: Any
    ) -> None:
        line = Line2D(
            xs,
            ys,
            marker=style.marker,
            markersize=_MARKER_SIZES.get(style.marker, 6.2) + 1.2 * hollow,
            markerfacecolor=BACK if hollow else style.colour,
            markeredgecolor=style.colour if hollow else BACK,
            markeredgewidth=1.3 if hollow else 0.7,
            transform=self._pixels,
            zorder=self._next(),
            **look,
        )
        self.figure.add_artist(line)

    def _next(self) -> int:
        """What is drawn later lies above what was drawn earlier."""
        self._layer += 1
        return self._layer
