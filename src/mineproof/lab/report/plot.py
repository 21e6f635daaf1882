"""The values of a chart in their places, for its figure and its table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Final

from mineproof.arguments import counted
from mineproof.lab.findings import Findings
from mineproof.lab.sentences import plain
from mineproof.lab.study import Chart, Coordinate, Point
from mineproof.statistics import Estimate

__all__ = ["Plot"]

_DECADES: Final = 50
"""If the largest value is more than this many times the smallest, the axis is logarithmic."""


@dataclass(frozen=True)
class Plot:
    """The values of a chart in their places.

    Parameters
    ----------
    chart
        What is shown.
    points
        Its values.
    """

    chart: Chart
    points: tuple[Point, ...]

    @classmethod
    def of(cls, findings: Findings, chart: Chart) -> Plot:
        """Compute the values of a chart from the records so far."""
        try:
            return cls(chart, findings.points(chart))
        except LookupError:
            return cls(chart, ())

    @cached_property
    def lines(self) -> tuple[Coordinate, ...]:
        """The lines, including lines that only others published."""
        ours = _each(point.line for point in self.points)
        named = set(map(str, ours))
        return ours + tuple(line for line in self.chart.published if line not in named)

    @cached_property
    def xs(self) -> tuple[Coordinate, ...]:
        """The places along the axis, in order."""
        published = (x for line in self.chart.published.values() for x in line.values)
        found = _each([*(point.x for point in self.points), *published])
        numbers = [x for x in found if not isinstance(x, str)]
        return tuple(sorted(numbers)) if len(numbers) == len(found) else found

    @cached_property
    def panels(self) -> tuple[Coordinate | None, ...]:
        """The coordinate of each panel; a single None without panels."""
        return tuple(dict.fromkeys(point.panel for point in self.points)) or (None,)

    @property
    def is_numeric(self) -> bool:
        """Whether places along the axis are numbers."""
        return not any(isinstance(x, str) for x in self.xs)

    @cached_property
    def others(self) -> tuple[Coordinate, ...]:
        """The lines that only others published."""
        ours = {str(point.line) for point in self.points}
        return tuple(line for line in self.lines if str(line) not in ours)

    @cached_property
    def range(self) -> tuple[float, float]:
        """The smallest and the largest value on the axis, intervals included."""
        numbers = []
        theirs = (self.published(line, x) for line in self.lines for x in self.xs)
        for estimate in (*(point.estimate for point in self.points), *filter(None, theirs)):
            numbers += [n for n in (estimate.value, estimate.low, estimate.high) if isfinite(n)]
        return min(numbers, default=0.0), max(numbers, default=0.0)

    @cached_property
    def is_log(self) -> bool:
        """Whether the axis of values is logarithmic: they span decades, and few are 0."""
        values = [point.estimate.value for point in self.points]
        above = [value for value in values if value > 0]
        if not above or min(values) < 0 or self.chart.measure.factor == 100 or self.chart.board:
            return False
        enough = 0.75 if self.is_numeric else 1.0  # a name without a value looks like a mistake
        return max(above) >= _DECADES * min(above) and len(above) >= enough * len(values)

    @cached_property
    def least(self) -> float:
        """The least value above 0; 0 if there is none."""
        return min((p.estimate.value for p in self.points if p.estimate.value > 0), default=0.0)

    @property
    def is_change(self) -> bool:
        """Whether values are differences, or may be below 0 for another reason."""
        return self.chart.minus is not None or self.range[0] < 0

    @property
    def is_ranking(self) -> bool:
        """Whether to rank our lines and published lines, place by place."""
        return bool(self.others) and not self.is_numeric

    @property
    def is_flat(self) -> bool:
        """Whether values run from left to right, with their title below."""
        return not self.is_numeric and not self.chart.board

    @property
    def is_sparse(self) -> bool:
        """Whether most lines have no value at most places: each has places of its own."""
        ours = [line for line in self.lines if line not in self.chart.published]
        return len(self.points) < 0.5 * len(ours) * len(self.xs) * len(self.panels)

    @property
    def is_percent(self) -> bool:
        """Whether values are percentages."""
        measure = self.chart.measure
        return measure.factor == 100 and (measure.share or measure.bounds[1] == 1)

    @property
    def value_title(self) -> str:
        """The title of the axis of values."""
        title, minus = self.chart.measure.title, self.chart.minus
        return title if minus is None else f"{title}: difference from {minus}"

    @property
    def x_title(self) -> str:
        """The title of the axis of places."""
        return self.chart.x_title or self.chart.x

    def line_name(self, line: Coordinate) -> str:
        """Call a line by its name."""
        return plain(line, self.chart.lines)

    def panel_name(self, panel: Coordinate | None) -> str:
        """Call a panel by its name."""
        return "" if panel is None else f"{self.chart.panels}: {plain(panel)}"

    def point(
        self, line: Coordinate, x: Coordinate, panel: Coordinate | None = None
    ) -> Point | None:
        """Return the value of a place, where there is one."""
        return self._places.get((line, x, panel))

    def along(self, line: Coordinate, panel: Coordinate | None = None) -> tuple[Point, ...]:
        """Return the values of a line, in their order."""
        found = (self.point(line, x, panel) for x in self.xs)
        return tuple(point for point in found if point is not None)

    def at(self, x: Coordinate, panel: Coordinate | None = None) -> dict[Coordinate, Estimate]:
        """Return the estimates of all lines at a place."""
        found = ((line, self.point(line, x, panel)) for line in self.lines)
        return {line: point.estimate for line, point in found if point is not None}

    def published(self, line: Coordinate, x: Coordinate) -> Estimate | None:
        """Return the published value at a place, if any."""
        found = self.chart.published.get(str(line))
        return found.estimate(x, self.chart.measure) if found and x in found.values else None

    @property
    def games(self) -> str:
        """On how many games the values rest, in words."""
        games = [point.games for point in self.points]
        fewest, most = min(games, default=0), max(games, default=0)
        return counted(most, "game") if fewest == most else f"{fewest:,} to {most:,} games"

    @cached_property
    def _places(self) -> dict[tuple[Coordinate, Coordinate, Coordinate | None], Point]:
        return {(point.line, point.x, point.panel): point for point in self.points}


def _each(values: Iterable[Coordinate]) -> tuple[Coordinate, ...]:
    return tuple(dict.fromkeys(values))
