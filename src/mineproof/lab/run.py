"""Runs studies: plays what is missing, a task at a time, and writes it down."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from typing import Final, TypeAlias

from mineproof.arena.processes import process_pool, uninterrupted
from mineproof.arguments import whole
from mineproof.lab.archive import Archive
from mineproof.lab.play_task import play_task
from mineproof.lab.study import Study, Task
from mineproof.version import code_version

__all__ = ["Progress", "run"]

_AHEAD: Final = 64
"""So many tasks wait at an executor of unknown size: it has work, and memory stays flat."""

_PATIENCE: Final = 5.0
"""Seconds after which an executor that finishes nothing is asked how it is."""

_TRIES: Final = 3
"""Workers may die so often while a task is the next to be finished."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come.

    Parameters
    ----------
    tasks, games
        All there are.
    tasks_done, games_done
        How many of them have their records, those of earlier runs included.
    games_kept
        How many games earlier runs had played.
    running
        The tasks that are being played or wait for it, the oldest first.
    """

    tasks: int
    games: int
    tasks_done: int
    games_done: int
    games_kept: int
    running: tuple[Task, ...]


def run(
    studies: Sequence[Study],
    out: str | os.PathLike[str],
    *,
    games: int | None = None,
    quick: bool = False,
    workers: int = 1,
    executor: Executor | None = None,
    ahead: int | Callable[[], int] = _AHEAD,
    progress: Callable[[Progress], object] | None = None,
) -> Archive:
    """Play all games of studies that a directory has no records of.

    Stopped at any moment, it goes on from there when it is called again.

    Parameters
    ----------
    studies
        What to play.
    out
        The directory.
    games
        How many games every arm plays; by default what each study says.
    quick
        Whether to play the few games that a study wants where time is short.
    workers
        How many processes of this machine play; 1 plays in this one.
    executor
        Plays instead, where one is given: anything with the interface of `concurrent.futures`.
    ahead
        How many tasks the executor has at a time. A function is asked anew every few seconds, and
        may raise an error where the executor has failed.
    progress
        Is told how far it has come.

    Raises
    ------
    ValueError
        If the directory cannot be used.
    CannotWrite
        If records cannot be written.
    AgentFailed
        If an agent raises an error.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from mineproof import Setup
    >>> from mineproof.lab.study import Arm
    >>> arms = (Arm("exact", Setup.level("easy")), Arm("random", Setup.level("easy")))
    >>> study = Study("easy", "Easy boards", "Who wins?", arms, games=100, quick=10)
    >>> with TemporaryDirectory() as directory:
    ...     archive = run([study], directory, quick=True)
    ...     archive.scan(study.tasks(10)).collect().height
    20
    """
    asked = {study.name: _games(study, games, quick) for study in studies}
    if len(asked) < len(studies):
        raise ValueError("studies: two of them have one name")
    tasks = {task.id: task for study in studies for task in study.tasks(asked[study.name])}
    workers = whole("workers", workers, 1)
    room = ahead if callable(ahead) else partial(int, whole("ahead", ahead, 1))
    archive = Archive(out)
    with archive.writing(code_version()) as held:
        archive.declare(asked)
        missing = deque(task for task in tasks.values() if task.id not in held)
        state = _State(list(tasks.values()), missing, progress)
        state.tell(())
        if executor is not None:
            played = _hand_out(executor, missing, room, state.tell)
        elif workers > 1 and len(missing) > 1:
            played = _play_elsewhere(missing, min(workers, len(missing)), state.tell)
        else:
            played = _play_here(missing, state.tell)
        # Whatever goes wrong here ends the workers at once.
        with closing(played):
            for task, data in played:
                archive.write(task, data)
                state.add(task)
    return archive


def _games(study: Study, games: int | None, quick: bool) -> int:
    if games is not None:
        return whole("games", games, 1)
    return study.quick if quick else study.games


class _State:
    """Counts what is done, and tells."""

    def __init__(
        self,
        tasks: Sequence[Task],
        missing: Sequence[Task],
        progress: Callable[[Progress], object] | None,
    ) -> None:
        self._tasks, self._games = len(tasks), _games_of(tasks)
        self._tasks_done = self._tasks - len(missing)
        self._games_done = self._kept = self._games - _games_of(missing)
        self._progress = progress

    def add(self, task: Task) -> None:
        self._tasks_done += 1
        self._games_done += task.games

    def tell(self, running: Sequence[Task]) -> None:
        if self._progress is not None:
            self._progress(
                Progress(
                    self._tasks,
                    self._games,
                    self._tasks_done,
                    self._games_done,
                    self._kept,
                    tuple(running),
                )
            )


def _games_of(tasks: Sequence[Task]) -> int:
    return sum(task.games for task in tasks)


_Played: TypeAlias = Generator[tuple[Task, bytes], None, None]
"""Tasks and their record files, in the order in which they are finished."""

_Tell: TypeAlias = Callable[[Sequence[Task]], None]
"""Is told what is running, whenever that changes."""


def _play_here(missing: deque[Task], tell: _Tell) -> _Played:
    while missing:
        task = missing.popleft()
        tell([task])
        yield task, play_task(task)
    tell(())


def _play_elsewhere(missing: deque[Task], workers: int, tell: _Tell) -> _Played:
    """Play on processes of this machine; when one is killed, start anew with what is left."""
    stuck, tries = None, 0
    while missing:
        try:
            with _one_thread_each(), process_pool(workers) as pool:
                # One more for each worker, so that none waits for a new task.
                yield from _hand_out(pool, missing, lambda: 2 * workers, tell)
        except BrokenExecutor:
            stuck, tries = missing[0], tries + 1 if missing[0] is stuck else 1
            if tries == _TRIES:
                raise


def _hand_out(
    executor: Executor, missing: deque[Task], ahead: Callable[[], int], tell: _Tell
) -> _Played:
    """Keep an executor busy; a task leaves those that are missing only when it has its records."""
    running: dict[Future[bytes], Task] = {}
    # Unlike waiting for futures, waiting at this queue may be interrupted at any moment.
    finished: SimpleQueue[Future[bytes]] = SimpleQueue()
    try:
        while missing or running:
            room = ahead()
            with uninterrupted():
                while missing and len(running) < room:
                    future = executor.submit(play_task, missing[0])
                    running[future] = missing.popleft()
                    future.add_done_callback(finished.put)
            tell(tuple(running.values()))
            with suppress(Empty):
                future = finished.get(timeout=_PATIENCE)
                data = future.result()
                yield running.pop(future), data
        tell(())
    finally:
        missing.extendleft(reversed(running.values()))
        for future in running:
            future.cancel()


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Let Polars start no threads in workers that start meanwhile: each has its processor."""
    name = "POLARS_MAX_THREADS"
    if name in os.environ:
        yield
        return
    # Polars looks when it is imported, which is before a worker could be told.
    os.environ[name] = "1"
    try:
        yield
    finally:
        os.environ.pop(name, None)
