"""Servers for tests: in a thread of this process, or in a process that may be killed."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import sleep

import httpx
import uvicorn

from mineproof.web import Settings
from mineproof.web.app import make_app

__all__ = ["Process", "client", "serving"]


@contextmanager
def serving(settings: Settings | None = None) -> Iterator[str]:
    """Run a server in a thread, and return its address."""
    listening = socket.create_server(("127.0.0.1", 0))
    app = make_app(settings or Settings(workers=2))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="on", ws="none"))
    thread = Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            sleep(0.01)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def client(address: str) -> Iterator[httpx.Client]:
    """Ask a server."""
    with httpx.Client(base_url=f"{address}/api", timeout=60) as asking:
        yield asking


class Process:
    """A server in a process of its own: `mineproof serve`."""

    def __init__(self, games: Path, *options: str, env: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "mineproof", "serve", "--port=0", "--games", games, *options],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **(env or {})},
        )
        assert self._process.stdout is not None
        found = re.search(r"http://\S+(?=/)", self._process.stdout.readline())
        assert found is not None
        self.address = found.group()
        self.pid = self._process.pid

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._end()

    def kill(self) -> None:
        """End it at once, whatever it is doing."""
        self._process.kill()
        self._end()

    def _end(self) -> None:
        self._process.wait(20)
        assert self._process.stdout is not None
        self._process.stdout.close()
