"""Worker processes of this machine."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from threading import Thread, current_thread, main_thread
from typing import Any

__all__ = ["cores", "process_pool", "uninterrupted"]


def cores() -> int:
    """Return how many processors this process may use.

    Examples
    --------
    >>> cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def process_pool(
    workers: int, prepare: Callable[..., object] | None = None, *arguments: Any
) -> Iterator[ProcessPoolExecutor]:
    """Start workers; whatever goes wrong ends them at once.

    Parameters
    ----------
    workers
        How many.
    prepare
        What each of them calls first, with the arguments.

    Raises
    ------
    BrokenProcessPool
        If a worker cannot start or is killed.
    """
    others = set(active_children())
    # Forking a process that has threads is not safe.
    spawn = get_context("spawn")
    pool = ProcessPoolExecutor(workers, spawn, initializer=_start, initargs=(prepare, arguments))
    try:
        yield pool
    except BaseException as error:
        for process in set(active_children()) - others:
            process.terminate()
        if isinstance(error, BrokenProcessPool):
            raise BrokenProcessPool(
                "a worker process could not start or was killed; agents of your own have to be "
                "importable, and a script with workers needs if __name__ == '__main__'"
            ) from error
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let an interruption wait; processes that start meanwhile never hear of one.

    Executors and their futures are full of locks, and one that is interrupted while it takes a
    lock may never let go of it.
    """
    with _put_off(), _unheard():
        yield


@contextmanager
def _put_off() -> Iterator[None]:
    """Take note of interruptions, and answer them at the end."""
    if current_thread() is not main_thread():
        yield
        return
    came: list[int] = []
    before = {
        number: handler
        for number in (signal.SIGINT, signal.SIGTERM)
        # None is not Python's to give back.
        if (handler := signal.getsignal(number)) is not None
    }
    for number in before:
        signal.signal(number, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for interruption in came:
            signal.raise_signal(interruption)


@contextmanager
def _unheard() -> Iterator[None]:
    """Let processes that start meanwhile inherit deaf ears."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start(prepare: Callable[..., object] | None, arguments: tuple[Any, ...]) -> None:
    # An interruption is for the process that started this one to handle.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    if prepare is not None:
        prepare(*arguments)


def _end_with_parent() -> None:
    """Wait for no more work where nobody is left to ask for it, as when the parent was killed."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
