"""Long analyses that a client starts, follows and may cancel."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from mineproof.web.errors import Refused
from mineproof.web.guard import CLIENT
from mineproof.web.workers import WorkerFailed, Workers

__all__ = ["Job", "Jobs"]

_FORGOTTEN: Final = 75.0
"""Seconds after which a job is cancelled that nobody asks for; a page in the background asks once
a minute."""
_KEPT: Final = 600.0
"""Seconds for which a job is kept after its end."""
_MOST_BYTES: Final = 64 * 2**20
"""How much the jobs that are kept may take. The client that has most loses its oldest one."""
_OWN_BYTES: Final = 2_000
"""The bytes of a job without its result."""


@dataclass
class Job:
    """An analysis in progress, or its answer."""

    id: str
    client: str
    state: Literal["running", "done", "failed", "cancelled"] = "running"
    done: int = 0
    total: int = 0
    result: bytes | None = None
    """The answer, which is JSON."""
    detail: str | None = None
    task: asyncio.Task[None] = field(init=False)
    limit: asyncio.Timeout | None = field(default=None, init=False)
    """Cancels it when nobody asks for it any more."""

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return _OWN_BYTES + len(self.result or b"")


class Jobs:
    """All jobs of a server."""

    def __init__(self, workers: Workers, seconds: float) -> None:
        self._workers, self._seconds = workers, seconds
        self._jobs: dict[str, Job] = {}

    def start(self, task: str, *arguments: Any) -> Job:
        """Start an analysis."""
        job = Job(secrets.token_urlsafe(9), CLIENT.get())
        self._jobs[job.id] = job
        job.task = asyncio.create_task(self._run(job, task, arguments))
        return job

    def get(self, name: str) -> Job:
        """Return a job by its id."""
        if name not in self._jobs:
            raise Refused(404, "There is no job with this id.")
        job = self._jobs[name]
        if job.limit is not None and not job.limit.expired():
            job.limit.reschedule(asyncio.get_running_loop().time() + _FORGOTTEN)
        return job

    async def cancel(self, name: str) -> Job:
        """Stop a job: the process that works on it is killed."""
        job = self.get(name)
        self._cancel(job)
        await asyncio.gather(job.task, return_exceptions=True)
        return job

    async def close(self) -> None:
        """Stop all jobs."""
        for job in self._jobs.values():
            self._cancel(job)
        tasks = [job.task for job in self._jobs.values()]
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, job: Job, task: str, arguments: tuple[Any, ...]) -> None:
        def progress(done: int, total: int) -> None:
            job.done, job.total = done, total

        try:
            async with asyncio.timeout(_FORGOTTEN) as job.limit:
                job.result = await self._workers.ask(
                    task, *arguments, seconds=self._seconds, progress=progress
                )
            job.state = "done"
        except WorkerFailed as error:
            job.state, job.detail = "failed", f"The analysis {error}."
        except Refused as error:
            job.state, job.detail = "failed", str(error)
        except TimeoutError:
            job.state, job.detail = "cancelled", "The analysis was cancelled: nobody asked for it."
        finally:
            job.limit = None
            asyncio.get_running_loop().call_later(_KEPT, self._jobs.pop, job.id, None)
            self._make_room()

    def _make_room(self) -> None:
        taken = Counter[str]()
        for job in self._jobs.values():
            taken[job.client] += job.size
        ended = [job for job in self._jobs.values() if job.state != "running"]
        while ended and taken.total() > _MOST_BYTES:
            first = max(ended, key=lambda job: taken[job.client])
            taken[first.client] -= first.size
            ended.remove(first)
            del self._jobs[first.id]

    @staticmethod
    def _cancel(job: Job) -> None:
        if job.state == "running":
            job.state, job.detail = "cancelled", "The analysis was cancelled."
            job.task.cancel()
