"""Dask clusters: workers on other machines that play the tasks of a run."""

from __future__ import annotations

import asyncio
import logging
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from contextlib import closing, contextmanager
from time import monotonic, sleep
from typing import Any, Final, ParamSpec, TypeVar

from distributed import Client, KilledWorker, Security, get_worker
from distributed.comm import connect
from distributed.utils import LoopRunner

from mineproof.arguments import sentence
from mineproof.errors import ClusterFailed

__all__ = ["cluster"]

P = ParamSpec("P")
T = TypeVar("T")

_PATIENCE: Final = 30.0
_NOTICED: Final = 1.0
"""Seconds of waiting before the user is informed."""

_LOOK: Final = 2.0
"""Seconds between two counts of the workers."""

_NOISY: Final = ("asyncio", "distributed", "distributed.client", "tornado.application")
"""Loggers that write at length to standard error what `ClusterFailed` says in a sentence."""


@contextmanager
def cluster(
    address: str,
    *,
    patience: float = _PATIENCE,
    tell: Callable[[str], object] = lambda sentence: None,
) -> Iterator[tuple[Executor, Callable[[], int]]]:
    """Connect to the scheduler of a Dask cluster, and yield what `run` needs to play there.

    That is an executor, and a function that returns how many tasks it should have at a time: it
    counts the workers, which may come and go. Workers need mineproof with the same code of the
    agents as here; the scheduler does not. If a worker dies, the scheduler gives its task to
    another one.

    Parameters
    ----------
    address
        Where the scheduler listens, such as ``tcp://host:8786``.
    patience
        For how many seconds the scheduler may be silent or without workers.
    tell
        Receives a sentence about what there is to wait for.

    Raises
    ------
    ValueError
        If the address is not one.
    ClusterFailed
        If no scheduler answers or it has no workers; from inside the block, if that happens during
        a run, if workers keep dying, or if they have no mineproof or other code.

    Examples
    --------
    >>> from mineproof.lab.run import run
    >>> def play(studies, out):
    ...     with cluster("tcp://host:8786") as (executor, ahead):
    ...         return run(studies, out, executor=executor, ahead=ahead)
    """
    with _quiet(), closing(_connect(address, patience, tell)) as client:
        watch = _Watch(client, address, patience)
        watch.wait_for_workers(tell)
        try:
            yield _Errands(client), watch.ahead
        except CancelledError:
            raise ClusterFailed(watch.silence) from None
        except KilledWorker:
            raise ClusterFailed(
                f"workers of {address} died one after the other over one task; their logs may "
                "tell why"
            ) from None
        except (ImportError, AttributeError) as error:
            # Where the call is loaded: mineproof is not installed there, or a very different one.
            raise ClusterFailed(f"a worker of {address} cannot play: {error}") from error


class _Errands(Executor):
    """Sends calls to workers as plain bytes.

    A scheduler unpickles what it receives, and a worker that cannot do so dies. Bytes do no harm:
    the worker makes the call when it loads them.
    """

    def __init__(self, client: Client) -> None:
        # Nothing is tried twice except the tasks of dead workers: other failures would repeat.
        self._dask = client.get_executor(pure=False, retries=0)

    def submit(
        self, function: Callable[P, T], /, *arguments: P.args, **keywords: P.kwargs
    ) -> Future[T]:
        errand = pickle.dumps(_Errand(function, arguments, keywords))
        future: Future[T] = self._dask.submit(pickle.loads, errand)
        return future


class _Errand:
    """A call whose pickle, when it is loaded, is the result of the call."""

    def __init__(self, *parts: Any) -> None:
        self._parts = parts

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _run_errand, self._parts


def _run_errand(
    function: Callable[..., T], arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> T:
    try:
        return function(*arguments, **keywords)
    except ValueError as error:
        # For example, an agent that is not installed there or has another code.
        raise ClusterFailed(f"worker {get_worker().address}: {error}") from error


class _Watch:
    """Watches a scheduler and its workers."""

    def __init__(self, client: Client, address: str, patience: float) -> None:
        self._client, self._address, self._patience = client, address, patience
        self._threads, self._looked, self._worked = 0, float("-inf"), monotonic()
        self.silence = f"the Dask scheduler at {address} no longer answers; finished tasks are kept"

    def wait_for_workers(self, tell: Callable[[str], object]) -> None:
        """Wait for the first worker, but not forever."""
        self._look()
        if not self._threads:
            tell(f"waiting up to {self._patience:g} seconds for workers of {self._address}")
        while not self._threads:
            sleep(0.1)
            self._look()

    def ahead(self) -> int:
        """Return how many tasks the cluster should have: two per thread, so that none waits."""
        if self._client.status != "running":
            raise ClusterFailed(self.silence)
        if monotonic() - self._looked > _LOOK:
            self._look()
        return max(1, 2 * self._threads)

    def _look(self) -> None:
        try:
            threads = self._client.sync(
                self._client.scheduler.ncores, callback_timeout=self._patience
            )
        except OSError:
            raise ClusterFailed(self.silence) from None
        self._threads, self._looked = sum(threads.values()), monotonic()
        if self._threads:
            self._worked = self._looked
        elif self._looked - self._worked > self._patience:
            raise ClusterFailed(
                f"the Dask scheduler at {self._address} has had no workers for "
                f"{self._patience:g} seconds; finished tasks are kept"
            )


def _connect(address: str, patience: float, tell: Callable[[str], object]) -> Client:
    try:
        LoopRunner().run_sync(_greet, address, patience, tell)
        return Client(address, timeout=patience, set_as_default=False)
    except OSError:
        raise ClusterFailed(f"no Dask scheduler answers at {address}") from None
    except ValueError:
        must = "the address of a Dask scheduler, such as tcp://host:8786"
        raise ValueError(sentence("cluster", address, must)) from None
    except Exception as error:  # whatever an answer that is not Dask's causes
        raise ClusterFailed(f"no Dask scheduler answers at {address}: {error}") from error


async def _greet(address: str, patience: float, tell: Callable[[str], object]) -> None:
    """Check that a scheduler answers: a client would wait forever for a silent server."""
    secured = Security().get_connection_args("client")
    greeting = asyncio.create_task(connect(address, timeout=patience, **secured))
    if not (await asyncio.wait([greeting], timeout=_NOTICED))[0]:
        tell(f"waiting up to {patience:g} seconds for a Dask scheduler at {address}")
    comm = await asyncio.wait_for(greeting, patience)
    await comm.close()


@contextmanager
def _quiet() -> Iterator[None]:
    loggers = [logging.getLogger(name) for name in _NOISY]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
