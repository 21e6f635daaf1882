"""Connections of clients: how many there may be, and how long each may do nothing.

Uvicorn's protocol closes a connection that is quiet between two requests. What it leaves open is
closed here: a client that sends no request, or half of one, or does not read its answer.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from typing import Any, Final, Literal, TypeAlias

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from mineproof.web.guard import client_of

__all__ = ["Connection", "most_connections"]

_Phase: TypeAlias = Literal["receiving", "sending"]

_PATIENCE: Final = 30.0
"""Seconds in which a client has to send a whole request, or to read what was sent to it."""
_MOST: Final = 1_000
_SHARE: Final = 3
"""One in this many file descriptors is for a connection. The others are for workers, games and
connections that are about to be closed."""


def most_connections() -> int:
    """Return how many connections this process can have without running out of descriptors."""
    try:
        import resource
    except ImportError:  # On Windows, sockets are no file descriptors.
        return _MOST
    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST if allowed == resource.RLIM_INFINITY else min(_MOST, max(allowed // _SHARE, 1))


class Connection(H11Protocol):
    """A connection that a client cannot keep for nothing.

    If there are too many, one is closed that waits for a request: of the client that has the most
    connections, the one that waits longest. If none waits, the new one is closed.
    """

    most = most_connections()
    patience = _PATIENCE

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._timers: dict[_Phase, asyncio.TimerHandle] = {}
        self._waits_since = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, and make room for it."""
        super().connection_made(transport)
        connected = transport.get_extra_info("socket")
        if connected.family in (socket.AF_INET, socket.AF_INET6):
            # Otherwise the last part of an answer waits until the client confirms the first.
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._client = client_of(self.client)
        self._begin("receiving")
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection that was closed."""
        self._end("receiving")
        self._end("sending")
        self._unset_keepalive_if_required()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a part of a request: all of it has to arrive in time."""
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._end("receiving")
        else:
            self._begin("receiving")

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are not a request, or that follow a request still being answered."""
        if self.conn.our_state is h11.SEND_BODY:
            self.transport.abort()
        else:
            super().send_400_response(msg)
            self._begin("sending")

    def pause_writing(self) -> None:
        """Wait for the client to read its answer."""
        super().pause_writing()
        self._begin("sending")

    def resume_writing(self) -> None:
        """Send the rest of an answer."""
        self._end("sending")
        super().resume_writing()

    def on_response_complete(self) -> None:
        """Wait for the next request, or until the client has read the last answer."""
        self._waits_since = self.loop.time()
        super().on_response_complete()
        if self.transport.is_closing():
            self._begin("sending")

    def timeout_keep_alive_handler(self) -> None:
        """Close the connection, even if the client does not read its last answer."""
        super().timeout_keep_alive_handler()
        self._begin("sending")

    def _begin(self, phase: _Phase) -> None:
        if phase not in self._timers:
            timer = self.loop.call_later(self.patience, self.transport.abort)
            self._timers[phase] = timer

    def _end(self, phase: _Phase) -> None:
        if phase in self._timers:
            self._timers.pop(phase).cancel()

    def _make_room(self) -> None:
        is_open = [
            other
            for other in self.connections
            if isinstance(other, Connection) and not other.transport.is_closing()
        ]
        if len(is_open) <= self.most:
            return
        count = Counter(other._client for other in is_open)
        waiting = (other for other in is_open if other is not self and other._is_waiting)
        worst = max(waiting, key=lambda it: (count[it._client], -it._waits_since), default=self)
        worst.transport.abort()

    @property
    def _is_waiting(self) -> bool:
        return self.cycle is None or self.cycle.response_complete
