"""Messages between a tournament and the process of an agent, and what may be in them."""

from __future__ import annotations

import struct
from typing import IO, Final

__all__ = ["read", "shown", "write"]

_HEAD: Final = struct.Struct(">I")
_LONGEST: Final = 300
"""The longest text of an agent that is shown, in characters."""


def write(stream: IO[bytes], body: bytes) -> None:
    """Write a message."""
    stream.write(_HEAD.pack(len(body)) + body)
    stream.flush()


def read(stream: IO[bytes], longest: int) -> bytes:
    """Read a message.

    Raises
    ------
    EOFError
        If the other process has ended.
    ValueError
        If it is longer than this.
    """
    (length,) = _HEAD.unpack(_exactly(stream, _HEAD.size))
    if length > longest:
        raise ValueError(f"a message of {length} bytes, at most {longest} are allowed")
    return _exactly(stream, length)


def _exactly(stream: IO[bytes], length: int) -> bytes:
    body = stream.read(length)
    if len(body) < length:
        raise EOFError
    return body


def shown(text: object, longest: int = _LONGEST) -> str:
    r"""Return what an agent says as one line that any terminal and file can hold.

    Examples
    --------
    >>> shown("no\n\x1b[31midea\ud800")
    'no \ufffd[31midea\ufffd'
    """
    line = " ".join(str(text).split())[:longest]
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in line)
