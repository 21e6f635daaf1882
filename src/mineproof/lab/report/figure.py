"""A chart as a figure: a specification for the page, and SVG and PNG files, by Altair."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from itertools import pairwise
from math import ceil, floor, isfinite, log10
from textwrap import wrap
from typing import Any, Final, TypeAlias

import altair as alt
import vl_convert

from mineproof.lab.report.chart_words import written
from mineproof.lab.report.look import BACK, GRID, INK, MUTED, Style, styles, themed
from mineproof.lab.report.plot import Plot
from mineproof.lab.sentences import plain
from mineproof.lab.study import Coordinate, Point
from mineproof.statistics import Estimate

__all__ = ["Figure", "config", "draw", "library", "spark"]

Encoded: TypeAlias = Mapping[str, Any]

_VERSION: Final = ".".join(alt.SCHEMA_VERSION.removeprefix("v").split(".")[:2])
"""The version of Vega-Lite that Altair writes."""

_FONTS: Final = "Helvetica, Arial, 'Liberation Sans', sans-serif"
"""Fonts of the same widths, so that a figure fits wherever it is looked at."""

_GLOBALS: Final = "window.vegaEmbed = vegaEmbed;"
_NO_DATA: Final = alt.InlineData(values=[])

_WIDTH: Final = 640
_HEIGHT: Final = 280
_PANEL: Final = 200
"""The height of a figure, and of one of several panels."""

_CELL: Final = 19
"""The side of a board's cell, in pixels."""

_FAINT: Final = 0.12
"""The opacity of series while another one is highlighted."""

_SHOWN: Final = "picked == '' || datum.line == picked"
"""Whether a series is highlighted or none is; `picked` is a parameter of every figure."""

_NUMBER: Final = "replace(format(datum.value, abs(datum.value) < 1 ? '~g' : ',~r'), '-', '−')"
"""How axes write numbers."""

_FEW: Final = 4
"""Up to this many series, lines have labels at their ends and bands around them."""

_APART: Final = 0.075
"""The least distance of labels, as a share of the axis."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart as a figure.

    Parameters
    ----------
    svg, png, source
        Files of their own, on white, with title and legend; the source is Vega-Lite.
    inline
        SVG in the colours of the page, which a script replaces by the interactive figure.
    specification
        The interactive figure: Vega-Lite, as JSON.
    legend
        The names of series with their styles, unless they are in the figure.
    """

    svg: str
    png: bytes
    source: str
    inline: str
    specification: str
    legend: tuple[tuple[str, Style], ...]


def draw(plot: Plot, title: str, description: str) -> Figure:
    """Draw a chart.

    Parameters
    ----------
    plot
        Its values.
    title
        What it shows, in a sentence.
    description
        Its values in words, for readers who do not see it.
    """
    looks = styles(plot.lines, plot.others)
    labelled = _labelled(plot)
    legend = not labelled and not plot.chart.board and len(plot.lines) > 1
    alone = _specification(plot, looks, labelled, legend)
    shown = plot.chart.title if plot.is_flat else f"{plot.chart.title} ({plot.value_title})"
    if title == plot.chart.title:
        shown = "" if plot.is_flat else plot.value_title
    alone["title"] = {"text": wrap(title, 84), "subtitle": wrap(shown, 100)}
    alone["config"] = config()
    svg = vl_convert.vegalite_to_svg(alone, vl_version=_VERSION)
    words = f"<title>{escape(title)}</title><desc>{escape(description)}</desc>"
    # The page has buttons instead of a legend.
    here = _specification(plot, looks, labelled, legend=False)
    inline = json.loads(themed(json.dumps({**here, "config": config()})))
    return Figure(
        svg=svg.replace(">", f">{words}", 1),
        png=vl_convert.vegalite_to_png(alone, vl_version=_VERSION, scale=2),
        source=json.dumps(alone, indent=1),
        inline=_silent(vl_convert.vegalite_to_svg(inline, vl_version=_VERSION)),
        specification=themed(json.dumps(here, separators=(",", ":"))).replace("<", "\\u003c"),
        legend=tuple((plot.line_name(line), looks[line]) for line in plot.lines if legend),
    )


def spark(curve: Mapping[Coordinate, Estimate]) -> str:
    """Draw a curve, or bars by name, as a small picture in the colours of the page."""
    if not curve:
        return ""
    rows = [{"x": x, "value": found.value} for x, found in curve.items()]
    base, blue = alt.Chart(_NO_DATA), styles(["exact"])["exact"].colour
    chart: Any
    if any(isinstance(x, str) for x in curve):
        names = [str(x) for x in curve][-6:]
        base = base.transform_filter(alt.FieldOneOfPredicate("x", names))
        axis = alt.Axis(title=None, ticks=False, domain=False, grid=False, labelLimit=90)
        place = alt.Y("x:N", sort=names, axis=axis)
        bars = base.mark_bar(height=9, color=blue).encode(y=place, x=alt.X("value:Q", axis=None))
        words = base.mark_text(align="left", dx=4, fontSize=11, color=MUTED)
        numbers = words.encode(y=place, x="value:Q", text=alt.Text("value:Q", format=".3~r"))
        chart = alt.layer(bars, numbers).properties(width=110, height=84)
    else:
        ticks = [min(map(float, curve)), max(map(float, curve))]
        flat: dict[str, Any] = {"title": None, "grid": False, "ticks": False, "labelExpr": _NUMBER}
        x = alt.X("x:Q", axis=alt.Axis(values=ticks, labelFlush=True, **flat))
        y = alt.Y("value:Q", axis=alt.Axis(tickCount=2, domain=False, **flat))
        line = base.mark_line(color=blue, strokeWidth=2, interpolate="monotone").encode(x=x, y=y)
        chart = alt.layer(line, line.mark_point(size=16, filled=True, color=blue))
        chart = chart.properties(width=160, height=70)
    small = {**_with_data(chart, rows), "config": {**config(), "background": None}}
    svg = vl_convert.vegalite_to_svg(json.loads(themed(json.dumps(small))), vl_version=_VERSION)
    return _silent(svg)


def _silent(svg: str) -> str:
    """Hide a picture from screen readers, which read the text next to it."""
    return svg.replace("<svg ", '<svg aria-hidden="true" ', 1)


@cache
def library() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script that needs no network."""
    script = vl_convert.javascript_bundle(_GLOBALS, vl_version=_VERSION)
    return script.replace("</script", "<\\/script")


def config() -> dict[str, Any]:
    """Return the look of all figures, in the colours of a light page."""
    text = {"labelColor": MUTED, "titleColor": INK, "labelFontSize": 12, "titleFontSize": 12.5}
    lines = {"gridColor": GRID, "domainColor": MUTED, "tickColor": MUTED}
    return {
        "background": BACK,
        "font": _FONTS,
        "aria": False,
        "view": {"stroke": None},
        "axis": {**text, **lines, "titleFontWeight": 500, "labelLimit": 170},
        "header": {**text, "labelFontWeight": 600, "labelColor": INK, "title": None},
        "legend": {
            **text,
            "labelLimit": 260,
            "symbolSize": 70,
            "symbolOpacity": 1,
            "labelColor": INK,
            "title": None,
        },
        "title": {
            "anchor": "start",
            "color": INK,
            "fontSize": 15,
            "subtitleColor": MUTED,
            "subtitleFontSize": 12.5,
            "offset": 14,
        },
    }


def _specification(
    plot: Plot, looks: Mapping[Coordinate, Style], labelled: bool, legend: bool
) -> dict[str, Any]:
    rows = [*_rows(plot)]
    if plot.chart.board:
        layers, height = _board(plot), float(_CELL * len(plot.lines))
    else:
        axes = _Axes(plot, looks, legend)
        if plot.is_ranking:
            return _with_data(axes.ranking(), rows)
        layers = [*(axes.curves(labelled) if plot.is_numeric else axes.dots())]
        height = axes.height
    width = _CELL * len(plot.xs) if plot.chart.board else _WIDTH
    chart: Any = alt.layer(*layers, data=_NO_DATA)
    if plot.panels == (None,):
        chart = chart.properties(width=width, height=height)
    else:
        columns = 3 if len(plot.panels) == 3 else min(len(plot.panels), 2)
        across = width if plot.chart.board else (width - 50 * columns) // columns
        sort = [plot.panel_name(panel) for panel in plot.panels]
        facet = alt.Facet("panel:N", sort=sort, header=alt.Header(title=None))
        chart = chart.properties(width=across, height=height).facet(facet, columns=columns)
    return _with_data(chart, rows)


def _with_data(chart: Any, rows: Sequence[Encoded]) -> dict[str, Any]:
    """Return a chart as a specification with its data, which Altair would copy again and again."""
    found: dict[str, Any] = chart.to_dict(validate=False)
    found.pop("config", None)
    found.pop("datasets", None)
    found["data"] = {"values": rows}
    found["params"] = [{"name": "picked", "value": ""}]
    return found


def _rows(plot: Plot) -> Iterator[Encoded]:
    """Yield the values as a figure needs them, one row per mark."""
    marks: list[tuple[Point, bool]] = [(point, True) for point in plot.points]
    for line, published in plot.chart.published.items():
        for x in published.values:
            figure = published.estimate(x, plot.chart.measure)
            marks.append(
                (Point(line, x, plot.panels[0], figure, published.games or 0, False), False)
            )
    for point, ours in marks:
        found, board = point.estimate, plot.chart.board
        if ours and plot.is_log and found.value <= 0:
            continue
        value = plain(found.value) if board else _with_interval(found)
        row: dict[str, Any] = {
            "line": plain(point.line) if board else plot.line_name(point.line),
            "x": point.x if plot.is_numeric and not board else plain(point.x),
            "value": found.value,
            "ours": ours,
            "shown": value if ours else f"{value}, published",
        }
        if point.panel is not None:
            row["panel"] = plot.panel_name(point.panel)
        if point.games:
            row["games"] = point.games
        if isfinite(found.width):
            low = max(found.low, plot.least / 2) if plot.is_log and ours else found.low
            row |= {"low": low, "high": found.high}
        yield row


def _with_interval(estimate: Estimate) -> str:
    value, low, high = written(estimate)
    return f"{value} ({low} to {high})" if isfinite(estimate.width) else value


class _Axes:
    """The marks of a chart on its axes."""

    def __init__(self, plot: Plot, looks: Mapping[Coordinate, Style], legend: bool) -> None:
        self.plot, self.scale = plot, _scale(plot)
        self.names = [plot.line_name(line) for line in plot.lines]
        found = [looks[line] for line in plot.lines]
        key: Any = alt.Legend(orient="top", columns=4) if legend else None

        def by_line(channel: Any, values: Sequence[Any], legend: Any = None) -> Any:
            scale = alt.Scale(domain=self.names, range=list(values))
            return channel("line:N", scale=scale, legend=legend)

        self.colour = by_line(alt.Color, [style.colour for style in found], key)
        self.shape = by_line(alt.Shape, [style.marker for style in found], key)
        self.dashes = by_line(alt.StrokeDash, [style.dashes or (1, 0) for style in found])
        self.tooltip = [
            alt.Tooltip("line:N", title=plot.chart.lines),
            alt.Tooltip("x:Q" if plot.is_numeric else "x:N", title=plot.x_title),
            alt.Tooltip("shown:N", title=plot.value_title),
            alt.Tooltip("games:Q", title="games", format=","),
        ]

    @property
    def height(self) -> float:
        if self.plot.is_numeric:
            return _HEIGHT if self.plot.panels == (None,) else _PANEL
        return len(self.plot.xs) * max(len(self.names) * 11 + 10, 26)

    def curves(self, labelled: bool) -> Iterator[Any]:
        plot = self.plot
        ticks: Any = list(plot.xs)
        if len(plot.xs) > 18 or plot.is_sparse:
            ticks = alt.Undefined
        axis = alt.Axis(values=ticks, grid=False, labelOverlap="greedy", labelExpr=_NUMBER)
        axis.labelSeparation = 5
        ends = [0.0, 100.0] if plot.chart.diagonal else [*map(float, (plot.xs[0], plot.xs[-1]))]
        scale = alt.Scale(domain=ends, zero=False, nice=False, padding=14)
        x = alt.X("x:Q", title=plot.x_title, axis=axis, scale=scale)
        y = alt.Y("value:Q", scale=self.scale, axis=self._value_axis(title=None))
        if plot.chart.diagonal:
            line = alt.Chart().mark_rule(color=MUTED, strokeDash=[3, 3], strokeWidth=1.2)
            start = {"x": alt.XDatum(0), "y": alt.YDatum(0)}
            yield line.encode(**start, x2=alt.X2Datum(100), y2=alt.Y2Datum(100))
        if plot.is_change:
            yield alt.Chart().mark_rule(color=MUTED).encode(y=alt.YDatum(0))
        bars, strength = _spread().mark_rule(strokeWidth=1.5), 0.55
        if len(self.names) <= _FEW:
            bars, strength = _spread().mark_area(), 0.16
        low, high = _renamed(y, "low:Q"), alt.Y2("high:Q")
        yield bars.encode(x=x, y=low, y2=high, color=self.colour, opacity=_opacity(strength))
        ours = alt.Chart().transform_filter("datum.ours").encode(x=x, y=y, color=self.colour)
        yield ours.mark_line().encode(strokeDash=self.dashes, opacity=_opacity(0.9))
        yield from self._points(x, y)
        if labelled:
            last = f"datum.x == {max(map(float, plot.xs))}"
            words = ours.transform_filter(last).mark_text(align="left", dx=9, fontSize=12.5)
            yield words.encode(text="line:N", opacity=_opacity(1.0))

    def dots(self) -> Iterator[Any]:
        plot = self.plot
        axis = alt.Axis(grid=False, ticks=False, domain=False, labelPadding=8)
        scale = alt.Scale(paddingInner=0.18 if len(self.names) > 1 else 0.1)
        y = alt.Y("x:N", sort=[*map(plain, plot.xs)], title=None, axis=axis, scale=scale)
        x = alt.X("value:Q", scale=self.scale, axis=self._value_axis(title=plot.value_title))
        if plot.is_change:
            yield alt.Chart().mark_rule(color=MUTED).encode(x=alt.XDatum(0))
        offset = {"yOffset": alt.YOffset("line:N", sort=self.names)} if len(self.names) > 1 else {}
        yield self._bars(x, y, **offset)
        yield from self._points(x, y, **offset)

    def ranking(self) -> Any:
        """Rank our lines and published lines, place by place, each place on an axis of its own."""
        scale = alt.Scale(zero=False, padding=12)
        axis = alt.Axis(title=None, tickCount=5, labelExpr=_NUMBER)
        x = alt.X("value:Q", scale=scale, axis=axis)
        sort = alt.EncodingSortField("value", order="descending")
        y = alt.Y("line:N", sort=sort, axis=alt.Axis(title=None, ticks=False, domain=False))
        panels = []
        for place in map(plain, self.plot.xs):
            title = alt.Title(place, fontSize=12.5)
            layers: Any = alt.layer(self._bars(x, y), *self._points(x, y), title=title)
            here = layers.transform_filter(f"datum.x == {json.dumps(place)}")
            panels.append(here.properties(width=200, height=alt.Step(20)))
        found: Any = alt.concat(*panels, columns=2, data=_NO_DATA, spacing=18)
        return found.resolve_scale(x="independent", y="independent", color="shared")

    def _bars(self, x: alt.X, y: alt.Y, **offset: Any) -> Any:
        low, high = _renamed(x, "low:Q"), alt.X2("high:Q")
        marks = _spread().mark_rule(strokeWidth=2)
        strength = _opacity(0.6)
        return marks.encode(y=y, x=low, x2=high, color=self.colour, opacity=strength, **offset)

    def _points(self, x: alt.X, y: alt.Y, **offset: Any) -> Iterator[Any]:
        marks = {"color": self.colour, "shape": self.shape, "tooltip": self.tooltip, **offset}
        ours, theirs = (
            alt.Chart().transform_filter(test).encode(x=x, y=y, **marks, opacity=_opacity(1.0))
            for test in ("datum.ours", "!datum.ours")
        )
        if self.plot.chart.published:
            yield theirs.mark_point(filled=False, size=75, strokeWidth=1.6)
        yield ours.mark_point(filled=True, size=52)
        # A finger needs more than a marker to hit.
        yield ours.mark_point(size=420, fill="transparent", stroke="transparent")

    def _value_axis(self, title: str | None) -> alt.Axis:
        ticks: Any = alt.Undefined
        if self.plot.is_log:
            least, most = log10(self.plot.least / 2), log10(self.plot.range[1])
            ticks = [10.0**power for power in range(floor(least), ceil(most) + 1)]
        words = title and wrap(title, 60)
        return alt.Axis(title=words, tickCount=6, values=ticks, labelExpr=_NUMBER)


def _spread() -> Any:
    """Select the values that have an interval."""
    return alt.Chart().transform_filter("isValid(datum.high)")


def _renamed(channel: Any, shorthand: str) -> Any:
    copy = channel.copy()
    copy.shorthand = shorthand
    return copy


def _opacity(strength: float) -> Any:
    return alt.OpacityValue(strength * _FAINT, condition={"test": _SHOWN, "value": strength})


def _scale(plot: Plot) -> alt.Scale:
    """Choose the axis that fits the values: logarithmic, whole, or zoomed in."""
    least, most = plot.range
    if plot.is_log:
        return alt.Scale(type="log", domain=[plot.least / 2, most], nice=False)
    if plot.is_percent and not plot.is_change:
        if most - least > 50 or plot.chart.diagonal:
            return alt.Scale(domain=[0, 100], nice=False)
        step = 5 if most - least > 10 else 2
        ends = [max(0, step * floor(least / step)), min(100, step * ceil(most / step))]
        return alt.Scale(domain=ends, nice=False)
    if plot.is_change:
        return alt.Scale(domain=[min(least, 0), max(most, 0)], nice=True)
    return alt.Scale(domain=[0 if least < most / 2 else least, most], nice=True)


def _labelled(plot: Plot) -> bool:
    """Whether names fit at the ends of the lines: few lines with ends apart from each other."""
    lines = plot.lines
    if plot.is_ranking:
        return True
    if not plot.is_numeric or plot.chart.board or len(lines) > _FEW or plot.panels != (None,):
        return False
    if plot.others or len(lines) < 2:
        return False
    ends = [plot.point(line, plot.xs[-1], None) for line in lines]
    heights = sorted(end.estimate.value for end in ends if end is not None)
    least, most = plot.range
    if len(heights) < len(lines) or most <= least or plot.is_log:
        return False
    return all(b - a >= _APART * (most - least) for a, b in pairwise(heights))


def _board(plot: Plot) -> list[alt.Chart]:
    """Draw boards: rows are lines, columns are places, and a higher value has a stronger colour."""
    least, most = plot.range
    bare: dict[str, Any] = dict.fromkeys(("grid", "ticks", "domain"), False)
    place = {"labelAngle": 0, "title": None, **bare}
    columns, rows = ([plain(value) for value in values] for values in (plot.xs, plot.lines))
    x = alt.X("x:N", sort=columns, axis=alt.Axis(**place))
    y = alt.Y("line:N", sort=rows, axis=alt.Axis(**place))
    strength = alt.Opacity(
        "value:Q", scale=alt.Scale(domain=[least, most], range=[0.08, 0.5]), legend=None
    )
    tooltip = [alt.Tooltip("shown:N", title=plot.value_title)]
    cells = alt.Chart().mark_rect(color=styles(["exact"])["exact"].colour, stroke=BACK)
    words = alt.Chart().mark_text(fontSize=10.5, color=INK)
    return [
        cells.encode(x=x, y=y, opacity=strength, tooltip=tooltip),
        words.encode(x=x, y=y, text="shown:N", tooltip=tooltip),
    ]
