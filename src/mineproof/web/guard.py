"""What every request passes first: its host, its origin, its size; and the headers of answers."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["POLICY", "Guard"]

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the page may load: only its own files, and no script that is not in one of them."""
REPORT_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-downloads"
)
"""Generated reports hold their scripts, which compile figures. They get an origin of their own."""

_SAFE: Final = ("GET", "HEAD", "OPTIONS")


class _TooLarge(Exception):
    """The body of a request is larger than allowed."""


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
        policy = REPORT_POLICY if scope["path"].startswith("/reports/") else POLICY
        answered = False

        async def answer(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                message["headers"] = [*message["headers"], *_headers(policy)]
            await send(message)

        refusal = self._refusal(scope["method"], headers)
        if refusal is not None:
            await refusal(scope, receive, answer)
            return
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._most_bytes:
                raise _TooLarge
            return message

        try:
            await self._app(scope, counted, answer)
        except _TooLarge:
            if not answered:
                await self._too_large()(scope, receive, answer)

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
