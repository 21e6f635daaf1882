"""Tasks and their workers: every task is finished once, whatever happens to a worker."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from multiprocessing import active_children, get_context
from pathlib import Path

import pytest
from processes import is_running

from mineproof.arena.workers import finish_tasks

unix = pytest.mark.skipif(os.name == "nt", reason="needs signals")


def square(number: int) -> int:
    return number * number


def die_once(folder: Path, number: int) -> int:
    """Kill the worker of task 5, the first time that it has the task."""
    if number == 5 and not (folder / "died").exists():
        (folder / "died").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def fail(number: int) -> int:
    if number == 3:
        raise LookupError("no idea")
    return number


@pytest.mark.parametrize("workers", [1, 2])
def test_every_task_is_finished_once(workers: int) -> None:
    seen: list[tuple[int, ...]] = []
    done = dict(finish_tasks(square, range(20), workers=workers, running=seen.append))
    assert done == {number: number * number for number in range(20)}
    assert seen[-1] == ()
    assert {number for running in seen for number in running} == set(range(20))
    assert max(map(len, seen)) == (1 if workers == 1 else 4)


def test_nothing_to_do() -> None:
    assert list(finish_tasks(square, [], workers=3)) == []


@pytest.mark.parametrize("ahead", [1, 3, lambda: 2])
def test_any_executor_works(ahead: int | Callable[[], int]) -> None:
    with ThreadPoolExecutor(2) as executor:
        done = dict(finish_tasks(square, range(9), executor=executor, ahead=ahead))
    assert done == {number: number * number for number in range(9)}


@unix
def test_a_killed_worker_costs_no_result(tmp_path: Path) -> None:
    done = list(finish_tasks(partial(die_once, tmp_path), range(12), workers=2))
    assert sorted(done) == [(number, number) for number in range(12)]
    assert (tmp_path / "died").exists()


@unix
def test_a_task_that_kills_its_workers_is_given_up() -> None:
    with pytest.raises(BrokenExecutor, match="a worker process could not start or was killed"):
        list(finish_tasks(die, range(3), workers=2))


def test_an_error_ends_the_workers() -> None:
    others = set(active_children())
    with pytest.raises(LookupError, match="no idea"):
        list(finish_tasks(fail, range(9), workers=2))
    assert set(active_children()) <= others


def test_stopping_early_ends_the_workers() -> None:
    others = set(active_children())
    with closing(finish_tasks(square, range(100), workers=2)) as done:
        next(done)
        assert set(active_children()) > others
    assert set(active_children()) <= others


@unix
@pytest.mark.parametrize("start", [None, partial(ThreadPoolExecutor, 2)])
def test_an_interruption_stops_the_work(start: Callable[[], Executor] | None) -> None:
    others = set(active_children())
    main = threading.main_thread().ident
    assert main is not None
    with ExitStack() as stack:
        executor = None if start is None else stack.enter_context(start())
        done = stack.enter_context(
            closing(finish_tasks(time.sleep, [0.02] * 10_000, workers=2, executor=executor))
        )
        next(done)
        timer = threading.Timer(0.1, signal.pthread_kill, [main, signal.SIGINT])
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            list(done)
        timer.join()
    assert set(active_children()) <= others


def test_wrong_numbers() -> None:
    with pytest.raises(ValueError, match="workers 0: must be a whole number from 1"):
        finish_tasks(square, [1], workers=0)
    with pytest.raises(ValueError, match="ahead 0: must be a whole number from 1"):
        finish_tasks(square, [1], ahead=0)


def loop_in_native_code(folder: Path, number: int) -> None:
    (folder / str(os.getpid())).touch()
    re.match("(a+)+$", "a" * 60 + "b")


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_a_worker_ends_with_a_parent_that_is_killed_even_in_native_code(tmp_path: Path) -> None:
    context = get_context("spawn")
    parent = context.Process(target=wait_for_loops, args=(tmp_path,))
    parent.start()
    latest = time.monotonic() + 60
    while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < latest:
        time.sleep(0.05)
    workers = [int(file.name) for file in tmp_path.iterdir()]
    assert len(workers) == 2
    parent.kill()
    parent.join()
    latest = time.monotonic() + 10
    while any(map(is_running, workers)) and time.monotonic() < latest:
        time.sleep(0.05)
    assert not any(map(is_running, workers))


def wait_for_loops(folder: Path) -> None:
    list(finish_tasks(partial(loop_in_native_code, folder), range(2), workers=2))
