"""A chart in words: its numbers, a title that states the finding, and its text alternative."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, hypot, isfinite, log10
from typing import Any, Final

from mineproof.arguments import counted
from mineproof.lab.report.plot import Plot
from mineproof.lab.sentences import agreeing, agrees, excess, listed, plain
from mineproof.lab.study import SCORE, WINS, Coordinate, Point
from mineproof.lab.verdicts import Verdict, judge, largest
from mineproof.statistics import Estimate

__all__ = ["capital", "described", "judged", "stated", "written"]


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
    """Describe a figure for readers who do not see it: the ends and the top of each line."""
    if plot.chart.board:
        return f"{plot.value_title}, cell by cell of {counted(len(plot.panels), 'board')}."
    sentences = [f"{plot.value_title}, by {plot.x_title}, with 95% intervals."]
    for panel in plot.panels:
        for line in plot.lines:
            points = plot.along(line, panel)
            if points:
                most = max(points, key=lambda point: point.estimate.value)
                told = {point.x: point.estimate for point in (points[0], most, points[-1])}
                where = f"{plot.panel_name(panel)}, " if panel is not None else ""
                sentences.append(f"{where}{plot.line_name(line)}: {_places(told)}.")
    for line in plot.chart.published:
        found = {x: figure for x in plot.xs if (figure := plot.published(line, x)) is not None}
        sentences.append(f"{line}, published: {_places(found)}.")
    return " ".join(sentences)


def _places(found: Mapping[Coordinate, Estimate]) -> str:
    return ", ".join(f"{written(estimate)[0]} at {plain(x)}" for x, estimate in found.items())


def stated(plot: Plot) -> str:
    """State the finding of a figure in a few words; names keep their small letters.

    `verdicts` decides which leads, peaks and changes are clear, over everything a title compares.
    """
    chart = plot.chart
    if chart.board or not plot.points or chart.lines == "what":
        return chart.title
    if plot.others:
        return _beside_others(plot)
    if chart.published:
        return _agreement(plot)
    if chart.diagonal:
        right = sum(p.estimate.low <= float(p.x) <= p.estimate.high for p in plot.points)
        cases = counted(len(plot.points), "case")
        return f"Guesses explode as often as stated in {right} of {cases}"
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
    """Compare our best with the best published value, at the last place that both have."""
    for x in reversed(plot.xs):
        ours = plot.at(x)
        found = {who: plot.published(who, x) for who in plot.others}
        theirs = {who: figure for who, figure in found.items() if figure is not None}
        if ours and theirs:
            (who, value), (other, figure) = (
                max(some.items(), key=lambda item: item[1].value) for some in (ours, theirs)
            )
            gap = excess(value, figure.value)
            close = "" if judge({who: gap}, 0)[who] == "clear" else " (too close to tell)"
            unit = _unit(plot)
            mine, best = f"{written(value)[0]}{unit}", f"{plain(other)} {figure.value:g}{unit}"
            if plot.chart.measure is WINS:
                return f"{plain(who)} wins {mine} on {plain(x)}, {best}{close}"
            what = capital(_measured(plot))
            return f"{what} at {plain(x)}: {plain(who)} {mine}, {best}{close}"
    return plot.chart.title


def _agreement(plot: Plot) -> str:
    pairs = [
        agrees(point, plot.chart.published[str(point.line)])
        for point in plot.points
        if plot.published(point.line, point.x) is not None
    ]
    if not pairs:
        return plot.chart.title
    return capital(agreeing(sum(pairs), len(pairs)))


def _change(plot: Plot) -> str:
    """Say how large a clear difference gets, or how small all are, or that nothing is decided."""
    verdicts = judged(plot)
    clear = [point for point, verdict in verdicts.items() if verdict == "clear"]
    if "correlation" in plot.chart.measure.title:
        return f"A clear correlation in {len(clear)} of {counted(len(verdicts), 'case')}"
    than = f" than {plot.chart.minus}" if plot.chart.minus is not None else ""
    unit = plot.chart.measure.units[1]
    if clear:
        most = max(clear, key=lambda point: abs(point.estimate.value))
        value = written(most.estimate)[0].removeprefix("\N{MINUS SIGN}")
        how = "more" if most.estimate.value > 0 else "less"
        who = f"{plot.line_name(most.line)}: up" if len(plot.lines) > 1 else "Up"
        return f"{who} to {value}{unit} {how}{than} at {plain(most.x)}"
    if "undecided" in verdicts.values():
        return f"Too few games to tell a difference in {_measured(plot)}"
    reach = max(largest(point.estimate) for point in plot.points)
    return f"No difference larger than {reach:.2g}{unit} in {_measured(plot)}"


def judged(plot: Plot) -> dict[Point, Verdict]:
    """Judge the differences of a figure, all together."""
    points = dict(enumerate(plot.points))
    found = judge({n: p.estimate for n, p in points.items()}, plot.chart.measure.margin)
    return {points[n]: verdict for n, verdict in found.items()}


def _lead(plot: Plot, rows: Mapping[Any, Mapping[Coordinate, Estimate]]) -> str:
    """Name the line that is highest most often, and say how often clearly."""
    leads: dict[Any, tuple[Coordinate, Estimate]] = {}
    for place, row in rows.items():
        if len(row) > 1:
            best, second = sorted(row, key=lambda who: -row[who].value)[:2]
            leads[place] = best, _gap(row[best], row[second])
    verdicts = judge({place: gap for place, (_, gap) in leads.items()}, 0)
    first: dict[Coordinate, list[bool]] = {}
    for place, (best, _) in leads.items():
        first.setdefault(best, []).append(verdicts[place] == "clear")
    if not first:
        return plot.chart.title
    most = plot.chart.measure.most or f"has the highest {_measured(plot)}"
    leader = max(first, key=lambda who: (sum(first[who]), len(first[who])))
    wins, clear = len(first[leader]), sum(first[leader])
    if not clear:
        # These intervals ignore that agents play the same boards, so answers may tell more apart.
        unbeaten = _unbeaten(rows) if plot.chart.measure in (WINS, SCORE) else []
        if leader in unbeaten and len(unbeaten) <= _FEW:
            close = [who for who in unbeaten if who != leader]
            followed = f", closely followed by {listed(close)}" if close else ""
            return f"{plain(leader)} leads{followed}"
        return f"Too close to tell which agent {most}"
    cases = {"density": "densities", "level": "levels", "side": "sizes"}.get(plot.chart.x, "cases")
    if plot.panels != (None,):
        cases = "cases"
    surely = "" if clear == wins else f", clearly in {clear}"
    if wins == len(leads):
        return f"{plain(leader)} {most}{surely and f'{surely} of {wins} {cases}'}"
    return f"{plain(leader)} {most} in {wins} of {len(leads)} {cases}{surely}"


_FEW: Final = 3
"""A title names at most this many agents."""


def _unbeaten(rows: Mapping[Any, Mapping[Coordinate, Estimate]]) -> list[Coordinate]:
    """Return the lines that are nowhere clearly behind the best."""
    behind = {
        (place, who): _gap(max(row.values(), key=lambda found: found.value), found)
        for place, row in rows.items()
        for who, found in row.items()
    }
    beaten = {who for (_, who), verdict in judge(behind, 0).items() if verdict == "clear"}
    return [who for who in dict.fromkeys(who for _, who in behind) if who not in beaten]


def _gap(one: Estimate, other: Estimate) -> Estimate:
    """Return the difference of two estimates that rest on different games."""
    value = one.value - other.value
    low = hypot(one.value - one.low, other.high - other.value)
    return Estimate(
        value, value - low, value + hypot(one.high - one.value, other.value - other.low)
    )


def _course(plot: Plot) -> str:
    """Say where the last line peaks, or how it rises or falls."""
    points = [some for line in plot.lines if (some := plot.along(line, plot.panels[-1]))][-1]
    first, last = points[0], points[-1]
    what = capital(_measured(plot))
    who = f" ({plot.line_name(first.line)})" if len(plot.lines) > 1 else ""
    top = max(points, key=lambda point: point.estimate.value)
    gaps = {end: _gap(top.estimate, end.estimate) for end in (first, last) if end is not top}
    unit = _unit(plot)
    if len(gaps) == 2 and set(judge(gaps, 0).values()) == {"clear"}:
        peak = f"{written(top.estimate)[0]}{unit}"
        return f"{what}, peaking at {peak} at {plot.x_title} {plain(top.x)}{who}"
    changes = {point: _gap(point.estimate, first.estimate) for point in points[1:]}
    clear = [point for point, verdict in judge(changes, 0).items() if verdict == "clear"]
    if clear:
        how = "rising" if changes[clear[-1]].value > 0 else "falling"
        one, other = (f"{written(p.estimate)[0]}{unit} at {plain(p.x)}" for p in (first, clear[-1]))
        return f"{what}, {how} from {one} to {other}{who}"
    return f"{what}, with no clear change from {plain(first.x)} to {plain(last.x)}{who}"


def _unit(plot: Plot) -> str:
    measure = plot.chart.measure
    return "%" if measure.factor == 100 else measure.unit if measure.factor != 1 else ""


def _measured(plot: Plot) -> str:
    return plot.chart.measure.title.partition(", ")[0]


def capital(words: str) -> str:
    """Let words begin with a capital letter."""
    return words[:1].upper() + words[1:]
