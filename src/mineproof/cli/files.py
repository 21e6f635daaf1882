"""Reading the files that verbs are given."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

from mineproof.position import text

__all__ = ["read_file"]

T = TypeVar("T")


def read_file(file: str, parse: Callable[[str], T]) -> T:
    """Read what a file or, as ``-``, standard input holds; errors name the source."""
    source = "standard input" if file == "-" else file
    if not source.isprintable() or not source:
        source = ascii(source)
    try:
        return parse(text.decode(_read_bytes(file)))
    except OSError as error:
        raise ValueError(f"{source}: {(error.strerror or 'unreadable').lower()}") from None
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from None


def _read_bytes(file: str) -> bytes:
    """Read no more than shows that the input is too large."""
    if file != "-":
        with open(file, "rb") as stream:
            return stream.read(text.MAX_BYTES + 1)
    if sys.stdin is None:
        raise ValueError("closed")
    return sys.stdin.buffer.read(text.MAX_BYTES + 1)
