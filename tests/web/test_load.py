"""Many bots at once: no error, no request much slower than the others, and flat memory."""

from __future__ import annotations

import asyncio
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


async def bot(api: httpx.AsyncClient, number: int, end: float, times: list[float]) -> None:
    """Play beginner games by opening random cells until the time is up."""
    random = Random(number)
    while monotonic() < end:
        answer = await api.post("/games", json={"level": "beginner"})
        assert answer.status_code == 201, answer.text
        state = answer.json()
        while state["outcome"] is None and monotonic() < end:
            closed = [place for place, symbol in enumerate(state["cells"]) if symbol == "."]
            cell = divmod(random.choice(closed), 9)
            begun = monotonic()
            answer = await api.post(
                f"/games/{state['id']}/act", json={"kind": "open", "cell": cell}
            )
            times.append(monotonic() - begun)
            assert answer.status_code == 200, answer.text
            state = answer.json()


async def play_for(address: str, bots: int, seconds: float) -> list[float]:
    times: list[float] = []
    end = monotonic() + seconds

    async def play(number: int) -> None:
        # A connection for each bot, which stays open: a shared pool closes some too early.
        limits = httpx.Limits(keepalive_expiry=None)
        async with httpx.AsyncClient(
            base_url=f"{address}/api", timeout=60, limits=limits, verify=False
        ) as api:
            await bot(api, number, end, times)

    await asyncio.gather(*map(play, range(bots)))
    return sorted(times)


def check_load(folder: Path, bots: int, seconds: float, share: float) -> None:
    """Let bots play: this share of the requests must take less than 20 times the median."""
    with Process(folder / "games.sqlite") as server:
        asyncio.run(play_for(server.address, bots, seconds / 6))
        before = memory(server.pid)
        times = asyncio.run(play_for(server.address, bots, seconds))
        after = memory(server.pid)
    assert len(times) > bots
    median, slow = times[len(times) // 2], times[int(len(times) * share)]
    print(f"{len(times)} moves: median {median:.4f} s, {share:.0%} under {slow:.4f} s")
    print(f"memory: {before:,} kB, then {after:,} kB")
    assert slow < 20 * median, (median, slow)
    # Each game that is kept in memory takes some kilobytes, up to the limit.
    assert after < before * 1.25 + 8_000, (before, after)


def test_some_bots_play_at_once(tmp_path: Path) -> None:
    # One pause of a busy machine delays a request of every bot.
    check_load(tmp_path, bots=20, seconds=2, share=0.9)


@pytest.mark.long
def test_many_bots_play_at_once(tmp_path: Path) -> None:
    check_load(tmp_path, bots=200, seconds=60, share=0.99)
