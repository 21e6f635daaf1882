"""Servers for tests: in a thread of this process, or in a process that may be killed."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import subprocess
import sys
from collections.abc import Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import sleep
from typing import IO, Any

import httpx

from mineproof.web import Settings
from mineproof.web.serving import Server

__all__ = ["Process", "client", "run_apart", "serving"]


def run_apart(scenario: Coroutine[Any, Any, None]) -> None:
    """Run a scenario in a thread of its own: this one may have the event loop of a browser."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, scenario).result()


@contextmanager
def serving(settings: Settings | None = None) -> Iterator[str]:
    """Run a server in a thread, and return its address."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = Server(settings or Settings(workers=2))
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
def client(address: str, *, origin: str = "127.0.0.1") -> Iterator[httpx.Client]:
    """Ask a server, from one of the addresses of this machine."""
    transport = httpx.HTTPTransport(local_address=origin)
    with httpx.Client(base_url=f"{address}/api", timeout=60, transport=transport) as asking:
        yield asking


class Process:
    """A server in a process of its own: `mineproof serve`, with as many descriptors as given."""

    def __init__(
        self,
        games: Path,
        *options: str,
        env: Mapping[str, str] | None = None,
        descriptors: int | None = None,
        log: IO[str] | None = None,
    ) -> None:
        limit = ["sh", "-c", f'ulimit -n {descriptors} && exec "$@"', "sh"] if descriptors else []
        command = [sys.executable, "-m", "mineproof", "serve", "--port=0", "--games", str(games)]
        self._process = subprocess.Popen(
            [*limit, *command, *options],
            stdout=subprocess.PIPE,
            stderr=log,
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
