"""Who may use a worker next: fair shares by client, and short work first.

Nobody knows how long a request will take, so each begins as a short one. One that has taken longer
than a moment is long. Long requests never have all places: if a short one waits, the last of them
gives its place up, and starts again when its turn comes.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from mineproof.web.errors import Refused

__all__ = ["Turn", "Turns"]

_MOMENT: Final = 3.0
"""Seconds; a request that has taken longer is long."""

_numbers = count()


@dataclass(eq=False)
class Turn:
    """A request that waits for a place or has one.

    Parameters
    ----------
    client
        Who asks.
    patience
        How many seconds it may wait in all.
    comes_later
        Whether the other requests of its client go before it.
    """

    client: str
    patience: float
    comes_later: bool = False
    is_long: bool = field(default=False, init=False)
    """Whether it has taken longer than a moment."""
    gives_way: bool = field(default=False, init=False)
    """Whether it has to give its place up."""
    stop: Callable[[], object] | None = field(default=None, init=False)
    """Called when it has to give its place up."""
    called: asyncio.Future[bool] = field(init=False)
    """Whether it has got a place, or is refused."""
    number: int = field(default_factory=lambda: next(_numbers), init=False)

    @property
    def order(self) -> tuple[bool, bool, int]:
        """The key that orders the requests of one client."""
        return self.comes_later, self.is_long, self.number


class Turns:
    """Gives places to requests, one client after the other.

    Parameters
    ----------
    places
        How many requests may have a place.
    most_waiting
        How many requests may wait; whoever would be the last one is refused.
    moment
        After how many seconds a request is long.
    """

    def __init__(self, places: int, *, most_waiting: int, moment: float = _MOMENT) -> None:
        self._places, self._most_waiting, self._moment = places, most_waiting, moment
        self._most_long = max(places - 1, 1)
        self._waiting: list[Turn] = []
        self._running: list[Turn] = []
        self._last: dict[str, int] = {}
        """The number of the last place that each present client got."""
        self._given = 0

    @asynccontextmanager
    async def place(self, turn: Turn) -> AsyncIterator[None]:
        """Wait for a place, and have it; refuse the request if that takes too long."""
        loop = asyncio.get_running_loop()
        turn.called, turn.gives_way, turn.stop = loop.create_future(), False, None
        self._waiting.append(turn)
        begun = loop.time()
        try:
            self._assign()
            if not await self._wait(turn):
                raise Refused(429, "The server is busy: try again in a moment.")
            turn.patience -= loop.time() - begun
            yield
        finally:
            self._leave(turn)

    async def _wait(self, turn: Turn) -> bool:
        try:
            async with asyncio.timeout(turn.patience):
                return await turn.called
        except TimeoutError:
            return False

    @contextmanager
    def work(self, turn: Turn, stop: Callable[[], object]) -> Iterator[None]:
        """Count the time in which a request is worked on, and stop it if it has to give way."""
        timer = asyncio.get_running_loop().call_later(self._moment, self._becomes_long, turn)
        turn.stop = stop
        if turn.gives_way:
            stop()
        try:
            yield
        finally:
            turn.stop = None
            timer.cancel()

    def _becomes_long(self, turn: Turn) -> None:
        turn.is_long = True
        self._assign()

    def _leave(self, turn: Turn) -> None:
        for line in (self._waiting, self._running):
            if turn in line:
                line.remove(turn)
        if all(other.client != turn.client for other in (*self._waiting, *self._running)):
            self._last.pop(turn.client, None)
        self._assign()

    def _assign(self) -> None:
        """Give away the places that are free, and refuse whoever waits at the end."""
        for turn in self._line():
            long = sum(other.is_long for other in self._running)
            if len(self._running) < self._places and not (turn.is_long and long >= self._most_long):
                self._waiting.remove(turn)
                self._running.append(turn)
                self._given += 1
                self._last[turn.client] = self._given
                turn.called.set_result(True)
        for turn in self._line()[self._most_waiting :]:
            self._waiting.remove(turn)
            turn.called.set_result(False)
        self._make_way()

    def _make_way(self) -> None:
        """Let a long request give its place up if they have too many and a short one waits."""
        long = [turn for turn in self._running if turn.is_long]
        if len(long) <= self._most_long or any(turn.gives_way for turn in self._running):
            return
        has = Counter(turn.client for turn in self._running)
        for last in sorted(long, key=lambda turn: (has[turn.client], turn.order), reverse=True):
            ahead = self._ahead(last)
            if any(ahead[turn] <= ahead[last] for turn in ahead if not turn.is_long):
                last.gives_way = True
                if last.stop is not None:
                    last.stop()
                return

    def _line(self) -> list[Turn]:
        """Return the waiting requests in order: fewest earlier ones, then longest without place."""
        ahead = self._ahead()
        key = {turn: (ahead[turn], self._last.get(turn.client, 0), turn.order) for turn in ahead}
        return sorted(ahead, key=lambda turn: key[turn])

    def _ahead(self, *more: Turn) -> dict[Turn, int]:
        """Count, for waiting requests and more, the earlier requests of the same client."""
        has = Counter(turn.client for turn in self._running if turn not in more)
        # Requests that have been called are about to leave.
        waiting = [turn for turn in self._waiting if not turn.called.done()]
        ahead = {}
        for turn in sorted([*waiting, *more], key=lambda turn: turn.order):
            ahead[turn] = has[turn.client]
            has[turn.client] += 1
        return ahead
