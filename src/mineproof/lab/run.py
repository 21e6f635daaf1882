"""Runs studies: plays what is missing, a task at a time, and writes it down."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from dataclasses import dataclass
from typing import Final

from mineproof.archive import Archive
from mineproof.arguments import whole
from mineproof.lab.play_task import play_task
from mineproof.processes import process_pool, uninterrupted
from mineproof.study import Study, Task
from mineproof.version import code_version

__all__ = ["Progress", "run"]

_AHEAD: Final = 64
"""So many tasks wait at an executor of unknown size: it has work, and memory stays flat."""

_TRIES: Final = 3
"""Workers may die so often in a row without finishing a task."""


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
        The tasks that were handed out last, the oldest first.
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
    ahead: int = _AHEAD,
    check: Callable[[], object] | None = None,
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
        How many tasks wait at the executor.
    check
        Called every few seconds while an executor is at work; raises where it has failed.
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
    >>> from mineproof.study import Arm
    >>> arms = (Arm("exact", Setup.level("easy")), Arm("random", Setup.level("easy")))
    >>> study = Study("easy", "Easy boards", "Who wins?", arms, games=100, quick=10)
    >>> with TemporaryDirectory() as directory:
    ...     archive = run([study], directory, quick=True)
    ...     archive.scan(study.tasks(10)).collect().height
    20
    """
    asked = {study.name: _games(study, games, quick) for study in studies}
    tasks = {task.id: task for study in studies for task in study.tasks(asked[study.name])}
    workers = whole("workers", workers, 1)
    archive = Archive(out)
    with archive.writing(code_version()) as held:
        archive.declare(asked)
        missing = deque(task for task in tasks.values() if task.id not in held)
        kept = sum(task.games for task in tasks.values()) - sum(task.games for task in missing)
        state = _State(tasks, len(tasks) - len(missing), kept, progress)
        state.tell(())
        if executor is not None:
            played = _hand_out(executor, missing, whole("ahead", ahead, 1), check)
        elif workers > 1 and len(missing) > 1:
            played = _play_elsewhere(missing, min(workers, len(missing)))
        else:
            played = _play_here(missing, state)
        for task, data, running in played:
            archive.write(task, data)
            state.add(task, running)
    return archive


def _games(study: Study, games: int | None, quick: bool) -> int:
    if games is not None:
        return whole("games", games, 1)
    return study.quick if quick else study.games


class _State:
    """Counts what is done, and tells."""

    def __init__(
        self,
        tasks: dict[str, Task],
        done: int,
        kept: int,
        progress: Callable[[Progress], object] | None,
    ) -> None:
        self._tasks, self._games = len(tasks), sum(task.games for task in tasks.values())
        self._tasks_done, self._games_done, self._kept = done, kept, kept
        self._progress = progress

    def add(self, task: Task, running: tuple[Task, ...]) -> None:
        self._tasks_done += 1
        self._games_done += task.games
        self.tell(running)

    def tell(self, running: tuple[Task, ...]) -> None:
        if self._progress is not None:
            self._progress(
                Progress(
                    self._tasks,
                    self._games,
                    self._tasks_done,
                    self._games_done,
                    self._kept,
                    running,
                )
            )


_Played = tuple[Task, bytes, tuple[Task, ...]]
"""A task, its record file, and what runs meanwhile."""


def _play_here(missing: deque[Task], state: _State) -> Iterator[_Played]:
    while missing:
        task = missing.popleft()
        state.tell((task,))
        yield task, play_task(task), ()


def _play_elsewhere(missing: deque[Task], workers: int) -> Iterator[_Played]:
    """Play on processes of this machine; when one is killed, start anew with what is left."""
    tries = 0
    while missing:
        try:
            with process_pool(workers, _prepare) as pool:
                # One more for each worker, so that none waits for a new task.
                for played in _hand_out(pool, missing, 2 * workers, None):
                    tries = 0
                    yield played
        except BrokenExecutor:
            tries += 1
            if tries == _TRIES:
                raise


def _hand_out(
    executor: Executor, missing: deque[Task], ahead: int, check: Callable[[], object] | None
) -> Iterator[_Played]:
    """Keep an executor busy; a task leaves those that are missing only when it has its records."""
    running: dict[Future[bytes], Task] = {}
    try:
        while missing or running:
            with uninterrupted():
                while missing and len(running) < ahead:
                    running[executor.submit(play_task, missing[0])] = missing[0]
                    missing.popleft()
            done, _ = wait(running, timeout=5, return_when=FIRST_COMPLETED)
            if check is not None:
                check()
            for future in done:
                data = future.result()
                yield running.pop(future), data, tuple(running.values())
    finally:
        missing.extendleft(reversed(running.values()))
        for future in running:
            future.cancel()


def _prepare() -> None:
    # Every worker has its processor; threads of its own would only be in the way.
    os.environ.setdefault("POLARS_MAX_THREADS", "1")
