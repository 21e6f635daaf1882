"""Studies on a real Dask cluster of this machine, on one that fails, and on other executors."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, closing
from multiprocessing import get_context
from pathlib import Path

import polars as pl
import pytest
from distributed import Client, KilledWorker

from mineproof import Setup
from mineproof.errors import ClusterFailed
from mineproof.lab import dask_cluster as on_dask
from mineproof.lab.archive import Archive
from mineproof.lab.dask_cluster import cluster
from mineproof.lab.record_file import TIMINGS
from mineproof.lab.run import Progress, run
from mineproof.lab.study import Study, grid

LOOPBACK = "127.0.0.1"
GAMES = 300
STUDY = Study(
    "short",
    title="Short",
    question="Who wins?",
    arms=grid(["exact", "noisy-or"], [Setup.level("easy")], at=lambda setup: {"size": 9}),
    games=GAMES,
    quick=100,
)


class DaskCluster:
    """A scheduler and workers, each a process, which end with the stack that they are put on."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self._log = stack.enter_context((folder / "log.txt").open("wb"))
        contact = folder / "scheduler.json"
        # Should this process be killed, the scheduler ends once it has been idle, and its workers.
        self.scheduler = self._start(
            "dask_scheduler",
            *("--port", "0", "--scheduler-file", str(contact), "--idle-timeout", "60s"),
        )
        self.address: str = _soon(lambda: json.loads(contact.read_text()))["address"]

    def start_worker(self, **environment: str) -> None:
        self._start(
            "dask_worker",
            self.address,
            *("--nthreads", "1", "--no-nanny", "--death-timeout", "60s"),
            *("--local-directory", str(self._folder)),
            **environment,
        )

    def _start(
        self, program: str, *arguments: str, **environment: str
    ) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", f"distributed.cli.{program}", *arguments),
                *("--host", LOOPBACK, "--dashboard-address", f"{LOOPBACK}:0"),
            ],
            stdout=self._log,
            stderr=self._log,
            cwd=self._folder,
            env=os.environ | environment,
        )
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process


def _soon(read: Callable[[], dict[str, str]]) -> dict[str, str]:
    """Read what a process is about to write."""
    deadline = time.monotonic() + 60
    while True:
        try:
            return read()
        except (OSError, ValueError):
            assert time.monotonic() < deadline, "no scheduler has started"
            time.sleep(0.05)


@pytest.fixture
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskCluster]:
    with ExitStack() as stack:
        yield DaskCluster(tmp_path_factory.mktemp("dask"), stack)


def play_on(
    address: str, out: Path, progress: Callable[[Progress], object] | None = None
) -> Archive:
    with cluster(address, patience=60) as (executor, ahead):
        return run([STUDY], out, executor=executor, ahead=ahead, progress=progress)


def records(archive: Archive, games: int = GAMES) -> pl.DataFrame:
    found = archive.scan(STUDY.tasks(games))
    assert found is not None
    return found.select(pl.exclude(TIMINGS)).collect()


def test_a_cluster_that_loses_a_worker_and_then_its_scheduler(
    dask: DaskCluster,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    dask.start_worker()
    dask.start_worker()
    undisturbed = records(run([STUDY], tmp_path / "local"))

    with closing(Client(dask.address, set_as_default=False)) as watcher:
        watcher.wait_for_workers(2, timeout=60)
        processes = watcher.run(os.getpid)
        with cluster(dask.address) as (_, ahead):
            assert ahead() == 4
        killed: list[str] = []

        def kill_a_busy_one(progress: Progress) -> None:
            busy = [worker for worker, tasks in watcher.processing().items() if tasks]
            if progress.tasks_done >= 2 and busy and not killed:
                os.kill(processes[busy[0]], signal.SIGKILL)
                killed.append(busy[0])

        assert records(play_on(dask.address, tmp_path / "far", kill_a_busy_one)).equals(undisturbed)
        assert len(killed) == 1
        assert set(watcher.nthreads()) == set(processes) - set(killed)

    with monkeypatch.context() as patch:
        patch.setattr("mineproof.lab.study.code_of", lambda agent: "another")
        sentence = r"^worker tcp://.*: agent 'exact' has code 38976c59\+.* here, and the task is "
        with pytest.raises(ClusterFailed, match=sentence + "for code another$"):
            play_on(dask.address, tmp_path / "other")

    def kill_the_scheduler(progress: Progress) -> None:
        if progress.tasks_done == 2:
            dask.scheduler.kill()

    with pytest.raises(ClusterFailed, match="no longer answers; finished tasks are kept"):
        play_on(dask.address, tmp_path / "half", kill_the_scheduler)
    assert len(Archive(tmp_path / "half").held()) >= 2
    assert records(run([STUDY], tmp_path / "half")).equals(undisturbed)
    assert capfd.readouterr().err == ""


def test_a_scheduler_without_workers_that_gets_one_without_mineproof_and_falls_asleep(
    dask: DaskCluster,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    told: list[str] = []
    with (
        pytest.raises(ClusterFailed, match=r"has had no workers for 0\.5 seconds"),
        cluster(dask.address, patience=0.5, tell=told.append),
    ):
        pytest.fail("there are no workers")
    assert told == [f"waiting up to 0.5 seconds for workers of {dask.address}"]

    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['mineproof'] = None")
    dask.start_worker(PYTHONPATH=str(tmp_path))
    with pytest.raises(ClusterFailed, match=r"a worker of .* cannot play: .*mineproof"):
        play_on(dask.address, tmp_path / "none")
    with cluster(dask.address) as (_, ahead):
        assert ahead() == 2, "a worker that cannot play is left alive"

    with (
        pytest.raises(ClusterFailed, match="died one after the other over one task"),
        cluster(dask.address),
    ):
        raise KilledWorker("a task", None, 3)

    monkeypatch.setattr(on_dask, "_LOOK", 0)
    with cluster(dask.address, patience=2) as (_, ahead):
        dask.scheduler.send_signal(signal.SIGSTOP)
        with pytest.raises(ClusterFailed, match="no longer answers"):
            ahead()
    assert capfd.readouterr().err == ""


def test_nobody_answers() -> None:
    with (
        socket.create_server((LOOPBACK, 0)) as taken,
        pytest.raises(ClusterFailed, match=f"no Dask scheduler answers at tcp://{LOOPBACK}:"),
        cluster(f"tcp://{LOOPBACK}:{taken.getsockname()[1]}", patience=0.5),
    ):
        pytest.fail("who takes a call and says nothing is no scheduler")
    with socket.create_server((LOOPBACK, 0)) as taken:
        free = taken.getsockname()[1]
    with (
        pytest.raises(ClusterFailed, match=f"no Dask scheduler answers at tcp://{LOOPBACK}:{free}"),
        cluster(f"tcp://{LOOPBACK}:{free}", patience=0.5),
    ):
        pytest.fail("nobody is there")


@pytest.mark.parametrize("address", ["", "here", "tcp://here", "tcp://here:there", "udp://here:1"])
def test_what_is_no_address(address: str) -> None:
    with (
        pytest.raises(ValueError, match=f"cluster '{address}': must be the address of a Dask"),
        cluster(address),
    ):
        pytest.fail("there is no such place")


def spawned(workers: int) -> Executor:
    return ProcessPoolExecutor(workers, get_context("spawn"))


@pytest.mark.parametrize("start", [ThreadPoolExecutor, spawned])
def test_any_executor_plays_the_same(start: Callable[[int], Executor], tmp_path: Path) -> None:
    with start(2) as executor:
        there = run([STUDY], tmp_path / "there", quick=True, executor=executor, ahead=3)
    here = run([STUDY], tmp_path / "here", quick=True)
    assert records(there, STUDY.quick).equals(records(here, STUDY.quick))
