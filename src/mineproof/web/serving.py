"""Running the server."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any, Final

import uvicorn

from mineproof.web.app import make_app
from mineproof.web.connection import Connection, most_connections
from mineproof.web.settings import Settings

__all__ = ["Server", "games_file", "listen", "run"]

_EXHAUSTED: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""The errors of a system that has no more file descriptors or memory for connections."""


def games_file() -> Path:
    """Return where games are kept unless another file is named: with the user's other data."""
    if sys.platform == "win32":
        place = os.environ.get("LOCALAPPDATA") or _home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        place = _home() / "Library" / "Application Support"
    else:
        place = os.environ.get("XDG_DATA_HOME") or _home() / ".local" / "share"
    return Path(place) / "mineproof" / "games.sqlite"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # In a container, the user may have no name.
        raise ValueError(
            "no games file: this user has no home, so name a file with --games"
        ) from None


def listen(host: str, port: int) -> socket.socket:
    """Listen at an address; port 0 takes a free one."""
    if not host:  # For a socket, it stands for all addresses.
        raise ValueError("cannot listen at an address without a name")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ValueError(f"cannot listen at {host}:{port}: {reason}") from None


def run(
    settings: Settings, listening: socket.socket, *, browser: bool = False, view: str = ""
) -> None:
    """Serve until the process is interrupted. The address is printed, and opened if wanted.

    It ends in the view of the page, such as ``#analyse``. `ValueError` if the games file cannot be
    used.
    """
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{port}/{view}"

    def started() -> None:
        print(f"mineproof is at {address} (Ctrl-C ends it)", flush=True)
        if browser:
            Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    with listening:
        Server(settings, started).run(sockets=[listening])


class Server(uvicorn.Server):
    """A server that knows when it can be reached, and that no client can keep busy.

    Parameters
    ----------
    settings
        Its limits.
    on_start
        Called once the server can be reached.
    """

    def __init__(self, settings: Settings, on_start: Callable[[], object] = lambda: None) -> None:
        config = uvicorn.Config(
            make_app(settings),
            http=Connection,
            # Clients cause warnings, and could fill the log with them.
            log_level="error",
            access_log=False,
            lifespan="on",
            ws="none",
            # A client that thinks for a while must not find its connection closed when it asks
            # again.
            timeout_keep_alive=75,
            timeout_graceful_shutdown=5,
            # This many connections are accepted before the first one can be closed.
            backlog=max(most_connections() // 8, 1),
        )
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        asyncio.get_running_loop().set_exception_handler(_Complaints())
        await super().startup(sockets)
        for listening in sockets or ():
            # Connections that are not accepted yet may be more.
            listening.listen(socket.SOMAXCONN)
        if self.started:
            self._on_start()


class _Complaints:
    """Says once a minute that the system has no more connections, instead of at each one."""

    def __init__(self) -> None:
        self._next = 0.0

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not (isinstance(error, OSError) and error.errno in _EXHAUSTED):
            loop.default_exception_handler(context)
        elif monotonic() >= self._next:
            self._next = monotonic() + 60
            print(f"mineproof: cannot accept connections: {error.strerror}", file=sys.stderr)
