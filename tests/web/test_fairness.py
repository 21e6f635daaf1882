"""One client that asks for much, and the others: answers, jobs and what is kept of them."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from web_server import client, run_apart, serving

from mineproof.web import Settings, jobs
from mineproof.web.errors import Refused
from mineproof.web.guard import CLIENT
from mineproof.web.jobs import Job, Jobs


def scattered(rows: int, cols: int) -> str:
    """Clues apart from each other, which take long to count."""
    return "\n".join(
        "".join("3" if (row % 2, col % 2) == (1, 1) else "." for col in range(cols))
        for row in range(rows)
    )


def begun(api: httpx.Client) -> str:
    """Begin a game, and return its path."""
    path = f"/games/{api.post('/games', json={'level': 'easy', 'seed': 1}).json()['id']}"
    api.post(f"{path}/act", json={"kind": "open", "cell": [4, 4]})
    return path


@pytest.mark.parametrize("origin", ["127.0.0.1", "127.0.0.2"])
def test_a_client_that_asks_for_much_does_not_starve_the_others(origin: str) -> None:
    if sys.platform != "linux" and origin != "127.0.0.1":
        pytest.skip("needs more than one loopback address")
    with (
        serving(Settings(workers=2)) as address,
        client(address) as greedy,
        client(address, origin=origin) as other,
        ExitStack() as stack,
    ):
        game = begun(other)
        large, small = ({"position": scattered(*size)} for size in ((250, 1000), (30, 40)))
        for _ in range(3):
            assert greedy.post("/jobs", json={"analyse": large}).status_code == 202
        found, body = urlsplit(address), json.dumps(small)
        head = f"POST /api/analyse HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
        for _ in range(80):
            place = found.hostname, found.port or 0
            connection = stack.enter_context(socket.create_connection(place))
            connection.sendall(f"{head}Content-Type: application/json\r\n\r\n{body}".encode())
        sleep(4)
        # The three alone may take 60 seconds and more.
        assert other.get(f"{game}/hint", timeout=30).status_code == 200


def test_others_are_answered_while_a_large_game_is_written_down() -> None:
    with (
        serving(Settings(workers=1)) as address,
        client(address) as api,
        ThreadPoolExecutor(1) as thread,
    ):
        asked = {"rows": 60, "cols": 1000, "mines": 600, "seed": 5, "start": "zero"}
        path = f"/games/{api.post('/games', json=asked).json()['id']}"
        api.post(f"{path}/act", json={"kind": "open", "cell": [30, 100]})
        writing = thread.submit(api.get, f"{path}/notation")
        answered = 0
        with client(address) as other:
            while not writing.done():
                assert other.get("/offer").status_code == 200
                answered += 1
        assert len(writing.result().json()["text"]) > 60_000
        assert answered > 20


def test_a_large_result_is_whole(api: httpx.Client) -> None:
    position = "\n".join("." * 100 for _ in range(200))
    asked = {"position": position, "mines": 2000, "samples": 0}
    answer = api.post("/analyse", json=asked)
    assert len(answer.content) > 2**16
    job = api.post("/jobs", json={"analyse": asked}).json()
    end = monotonic() + 60
    while job["state"] == "running":
        assert monotonic() < end
        sleep(0.05)
        job = api.get(f"/jobs/{job['id']}").json()
    assert job["result"] == answer.json()


def test_a_job_that_nobody_asks_for_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_FORGOTTEN", 1.0)
    with serving(Settings(workers=1)) as address, client(address) as api:
        asked = {"analyse": {"position": scattered(250, 1000)}}
        name = api.post("/jobs", json=asked).json()["id"]
        for _ in range(8):
            sleep(0.25)
            assert api.get(f"/jobs/{name}").json()["state"] == "running"
        sleep(2)
        job = api.get(f"/jobs/{name}").json()
        assert (job["state"], job["detail"]) == (
            "cancelled",
            "The analysis was cancelled: nobody asked for it.",
        )
        # Its worker is free again.
        assert api.get(f"{begun(api)}/hint").status_code == 200


class Answering:
    """Workers that answer at once."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer

    async def ask(self, *_: Any, **__: Any) -> bytes:
        return self._answer


def finished(most_bytes: int, kept: float, scenario: Callable[[Jobs], Any]) -> None:
    """Run a scenario with jobs whose results have 10,000 bytes."""

    async def run() -> None:
        await scenario(Jobs(Answering(b" " * 10_000), seconds=20))  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "_MOST_BYTES", most_bytes)
        patch.setattr(jobs, "_KEPT", kept)
        run_apart(run())


async def done(work: Jobs, who: str) -> Job:
    CLIENT.set(who)
    job = work.start("analyse")
    await job.task
    return job


def is_kept(work: Jobs, job: Job) -> bool:
    try:
        return work.get(job.id) is job
    except Refused:
        return False


def test_finished_jobs_are_bounded_by_bytes_and_by_client() -> None:
    async def scenario(work: Jobs) -> None:
        mine = await done(work, "one")
        flood = [await done(work, "two") for _ in range(50)]
        assert is_kept(work, mine)
        assert [is_kept(work, job) for job in flood] == [False] * 43 + [True] * 7

    finished(100_000, 600, scenario)


def test_finished_jobs_are_bounded_by_age() -> None:
    async def scenario(work: Jobs) -> None:
        job = await done(work, "one")
        assert is_kept(work, job)
        await asyncio.sleep(0.2)
        assert not is_kept(work, job)

    finished(100_000, 0.1, scenario)


def test_a_job_is_shown_as_one_json_value(api: httpx.Client) -> None:
    job = api.post("/jobs", json={"analyse": {"position": "1.\n.."}})
    assert (job.status_code, job.headers["content-type"]) == (202, "application/json")
    assert list(json.loads(job.content)) == ["id", "state", "done", "total", "detail", "result"]
