"""Running studies: play the tasks that have no records yet, and write their records."""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from mineproof import __version__
from mineproof.agents import registry
from mineproof.arena.boards import RandomBoards
from mineproof.arena.bulk import columns_of, play_columns, play_games
from mineproof.arena.signatures import code_of
from mineproof.arena.workers import cores, finish_tasks
from mineproof.arguments import counted, whole
from mineproof.lab.archive import Archive
from mineproof.lab.coverage import games_of_other_code, missing
from mineproof.lab.probes import code_of_probe, find_probe
from mineproof.lab.record_file import encode
from mineproof.lab.study import Study, Task

__all__ = ["Progress", "play_task", "run"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come.

    Parameters
    ----------
    tasks, games
        How many there are.
    tasks_done, games_done
        How many of them have records, those of earlier runs included.
    games_kept
        How many games earlier runs had played.
    running
        The tasks that are being played or wait for a worker, the oldest first.
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
    ahead: int | Callable[[], int] = 64,
    progress: Callable[[Progress], object] | None = None,
    tell: Callable[[str], object] = lambda sentence: None,
) -> Archive:
    """Play all games of studies that a directory has no records of.

    A run can be stopped at any moment; the same call continues it.

    Parameters
    ----------
    studies
        What to play.
    out
        The directory.
    games
        How many games every arm plays; by default what each study says.
    quick
        Whether to play only the few games that a study wants when time is short.
    workers
        How many processes of this machine play; 1 plays in this one.
    executor
        Plays instead, if given: anything with the interface of `concurrent.futures`.
    ahead
        How many tasks the executor has at a time. A function is called every few seconds, and may
        raise an error if the executor has failed.
    progress
        Receives the progress, whenever it changes.
    tell
        Receives a sentence if a file is damaged, or if the directory holds some of the games under
        another code; they are played again, and the old records stay.

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
    >>> from mineproof.lab import Arm
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
    if workers > 1 or executor is not None:
        for agent in {task.agent for task in tasks.values()}:
            registry.check_importable(agent)
    if not callable(ahead):
        whole("ahead", ahead, 1)
    archive = Archive(out)
    with archive.writing(tell) as held:
        wanted = missing(tasks.values(), ())
        left = missing(wanted, held.values())
        archive.declare(asked, _made() if left else None)
        replayed = games_of_other_code(left, held.values())
        if replayed:
            tell(_sentence(archive, replayed))
        games_kept = _count(wanted) - _count(left)
        tasks_kept = len(wanted) - len(left)
        state = Progress(
            len(wanted), _count(wanted), tasks_kept, games_kept, games_kept, running=()
        )

        def show(running: tuple[Task, ...]) -> None:
            if progress is not None:
                progress(replace(state, running=running))

        show(())
        played = finish_tasks(
            play_task, left, workers=workers, executor=executor, ahead=ahead, running=show
        )
        with _one_polars_thread_per_worker(), closing(played):
            for task, data in played:
                archive.write(task, data)
                done = state.tasks_done + 1, state.games_done + task.games
                state = replace(state, tasks_done=done[0], games_done=done[1])
    return archive


def play_task(task: Task) -> bytes:
    """Play the games of a task and return their record file.

    Raises
    ------
    ValueError
        If the code of the agent or of the probe is not that of the task.
    AgentFailed
        If the agent raises an error.
    """
    _check_code(f"agent {task.agent!r}", task.code, code_of(task.agent))
    if task.probe is not None:
        _check_code(f"probe {task.probe!r}", task.probe_code, code_of_probe(task.probe))
    agent, games = registry.get(task.agent), RandomBoards(task.setup, task.games, task.first)
    numbers = range(task.games)
    if task.probe is None:
        return encode(task, play_columns(agent, games, numbers))
    records = play_games(agent, games, numbers, moves=True)
    probe = find_probe(task.probe)
    extra = probe.frame([games.game(number) for number in numbers], records)
    return encode(task, columns_of(records), extra)


def _check_code(what: str, asked: str | None, here: str) -> None:
    if asked != here:
        raise ValueError(f"{what} has code {here} here, and the task is for code {asked}")


def _games(study: Study, games: int | None, quick: bool) -> int:
    if games is not None:
        return whole("games", games, 1)
    if quick and not study.quick:
        raise ValueError(
            f"study {study.name!r}: cannot answer with few games, and has no quick version; "
            "choose a number of games"
        )
    return study.quick if quick else study.games


def _made() -> dict[str, str]:
    """Say when and where games are played, and by which version."""
    return {
        "version": __version__,
        "date": datetime.now().date().isoformat(),
        "machine": f"{platform.system()} {platform.machine()} with {counted(cores(), 'core')}",
        "python": platform.python_version(),
    }


def _count(tasks: Iterable[Task]) -> int:
    return sum(task.games for task in tasks)


def _sentence(archive: Archive, replayed: Counter[str]) -> str:
    return (
        f"{archive.path}: {counted(replayed.total(), 'game')} of {', '.join(sorted(replayed))} "
        "were played by another code; the new code plays them again, and the old records stay"
    )


@contextmanager
def _one_polars_thread_per_worker() -> Iterator[None]:
    """Let Polars start no threads in processes that start meanwhile: each has its own core."""
    name = "POLARS_MAX_THREADS"
    if name in os.environ:
        yield
        return
    # Polars reads it when it is imported, which is before a worker could receive a message.
    os.environ[name] = "1"
    try:
        yield
    finally:
        os.environ.pop(name, None)
