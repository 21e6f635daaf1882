"""Plays on a Dask cluster: hands the same tasks to workers on other machines."""

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
from mineproof.version import code_version

__all__ = ["ClusterFailed", "cluster"]

P = ParamSpec("P")
T = TypeVar("T")

_PATIENCE: Final = 30.0
_NOTICED: Final = 1.0
"""Seconds of waiting that are worth a word."""

_LOOK: Final = 2.0
"""Seconds between two questions for the workers there are."""

_NOISY: Final = ("asyncio", "distributed", "distributed.client", "tornado.application")
"""Loggers that tell at length, on the standard error, what `ClusterFailed` says in a sentence."""


class ClusterFailed(RuntimeError):
    """A cluster cannot be used, or no longer; what was finished before is kept."""


@contextmanager
def cluster(
    address: str,
    *,
    patience: float = _PATIENCE,
    tell: Callable[[str], object] = lambda sentence: None,
) -> Iterator[tuple[Executor, Callable[[], int]]]:
    """Connect to the scheduler of a Dask cluster, and yield what `run` needs to play there.

    That is an executor, and a function that says how many tasks to hand it at a time: it counts
    the workers, which may come and go. Only workers need mineproof, and the same code as here. A
    worker that dies costs the time of a task, which the scheduler gives to another.

    Parameters
    ----------
    address
        Where the scheduler listens, such as ``tcp://host:8786``.
    patience
        For how many seconds the scheduler may be silent or without workers.
    tell
        Is told in a sentence what there is to wait for.

    Raises
    ------
    ValueError
        If that is no address.
    ClusterFailed
        If no scheduler answers or it has no workers; from inside the block, if that happens in
        the middle of a run, if workers keep dying, or if they have no mineproof or another one.

    Examples
    --------
    >>> from mineproof.lab import run
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
        except ImportError as error:
            raise ClusterFailed(f"a worker of {address} cannot play: {error}") from error


class _Errands(Executor):
    """Hands calls to workers as plain bytes, with the version of the code that they are meant for.

    A scheduler unpickles what it is handed, and a worker that cannot do so dies. Bytes harm
    neither: the call is made where and when they are opened.
    """

    def __init__(self, client: Client) -> None:
        # Nothing is tried twice but what a dead worker held: another failure would come again.
        self._dask = client.get_executor(pure=False, retries=0)

    def submit(
        self, function: Callable[P, T], /, *arguments: P.args, **keywords: P.kwargs
    ) -> Future[T]:
        errand = pickle.dumps(_Errand(code_version(), function, arguments, keywords))
        future: Future[T] = self._dask.submit(pickle.loads, errand)
        return future


class _Errand:
    """A call whose pickle, when it is loaded, is what the call returns."""

    def __init__(self, *parts: Any) -> None:
        self._parts = parts

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _run_errand, self._parts


def _run_errand(
    code: str, function: Callable[..., T], arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> T:
    here = get_worker().address
    if code_version() != code:
        raise ClusterFailed(f"worker {here} plays with code {code_version()}, and this is {code}")
    try:
        return function(*arguments, **keywords)
    except ValueError as error:
        # An agent or a probe that is not installed there, for one.
        raise ClusterFailed(f"worker {here}: {error}") from error


class _Watch:
    """Keeps an eye on a scheduler and its workers."""

    def __init__(self, client: Client, address: str, patience: float) -> None:
        self._client, self._address, self._patience = client, address, patience
        self._threads, self._looked, self._worked = 0, float("-inf"), monotonic()
        self.silence = f"the Dask scheduler at {address} answers no more; what was finished is kept"

    def wait_for_workers(self, tell: Callable[[str], object]) -> None:
        """Wait for the first worker, but not for ever."""
        self._look()
        if not self._threads:
            tell(f"waiting up to {self._patience:g} seconds for workers of {self._address}")
        while not self._threads:
            sleep(0.1)
            self._look()

    def ahead(self) -> int:
        """Return how many tasks the cluster should have: two a thread, so that none has to wait."""
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
                f"{self._patience:g} seconds; what was finished is kept"
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
    except Exception as error:  # whatever comes of an answer that is none of Dask's
        raise ClusterFailed(f"no Dask scheduler answers at {address}: {error}") from error


async def _greet(address: str, patience: float, tell: Callable[[str], object]) -> None:
    """Shake hands: a client would wait for ever for someone who takes calls and says nothing."""
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
