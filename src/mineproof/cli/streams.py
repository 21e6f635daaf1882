"""Standard output and error: text that they can hold, and readers that leave."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from typing import Final, TextIO

_HANDLER: Final = "mineproof.plain"
_PLAIN: Final[Mapping[str, str]] = {
    "×": "x",
    "–": "-",
    "—": "-",
    "−": "-",
    "…": "...",
    "·": "-",
    "•": "*",
    "±": "+-",
    "≤": "<=",
    "≥": ">=",
    "→": "->",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "─": "-",
    "━": "-",
    "\N{NO-BREAK SPACE}": " ",
}
"""What to write in place of a character that a stream cannot encode."""


def _plain(error: UnicodeError) -> tuple[str, int]:
    """Replace what cannot be encoded; characters without a likeness become their escapes."""
    assert isinstance(error, UnicodeEncodeError)
    bad = error.object[error.start : error.end]
    shown = (_PLAIN.get(each) or each.encode("ascii", "backslashreplace").decode() for each in bad)
    return "".join(shown), error.end


codecs.register_error(_HANDLER, _plain)


def reopen() -> None:
    """Open standard streams that are closed: there is nothing to read, and what is printed is lost.

    Otherwise the next file or pipe that is opened gets their number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115 - it stays open.
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)


@contextmanager
def encodable() -> Iterator[None]:
    """Let standard output and error replace what they cannot encode."""
    streams = [each for each in (sys.stdout, sys.stderr) if isinstance(each, TextIOWrapper)]
    before = [each.errors for each in streams]
    for stream in streams:
        stream.reconfigure(errors=_HANDLER)
    try:
        yield
    finally:
        for stream, errors in zip(streams, before, strict=True):
            # What is not written yet can no longer be encoded differently.
            with suppress(OSError, ValueError):
                stream.reconfigure(errors=errors)


def lost() -> OSError | None:
    """Return why standard output or error cannot be written; it then takes and loses the rest."""
    return _lost(sys.stdout) or _lost(sys.stderr)


def _lost(stream: TextIO | None) -> OSError | None:
    if stream is None or getattr(stream, "closed", False):
        return None
    try:
        stream.flush()
    except OSError as error:
        # Otherwise what is still buffered raises the error again at exit.
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return error
    return None
