"""Sentence forms for the answers of studies: a claim, its figures and their 95% intervals.

A form yields nothing without records, so that a study can answer before its run has finished.
`verdicts` says when a difference is clear, small or undecided.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby, pairwise
from math import floor, hypot, inf, isfinite, log, log10, sqrt
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from mineproof.lab.study import Chart, Coordinate, Measure, Point, Published
from mineproof.lab.verdicts import games_needed, is_clear, judge, largest
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

T = TypeVar("T")

Curve: TypeAlias = Mapping[Any, Estimate]
"""A measure, or a difference, by its place on an axis or by agent."""


def plain(value: Coordinate, coordinate: str = "") -> str:
    """Write a coordinate; a number follows the name of its coordinate, if a name is given.

    Examples
    --------
    >>> plain("exact", "agent"), plain(10, "mines"), plain(0.30000000000000004)
    ('exact', 'mines 10', '0.3')
    """
    if isinstance(value, str):
        return value
    written = f"{value:,}" if isinstance(value, int) else f"{value:.6g}"
    return f"{coordinate} {written}" if coordinate else written


def listed(words: Iterable[Coordinate], conjunction: str = "and") -> str:
    """Join words, at least one, as a sentence does.

    Examples
    --------
    >>> listed(["random", "basic", 0.30000000000000004])
    'random, basic and 0.3'
    """
    *others, last = map(plain, words)
    return f"{', '.join(others)} {conjunction} {last}" if others else last


def spans(
    values: Collection[Coordinate], among: Iterable[Coordinate], conjunction: str = "and"
) -> str:
    """Write places on an axis; consecutive numbers become a range.

    Examples
    --------
    >>> spans([0.1, 0.2, 0.3, 0.5, 0.6], among=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    '0.1 to 0.3, 0.5 and 0.6'
    """
    words: list[Coordinate] = []
    for chosen, run in groupby(among, key=lambda place: place in values):
        places = list(run)
        if chosen and len(places) > 2 and not isinstance(places[0], str):
            words.append(f"{plain(places[0])} to {plain(places[-1])}")
        elif chosen:
            words += places
    return listed(words, conjunction)


def shown(estimate: Estimate, unit: str = "") -> str:
    """Write an estimate with its unit and interval, to the digits that the interval supports.

    Examples
    --------
    >>> shown(Estimate(88.1234, 80.19, 93.02), "%")
    '88.1% (80.2 to 93.0)'
    >>> shown(Estimate(7.0, -inf, inf), " steps")
    '7 steps (one game, so no interval)'
    """
    if not isfinite(estimate.width):
        return f"{estimate.value:.3g}{unit} (one game, so no interval)"
    half = estimate.width / 2
    digits = 1 if half == 0 else min(max(1 - floor(log10(half)), 0), 3)
    value, low, high = (
        round(number, digits) + 0.0  # which turns -0.0 into 0.0
        for number in (estimate.value, estimate.low, estimate.high)
    )
    text = f"{value:.{digits}f}{unit} ({low:.{digits}f} to {high:.{digits}f})"
    return text.replace("-", "\N{MINUS SIGN}")


def top(curve: Mapping[T, Estimate]) -> T:
    """Return where a curve is highest.

    Examples
    --------
    >>> top({0.1: Estimate(5, 4, 6), 0.2: Estimate(7, 6, 8)})
    0.2
    """
    return max(curve, key=lambda place: curve[place].value)


def excess(estimate: Estimate, figure: float) -> Estimate:
    """Return by how much an estimate exceeds a figure that is taken as exact."""
    numbers = (number - figure for number in (estimate.value, estimate.low, estimate.high))
    return Estimate(*numbers, count=estimate.count)


def amounts(words: str, curve: Curve, measure: Measure, place: str = "with {}") -> Iterator[str]:
    """Say how much there is at each place.

    Examples
    --------
    >>> from mineproof.lab.study import WINS
    >>> [*amounts("exact wins", {"easy": Estimate(88, 80, 93)}, WINS, "on {}")]
    ['exact wins 88.0% (80.0 to 93.0) on easy.']
    """
    unit = measure.units[0]
    if curve:
        said = listed(f"{shown(curve[x], unit)} {place.format(plain(x))}" for x in curve)
        yield f"{words} {said}."


def effect(what: str, changes: Curve, measure: Measure, place: str = "at {}") -> Iterator[str]:
    """Say where a difference is clear, which way it goes and how large it gets; and where not.

    Examples
    --------
    >>> from mineproof.lab.study import SCORE
    >>> wide = Estimate(3, -9, 15, count=50)
    >>> gains = {0.1: Estimate(1, -1, 3), 0.5: wide, 0.9: Estimate(9, 6, 12)}
    >>> from textwrap import wrap
    >>> for line in wrap("".join(effect("The score", gains, SCORE)), 90):
    ...     print(line)
    The score is higher at 0.9, by 9.0 points (6.0 to 12.0); it differs by at most 3 points at
    0.1; it does not clearly differ at 0.5 (about 290 games would tell).
    """
    if not changes:
        return
    unit, margin = measure.units[1], measure.margin
    clear, small, undecided = _by_verdict(changes, margin)
    ways = {
        "higher": [x for x in clear if changes[x].value > 0],
        "lower": [x for x in clear if changes[x].value <= 0],
    }
    said: list[str] = []

    def where(places: Collection[Coordinate]) -> str:
        return (_again(place) if said else place).format(spans(places, changes))

    if clear:
        which = listed(f"{way} {where(places)}" for way, places in ways.items() if places)
        said.append(f"is {which}{_at_most(clear, changes, unit, place)}")
    if small:
        reach = max(largest(changes[x]) for x in small)
        said.append(f"differs by at most {reach:.2g}{unit} {where(small)}")
    if undecided:
        needed = _needed((changes[x] for x in undecided), margin)
        said.append(f"does not clearly differ {where(undecided)}{needed}")
    yield f"{what} {'; it '.join(said)}."


def _by_verdict(changes: Curve, margin: float) -> Iterator[list[Coordinate]]:
    """Yield where differences are clear, where they are small and where they are undecided."""
    verdicts = judge(changes, margin)
    for kind in ("clear", "small", "undecided"):
        yield [x for x in changes if verdicts[x] == kind]


def _at_most(clear: Sequence[Coordinate], changes: Curve, unit: str, place: str) -> str:
    """Say how large the clear differences get, and where, with the doubt about the place."""
    most = max(clear, key=lambda x: abs(changes[x].value))
    found = changes[most]
    if found.value < 0:
        found = Estimate(-found.value, -found.high, -found.low)
    if clear == [most]:
        return f", by {shown(found, unit)}"
    rivals = [x for x in clear if x != most and largest(changes[x]) >= found.low]
    again = _again(place)
    doubt = f", if not {again.format(spans(rivals, changes, 'or'))}" if rivals else ""
    return f", by up to {shown(found, unit)} {again.format(plain(most))}{doubt}"


def _again(place: str) -> str:
    """Shorten the words for a place after its first mention.

    Examples
    --------
    >>> _again("at a density of {}"), _again("with {} mines")
    ('at {}', 'with {} mines')
    """
    return f"{place.partition(' ')[0]} {{}}" if place.endswith(" of {}") else place


def _needed(undecided: Iterable[Estimate], margin: float) -> str:
    needed = [games_needed(found, margin) for found in undecided]
    known = [games for games in needed if games is not None]
    return f" (about {max(known):,} games would tell)" if known else ""


def _ranked(
    findings: Findings,
    measure: Measure,
    lines: str,
    at: Mapping[str, Coordinate],
    least: bool = False,
    among: Collection[Coordinate] | None = None,
) -> tuple[Coordinate, Estimate, dict[Coordinate, Estimate]] | None:
    """Return the best agent, its value, and its lead over every other agent."""
    curve = findings.curve(measure, lines, **at)
    names = [name for name in curve if among is None or name in among]
    if not names:
        return None
    sign = -1 if least else 1
    best, *rest = sorted(names, key=lambda name: -sign * curve[name].value)
    ahead = {}
    for other in rest:
        more, less = ({**at, lines: name} for name in (best, other)[::sign])
        with suppress(LookupError):  # no game in common yet
            ahead[other] = findings.difference(measure, more, less)
    return best, curve[best], ahead


def _close(ahead: Curve) -> list[Coordinate]:
    return [name for name, verdict in judge(ahead, 0).items() if verdict != "clear"]


def leader(
    where: str,
    findings: Findings,
    measure: Measure,
    at: Mapping[str, Coordinate],
    *,
    does: str = "",
    least: bool = False,
    among: Collection[Coordinate] | None = None,
) -> Iterator[str]:
    """Name the best agent in one place, or the lowest, with its lead or its close rivals."""
    found = _ranked(findings, measure, "agent", at, least, among)
    if found is not None:
        best, value, ahead = found
        unit, gap = measure.units
        said = f"{where} {plain(best)} {does or measure.most}: {shown(value, unit)}"
        more = "fewer" if least else "more"
        _, small, undecided = _by_verdict(ahead, measure.margin)
        if small:
            reach = max(largest(ahead[name]) for name in small)
            said += f", within {reach:.2g}{gap} of {listed(small)}"
        if undecided:
            needed = _needed((ahead[name] for name in undecided), measure.margin)
            others = listed(undecided, "or") if len(undecided) < _MANY else "any other agent"
            if _MANY <= len(undecided) < len(ahead):
                others = f"{len(undecided)} others"
            said += f", not clearly {more} than {others}{needed}"
        if ahead and not small and not undecided:
            second = next(iter(ahead))
            said += f", {shown(ahead[second], gap)} {more} than {plain(second)}"
        yield f"{said}."


_MANY: Final = 5
"""A sentence counts this many agents or more, and names fewer."""


def leaders(
    where: str,
    findings: Findings,
    measure: Measure,
    x: str,
    place: str = "at {}",
    *,
    at: Mapping[str, Coordinate] = MappingProxyType({}),
    among: Collection[Coordinate] | None = None,
) -> Iterator[str]:
    """Name the clearly best agent along an axis, and the places where it is too close to tell."""
    axis = findings.values(x, **at)
    best: dict[Coordinate, list[Coordinate]] = {}
    close: list[Coordinate] = []
    for here in axis:
        found = _ranked(findings, measure, "agent", {**at, x: here}, among=among)
        if found is not None and _close(found[2]):
            close.append(here)
        elif found is not None:
            best.setdefault(found[0], []).append(here)
    said: list[str] = []
    for name in sorted(best, key=lambda name: -len(best[name])):
        does, words = (f" {measure.most}", place) if not said else ("", _again(place))
        said.append(f"{plain(name)}{does} {words.format(spans(best[name], axis))}")
    if said:
        text = f"{where} {listed(said)}"
        if close:
            text += f"; {_again(place).format(spans(close, axis))} it is too close to tell"
        yield f"{text}."
    elif close:
        there = place.format(spans(close, axis))
        yield f"{where} it is too close to tell which agent {measure.most} {there}."


def peaks(
    words: str,
    findings: Findings,
    measure: Measure,
    x: str,
    place: str = "at a density of {}",
    *,
    lines: str = "size",
    who: str = "on {}",
    at: Mapping[str, Coordinate] = MappingProxyType({}),
    among: Collection[Coordinate] | None = None,
    least: bool = False,
) -> Iterator[str]:
    """Say where on an axis a measure is highest, or lowest, on each line."""
    said, zero = [], []
    for line in findings.values(lines, **at):
        here = {**at, lines: line}
        axis = findings.values(x, **here)
        found = _ranked(findings, measure, x, here, least)
        if found is None or len(axis) < 2 or (among is not None and line not in among):
            continue
        best, value, ahead = found
        if value.value == 0 and not least:
            zero.append(line)
            continue
        end = ", the last," if best == axis[-1] else ""
        if close := _close(ahead):
            there = _again(place).format(spans(close, axis, "or"))
            end = " (too close to tell)" if len(close) > len(ahead) / 2 else f" (if not {there})"
        figure = shown(value, measure.units[0])
        said.append(f"{place.format(plain(best))}{end} {who.format(plain(line))}: {figure}")
    if zero:
        said.append(f"always 0 {who.format(listed(zero))}")
    if said:
        yield f"{words} {'; '.join(said)}."


def thresholds(
    words: str,
    to: str,
    curves: Mapping[Any, Curve],
    level: float,
    who: str = "by {}",
    *,
    rising: bool = False,
) -> Iterator[str]:
    """Say where each curve falls below a level, or rises above it, the nearest first.

    Examples
    --------
    >>> curves = {
    ...     "exact": {0.1: Estimate(90, 85, 95), 0.5: Estimate(30, 25, 35)},
    ...     "random": {0.1: Estimate(8, 5, 9), 0.5: Estimate(3, 2, 4)},
    ... }
    >>> [*thresholds("Half are won", "up to a density of", curves, 50)]
    ['Half are won up to a density of 0.367 (0.333 to 0.400) by exact, and nowhere by random.']
    """
    found = {name: crossing(curve, level, rising=rising) for name, curve in curves.items() if curve}
    never = [name for name in found if found[name].high == -inf and not rising]
    reached = sorted(found.keys() - never, key=lambda name: (found[name].value, str(name)))
    said = []
    if reached:
        far = (f"{_placed(found[n], [*curves[n]])} {who.format(plain(n))}" for n in reached)
        said.append(f"{to} {listed(far)}")
    if never:
        said.append(f"nowhere {who.format(listed(never))}")
    if said:
        yield f"{words} {', and '.join(said)}."


def crossing(curve: Curve, level: float, *, rising: bool = False) -> Estimate:
    """Find where a curve first falls below a level, or rises above it, between its points.

    The interval ends where the ends of the curve's intervals cross. A crossing before the first
    point is at minus infinity, one after the last at infinity.

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
    up = -1.0 if rising else 1.0
    value, *ends = (
        _falls_below([(float(x), up * getattr(curve[x], end)) for x in curve], up * level)
        for end in ("value", "low", "high")
    )
    return Estimate(value, min(ends), max(ends))


def _falls_below(points: Sequence[tuple[float, float]], level: float) -> float:
    if points[0][1] < level:
        return -inf
    for (left, above), (right, below) in pairwise(points):
        if below < level:
            return left + (right - left) * (above - level) / (above - below)
    return inf


def _placed(found: Estimate, axis: Sequence[Coordinate]) -> str:
    """Write where a curve crosses a level; beyond its ends, as far as the axis goes."""
    if isfinite(found.width):
        return shown(found)
    value, low, high = (
        "" if not isfinite(x) else f"{x:.0f}" if abs(x) >= 10 else f"{x:.2g}"
        for x in (found.value, found.low, found.high)
    )
    doubt = f"{low} or more" if low else f"{high} or less" if high else ""
    if value:
        return f"{value} ({doubt or 'anywhere'})"
    place = f"more than {plain(axis[-1])}" if found.value > 0 else f"at most {plain(axis[0])}"
    return f"{place} ({doubt})" if doubt else place


def growth(
    words: str,
    curves: Mapping[Any, Curve],
    ends: tuple[Coordinate, Coordinate],
    ratio: float,
    base: str,
    who: str = "with {}",
) -> Iterator[str]:
    """Say whether curves grow faster than a base from one end to the other, and as which power.

    `ratio` says how many times as large the base gets meanwhile.

    Examples
    --------
    >>> curves = {"exact": {5: Estimate(10, 9, 11), 50: Estimate(900, 800, 990)}}
    >>> [*growth("Hits grow", curves, (5, 50), 10, "the mines")]
    ['Hits grow faster than the mines with exact (power 1.954, 1.888 to 2.016).']
    """
    first, last = ends
    groups: dict[str, list[str]] = {}
    for name, curve in curves.items():
        if first == last or first not in curve or last not in curve:
            continue
        case, found = who.format(plain(name)), power(curve[first], curve[last], ratio)
        if found is None or not (isfinite(found.width) or is_clear(excess(found, 1))):
            groups.setdefault("at a rate that these games do not show", []).append(case)
            continue
        how = f"in proportion to {base}, as far as these games show,"
        if found.low > 1 or found.high < 1:
            how = f"faster than {base}" if found.low > 1 else f"more slowly than {base}"
        figures = f"at least {found.low:.2g}" if found.low > 1 else f"at most {found.high:.2g}"
        if isfinite(found.width):
            figures = _aside(found)
        groups.setdefault(how, []).append(f"{case} (power {figures})")
    for how, cases in sorted(groups.items(), key=lambda group: -len(group[1])):
        yield f"{words} {how} {listed(cases)}."


def power(first: Estimate, last: Estimate, ratio: float) -> Estimate | None:
    """Return as which power something grows while something else grows by a ratio.

    None if either value is 0. The interval has no upper end if the first value may be 0, and no
    lower end if the last may be.

    Examples
    --------
    >>> print(power(Estimate(10, 9, 11), Estimate(1000, 900, 1100), ratio=100))
    1 (0.9691 to 1.031)
    >>> print(power(Estimate(10, 0, 20), Estimate(1000, 900, 1100), ratio=100))
    1 (0.8478 to inf)
    """
    if first.value <= 0 or last.value <= 0:
        return None
    scale = log(ratio)
    value = log(last.value / first.value) / scale
    low = hypot(_fall(last), log(first.high / first.value)) / scale
    high = hypot(_fall(first), log(last.high / last.value)) / scale
    return Estimate(value, value - low, value + high)


def _fall(estimate: Estimate) -> float:
    return log(estimate.value / estimate.low) if estimate.low > 0 else inf


def correlation(words: str, found: Mapping[str, Estimate | None]) -> Iterator[str]:
    """Name the quantities that rise and those that fall with another, by rank correlation.

    Examples
    --------
    >>> [*correlation("Longer chains go with", {"work": Estimate(0.3, 0.1, 0.5)})]
    ['Longer chains go with more work (rank correlation 0.30, 0.10 to 0.50).']
    """
    groups: dict[str, list[str]] = {}
    for name, value in found.items():
        if value is not None:
            how = "no clear difference in"
            if is_clear(value):
                how = "more" if value.value > 0 else "less"
            groups.setdefault(how, []).append(f"{name} (rank correlation {_aside(value)})")
    if groups:
        said = (f"{how} {listed(names)}" for how, names in groups.items())
        yield f"{words} {', and with '.join(said)}."


def agreement(findings: Findings, chart: Chart) -> Iterator[str]:
    """Say how many published figures of a chart agree with ours, and which is farthest off.

    The figures of a line that the study plays are compared with that line, those of other players
    with every line. They are taken as exact unless the chart says how many games a line rests on.
    """
    played = {str(arm.at.get(chart.lines)) for arm in findings.study.arms}
    within, off = 0, []
    for point in findings.points(chart):
        for line, figures in chart.published.items():
            if point.x not in figures.values or line in played - {str(point.line)}:
                continue
            ours, theirs = point.estimate, figures.values[point.x]
            if agrees(point, figures):
                within += 1
            else:
                off.append((theirs - ours.value, line, point.x, theirs, ours))
    if within or off:
        said = f"{chart.title}: {agreeing(within, within + len(off))}"
        if off:
            higher = sum(gap > 0 for gap, *_ in off)
            ways = {"lower": len(off) - higher, "higher": higher}
            some = [f"{n} {'is' if n == 1 else 'are'} {way}" for way, n in ways.items() if n]
            _, line, x, theirs, ours = max(off, key=lambda figure: abs(figure[0]))
            said += f"; {listed(some)}" if within + len(off) > 1 else ""
            farthest = "the farthest off is " if len(off) > 1 else ""
            said += f"; {farthest}{line} at {plain(x)}: {theirs:g}% against our {shown(ours, '%')}"
        yield f"{said}."


def agreeing(some: int, published: int) -> str:
    """Say how many published figures agree with ours.

    Examples
    --------
    >>> agreeing(2, 3), agreeing(0, 1)
    ('2 of 3 published figures agree with ours', 'the published figure does not agree with ours')
    """
    if published == 1:
        return f"the published figure {'agrees' if some else 'does not agree'} with ours"
    return f"{some} of {published} published figures agree with ours"


def agrees(point: Point, published: Published) -> bool:
    """Whether a published figure may differ from ours by chance alone.

    Its games are taken to scatter as ours do, so that its interval is ours, wider if it rests on
    fewer games; without games it is taken as exact.

    Examples
    --------
    >>> ours = Point("weights", "5×5", None, Estimate(50.0, 40.4, 59.6), games=100, wide=True)
    >>> agrees(ours, Published({"5×5": 70.0}, games=10)), agrees(ours, Published({"5×5": 70.0}))
    (True, False)
    """
    ours, theirs = point.estimate, published.values[point.x]
    reach = (ours.high - ours.value) if theirs > ours.value else (ours.value - ours.low)
    if not isfinite(reach):
        return True
    return abs(theirs - ours.value) <= hypot(
        reach, reach * sqrt(point.games / (published.games or inf))
    )


def _aside(estimate: Estimate) -> str:
    """Write an estimate so that it fits into brackets."""
    return shown(estimate).replace(" (", ", ").rstrip(")")
