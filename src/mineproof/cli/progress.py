"""A bar for work that takes a while, with its rate and the time left."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(total: int, noun: str) -> Iterator[Callable[[int], None]]:
    """Show a bar on standard error while the work lasts, and only to a person at a terminal.

    Yields a function that is told how many more are done.
    """
    watched = sys.stderr is not None and sys.stderr.isatty()
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(noun),
        _Rate(),
        TimeRemainingColumn(compact=True),
        TextColumn("left"),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not watched) as bar:
        task = bar.add_task(noun, total=total)

        def advance(done: int) -> None:
            bar.update(task, advance=done)

        yield advance


class _Rate(ProgressColumn):
    """How many are done in a second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(
            "" if speed is None else f"{speed:,.3g}/s" if speed < 100 else f"{speed:,.0f}/s"
        )
