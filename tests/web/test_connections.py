"""Connections that send nothing, half a request or too much, and that do not read."""

from __future__ import annotations

import re
import socket
import sys
from asyncio import Transport
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import urlsplit

import httpx
import pytest
from web_server import Process, client, serving

from mineproof.web.connection import Connection

ASK = b"GET /api/reports HTTP/1.1\r\nHost: localhost\r\n\r\n"
CHUNKED = b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
CHUNK = b"100000\r\n" + b" " * 2**20 + b"\r\n"

other_addresses = pytest.mark.skipif(
    sys.platform != "linux", reason="needs more than one loopback address"
)


@contextmanager
def connected(address: str) -> Iterator[socket.socket]:
    """Connect to a server, and send nothing."""
    found = urlsplit(address)
    with socket.create_connection((found.hostname, found.port or 0), timeout=20) as connection:
        yield connection


def is_closed(connection: socket.socket, seconds: float) -> bool:
    """Whether the server has closed a connection, or does so in this time."""
    connection.settimeout(seconds)
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True
    except (TimeoutError, BlockingIOError):
        return False


def answer_of(connection: socket.socket) -> tuple[bytes, bytes]:
    """Read an answer, which may come in pieces: its head and its body."""
    head = b""
    while b"\r\n\r\n" not in head:
        head += connection.recv(2**16)
    head, _, body = head.partition(b"\r\n\r\n")
    length = int(re.findall(rb"(?i)content-length: (\d+)", head)[0])
    while len(body) < length:
        body += connection.recv(2**16)
    return head, body


def test_answers_on_a_kept_connection_are_sent_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Connection] = []
    make = Connection.connection_made

    def remember(connection: Connection, transport: Transport) -> None:
        make(connection, transport)
        made.append(connection)

    monkeypatch.setattr(Connection, "connection_made", remember)
    with serving() as address, client(address) as api:
        assert api.get("/reports").status_code == 200
        connection = made[-1].transport.get_extra_info("socket")
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize("sent", [b"", b"GET /api", CHUNKED, CHUNKED + CHUNK])
def test_a_connection_without_a_whole_request_is_closed(
    monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(Connection, "patience", 0.5)
    with serving() as address, connected(address) as connection:
        connection.sendall(sent)
        assert is_closed(connection, 20)


def test_a_request_that_trickles_in_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "patience", 1.0)
    with serving() as address, connected(address) as connection:
        connection.sendall(ASK)
        while b"[]" not in connection.recv(4096):
            pass
        assert not is_closed(connection, 0.01)
        end = monotonic() + 20
        for number in range(200):
            try:
                connection.sendall(b"GET /" if number == 0 else b"x")
            except ConnectionError:
                break
            assert monotonic() < end
            sleep(0.1)
        assert number < 100


def test_an_answer_that_is_not_read_is_withdrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "patience", 1.0)
    with serving() as address, client(address) as api, connected(address) as connection:
        game = api.post("/games", json={"rows": 250, "cols": 1000, "mines": 9}).json()["id"]
        ask = f"GET /api/games/{game} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
        connection.sendall(ask * 100)  # They have 25 MB of answers: more than the system keeps.
        end = monotonic() + 20
        while monotonic() < end:
            try:
                connection.sendall(ask)
            except ConnectionError:
                return
            is_gone = connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if is_gone:
                return
    pytest.fail("the connection is still there")


@other_addresses
def test_a_flood_of_connections_leaves_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "most", 20)
    with serving() as address, ExitStack() as stack:
        early = stack.enter_context(client(address, origin="127.0.0.2"))
        kept = early.get("/reports").extensions["network_stream"].get_extra_info("client_addr")
        flood = [stack.enter_context(connected(address)) for _ in range(60)]
        late = stack.enter_context(client(address, origin="127.0.0.3"))
        assert late.get("/reports").status_code == 200
        assert sum(not is_closed(connection, 0.01) for connection in flood) < 20
        # The connection of a client that has one is not closed for those of a client with many.
        again = early.get("/reports").extensions["network_stream"].get_extra_info("client_addr")
        assert again == kept


@pytest.mark.skipif(sys.platform == "win32", reason="sockets are no file descriptors")
def test_a_flood_uses_up_neither_the_descriptors_nor_the_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with (
        log.open("w", encoding="utf-8") as writing,
        Process(tmp_path / "games.sqlite", descriptors=256, log=writing) as server,
        ExitStack() as stack,
    ):
        for _ in range(300):
            stack.enter_context(connected(server.address)).sendall(b"no request\r\n\r\n")
        for _ in range(300):
            stack.enter_context(connected(server.address))
        with client(server.address) as api:
            assert api.post("/games", json={}).status_code == 201
    assert log.stat().st_size < 500


def test_a_body_past_the_limit_is_refused_and_read_no_further(api: httpx.Client) -> None:
    address = f"http://{api.base_url.host}:{api.base_url.port}"
    with connected(address) as connection:
        connection.sendall(CHUNKED)
        for _ in range(4):
            connection.sendall(CHUNK)
        head, body = answer_of(connection)
        assert head.startswith(b"HTTP/1.1 413 ")
        assert b"connection: close" in head.lower()
        assert body == b'{"detail":"The request is larger than 2,000,000 bytes."}'
        for _ in range(100):
            try:
                connection.sendall(CHUNK)
            except ConnectionError:
                break
        else:
            pytest.fail("the server reads on")


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_a_body_without_an_end_is_refused_wherever_it_is_sent(
    api: httpx.Client, method: str
) -> None:
    def body() -> Iterator[bytes]:
        for _ in range(8):
            yield b" " * 2**19

    for path in ("/offer", "/jobs/none", "/nowhere", "/games"):
        answer = api.request(method, path, content=body())
        assert answer.status_code == 413
        assert answer.headers["connection"] == "close"


def test_what_follows_a_request_that_is_answered_is_no_error_of_the_server(
    api: httpx.Client, capfd: pytest.CaptureFixture[str]
) -> None:
    address = f"http://{api.base_url.host}:{api.base_url.port}"
    with connected(address) as connection:
        connection.sendall(CHUNKED + CHUNK + CHUNK)
        assert answer_of(connection)[0].startswith(b"HTTP/1.1 413 ")
        connection.sendall(b"no chunk\r\n")
        assert is_closed(connection, 20)
    assert capfd.readouterr().err == ""
