"""Nothing finished is ever lost: runs that are killed at random moments and continued."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path
from random import Random

import polars as pl
import pytest
from small_study import FILES, STUDY, assert_same, contents

from mineproof.lab.archive import Archive
from mineproof.lab.run import Progress, run

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")

PROGRAM = Path(__file__).parents[1] / "support" / "small_study.py"


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pl.DataFrame]:
    directory = tmp_path_factory.mktemp("undisturbed")
    run([STUDY], directory)
    return contents(directory)


def start(directory: Path, workers: int) -> subprocess.Popen[bytes]:
    words = [sys.executable, str(PROGRAM), str(directory), str(workers)]
    return subprocess.Popen(words, start_new_session=True, stderr=subprocess.PIPE)


def files(directory: Path) -> int:
    return len(list(directory.glob("records/*.parquet")))


def kill_at(run: subprocess.Popen[bytes], directory: Path, done: int, delay: float) -> None:
    """Kill a run and its workers some time after so many tasks were done; it may have ended."""
    end = time.monotonic() + 60
    while files(directory) < done and run.poll() is None:
        assert time.monotonic() < end, "nothing comes of it"
        time.sleep(0.001)
    time.sleep(delay)
    if run.poll() is None:
        os.killpg(run.pid, signal.SIGKILL)
    _, complaint = run.communicate()
    assert run.returncode in (0, -signal.SIGKILL), complaint.decode()


def check_killing(
    directory: Path, workers: int, kills: int, undisturbed: dict[str, pl.DataFrame]
) -> None:
    random = Random(100 * workers + kills)
    before, in_the_middle = 0, 0
    for left in range(kills, 0, -1):
        if left == kills:  # while it starts
            done, delay = 0, random.uniform(0, 1)
        else:
            done = before + random.randint(1, max(1, (FILES - 2 - before) // left))
            delay = random.uniform(0, 0.02)
        kill_at(start(directory, workers), directory, done, delay)
        # What is there is whole, and nothing that was there is gone.
        now = len(Archive(directory).held())
        assert now == files(directory) >= before
        in_the_middle += before < now < FILES
        before = now
    assert in_the_middle >= min(kills - 1, 3), "no kill has hit a run in its middle"
    run([STUDY], directory)
    assert_same(contents(directory), undisturbed)
    assert not list(directory.glob("**/.*.unfinished"))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_run_goes_on(
    workers: int, tmp_path: Path, undisturbed: dict[str, pl.DataFrame]
) -> None:
    check_killing(tmp_path, workers, 2, undisturbed)


@pytest.mark.long
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_is_killed_ten_times_goes_on(
    workers: int, tmp_path: Path, undisturbed: dict[str, pl.DataFrame]
) -> None:
    check_killing(tmp_path, workers, 10, undisturbed)


def test_a_killed_parent_leaves_neither_lock_nor_workers(tmp_path: Path) -> None:
    parent = start(tmp_path, workers=2)
    while not files(tmp_path):
        assert parent.poll() is None
        time.sleep(0.001)
    with pytest.raises(ValueError, match=r": another run is writing to it$"):
        run([STUDY], tmp_path)
    os.kill(parent.pid, signal.SIGKILL)
    # Workers have inherited this pipe: it ends when the last of them is gone.
    assert parent.communicate(timeout=20)[1] is not None
    assert len(run([STUDY], tmp_path).held()) == FILES


def test_a_killed_worker_costs_no_result(
    tmp_path: Path, undisturbed: dict[str, pl.DataFrame]
) -> None:
    others = set(active_children())
    killed: list[int] = []

    def kill_one(state: Progress) -> None:
        workers = [worker for worker in active_children() if worker not in others]
        if state.tasks_done >= 3 and not killed and workers:
            pid = workers[0].pid
            assert pid is not None
            killed.append(pid)
            os.kill(pid, signal.SIGKILL)

    run([STUDY], tmp_path, workers=2, progress=kill_one)
    assert killed
    assert_same(contents(tmp_path), undisturbed)
