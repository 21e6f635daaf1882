"""Long analyses that a client starts, follows and may cancel."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from mineproof.web.errors import Refused
from mineproof.web.workers import WorkerFailed, Workers

__all__ = ["Job", "Jobs"]

_MOST: Final = 200
"""How many jobs are kept; the oldest are cancelled and forgotten."""


@dataclass
class Job:
    """An analysis in progress, or its answer."""

    id: str
    state: Literal["running", "done", "failed", "cancelled"] = "running"
    done: int = 0
    total: int = 0
    result: Any = None
    detail: str | None = None
    task: asyncio.Task[None] = field(init=False)


class Jobs:
    """All jobs of a server."""

    def __init__(self, workers: Workers, seconds: float) -> None:
        self._workers, self._seconds = workers, seconds
        self._jobs: OrderedDict[str, Job] = OrderedDict()

    def start(self, task: str, *arguments: Any) -> Job:
        """Start an analysis."""
        job = Job(secrets.token_urlsafe(9))
        job.task = asyncio.create_task(self._run(job, task, arguments))
        self._jobs[job.id] = job
        while len(self._jobs) > _MOST:
            self._cancel(self._jobs.popitem(last=False)[1])
        return job

    def get(self, name: str) -> Job:
        """Return a job by its id."""
        if name not in self._jobs:
            raise Refused(404, "There is no job with this id.")
        return self._jobs[name]

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
            answer = await self._workers.ask(
                task, *arguments, seconds=self._seconds, progress=progress
            )
        except WorkerFailed as error:
            job.state, job.detail = "failed", f"The analysis {error}."
        except Refused as error:
            job.state, job.detail = "failed", str(error)
        else:
            job.state, job.result = "done", json.loads(answer)

    @staticmethod
    def _cancel(job: Job) -> None:
        if job.state == "running":
            job.state, job.detail = "cancelled", "The analysis was cancelled."
            job.task.cancel()
