"""`mineproof study`: questions of the field, answered by playing."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from mineproof.arena.workers import cores
from mineproof.arguments import counted
from mineproof.cli import options
from mineproof.cli.completion import study_names
from mineproof.cli.output import print_sentences
from mineproof.cli.progress import run_progress
from mineproof.cli.report import opening, rebuild, show_findings, tell
from mineproof.errors import ClusterFailed

if TYPE_CHECKING:
    from mineproof.lab import Study, Task
    from mineproof.lab.archive import Archive
    from mineproof.lab.run import Progress


@click.command()
@click.argument("names", metavar="[NAME]...", nargs=-1, shell_complete=study_names)
@click.option("--list", "listed", is_flag=True, help="List the studies and their questions.")
@click.option("--all", "play_all", is_flag=True, help="Play all studies.")
@click.option(
    "--quick",
    is_flag=True,
    help="Play few games; without a NAME all studies that few games can answer, in some minutes.",
)
@click.option(
    "--games",
    type=options.Whole(1, 1_000_000_000),
    metavar="N",
    help="How many games each agent plays under each condition. Default: the number that the "
    "study sets.",
)
@click.option(
    "--out",
    type=options.OUT,
    metavar="DIR",
    help="The directory of the records and the report. Default: studies.",
)
@options.workers
@opening
@click.option(
    "--cluster", metavar="ADDRESS", help="Play on a Dask cluster, such as tcp://127.0.0.1:8786."
)
def study(
    names: tuple[str, ...],
    listed: bool,
    play_all: bool,
    quick: bool,
    games: int | None,
    out: Path | None,
    workers: int | None,
    cluster: str | None,
    show: bool,
) -> int:
    """Play the games of studies and write the report.

    Without a NAME, --all or --quick, this lists the studies. Records are kept as soon as a task is
    finished, so a run can be stopped at any time: Ctrl-C prints the answers so far, and the same
    command goes on from there. If nothing is left to play, it rebuilds the report. A larger number
    of games adds to those already played.

    DIR/index.html is the report. DIR/records has Parquet files with one row per game, each game
    once: `mineproof records DIR` reads them.

    Exit codes: 1 an agent failed or the disk is full, 2 bad input, 130 stopped by Ctrl-C.
    """
    from mineproof.lab import studies
    from mineproof.lab.archive import Archive
    from mineproof.lab.findings import Findings

    if play_all:
        options.refuse("--all", {"NAME": names or None})
    elif listed or not (names or quick):
        given = (
            {}
            if listed
            else {"--games": games, "--out": out, "--workers": workers, "--cluster": cluster}
        )
        for option, value in given.items():
            if value is not None:
                raise click.UsageError(f"{option} needs the names of studies, or --all.")
        print_sentences({name: studies.get(name).question for name in studies.names()})
        return 0
    asked = [studies.get(name) for name in dict.fromkeys(names or studies.names())]
    if quick and not names:
        left_out = [study.name for study in asked if not study.quick]
        asked = [study for study in asked if study.quick]
        if left_out:
            tell(f"left out, since few games cannot answer them: {', '.join(left_out)}")
    if quick:
        options.refuse("--quick", {"--games": games})
    if cluster is not None:
        options.refuse("--cluster", {"--workers": workers})
    kept = _Kept(out or Path("studies"))
    try:
        with _stoppable():
            rebuild(_run(asked, kept, cluster, games, quick, workers or cores()), show=show)
    except KeyboardInterrupt as stop:
        print(f"\nmineproof: {kept.sentence}", file=sys.stderr)
        if isinstance(stop, _Terminated):
            return 128 + signal.SIGTERM
        if kept.state is not None and kept.state.tasks_done:
            archive = Archive(kept.directory)
            show_findings([Findings(study, archive) for study in asked])
        return 128 + signal.SIGINT
    return 0


def _run(
    studies: Sequence[Study],
    kept: _Kept,
    cluster: str | None,
    games: int | None,
    quick: bool,
    workers: int,
) -> Archive:
    from mineproof.lab.run import run

    for package in ("jinja2", "altair", "vl_convert"):
        # The report needs them: fail now rather than after hours of play.
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

    play = partial(run, studies, kept.directory, games=games, quick=quick, workers=workers)
    with ExitStack() as stack:
        if cluster is not None:
            executor, ahead = stack.enter_context(_connected(cluster))
            play = partial(play, executor=executor, ahead=ahead)
        show = stack.enter_context(run_progress(workers, study_of))

        def update(state: Progress) -> None:
            kept.state = state
            show(state)

        return play(progress=update, tell=tell)


@contextmanager
def _connected(address: str) -> Iterator[tuple[Executor, Callable[[], int]]]:
    """Connect to a Dask cluster."""
    from mineproof.lab.dask_cluster import cluster

    try:
        with ExitStack() as stack:
            with options.naming("--cluster"):
                connection = stack.enter_context(cluster(address, tell=tell))
            yield connection
    except ClusterFailed as error:
        raise BrokenExecutor(str(error)) from error


class _Terminated(KeyboardInterrupt):
    """SIGTERM ended the run, not Ctrl-C."""


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
    """What a directory has if the run is stopped."""

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
