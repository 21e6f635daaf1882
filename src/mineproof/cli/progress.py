"""Progress on standard error: a bar on a terminal, and lines in the log of a long run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Final

from rich.console import Console, Group
from rich.live import Live
from rich.padding import Padding
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.progress_bar import ProgressBar
from rich.text import Text

from mineproof.arena.narration import conditions
from mineproof.arguments import counted

if TYPE_CHECKING:
    from mineproof.lab import study
    from mineproof.lab.run import Progress as RunState


_PERIOD: Final = 10.0
"""Seconds between two lines in a log."""
_FIRST: Final = 3.0
"""Seconds until the first line in a log, if nothing was said before."""
_NAMED_TASKS: Final = 4
"""How many of the running tasks are named on a terminal."""


@contextmanager
def progress_bar(total: int, noun: str) -> Iterator[Callable[[int], None]]:
    """Show a bar on a terminal, and else lines. Yields a function that takes how many are done."""
    if not _is_terminal():
        with _counted_in_lines(total, noun) as advance:
            yield advance
        return
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(noun),
        _Rate(),
        TimeRemainingColumn(compact=True),
        TextColumn("left"),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(noun, total=total)
        yield lambda done: bar.update(task, advance=done)


@contextmanager
def _counted_in_lines(total: int, noun: str) -> Iterator[Callable[[int], None]]:
    """Write how many are done, if it takes long enough that somebody may wonder."""
    done = 0

    def advance(more: int) -> None:
        nonlocal done
        done += more

    def log() -> None:
        if sys.stderr is not None:
            print(f"{done:,} of {total:,} {noun}", file=sys.stderr, flush=True)

    with _repeated(log, _FIRST):
        yield advance


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{_pace(speed)}/s")


@contextmanager
def run_progress(
    workers: int, study_of: Callable[[study.Task], str]
) -> Iterator[Callable[[RunState], None]]:
    """Show the progress of a run of studies. Yields a function that takes its state."""

    def name(task: study.Task) -> str:
        return f"{study_of(task)}: {task.agent}, {conditions(task.setup)}"

    run = _Run(name, min(workers, _NAMED_TASKS))
    if _is_terminal():
        with Live(run, console=Console(stderr=True), transient=True):
            yield run.show
    else:
        with _repeated(run.log, _PERIOD):
            yield run.show


class _Run:
    """The state of a run, for a terminal and for a log."""

    def __init__(self, name: Callable[[study.Task], str], named: int) -> None:
        self._name, self._named = name, named
        self._state: RunState | None = None
        self._tasks_before = 0
        self._started = monotonic()

    def show(self, state: RunState) -> None:
        is_first, self._state = self._state is None, state
        if is_first:
            self._tasks_before = state.tasks_done
            if not _is_terminal():
                self.log()

    def __rich__(self) -> Group:
        if self._state is None:
            return Group()
        return Group(
            Padding(ProgressBar(self._state.tasks, self._state.tasks_done, width=40)),
            Text(", ".join(self._words(self._state))),
            *(
                Text(self._name(task), style="dim", no_wrap=True, overflow="ellipsis")
                for task in self._state.running[: self._named]
            ),
        )

    def log(self) -> None:
        if self._state is not None and sys.stderr is not None:
            running = [f"at {self._name(task)}" for task in self._state.running[:1]]
            line = ", ".join([*self._words(self._state), *running])
            print(line, file=sys.stderr, flush=True)

    def _words(self, state: RunState) -> Iterator[str]:
        yield f"{state.tasks_done:,} of {counted(state.tasks, 'task')}"
        yield f"{state.games_done:,} of {counted(state.games, 'game')}"
        # Only what this run has played tells its speed. Tasks predict the time that is left better
        # than games: fast agents play many games, and late.
        games, tasks = state.games_done - state.games_kept, state.tasks_done - self._tasks_before
        if games and tasks:
            seconds = monotonic() - self._started
            left = (state.tasks - state.tasks_done) * seconds / tasks
            yield f"{_pace(games / seconds)} games/s"
            yield f"{timedelta(seconds=round(left))} left"


@contextmanager
def _repeated(action: Callable[[], None], first: float) -> Iterator[None]:
    """Repeat an action from a thread, since a single task may take longer than a period."""
    ended = Event()

    def repeat() -> None:
        wait = first
        while not ended.wait(wait):
            action()
            wait = _PERIOD

    thread = Thread(target=repeat, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _pace(speed: float) -> str:
    return f"{speed:,.3g}" if speed < 100 else f"{speed:,.0f}"


def _is_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
