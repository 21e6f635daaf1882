"""What answers are made of: figures in words, who leads, how a curve runs and where it crosses.

Arms without records are passed over, so that a study can be asked before its run has finished.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, inf, isfinite, log10
from typing import TYPE_CHECKING

from mineproof.lab.study import Coordinate, Measure
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = [
    "Lead",
    "aside",
    "crossing",
    "curve",
    "difference",
    "is_clear",
    "lead",
    "leaders",
    "listed",
    "placed",
    "plain",
    "shown",
    "spans",
    "thresholds",
]


def listed(words: Iterable[object]) -> str:
    """Join words, at least one, the way a sentence does.

    Examples
    --------
    >>> listed(["random", "basic", "exact"])
    'random, basic and exact'
    """
    *others, last = map(plain, words)
    return f"{', '.join(others)} and {last}" if others else last


def plain(value: object) -> str:
    """Write a place on an axis.

    Examples
    --------
    >>> plain(0.30000000000000004), plain("easy")
    ('0.3', 'easy')
    """
    return f"{value:g}" if isinstance(value, float) else str(value)


def spans(values: Collection[Coordinate], among: Sequence[Coordinate]) -> str:
    """Write some of the places on an axis, neighbours from the first to the last.

    Examples
    --------
    >>> spans([0.1, 0.2, 0.3, 0.5, 0.6], among=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    '0.1 to 0.3, 0.5 and 0.6'
    """
    runs: list[list[Coordinate]] = []
    last = -2
    for place, value in enumerate(among):
        if value in values:
            if place == last + 1:
                runs[-1].append(value)
            else:
                runs.append([value])
            last = place
    words: list[object] = []
    for run in runs:
        words += [f"{plain(run[0])} to {plain(run[-1])}"] if len(run) > 2 else run
    return listed(words)


def shown(estimate: Estimate, unit: str = "", *, sign: bool = False) -> str:
    """Write an estimate with its unit and interval, to the digits that the interval bears.

    Examples
    --------
    >>> shown(Estimate(88.1234, 80.19, 93.02), "%")
    '88.1% (80.2 to 93.0)'
    >>> shown(Estimate(2.0, 0.61, 3.39), " points", sign=True)
    '+2.0 points (0.6 to 3.4)'
    >>> shown(Estimate(7.0, -inf, inf), " steps")
    '7 steps (one game, so no interval)'
    """
    plus = "+" if sign else ""
    if not isfinite(estimate.width):
        return f"{estimate.value:{plus}.3g}{unit} (one game, so no interval)"
    half = estimate.width / 2
    digits = 1 if half == 0 else min(max(1 - floor(log10(half)), 0), 3)
    value, low, high = (
        # Adding zero makes no zero negative.
        round(number, digits) + 0.0
        for number in (estimate.value, estimate.low, estimate.high)
    )
    text = f"{value:{plus}.{digits}f}{unit} ({low:.{digits}f} to {high:.{digits}f})"
    return text.replace("-", "\N{MINUS SIGN}")


def aside(estimate: Estimate, unit: str = "", *, sign: bool = False) -> str:
    """Write an estimate as `shown` does, but so that it fits into brackets.

    Examples
    --------
    >>> aside(Estimate(88.1234, 80.19, 93.02), "%")
    '88.1%, 80.2 to 93.0'
    """
    return shown(estimate, unit, sign=sign).replace(" (", ", ", 1).rstrip(")")


def is_clear(difference: Estimate | None) -> bool:
    """Whether the interval of a difference leaves out 0: it is not to be put down to chance.

    Examples
    --------
    >>> is_clear(Estimate(2.0, 0.5, 3.5)), is_clear(Estimate(2.0, -0.5, 4.5)), is_clear(None)
    (True, False, False)
    """
    return difference is not None and (difference.low > 0 or difference.high < 0)


def difference(
    findings: Findings,
    measure: Measure,
    at: Mapping[str, Coordinate],
    minus: Mapping[str, Coordinate],
) -> Estimate | None:
    """Estimate by how much one arm exceeds another, game by game; None where nothing tells yet."""
    try:
        return findings.difference(measure, at, minus)
    except LookupError:
        return None


@dataclass(frozen=True, slots=True)
class Lead:
    """Who does best, and how far that can be trusted.

    Parameters
    ----------
    best, value
        Who, and what was measured of it.
    second, ahead
        Who comes next, and how far the best is ahead of it, game by game; None where nobody is.
    close
        All whose difference from the best could be chance.
    """

    best: Coordinate
    value: Estimate
    second: Coordinate | None = None
    ahead: Estimate | None = None
    close: tuple[Coordinate, ...] = ()

    def sentence(self, unit: str, gap: str) -> str:
        """Say who is best and by how much, or with whom it is too close to tell.

        Examples
        --------
        >>> value, ahead = Estimate(88.0, 80.2, 93.0), Estimate(4.0, 1.0, 7.5)
        >>> Lead("exact", value, "border", ahead).sentence("%", " points")
        'exact with 88.0% (80.2 to 93.0), 4.0 points (1.0 to 7.5) ahead of border, the next'
        >>> Lead("exact", value, "border", Estimate(1.0, -1.0, 3.0), ("border",)).sentence("%", "")
        'exact with 88.0% (80.2 to 93.0), too close to tell from border'
        """
        said = f"{plain(self.best)} with {shown(self.value, unit)}"
        if self.close:
            return f"{said}, too close to tell from {listed(self.close)}"
        if self.second is None or self.ahead is None:
            return said
        return f"{said}, {shown(self.ahead, gap)} ahead of {plain(self.second)}, the next"


def lead(
    findings: Findings,
    measure: Measure,
    lines: str,
    at: Mapping[str, Coordinate],
    *,
    least: bool = False,
    among: Collection[Coordinate] | None = None,
) -> Lead | None:
    """Find who does best at a place; None where nothing was played there yet.

    Parameters
    ----------
    findings
        What the records say.
    measure
        What is compared.
    lines
        The coordinate that tells apart who is compared.
    at
        Where: together with a value of `lines`, the coordinates of one arm.
    least
        Whether less is better.
    among
        Who is compared; by default all.
    """
    names = [n for n in findings.values(lines, **at) if among is None or n in among]
    values = {name: findings.estimate(measure, **{**at, lines: name}) for name in names}
    ranked = sorted(names, key=lambda name: values[name].value, reverse=not least)
    if not ranked:
        return None
    best, *rest = ranked
    gaps = {}
    for other in rest:
        more, less = (other, best) if least else (best, other)
        gap = difference(findings, measure, {**at, lines: more}, {**at, lines: less})
        if gap is not None:
            gaps[other] = gap
    second = next(iter(gaps), None)
    return Lead(
        best,
        values[best],
        second,
        None if second is None else gaps[second],
        tuple(other for other, gap in gaps.items() if not is_clear(gap)),
    )


def curve(
    findings: Findings, measure: Measure, x: str, at: Mapping[str, Coordinate]
) -> dict[Coordinate, Estimate]:
    """Read a measure along an axis, in the order of the study."""
    places = findings.values(x, **at)
    return {place: findings.estimate(measure, **{**at, x: place}) for place in places}


def leaders(
    findings: Findings,
    measure: Measure,
    lines: str,
    x: str,
    at: Mapping[str, Coordinate],
    *,
    among: Collection[Coordinate] | None = None,
) -> str:
    """Say who does best along an axis, and where that is too close to tell from others.

    What is said fits into a sentence: "exact at 0.1 to 0.9 (too close to tell at 0.1)". It is empty
    where nothing was played yet.
    """
    places = findings.values(x, **at)
    best: dict[Coordinate, dict[Coordinate, bool]] = {}
    for place in places:
        found = lead(findings, measure, lines, {**at, x: place}, among=among)
        if found is not None:
            best.setdefault(found.best, {})[place] = not found.close
    if not best:
        return ""
    most_first = sorted(best.items(), key=lambda item: -len(item[1]))
    return listed(
        f"{plain(name)} at {spans(clear, places)}{_doubts(clear, places)}"
        for name, clear in most_first
    )


def _doubts(clear: Mapping[Coordinate, bool], among: Sequence[Coordinate]) -> str:
    doubtful = [place for place, is_clear in clear.items() if not is_clear]
    if not doubtful:
        return ""
    if len(doubtful) == len(clear):
        return " (too close to tell)"
    return f" (too close to tell at {spans(doubtful, among)})"


def crossing(
    points: Mapping[Coordinate, Estimate], level: float, *, rising: bool = False
) -> Estimate | None:
    """Find where a curve first comes below a level, or above it, in straight lines between points.

    The ends of the interval are where the ends of the curve's intervals do. What lies before the
    first point is infinitely far that way, and so is what lies beyond the last.

    Examples
    --------
    >>> falling = {0.1: Estimate(90, 85, 95), 0.3: Estimate(60, 55, 65), 0.5: Estimate(40, 35, 45)}
    >>> print(crossing(falling, 50))
    0.4 (0.35 to 0.45)
    >>> print(crossing(falling, 30), crossing(falling, 94))
    inf (inf to inf) -inf (-inf to 0.1067)
    >>> print(crossing(dict(zip(falling, reversed(falling.values()))), 50, rising=True))
    0.2 (0.15 to 0.25)
    """
    if not points:
        return None
    up = -1.0 if rising else 1.0
    value, *ends = (
        _comes_below({float(x): up * getattr(points[x], end) for x in points}, up * level)
        for end in ("value", "low", "high")
    )
    return Estimate(value, min(ends), max(ends))


def _comes_below(values: Mapping[float, float], level: float) -> float:
    if next(iter(values.values())) < level:
        return -inf
    for (left, above), (right, below) in pairwise(values.items()):
        if below < level:
            return left + (right - left) * (above - level) / (above - below)
    return inf


def placed(found: Estimate, points: Collection[Coordinate]) -> str:
    """Write where a curve crosses a level, or at which end of its points it does not.

    Examples
    --------
    >>> placed(Estimate(0.4123, 0.3511, 0.4502), [0.1, 0.9])
    '0.412 (0.351 to 0.450)'
    >>> placed(Estimate(inf, 0.85, inf), [0.1, 0.9])
    'beyond 0.9 (0.85 or more)'
    """
    first, *_, last = [plain(x) for x in (*points, *points)]
    value, low, high = (_short(x) for x in (found.value, found.low, found.high))
    if isfinite(found.width):
        return shown(found)
    doubt = f"{low} or more" if low else f"{high} or less" if high else ""
    if value:
        return f"{value} ({doubt or 'anywhere'})"
    place = f"beyond {last}" if found.value > 0 else f"before {first}"
    return f"{place} ({doubt})" if doubt else place


def _short(x: float) -> str:
    """Write a place to two digits at least; nothing where it is infinitely far."""
    if not isfinite(x):
        return ""
    return f"{x:.0f}" if abs(x) >= 10 else f"{x:.2g}"


def thresholds(
    findings: Findings, measure: Measure, lines: str, x: str, level: float, place: str = ""
) -> str:
    """Say up to where on an axis each line stays above a level, the least far first.

    What is said fits into a sentence: "up to a density of 0.17 (0.16 to 0.18) by basic and 0.31
    (0.3 to 0.32) by exact, and nowhere by random".

    Parameters
    ----------
    findings, measure
        What is read off the records.
    lines, x
        The coordinates that tell lines apart, and of the axis.
    level
        The level.
    place
        What precedes a place on the axis.
    """
    reached: list[tuple[float, str]] = []
    never = []
    for name in findings.values(lines):
        points = curve(findings, measure, x, {lines: name})
        found = crossing(points, level)
        if found is None or found.value == -inf:
            never.append(name)
        else:
            reached.append((found.value, f"{placed(found, points)} by {plain(name)}"))
    if not reached:
        return f"nowhere by {listed(never)}"
    far = f"up to {place}{listed(text for _, text in sorted(reached))}"
    return f"{far}, and nowhere by {listed(never)}" if never else far
