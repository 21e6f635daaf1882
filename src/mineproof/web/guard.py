"""The first check of every request: client, host, origin, size; and the headers of answers."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from contextvars import ContextVar
from ipaddress import IPv6Address, ip_address
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["CLIENT", "POLICY", "Guard", "client_of"]

CLIENT: Final = ContextVar("CLIENT", default="")
"""Whose request is being handled."""

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The page may load only its own files, and run only scripts in files."""
REPORT_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-downloads"
)
"""Generated reports hold their scripts, which compile figures. They get an origin of their own."""

_SAFE: Final = ("GET", "HEAD", "OPTIONS")


_LEFT_SECONDS: Final = 2.0
_LEFT_BYTES: Final = 2**24
"""How much is still read of a request that is too large, so that its client reads the answer."""


def client_of(address: tuple[str, int] | None) -> str:
    """Return the client of an address, which has limits: an IPv4 address, or an IPv6 network.

    Examples
    --------
    >>> client_of(("192.0.2.7", 50_000))
    '192.0.2.7'
    >>> client_of(("2001:db8::7", 50_000))
    '2001:db8::'
    """
    try:
        found = ip_address(address[0] if address else "")
    except ValueError:
        return ""
    if isinstance(found, IPv6Address):
        # One client usually has all addresses that begin with the same 64 bits.
        found = found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64)
    return str(found)


class Guard:
    """Refuses requests under foreign names, from other pages, or that are too large.

    A name that is not known may be one that an attacker points at this machine. An address may be
    used always.
    """

    def __init__(self, app: ASGIApp, *, hosts: tuple[str, ...], most_bytes: int) -> None:
        self._app = app
        self._hosts = {"localhost", *(host.lower() for host in hosts)}
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        CLIENT.set(client_of(scope["client"]))
        policy = REPORT_POLICY if scope["path"].startswith("/reports/") else POLICY

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *_headers(policy)]
            await send(message)

        body = _Body(receive)
        try:
            refusal = self._refusal(scope["method"], headers)
            # All of it is read first: an answer to half a request may never arrive.
            if refusal is None and not await body.read(self._most_bytes):
                refusal = self._too_large()
            if refusal is not None:
                await _refuse(refusal, body, answer)
                return
        except ClientDisconnect:
            return
        await self._app(scope, body.again, answer)

    def _too_large(self) -> JSONResponse:
        return _refused(413, f"The request is larger than {self._most_bytes:,} bytes.")

    def _refusal(self, method: str, headers: dict[str, str]) -> JSONResponse | None:
        host = headers.get("host", "")
        if not self._is_known(host):
            return _refused(
                403, "This server is not known by that name: use its address, or --allow-host."
            )
        origin = headers.get("origin")
        if method not in _SAFE and origin is not None and urlsplit(origin).netloc != host:
            return _refused(403, "The request comes from the page of another server.")
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length) > self._most_bytes:
            return self._too_large()
        return None

    def _is_known(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self._hosts:
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True


class _Body:
    """The body of a request."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._parts: list[bytes] | None = []
        self._more = True

    async def part(self) -> bytes:
        """Return the next part; it is empty after the last one."""
        if not self._more:
            return b""
        message = await self._receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        self._more = message.get("more_body", False)
        part: bytes = message.get("body", b"")
        return part

    async def read(self, most: int) -> bool:
        """Read all of it, and say whether it has at most this many bytes."""
        assert self._parts is not None
        while self._more and most >= 0:
            self._parts.append(await self.part())
            most -= len(self._parts[-1])
        return most >= 0

    async def skip(self) -> None:
        """Read and drop the rest, but not for long."""
        self._parts, left = None, _LEFT_BYTES
        with suppress(TimeoutError):
            async with asyncio.timeout(_LEFT_SECONDS):
                while self._more and left > 0:
                    left -= len(await self.part())

    async def again(self) -> Message:
        """Receive it as if nobody had read it."""
        if self._parts is None:
            return await self._receive()
        body, self._parts = b"".join(self._parts), None
        return {"type": "http.request", "body": body, "more_body": False}


async def _refuse(refusal: JSONResponse, body: _Body, send: Send) -> None:
    """Send an answer, and close the connection when the client can have read it."""
    headers = [*refusal.raw_headers, (b"connection", b"close")]
    await send({"type": "http.response.start", "status": refusal.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": refusal.body, "more_body": True})
    # The system withdraws an answer if it closes a connection that has something to read.
    await body.skip()
    await send({"type": "http.response.body"})


def _headers(policy: str) -> list[tuple[bytes, bytes]]:
    return [
        (b"content-security-policy", policy.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
    ]


def _refused(status: int, sentence: str) -> JSONResponse:
    return JSONResponse({"detail": sentence}, status)
