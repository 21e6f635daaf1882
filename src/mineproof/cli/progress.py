"""How far work has come: a bar at a terminal, and for a long run elsewhere a line now and then."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Final

from rich.console import Console, RenderableType
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

from mineproof.arguments import counted
from mineproof.cli import narration

if TYPE_CHECKING:
    from mineproof.lab import run, study

__all__ = ["progress_bar", "run_progress"]

_PERIOD: Final = 10.0
"""Seconds between signs of life in a log."""

_SHOWN: Final = 4
"""So many of the tasks that are running are named."""


@contextmanager
def progress_bar(total: int, noun: str) -> Iterator[Callable[[int], None]]:
    """Show a bar on standard error while the work lasts, and only to a person at a terminal.

    Yields a function that is told how many more are done.
    """
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(noun),
        _Rate(),
        TimeRemainingColumn(compact=True),
        TextColumn("left"),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not _is_watched()) as bar:
        task = bar.add_task(noun, total=total)

        def advance(done: int) -> None:
            bar.update(task, advance=done)

        yield advance


@contextmanager
def run_progress(
    workers: int, study_of: Callable[[study.Task], str]
) -> Iterator[Callable[[run.Progress], None]]:
    """Show on standard error how far a run of studies has come, and what is being played.

    Parameters
    ----------
    workers
        How many tasks run at a time.
    study_of
        Says to which study a task belongs.

    Yields a function that is told how far it has come.
    """

    def name(task: study.Task) -> str:
        return f"{study_of(task)}: {task.agent}, {narration.conditions(task.setup)}"

    if _is_watched():
        with _RunBar(min(workers, _SHOWN), name) as bar:
            yield bar.show
    else:
        with _RunLog(name).ticking() as log:
            yield log.show


class _RunBar(Progress):
    """A bar, and below it what is being played."""

    def __init__(self, lines: int, name: Callable[[study.Task], str]) -> None:
        columns = (
            BarColumn(bar_width=24),
            TextColumn("{task.fields[done]}"),
            TextColumn("{task.fields[pace]}"),
            TimeRemainingColumn(),
            TextColumn("left"),
        )
        self._lines, self._name = lines, name
        self._running: tuple[study.Task, ...] = ()
        self._started = monotonic()
        super().__init__(*columns, console=Console(stderr=True), transient=True)

    def show(self, state: run.Progress) -> None:
        if not self.tasks:
            # What earlier runs have played says nothing of the pace of this one. Tasks foretell
            # the time that is left better than games: fast agents play many, and late.
            self.add_task("", total=state.tasks, completed=state.tasks_done, done="", pace="")
        self._running = state.running[: self._lines]
        done = f"{state.tasks_done:,} of {counted(state.tasks, 'task')}"
        played = state.games_done - state.games_kept
        pace = f"{_pace(played / (monotonic() - self._started))} games/s" if played else ""
        self.update(self.tasks[0].id, completed=state.tasks_done, done=done, pace=pace)

    def get_renderables(self) -> Iterator[RenderableType]:
        yield from super().get_renderables()
        for task in self._running:
            yield Text(self._name(task), style="dim", no_wrap=True, overflow="ellipsis")


class _RunLog:
    """A line now and then, for logs."""

    def __init__(self, name: Callable[[study.Task], str]) -> None:
        self._name = name
        self._state: run.Progress | None = None
        self._tasks_kept = 0
        self._started = monotonic()

    @contextmanager
    def ticking(self) -> Iterator[_RunLog]:
        """Write from a thread of its own, for a single task may take longer than a period."""
        ended = Event()

        def tick() -> None:
            while not ended.wait(_PERIOD):
                self._write()

        ticker = Thread(target=tick, daemon=True)
        ticker.start()
        try:
            yield self
        finally:
            ended.set()
            ticker.join()

    def show(self, state: run.Progress) -> None:
        first, self._state = self._state is None, state
        if first:
            self._tasks_kept = state.tasks_done
            self._write()

    def _write(self) -> None:
        if self._state is not None and sys.stderr is not None:
            print(", ".join(self._words(self._state)), file=sys.stderr, flush=True)

    def _words(self, state: run.Progress) -> Iterator[str]:
        yield f"{state.tasks_done:,} of {counted(state.tasks, 'task')}"
        yield f"{state.games_done:,} of {counted(state.games, 'game')}"
        played, seconds = state.games_done - state.games_kept, monotonic() - self._started
        if played:
            done = state.tasks_done - self._tasks_kept
            left = (state.tasks - state.tasks_done) * seconds / done
            yield f"{_pace(played / seconds)} games/s"
            yield f"{_duration(left)} left"
        if state.running:
            yield f"at {self._name(state.running[0])}"


class _Rate(ProgressColumn):
    """How many are done in a second."""

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{_pace(speed)}/s")


def _pace(speed: float) -> str:
    return f"{speed:,.3g}" if speed < 100 else f"{speed:,.0f}"


def _duration(seconds: float) -> str:
    """Write a time in its two largest units.

    Examples
    --------
    >>> _duration(42), _duration(61), _duration(7_300), _duration(200_000)
    ('42s', '1m 01s', '2h 01m', '2d 07h')
    """
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    days, hour = divmod(hours, 24)
    if days:
        return f"{days}d {hour:02}h"
    if hours:
        return f"{hours}h {minute:02}m"
    return f"{minutes}m {second:02}s" if minutes else f"{second}s"


def _is_watched() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
