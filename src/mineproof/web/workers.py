"""Processes that think and analyse for the server, and can be killed at any moment.

A request goes to a process that has nothing to do, when it is its client's turn. The process is
killed, and another one started, if it takes too long, dies, has to give way to shorter work, or if
nobody waits for its answer any more.
"""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import struct
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

from mineproof.web.errors import Refused
from mineproof.web.guard import CLIENT
from mineproof.web.turns import Turn, Turns

__all__ = ["FRAME", "READY", "WorkerFailed", "Workers"]

FRAME: Final = struct.Struct(">cI")
"""Before every answer: its kind (progress, done, refused) and its length."""

READY: Final = b"ready"
"""A process writes this when it can be asked."""
_LONGEST_START: Final = 120
"""Seconds after which a process that is not ready is given up."""

_WHOLE: Final = ("analyse", "review")
"""Tasks about a whole position or game; a client's other questions go before them."""

Progress = Callable[[int, int], None]


class WorkerFailed(Exception):
    """A process did not answer: it took too long or died."""


class _GaveWay(Exception):
    """A request gave its place up to a shorter one."""


@dataclass(eq=False)
class _Worker:
    process: asyncio.subprocess.Process
    life: int | None = None
    """The writing end of a pipe that this process alone has: when it ends, the worker does."""
    key: str = ""
    """The key of its last request, whose state it may remember."""
    is_ready: bool = False

    @classmethod
    async def start(cls) -> _Worker:
        # On Windows, only standard input is inherited; a worker ends when it reads that.
        pipe = os.pipe() if os.name == "posix" else ()
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "mineproof.web.worker",
                *(str(end) for end in pipe[:1]),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=2**20,
                pass_fds=pipe[:1],
            )
        except BaseException:
            for end in pipe[1:]:
                os.close(end)
            raise
        finally:
            for end in pipe[:1]:
                os.close(end)
        return cls(process, *pipe[1:])

    async def ready(self) -> None:
        """Wait until it has loaded everything: its time is not that of a request."""
        if not self.is_ready:
            assert self.process.stdout is not None
            try:
                async with asyncio.timeout(_LONGEST_START):
                    await self.process.stdout.readexactly(len(READY))
            except (asyncio.IncompleteReadError, TimeoutError):
                raise WorkerFailed("could not be started") from None
            self.is_ready = True

    async def ask(self, request: bytes, progress: Progress) -> bytes:
        writer, reader = self.process.stdin, self.process.stdout
        assert writer is not None
        assert reader is not None
        try:
            writer.write(struct.pack(">I", len(request)) + request)
            await writer.drain()
            while True:
                kind, length = FRAME.unpack(await reader.readexactly(FRAME.size))
                body = await reader.readexactly(length)
                if kind == b"p":
                    progress(*json.loads(body))
                elif kind == b"r":
                    status, sentence = json.loads(body)
                    raise Refused(status, sentence)
                else:
                    return body
        except (asyncio.IncompleteReadError, BrokenPipeError, ConnectionResetError):
            raise WorkerFailed("died") from None

    async def end(self) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        life, self.life = self.life, None
        if life is not None:
            os.close(life)
        if self.process.stdin is not None:
            self.process.stdin.close()
            with suppress(BrokenPipeError, ConnectionResetError):
                await self.process.stdin.wait_closed()


class Workers:
    """Processes that answer requests: one at first, and more while several requests wait."""

    def __init__(self, count: int, *, most_waiting: int) -> None:
        self._turns = Turns(count, most_waiting=most_waiting)
        self._idle: list[_Worker] = []
        self._all: set[_Worker] = set()

    async def start(self) -> None:
        """Start the first process."""
        self._idle.append(await self._new())

    async def close(self) -> None:
        """End the processes."""
        for worker in list(self._all):
            await worker.end()
        self._all.clear()

    async def ask(
        self,
        task: str,
        *arguments: Any,
        seconds: float,
        key: str = "",
        progress: Progress = lambda done, total: None,
    ) -> bytes:
        """Let a process call the function of a task, and return its answer, which is JSON.

        Parameters
        ----------
        task
            The name of a task in `mineproof.web.worker`.
        arguments
            Its arguments; they are pickled.
        seconds
            How long it may take before the process is killed, and how long it may wait before.
        key
            Names the state that a process may remember: the same process is asked again, if free.
        progress
            Receives how much of the task is done.
        """
        request = pickle.dumps((task, arguments))
        turn = Turn(CLIENT.get(), patience=seconds, comes_later=task in _WHOLE)
        while True:
            with suppress(_GaveWay):
                async with self._turns.place(turn), self._worker(key) as worker:
                    await worker.ready()
                    return await self._answer(turn, worker, request, seconds, progress)

    async def _answer(
        self, turn: Turn, worker: _Worker, request: bytes, seconds: float, progress: Progress
    ) -> bytes:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(seconds) as limit:

                def stop() -> None:
                    if not limit.expired():
                        limit.reschedule(loop.time())

                with self._turns.work(turn, stop):
                    return await worker.ask(request, progress)
        except TimeoutError:
            if turn.gives_way:
                raise _GaveWay from None
            raise WorkerFailed(f"took longer than {seconds:g} seconds") from None

    @asynccontextmanager
    async def _worker(self, key: str) -> AsyncIterator[_Worker]:
        worker = await self._take(key)
        worker.key = key
        try:
            yield worker
        except Refused:
            self._idle.append(worker)
            raise
        except BaseException:
            # It may still be working on the request: nobody can ask it another one.
            self._all.discard(worker)
            await asyncio.shield(worker.end())
            if not self._idle:
                self._idle.append(await asyncio.shield(self._new()))
            raise
        self._idle.append(worker)

    async def _take(self, key: str) -> _Worker:
        known = (worker for worker in self._idle if worker.key == key)
        worker = next(known, None) or next(iter(self._idle), None)
        if worker is None:
            return await self._new()
        self._idle.remove(worker)
        return worker

    async def _new(self) -> _Worker:
        worker = await _Worker.start()
        self._all.add(worker)
        return worker
