"""Many bots at once: no error, no request much slower than the others, and flat memory."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from time import monotonic

import httpx
import pytest
from web_server import Process


def memory(pid: int) -> int:
    """The resident memory of a process in kilobytes."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise AssertionError(pid)


async def bot(
    api: httpx.AsyncClient, number: int, end: float, least: int, times: list[float]
) -> None:
    """Play beginner games by opening random cells until the time is up and enough is played."""
    random = Random(number)
    made = 0
    state = {"outcome": "none yet"}
    while monotonic() < end or made < least:
        if state["outcome"] is not None:
            answer = await api.post("/games", json={"level": "beginner"})
            assert answer.status_code == 201, answer.text
            state = answer.json()
        closed = [place for place, symbol in enumerate(state["cells"]) if symbol == "."]
        cell = divmod(random.choice(closed), 9)
        begun = monotonic()
        answer = await api.post(f"/games/{state['id']}/act", json={"kind": "open", "cell": cell})
        times.append(monotonic() - begun)
        assert answer.status_code == 200, answer.text
        state, made = answer.json(), made + 1


async def play_for(address: str, bots: int, seconds: float, least: int = 0) -> list[float]:
    times: list[float] = []
    end = monotonic() + seconds

    async def play(number: int) -> None:
        # A connection for each bot, which stays open: a shared pool closes some too early.
        limits = httpx.Limits(keepalive_expiry=None)
        async with httpx.AsyncClient(
            base_url=f"{address}/api", timeout=60, limits=limits, verify=False
        ) as api:
            await bot(api, number, end, least, times)

    await asyncio.gather(*map(play, range(bots)))
    return sorted(times)


def played(address: str, bots: int, seconds: float, least: int) -> list[float]:
    # In a thread: a browser that other tests left open has an event loop in this one.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(play_for(address, bots, seconds, least))).result()


def check_load(folder: Path, bots: int, share: float, seconds: float = 0, least: int = 0) -> None:
    """Let bots play: this share of the requests must take less than 20 times the median."""
    with Process(folder / "games.sqlite") as server:
        played(server.address, bots, seconds / 6, least)
        before = memory(server.pid)
        times = played(server.address, bots, seconds, least)
        after = memory(server.pid)
    median, slow = times[len(times) // 2], times[int(len(times) * share)]
    print(f"{len(times)} moves: median {median:.4f} s, {share:.0%} under {slow:.4f} s")
    print(f"memory: {before:,} kB, then {after:,} kB")
    assert slow < 20 * median, (median, slow)
    # Each game that is kept in memory takes some kilobytes, up to the limit.
    assert after < before * 1.25 + 8_000, (before, after)


def test_some_bots_play_at_once(tmp_path: Path) -> None:
    # One pause of a busy machine delays a request of every bot.
    check_load(tmp_path, bots=20, share=0.9, least=12)


@pytest.mark.long
def test_many_bots_play_at_once(tmp_path: Path) -> None:
    check_load(tmp_path, bots=200, share=0.99, seconds=60)
