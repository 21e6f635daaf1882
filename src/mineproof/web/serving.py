"""Running the server."""

from __future__ import annotations

import os
import socket
import sys
import webbrowser
from pathlib import Path
from threading import Thread

import uvicorn

from mineproof.web.app import make_app
from mineproof.web.settings import Settings

__all__ = ["games_file", "listen", "run"]


def games_file() -> Path:
    """Return where games are kept unless another file is named: with the user's other data."""
    if sys.platform == "win32":
        place = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        place = Path.home() / "Library" / "Application Support"
    else:
        place = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(place) / "mineproof" / "games.sqlite"


def listen(host: str, port: int) -> socket.socket:
    """Listen at an address; port 0 takes a free one."""
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

    It ends in the view of the page, such as ``#analyse``.
    """
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    config = uvicorn.Config(
        make_app(settings),
        log_level="warning",
        access_log=False,
        lifespan="on",
        ws="none",
        # A client that thinks for a while must not find its connection closed when it asks again.
        timeout_keep_alive=75,
        timeout_graceful_shutdown=5,
    )
    _Server(config, f"http://{shown}:{port}/{view}", browser).run(sockets=[listening])


class _Server(uvicorn.Server):
    """Says where it can be reached once it can be."""

    def __init__(self, config: uvicorn.Config, address: str, browser: bool) -> None:
        super().__init__(config)
        self._address, self._browser = address, browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say so."""
        await super().startup(sockets)
        if self.started:
            print(f"mineproof is at {self._address} (Ctrl-C ends it)", flush=True)
            if self._browser:
                Thread(target=webbrowser.open, args=(self._address,), daemon=True).start()
