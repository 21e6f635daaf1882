"""What a benchmark reports: a table of figures, and targets that are met or missed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, TypeVar

from rich.console import Console
from rich.table import Table
from rich.text import Text

T = TypeVar("T")
Value: TypeAlias = str | float


class Track(Protocol):
    """Goes through items while a progress bar shows how far it is."""

    def __call__(self, items: Sequence[T], what: str, /) -> Iterable[T]:
        """Go through the items."""
        ...


@dataclass(frozen=True, slots=True)
class Target:
    """A promise and what was measured of it.

    Parameters
    ----------
    what
        What is promised.
    value
        What was measured.
    limit
        What it should be, in words.
    met
        Whether it is; None where it could not be measured.
    timed
        Whether that depends on a clock, and so on what else the machine is doing.
    """

    what: str
    value: Value
    limit: str
    met: bool | None
    timed: bool = False


def at_least(what: str, value: float, limit: float, *, timed: bool = False) -> Target:
    """Return a target that a figure reaches.

    Examples
    --------
    >>> at_least("times faster", 25.0, 20).met
    True
    """
    return Target(what, value, f"≥ {show(limit)}", value >= limit, timed)


def at_most(what: str, value: float, limit: float, *, timed: bool = False) -> Target:
    """Return a target that a figure does not pass."""
    return Target(what, value, f"≤ {show(limit)}", value <= limit, timed)


def every(what: str, held: Sequence[bool]) -> Target:
    """Return a target that holds in every case.

    Examples
    --------
    >>> every("is exact", [True, True, False]).value
    '2 of 3'
    """
    return Target(what, f"{sum(held)} of {len(held)}", "all", all(held))


def skipped(what: str, why: str) -> Target:
    """Return a target that could not be measured."""
    return Target(what, why, "–", None)


@dataclass(frozen=True, slots=True)
class Report:
    """What one benchmark found.

    Parameters
    ----------
    title
        What was measured.
    columns, rows
        The figures.
    targets
        What they should show.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    targets: tuple[Target, ...] = ()

    @property
    def missed(self) -> bool:
        """Whether a target is missed; one that could not be measured is not."""
        return any(target.met is False for target in self.targets)


def show(value: Value) -> str:
    """Write a figure with as many digits as matter.

    Examples
    --------
    >>> show(0.012345), show(1234.5), show(float("nan"))
    ('0.0123', '1,234', '–')
    """
    if isinstance(value, str):
        return value
    if math.isnan(value):
        return "–"
    return f"{value:,.0f}" if value >= 1000 or isinstance(value, int) else f"{value:.3g}"


MARKS = {
    True: Text("PASS", "bold green"),
    False: Text("MISS", "bold red"),
    None: Text("SKIP", "yellow"),
}


def draw(report: Report, console: Console) -> None:
    """Print a report."""
    console.print(f"[bold]{report.title}[/bold]", highlight=False)
    if report.rows:
        figures = Table()
        for number, heading in enumerate(report.columns):
            figures.add_column(heading, justify="right" if number else "left", no_wrap=True)
        for row in report.rows:
            figures.add_row(*map(show, row))
        console.print(figures)
    targets = Table(box=None, show_header=False)
    for target in report.targets:
        limit = f"[dim]{target.limit}[/dim]"
        targets.add_row(MARKS[target.met], target.what, f"[bold]{show(target.value)}[/bold]", limit)
    if report.targets:
        console.print(targets)
    console.print()
