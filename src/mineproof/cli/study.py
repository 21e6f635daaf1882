"""`mineproof study`: questions of the field, answered by playing."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from mineproof.arena.workers import cores
from mineproof.arguments import counted
from mineproof.cli.options import read_whole
from mineproof.cli.progress import run_progress
from mineproof.cli.report import rebuild, show_sentences

if TYPE_CHECKING:
    from mineproof.lab import Study, Task
    from mineproof.lab.archive import Archive
    from mineproof.lab.run import Progress

__all__ = ["study"]

_MOST_GAMES: Final = 1_000_000_000
_MOST_WORKERS: Final = 1_000


def study(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="Which studies. Default: all of them."),
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help="List the studies and what each of them asks.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Play few games: some minutes for all studies.")
    ] = False,
    games: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="How many games every agent plays under every condition. Default: what a study "
            "says.",
        ),
    ] = None,
    out: Annotated[
        str, typer.Option(metavar="DIR", help="Where records and report are kept.")
    ] = "studies",
    workers: Annotated[
        str | None,
        typer.Option(
            metavar="W",
            help="How many processes play, which changes no result. Default: one a core.",
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Play on a Dask cluster, such as tcp://127.0.0.1:8786."
        ),
    ] = None,
) -> int:
    """Play the games of studies, keep their records, and write the report.

    What is finished is kept at once, so that a run can be stopped at any moment: the same command
    goes on from there, and one that has nothing left to play builds the report anew. More games
    add to those that are there. DIR/index.html is the report, and DIR/records has a Parquet file
    for every finished task, a row a game: `mineproof records DIR` reads them.
    Exit codes: 1 an agent failed or the disk is full, 2 bad input, 130 stopped by Ctrl-C.
    """
    from mineproof.lab import studies

    if listed:
        show_sentences({name: studies.get(name).question for name in studies.names()})
        return 0
    asked = [studies.get(name) for name in dict.fromkeys(names or studies.names())]
    if games is not None and quick:
        raise ValueError("--games: cannot stand beside --quick")
    if cluster is not None and workers is not None:
        raise ValueError("--workers: cannot stand beside --cluster")
    settings: dict[str, Any] = {"quick": quick, "workers": cores()}
    if games is not None:
        settings["games"] = read_whole("--games", games, least=1, most=_MOST_GAMES)
    if workers is not None:
        settings["workers"] = read_whole("--workers", workers, least=1, most=_MOST_WORKERS)
    kept = _Kept(Path(out))
    try:
        with _stoppable():
            rebuild(_run(asked, kept, cluster, settings))
    except KeyboardInterrupt as stop:
        print(f"\nmineproof: {kept.sentence}", file=sys.stderr)
        return 128 + (signal.SIGTERM if isinstance(stop, _Terminated) else signal.SIGINT)
    return 0


def _run(
    studies: Sequence[Study], kept: _Kept, cluster: str | None, settings: dict[str, Any]
) -> Archive:
    from mineproof.lab.run import run

    for package in ("jinja2", "matplotlib"):
        # The report needs them, and had better miss them now than after hours of playing.
        if find_spec(package) is None:
            raise ModuleNotFoundError(name=package)
    print(f"Records and report: {kept.directory.resolve()}", file=sys.stderr)
    names = {
        (arm.agent, arm.setup, arm.probe): study.name
        for study in reversed(studies)
        for arm in study.arms
    }

    def study_of(task: Task) -> str:
        return names[task.agent, task.setup, task.probe]

    with ExitStack() as stack:
        if cluster is not None:
            settings |= stack.enter_context(_on_cluster(cluster))
        show = stack.enter_context(run_progress(settings["workers"], study_of))

        def note(state: Progress) -> None:
            kept.state = state
            show(state)

        return run(studies, kept.directory, progress=note, tell=_tell, **settings)


def _tell(sentence: str) -> None:
    print(f"mineproof: {sentence}", file=sys.stderr)


@contextmanager
def _on_cluster(address: str) -> Iterator[dict[str, Any]]:
    """Yield what a run needs to play on a Dask cluster."""
    from mineproof.lab.cluster import ClusterFailed, cluster

    try:
        with ExitStack() as stack:
            try:
                executor, ahead = stack.enter_context(cluster(address, tell=_tell))
            except ValueError as error:
                raise ValueError(f"--{error}") from None
            yield {"executor": executor, "ahead": ahead}
    except ClusterFailed as error:
        raise BrokenExecutor(str(error)) from error


class _Terminated(KeyboardInterrupt):
    """Someone asked this process to end, by SIGTERM rather than from the keyboard."""


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let SIGTERM stop a run as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise _Terminated

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Kept:
    """What there is in a directory, should the run be stopped."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.state: Progress | None = None

    @property
    def sentence(self) -> str:
        if self.state is None:
            return "stopped before a game was played; the same command starts again"
        done = f"{self.state.tasks_done:,} of {counted(self.state.tasks, 'task')}"
        return (
            f"stopped; {self.directory} keeps the records of {done}, and the same command goes on "
            "from there"
        )
