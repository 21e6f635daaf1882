"""How differences are told: which way they go, with whom, and where on an axis."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import hypot, log
from typing import TYPE_CHECKING

from mineproof.lab.studies.wording import (
    aside,
    difference,
    is_clear,
    lead,
    listed,
    plain,
    shown,
    spans,
)
from mineproof.lab.study import Coordinate, Measure
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["differences", "effect", "peaks", "power", "turn", "turns"]


def differences(
    findings: Findings,
    measure: Measure,
    x: str,
    at: Mapping[str, Coordinate],
    minus: Mapping[str, Coordinate],
) -> dict[Coordinate, Estimate]:
    """Read along an axis by how much one line exceeds another, where both have games in common."""
    found = {}
    for place in findings.values(x, **at):
        change = difference(findings, measure, {**at, x: place}, {**minus, x: place})
        if change is not None:
            found[place] = change
    return found


def turn(difference: Estimate) -> str:
    """Say which way a difference goes, or that this is not to be seen.

    Examples
    --------
    >>> turn(Estimate(-2.0, -3.5, -0.5)), turn(Estimate(2.0, -0.5, 4.5))
    ('falls', 'does not clearly change')
    """
    if not is_clear(difference):
        return "does not clearly change"
    return "rises" if difference.value > 0 else "falls"


def turns(changes: Mapping[Coordinate, Estimate], unit: str = "") -> str:
    """Say with whom something rises, with whom it falls, and with whom that is not to be seen.

    Examples
    --------
    >>> changes = {"basic": Estimate(2.0, 1.0, 3.0), "exact": Estimate(0.5, -0.5, 1.5)}
    >>> turns(changes, " points")
    'rises with basic (+2.0 points, 1.0 to 3.0), does not clearly change with exact'
    """
    groups: dict[str, dict[Coordinate, Estimate]] = {}
    for name, change in changes.items():
        groups.setdefault(turn(change), {})[name] = change
    said = [f"{how} with {_who(groups[how], unit)}" for how in ("rises", "falls") if how in groups]
    if unclear := groups.get("does not clearly change"):
        said.append(f"does not clearly change with {listed(unclear)}")
    return ", ".join(said)


def _who(changes: Mapping[Coordinate, Estimate], unit: str) -> str:
    """Name those with whom something changes, and by how much: of many, the least and the most."""
    by_size = sorted(changes, key=lambda name: abs(changes[name].value))
    if len(changes) <= 2:
        return listed(_with_amount(name, changes[name], unit) for name in changes)
    least, most = (_with_amount(name, changes[name], unit) for name in (by_size[0], by_size[-1]))
    return f"{listed(changes)}, least with {least} and most with {most}"


def _with_amount(name: Coordinate, change: Estimate, unit: str) -> str:
    return f"{plain(name)} ({aside(change, unit, sign=True)})"


def effect(changes: Mapping[Coordinate, Estimate], unit: str = "", place: str = "{}") -> str:
    """Say where on an axis a difference is largest, and where it is beyond its interval.

    What is said fits into a sentence; it is empty where the difference is beyond it nowhere.

    Parameters
    ----------
    changes
        By place on the axis, the difference.
    unit
        What follows a number.
    place
        How a place is called.

    Examples
    --------
    >>> told = {0.1: Estimate(0.2, -0.5, 0.9), 0.9: Estimate(7.0, 6.1, 7.9)}
    >>> effect(told, " points", "a density of {}")
    'most at a density of 0.9, by +7.00 points (6.10 to 7.90), and beyond its interval at 0.9'
    """
    clear = {x: change for x, change in changes.items() if is_clear(change)}
    if not clear:
        return ""
    most = max(clear, key=lambda x: abs(clear[x].value))
    return (
        f"most at {place.format(plain(most))}, by {shown(clear[most], unit, sign=True)}, "
        f"and beyond its interval at {spans(clear, tuple(changes))}"
    )


def peaks(
    findings: Findings,
    measure: Measure,
    lines: str,
    x: str,
    unit: str = "",
    *,
    among: Collection[Coordinate] | None = None,
) -> str:
    """Say at which place on an axis a measure is highest on each line, and how high.

    What is said fits into a sentence: "0.35 on 10×10: 9.2 (8.8 to 9.6); at 0.9, the last, on 20×20:
    ...". It is empty where nothing was played yet. `among` says which lines; by default all.
    """
    said = []
    for line in findings.values(lines):
        if among is not None and line not in among:
            continue
        places = findings.values(x, **{lines: line})
        top = lead(findings, measure, x, {lines: line})
        if top is not None and len(places) > 1:
            doubt = f", too close to tell from {spans(top.close, places)}" if top.close else ""
            end = ", the last," if top.best == places[-1] else ""
            said.append(f"{plain(top.best)}{end} on {line}: {shown(top.value, unit)}{doubt}")
    return "; at ".join(said)


def power(first: Estimate, last: Estimate, ratio: float) -> Estimate | None:
    """Say as which power something grows while something else grows by a ratio.

    None where either end may be 0, which no power leads to.

    Examples
    --------
    >>> print(power(Estimate(10, 9, 11), Estimate(1000, 900, 1100), ratio=100))
    1 (0.9691 to 1.031)
    """
    if first.low <= 0 or last.low <= 0:
        return None
    scale = log(ratio)
    value = log(last.value / first.value) / scale
    low = hypot(log(last.value / last.low), log(first.high / first.value)) / scale
    high = hypot(log(last.high / last.value), log(first.value / first.low)) / scale
    return Estimate(value, value - low, value + high)
