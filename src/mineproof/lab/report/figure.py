"""A chart as a picture: SVG and PNG, the same bytes for the same values."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import Final

import matplotlib as mpl
from matplotlib.figure import Figure

from mineproof.lab.report.boards import draw_boards
from mineproof.lab.report.canvas import SETTINGS, Paper
from mineproof.lab.report.curves import draw_curves
from mineproof.lab.report.dots import draw_dots
from mineproof.lab.report.plot import Plot
from mineproof.lab.report.theme import FONTS, VARIABLES, Style
from mineproof.lab.study import Coordinate

__all__ = ["Pictures", "draw", "inline"]

_WIDE: Final = Paper(780, size=13, edge=8)
_NARROW: Final = Paper(350, size=12, edge=1)
_SHARPNESS: Final = 144
"""Dots an inch of a PNG, where the page has 72."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """A chart as pictures.

    Parameters
    ----------
    svg, png
        To stand alone, on white.
    wide, narrow
        SVG to be inlined on desks and on phones, in the colours of the page.
    """

    svg: str
    png: bytes
    wide: str
    narrow: str


def draw(plot: Plot, styles: Mapping[Coordinate, Style], name: str, description: str) -> Pictures:
    """Draw a chart.

    Parameters
    ----------
    plot
        Its values.
    styles
        How to draw each line.
    name
        What no other picture of the page is called.
    description
        What is to be seen, for those who do not see it.
    """
    title = plot.chart.title
    with _settings():
        figure = _figure(plot, styles, _WIDE)
        wide = _write_svg(figure, name, title, description)
        png = _write_png(figure)
        narrow = _write_svg(_figure(plot, styles, _NARROW), f"{name}_narrow", title, description)
    return Pictures(svg=wide, png=png, wide=inline(wide), narrow=inline(narrow))


def inline(svg: str) -> str:
    """Put a picture into the colours of the page.

    Examples
    --------
    >>> inline('<svg><rect fill="#ffffff" width="3"/></svg>')
    '<svg><rect fill="var(--back)" width="3"/></svg>'
    """
    return _TAG.sub(_inline, svg)


def _inline(tag: re.Match[str]) -> str:
    text = _OUTSIDE.sub("", tag[0]).replace("xlink:href=", "href=")
    return _COLOUR.sub(_variable, text)


def _variable(colour: re.Match[str]) -> str:
    return f"var(--{VARIABLES[colour[0]][0]})"


_TAG: Final = re.compile(r"<[^>]+>")
_COLOUR: Final = re.compile(rf"(?:{'|'.join(sorted(VARIABLES, key=len, reverse=True))})\b")
_OUTSIDE: Final = re.compile(r' (?:xmlns|xmlns:xlink|font-family)="[^"]*"')
"""What a picture of its own needs and one on the page has from there."""


def _figure(plot: Plot, styles: Mapping[Coordinate, Style], paper: Paper) -> Figure:
    if plot.chart.board:
        return draw_boards(plot, styles, paper).figure
    return (draw_curves if plot.is_numeric else draw_dots)(plot, styles, paper).figure


@contextmanager
def _settings() -> Iterator[None]:
    with mpl.rc_context(dict(SETTINGS)), warnings.catch_warnings():
        # A name in letters that the font lacks is still right in SVG.
        warnings.filterwarnings("ignore", message="Glyph", category=UserWarning)
        yield


def _write_png(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(
        buffer,
        format="png",
        dpi=_SHARPNESS,
        metadata={"Software": None},
        # A seventh larger than it could be, in half the time.
        pil_kwargs={"compress_level": 2},
    )
    return buffer.getvalue()


def _write_svg(figure: Figure, name: str, title: str, description: str) -> str:
    """Write a figure with a title, and without what only takes room."""
    buffer = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": name}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    _, _, body = buffer.getvalue().partition("</metadata>")
    body = _STYLES.sub("", _TAG.sub(_shorter, body))
    body = _EMPTY.sub("", _BETWEEN.sub("><", body))
    width, height = figure.bbox.width, figure.bbox.height
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {width:g} {height:.6g}" width="{width:g}" height="{height:.6g}" role="img" '
        f'aria-labelledby="{name}_title {name}_text" font-family="{escape(FONTS)}" '
        'stroke-linejoin="round">'
        f'<title id="{name}_title">{escape(title)}</title>'
        f'<desc id="{name}_text">{escape(description)}</desc>{body}'
    )


def _shorter(tag: re.Match[str]) -> str:
    """Leave out of a tag what a picture does not need: far decimals, say."""
    text = tag[0]
    for pattern, short in _SHORTER:
        text = pattern.sub(short, text)
    return text


_SHORTER: Final = (
    (re.compile(r'^<g id="[^"]*"'), "<g"),
    (re.compile(r" font-family: [^;\"]*;"), ""),
    (re.compile(r' transform="rotate\(-0 [^"]*"'), ""),
    (re.compile(r"(\.\d\d)\d+"), r"\1"),
    (re.compile(r"\s*\n\s*"), " "),
    (re.compile(r"([:;]) "), r"\1"),
)
_STYLES: Final = re.compile(r"<style.*?</style>", re.DOTALL)
"""A rule for all elements of a picture would be one for the whole page."""
_BETWEEN: Final = re.compile(r">\s+<")
_EMPTY: Final = re.compile(r"<g/>|<g></g>|<defs></defs>")
