"""Tasks and the workers that do them: processes of this machine, or any executor."""

from __future__ import annotations

import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import active_children, get_context, parent_process
from os import _exit  # as it is before any agent runs
from queue import Empty, SimpleQueue
from threading import Thread, current_thread, main_thread
from typing import Any, Final, Generic, TypeVar

from mineproof.arguments import whole

__all__ = ["cores", "end_with_parent", "finish_tasks"]

T = TypeVar("T")
R = TypeVar("R")

_AHEAD: Final = 64
"""How many tasks an executor of unknown size has: enough to be busy, few enough for memory."""

_PATIENCE: Final = 5.0
"""Seconds after which an executor that finishes nothing is asked how many tasks it should have."""

_TRIES: Final = 3
"""How often workers may die before the same task is finished."""


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


def finish_tasks(
    function: Callable[[T], R],
    tasks: Iterable[T],
    *,
    workers: int = 1,
    executor: Executor | None = None,
    ahead: int | Callable[[], int] = _AHEAD,
    running: Callable[[tuple[T, ...]], object] = lambda tasks: None,
) -> Generator[tuple[T, R], None, None]:
    """Call a function with every task, and yield tasks and results in the order they finish.

    The task of a worker that is killed goes to another worker. Closing the generator ends all
    workers at once.

    Parameters
    ----------
    function
        What to call. Each worker process receives it once, so it may hold large arguments.
    tasks
        The arguments.
    workers
        How many processes of this machine work; 1 works in this one. With more, a script needs
        the usual ``if __name__ == "__main__":``, and the function must be importable.
    executor
        Works instead, if given: anything with the interface of `concurrent.futures`.
    ahead
        How many tasks the executor has at a time. A function is called every few seconds, and may
        raise an error if the executor has failed.
    running
        Receives the unfinished tasks that workers have, whenever these change.

    Raises
    ------
    BrokenExecutor
        If workers cannot start or keep dying.

    Examples
    --------
    >>> list(finish_tasks(abs, [3, -4]))
    [(3, 3), (-4, 4)]
    """
    workers = whole("workers", workers, 1)
    most = ahead if callable(ahead) else partial(int, whole("ahead", ahead, 1))
    work = _Work(function, deque(tasks), running)
    if executor is not None:
        return work.do_on(executor, most)
    workers = min(workers, len(work.missing))
    return work.do_on_processes(workers) if workers > 1 else work.do_here()


@dataclass
class _Work(Generic[T, R]):
    """A function, the tasks that it has not been called with yet, and who follows the progress."""

    function: Callable[[T], R]
    missing: deque[T]
    running: Callable[[tuple[T, ...]], object]

    def do_here(self) -> Generator[tuple[T, R], None, None]:
        while self.missing:
            task = self.missing.popleft()
            self.running((task,))
            yield task, self.function(task)
        self.running(())

    def do_on(
        self, executor: Executor, most: Callable[[], int]
    ) -> Generator[tuple[T, R], None, None]:
        begun: dict[Future[R], T] = {}
        try:
            yield from self.hand_out(executor, self.function, most, begun)
        except BrokenExecutor:
            # It is still setting errors on its futures, and must not find them cancelled.
            raise
        except BaseException:
            for future in begun:
                future.cancel()
            raise

    def do_on_processes(self, workers: int) -> Generator[tuple[T, R], None, None]:
        """Work on processes of this machine; when one is killed, start new ones."""
        stuck, tries = None, 0
        while self.missing:
            begun: dict[Future[R], T] = {}
            try:
                with _process_pool(workers, self.function) as pool:
                    # Two tasks per worker, so that none has to wait for the next.
                    yield from self.hand_out(pool, _call, lambda: 2 * workers, begun)
            except BrokenExecutor as error:
                self.missing.extendleft(reversed(begun.values()))
                stuck, tries = self.missing[0], tries + 1 if self.missing[0] is stuck else 1
                if tries == _TRIES:
                    raise type(error)(
                        "a worker process could not start or was killed; agents of your own have "
                        "to be importable, and a script with workers needs "
                        "if __name__ == '__main__'"
                    ) from error

    def hand_out(
        self,
        executor: Executor,
        call: Callable[[T], R],
        most: Callable[[], int],
        begun: dict[Future[R], T],
    ) -> Generator[tuple[T, R], None, None]:
        """Keep an executor busy, and keep in `begun` what it has not finished."""
        # Unlike waiting for futures, waiting for this queue can be interrupted at any moment.
        finished: SimpleQueue[Future[R]] = SimpleQueue()
        while self.missing or begun:
            wanted = most()
            with _uninterrupted():
                while self.missing and len(begun) < wanted:
                    future = executor.submit(call, self.missing[0])
                    begun[future] = self.missing.popleft()
                    future.add_done_callback(finished.put)
            self.running(tuple(begun.values()))
            with suppress(Empty):
                future = finished.get(timeout=_PATIENCE)
                result = future.result()
                yield begun.pop(future), result
        self.running(())


@contextmanager
def _process_pool(workers: int, function: Callable[..., Any]) -> Iterator[ProcessPoolExecutor]:
    """Start processes in which `_call` calls the function; an error ends them at once."""
    others = set(active_children())
    # Forking a process that has threads is not safe.
    spawn = get_context("spawn")
    pool = ProcessPoolExecutor(
        workers, spawn, initializer=_start, initargs=(pickle.dumps(function),)
    )
    try:
        yield pool
    except BaseException:
        for process in set(active_children()) - others:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


_function: Callable[[Any], Any]
"""What this worker process calls."""


def _start(function: bytes) -> None:
    global _function
    # The results are the only output of a worker; what agents print goes to standard error, also
    # while they are loaded.
    with suppress(OSError):
        os.dup2(2, 1)
    _function = pickle.loads(function)
    # The process that started this one handles interruptions.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


def _call(task: Any) -> Any:
    return _function(task)


def end_with_parent(pipe: int | None = None) -> None:
    """From now on, end this process as soon as the one that started it ends, however it does.

    Parameters
    ----------
    pipe
        The reading end of a pipe that only the other process could write to, and never does.
        Processes of `multiprocessing` have one already.
    """
    parent = parent_process()
    if pipe is not None:
        wait: Callable[[], object] = partial(os.read, pipe, 1)
    elif parent is not None:
        pipe, wait = parent.sentinel, parent.join
    else:
        return

    def watch() -> None:
        wait()
        _exit(1)

    Thread(target=watch, daemon=True).start()
    # A thread has to wait for native code that keeps Python's lock; this signal does not.
    with suppress(ImportError, AttributeError, OSError):
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
        # An agent may ignore it; where the system can, it is one that nobody can ignore.
        fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delay interruptions to the end; processes that start meanwhile do not receive any.

    Executors and futures take locks, and one that is interrupted while it takes a lock may never
    release it.
    """
    received: list[int] = []
    try:
        with ExitStack() as stack:
            if current_thread() is main_thread():
                for number in (signal.SIGINT, signal.SIGTERM):
                    # A handler that Python did not install is None, and could not be restored.
                    if (handler := signal.getsignal(number)) is not None:
                        stack.callback(signal.signal, number, handler)
                        signal.signal(number, lambda number, frame: received.append(number))
            if hasattr(signal, "pthread_sigmask"):
                before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
                stack.callback(signal.pthread_sigmask, signal.SIG_SETMASK, before)
            yield
    finally:
        for interruption in received:
            signal.raise_signal(interruption)
