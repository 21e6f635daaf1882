"""Who gets a worker: fair shares by client, short work first, and no endless waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from web_server import run_apart

from mineproof.web.errors import Refused
from mineproof.web.turns import Turn, Turns

MOMENT = 0.05


class Office:
    """Requests that take as long as a test wants, and in which order they were begun and ended."""

    def __init__(self, places: int, *, most_waiting: int = 64) -> None:
        self.turns = Turns(places, most_waiting=most_waiting, moment=MOMENT)
        self.begun: list[str] = []
        self.ended: list[str] = []

    def ask(
        self,
        name: str,
        until: Callable[[], Awaitable[object]],
        *,
        patience: float = 20,
        comes_later: bool = False,
    ) -> asyncio.Task[None]:
        """Start a request of the client that its name begins with."""
        turn = Turn(name[0], patience, comes_later)

        async def run() -> None:
            while True:
                async with self.turns.place(turn):
                    self.begun.append(name)
                    work = asyncio.ensure_future(until())
                    with self.turns.work(turn, stop=work.cancel):
                        await asyncio.wait({work})
                    if not work.cancelled():
                        self.ended.append(name)
                        return

        return asyncio.create_task(run())


async def at_once() -> None:
    """Take no time."""


async def for_ever() -> None:
    """Take more time than there is."""
    await asyncio.Event().wait()


async def settled() -> None:
    """Let everything happen that happens at once."""
    for _ in range(20):
        await asyncio.sleep(0)


async def end(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_clients_take_turns() -> None:
    async def scenario() -> None:
        office, gate = Office(1), asyncio.Event()
        first = office.ask("a0", gate.wait)
        await settled()
        others = [office.ask(name, at_once) for name in ("a1", "a2", "a3", "b1", "b2", "c1")]
        await settled()
        gate.set()
        await asyncio.gather(first, *others)
        assert office.begun == ["a0", "b1", "c1", "a1", "b2", "a2", "a3"]

    run_apart(scenario())


def test_a_clients_questions_go_before_its_analyses() -> None:
    async def scenario() -> None:
        office, gate = Office(1), asyncio.Event()
        first = office.ask("a0", gate.wait)
        await settled()
        analyses = [office.ask(f"a{n}", at_once, comes_later=True) for n in (1, 2)]
        question = office.ask("a9", at_once)
        await settled()
        gate.set()
        await asyncio.gather(first, *analyses, question)
        assert office.begun == ["a0", "a9", "a1", "a2"]

    run_apart(scenario())


@pytest.mark.parametrize("places", [2, 4])
def test_long_requests_leave_a_place_to_short_ones(places: int) -> None:
    async def scenario() -> None:
        office = Office(places)
        long = [office.ask(f"a{n}", for_ever, comes_later=True) for n in range(3 * places)]
        await asyncio.sleep(3 * MOMENT)
        await asyncio.wait_for(office.ask("b", at_once), 20)
        # Also for the client itself, and as often as it asks.
        for _ in range(3):
            await asyncio.wait_for(office.ask("a!", at_once), 20)
        assert office.ended == ["b", "a!", "a!", "a!"]
        await end(*long)

    run_apart(scenario())


def test_a_client_with_one_long_request_gets_short_ones_done() -> None:
    async def scenario() -> None:
        office = Office(2)
        long = [office.ask(name, for_ever, comes_later=True) for name in ("a", "b")]
        await asyncio.sleep(3 * MOMENT)
        for name in ("a1", "b1", "c1", "a2"):
            await asyncio.wait_for(office.ask(name, at_once), 20)
        assert office.ended == ["a1", "b1", "c1", "a2"]
        await end(*long)

    run_apart(scenario())


def test_a_long_request_keeps_its_place_while_there_are_enough() -> None:
    async def scenario() -> None:
        office, gate = Office(2), asyncio.Event()
        long = office.ask("a", gate.wait)
        await asyncio.sleep(2 * MOMENT)
        for _ in range(5):
            await asyncio.wait_for(office.ask("b", at_once), 20)
        gate.set()
        await long
        assert office.begun.count("a") == 1

    run_apart(scenario())


def test_a_request_that_gave_way_gets_its_turn_again() -> None:
    async def scenario() -> None:
        office, gate = Office(2), asyncio.Event()
        long = [office.ask(f"a{n}", gate.wait) for n in range(2)]
        await asyncio.sleep(2 * MOMENT)
        await asyncio.wait_for(office.ask("b", at_once), 20)
        gate.set()
        await asyncio.gather(*long)
        assert office.begun == ["a0", "a1", "b", "a1"]
        assert sorted(office.ended) == ["a0", "a1", "b"]

    run_apart(scenario())


def test_whoever_would_be_last_is_refused_when_too_many_wait() -> None:
    async def scenario() -> None:
        office = Office(1, most_waiting=3)
        tasks = [office.ask(f"a{n}", for_ever) for n in range(4)]
        await settled()
        late = office.ask("b", for_ever)
        with pytest.raises(Refused, match="busy") as caught:
            await tasks[3]
        assert caught.value.status == 429
        with pytest.raises(Refused, match="busy"):
            await office.ask("a9", for_ever)
        assert not late.done()
        await end(*tasks, late)

    run_apart(scenario())


def test_waiting_has_an_end() -> None:
    async def scenario() -> None:
        office = Office(1)
        first = office.ask("a", for_ever)
        await settled()
        with pytest.raises(Refused, match="busy") as caught:
            await asyncio.wait_for(office.ask("b", at_once, patience=0.05), 20)
        assert caught.value.status == 429
        await end(first)
        await asyncio.wait_for(office.ask("c", at_once), 20)

    run_apart(scenario())


def test_those_who_leave_free_their_place() -> None:
    async def scenario() -> None:
        office = Office(2)
        for _ in range(3):
            tasks = [office.ask(f"a{n}", for_ever) for n in range(5)]
            await settled()
            await end(*tasks)
        await asyncio.wait_for(office.ask("b", at_once), 20)
        assert office.ended == ["b"]

    run_apart(scenario())
