"""A chart in words: its numbers, the title that states what it shows, and its text alternative."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import floor, isfinite, log10
from typing import Any

from mineproof.arguments import counted
from mineproof.lab.report.plot import Plot, name
from mineproof.lab.sentences import agreeing, agrees, excess
from mineproof.lab.study import Coordinate, Point
from mineproof.lab.verdicts import judge, largest, margin_of
from mineproof.statistics import Estimate

__all__ = ["described", "stated", "written"]


def written(estimate: Estimate) -> tuple[str, str, str]:
    """Write a value and the ends of its interval to the same digits, three of them if possible.

    Examples
    --------
    >>> written(Estimate(88.0, 80.19, 93.0)), written(Estimate(-0.0123, -0.5, 0.0))
    (('88.0', '80.2', '93.0'), ('−0.012', '−0.500', '0.000'))
    """
    numbers = (estimate.value, estimate.low, estimate.high)
    largest = max((abs(number) for number in numbers if isfinite(number)), default=0.0)
    digits = 0 if largest == 0 else min(max(2 - floor(log10(largest)), 0), 6)
    # A hundred percent takes as many digits as ninety-nine.
    digits = max(digits, 1) if largest <= 100 else digits
    value, low, high = (_fixed(number, digits) for number in numbers)
    return value, low, high


def _fixed(number: float, digits: int) -> str:
    # Adding zero makes no zero negative.
    return f"{round(number, digits) + 0.0:,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def described(plot: Plot) -> str:
    """Say what a figure shows, for readers who do not see it: the ends and the top of each line."""
    if plot.chart.board:
        return f"{plot.value_title}, cell by cell of {counted(len(plot.panels), 'board')}."
    sentences = [f"{plot.value_title}, by {plot.x_title}, with 95% intervals."]
    for panel in plot.panels:
        for line in plot.lines:
            points = plot.along(line, panel)
            if points:
                most = max(points, key=lambda point: point.estimate.value)
                told = dict.fromkeys([points[0], most, points[-1]])
                said = ", ".join(f"{written(p.estimate)[0]} at {name(p.x)}" for p in told)
                where = f"{plot.panel_name(panel)}, " if panel is not None else ""
                sentences.append(f"{where}{plot.line_name(line)}: {said}.")
    return " ".join(sentences)


def stated(plot: Plot) -> str:
    """State in a few words what a figure shows; names keep their small letters.

    A lead is called clear only if intervals do not overlap, a difference as `verdicts` says.
    """
    chart = plot.chart
    if chart.board or not plot.points:
        return chart.title
    if plot.others:
        return _beside_others(plot)
    if chart.published:
        return _agreement(plot)
    if chart.diagonal:
        right = sum(p.estimate.low <= float(p.x) <= p.estimate.high for p in plot.points)
        return f"The stated value is within {right} of {counted(len(plot.points), 'interval')}"
    if plot.is_change:
        return _change(plot)
    agents = {"agent", "player"}
    if chart.lines in agents and len(plot.lines) > 1:
        return _lead(plot, {(x, p): plot.at(x, p) for x in plot.xs for p in plot.panels})
    if chart.x in agents and len(plot.xs) > 1:
        rows = {
            (line, panel): {p.x: p.estimate for p in plot.along(line, panel)}
            for line in plot.lines
            for panel in plot.panels
        }
        return _lead(plot, rows)
    return _course(plot)


def _beside_others(plot: Plot) -> str:
    """Compare our best with the best of the others, in the last place that both have."""
    for x in reversed(plot.xs):
        ours = plot.at(x)
        found = {who: plot.published(who, x) for who in plot.others}
        theirs = {who: figure for who, figure in found.items() if figure is not None}
        if ours and theirs:
            (who, value), (other, figure) = (
                max(some.items(), key=lambda item: item[1].value) for some in (ours, theirs)
            )
            gap = excess(value, figure.value)
            close = "" if judge({who: gap}, 0)[who] == "clear" else ", too close to tell"
            said = f"{name(who)} {written(value)[0]}, {name(other)} {figure.value:g}{close}"
            return f"{_capital(_measured(plot))} at {name(x)}: {said}"
    return plot.chart.title


def _agreement(plot: Plot) -> str:
    pairs = [
        agrees(point, plot.chart.published[str(point.line)])
        for point in plot.points
        if plot.published(point.line, point.x) is not None
    ]
    if not pairs:
        return plot.chart.title
    return _capital(agreeing(sum(pairs), len(pairs)))


def _change(plot: Plot) -> str:
    """Say how large a clear difference gets, or how small all are, or that nothing is decided."""
    points = {(point.line, point.x, point.panel): point for point in plot.points}
    margin = margin_of(plot.chart.measure)
    verdicts = judge({place: point.estimate for place, point in points.items()}, margin)
    clear = [points[place] for place, verdict in verdicts.items() if verdict == "clear"]
    if "correlation" in plot.chart.measure.title:
        return f"{len(clear)} of {counted(len(points), 'correlation')} clear"
    than = f" than {plot.chart.minus}" if plot.chart.minus is not None else ""
    unit = " points" if plot.chart.measure.factor == 100 else plot.chart.measure.unit
    if clear:
        most = max(clear, key=lambda point: abs(point.estimate.value))
        value = written(most.estimate)[0].removeprefix("\N{MINUS SIGN}")
        how = "more" if most.estimate.value > 0 else "less"
        who = f"{plot.line_name(most.line)}: up" if len(plot.lines) > 1 else "Up"
        often = f"{len(clear)} of {counted(len(points), 'difference')} clear"
        return f"{who} to {value}{unit} {how}{than}, at {name(most.x)}; {often}"
    if "undecided" in verdicts.values():
        return f"Undecided with so few games: {_measured(plot)}"
    reach = max(largest(point.estimate) for point in plot.points)
    return f"No difference larger than {reach:.2g}{unit} in {_measured(plot)}"


def _lead(plot: Plot, rows: Mapping[Any, Mapping[Coordinate, Estimate]]) -> str:
    """Say who is highest most often, and how often clearly."""
    first: dict[Coordinate, list[bool]] = {}
    contests = [row for row in rows.values() if len(row) > 1]
    for row in contests:
        best, second = sorted(row, key=lambda who: -row[who].value)[:2]
        first.setdefault(best, []).append(row[best].low > row[second].high)
    if not first:
        return plot.chart.title
    leader = max(first, key=lambda who: (len(first[who]), sum(first[who])))
    wins, clear = len(first[leader]), sum(first[leader])
    word = "densities" if plot.x_title == "density" else "cases"
    often = f"in all {word}" if wins == len(contests) else f"in {wins} of {len(contests)} {word}"
    surely = "" if clear == wins else f", clearly in {clear}" if clear else ", but never clearly"
    measured = _measured(plot)
    has = f"has the {'most' if measured.endswith('per game') else 'highest'} {measured}"
    if plot.chart.measure.column == "won":
        has = "wins most games"
    return f"{name(leader)} {has} {often}{surely}"


def _course(plot: Plot) -> str:
    """Say where the last line peaks, or how it rises or falls."""
    panel = plot.panels[-1]
    lines = [points for line in plot.lines if (points := plot.along(line, panel))]
    points = lines[-1]
    what = _capital(_measured(plot))
    who = f" ({plot.line_name(points[0].line)})" if len(plot.lines) > 1 else ""
    first, last = points[0], points[-1]
    most = max(points, key=lambda point: point.estimate.value)
    ends = [point.estimate.high for point in (first, last) if point is not most]
    if len(points) > 2 and all(most.estimate.low > end for end in ends) and len(ends) == 2:
        return f"{what}: most at {plot.x_title} {name(most.x)}{who}"
    span = _span(points)
    if first.estimate.high < last.estimate.low:
        return f"{what}: up {span}{who}"
    if first.estimate.low > last.estimate.high:
        return f"{what}: down {span}{who}"
    return f"{what}: no clear change between {name(first.x)} and {name(last.x)}{who}"


def _span(points: Sequence[Point]) -> str:
    first, last = points[0], points[-1]
    one, other = written(first.estimate)[0], written(last.estimate)[0]
    return f"from {one} at {name(first.x)} to {other} at {name(last.x)}"


def _measured(plot: Plot) -> str:
    return plot.chart.measure.title.removesuffix(", %").removesuffix(", points")


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
