"""How differences are told: which way they go, with whom, and where on an axis."""

from __future__ import annotations

from collections.abc import Mapping

from mineproof.statistics import Estimate
from mineproof.studies.wording import is_clear, listed, plain, shown, spans
from mineproof.study import Coordinate

__all__ = ["effect", "turn", "turns"]


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
    groups: dict[str, list[str]] = {"rises": [], "falls": [], "does not clearly change": []}
    for name, change in changes.items():
        how = turn(change)
        amount = shown(change, unit, sign=True).replace(" (", ", ", 1).rstrip(")")
        groups[how].append(f"{plain(name)} ({amount})" if is_clear(change) else plain(name))
    return ", ".join(f"{how} with {listed(names)}" for how, names in groups.items() if names)


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
