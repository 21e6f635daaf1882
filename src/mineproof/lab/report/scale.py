"""From values to places along an axis, and the numbers to write there."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log10
from typing import Final

from matplotlib.ticker import LogLocator, MaxNLocator

from mineproof.lab.report.plot import Plot

__all__ = ["Scale", "scale_of_places", "scale_of_values", "tick_label"]

_STEPS: Final = [1, 2, 2.5, 5, 10]
"""Numbers of an axis are these apart, or ten times that."""


def tick_label(value: float) -> str:
    """Write a number of an axis.

    Examples
    --------
    >>> tick_label(0.1 + 0.2), tick_label(20000.0), tick_label(-5.0)
    ('0.3', '20,000', '−5')
    """
    written = f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.4g}"
    return written.replace("-", "\N{MINUS SIGN}")


@dataclass(frozen=True, slots=True)
class Scale:
    """From where to where values go.

    Parameters
    ----------
    low, high
        The ends.
    log
        Whether equal ways stand for equal factors.

    Examples
    --------
    >>> Scale(0, 50).place(10), Scale(1, 100, log=True).place(10)
    (0.2, 0.5)
    >>> Scale(0, 50).place(float("inf"))
    1.0
    """

    low: float
    high: float
    log: bool = False

    def place(self, value: float) -> float:
        """Return where a value lies, as a share of the way; at the end that it lies beyond."""
        value = min(max(value, self.low), self.high)
        if self.log:
            return log10(value / self.low) / log10(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def shows(self, value: float) -> bool:
        """Whether a value has a place; zero has none among factors."""
        return isfinite(value) and (value > 0 or not self.log)

    def ticks(self, most: int, *, whole: bool = False) -> list[float]:
        """Return round numbers along the scale, no more than so many.

        Examples
        --------
        >>> Scale(-2, 102).ticks(6), Scale(0.5, 2000, log=True).ticks(6)
        ([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], [1.0, 10.0, 100.0, 1000.0])
        """
        if self.log:
            few = log10(self.high / self.low) < 2
            places = LogLocator(subs=(1.0, 2.0, 5.0) if few else (1.0,)).tick_values(
                self.low, self.high
            )
        else:
            places = MaxNLocator(most, steps=_STEPS, integer=whole).tick_values(self.low, self.high)
        return [float(place) for place in places if self.low <= place <= self.high]


def scale_of_values(plot: Plot) -> Scale:
    """Choose a scale that shows all values of a chart with their intervals, where those end."""
    chart = plot.chart
    numbers = [
        number
        for point in plot.points
        for number in (point.estimate.low, point.estimate.value, point.estimate.high)
    ]
    numbers += [value for line in chart.published.values() for value in line.values()]
    if chart.log:
        found = [number for number in numbers if isfinite(number) and number > 0]
        low, high = log10(min(found, default=0.1)), log10(max(found, default=10.0))
        room = max((high - low) * 0.05, 0.1)
        return Scale(10 ** (low - room), 10 ** (high + room), log=True)
    found = [number for number in numbers if isfinite(number)]
    if chart.minus is not None or not plot.is_percent:
        found.append(0.0)
    if chart.diagonal:
        found += [float(x) for x in plot.xs]
    low, high = min(found, default=0.0), max(found, default=1.0)
    if plot.is_percent and chart.minus is None:
        if high - low > 50:
            return Scale(-2, 102)
        room = max((high - low) * 0.06, 0.5)
        return Scale(max(low - room, -2), min(high + room, 102))
    room = (high - low) * 0.05 or 0.5
    return Scale(low - (room if low < 0 else room / 2), high + room)


def scale_of_places(plot: Plot) -> Scale:
    """Choose a scale that shows all numbers along the axis of a chart."""
    if plot.chart.diagonal:
        return scale_of_values(plot)
    first, last = float(plot.xs[0]), float(plot.xs[-1])
    room = (last - first) * 0.03 or 0.5
    return Scale(first - room, last + room)
