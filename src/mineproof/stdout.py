"""Who may print and end the program: while standard output is reserved, no agent.

What agents print goes to standard error, and `os._exit` is an error of theirs like `sys.exit`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from threading import Lock, get_ident
from typing import Any, Final, NoReturn

__all__ = ["reserved", "step_aside", "step_back"]

_lock = Lock()
_reservations = 0
_aside = 0
"""How many calls of agents, on all threads, have stepped aside."""
_kept: Any = None
"""Standard output by both of its names, and how the process is ended, while they have."""
_copy: int | None = None
"""The descriptor that keeps what descriptor 1 was, if a command prints there."""

_OUT: Final = 1
"""The descriptor that libraries and other processes print to."""


@contextmanager
def reserved() -> Iterator[None]:
    """Keep standard output for those who have something to answer, such as a command."""
    global _reservations, _copy
    if not _reservations:
        _copy = _copied(sys.stdout)
    _reservations += 1
    before = sys.stdout, sys.__stdout__
    sys.stdout = sys.__stdout__ = _Reserved(sys.stdout)  # type: ignore[assignment,misc]
    try:
        yield
    finally:
        sys.stdout, sys.__stdout__ = before  # type: ignore[misc]
        _reservations -= 1
        if not _reservations and _copy is not None:
            os.close(_copy)
            _copy = None


class _Reserved:
    """A stream for the thread that reserves it, and standard error for threads of agents."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._thread = stream, get_ident()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream if get_ident() == self._thread else sys.stderr, name)


def _copied(stream: Any) -> int | None:
    # Tests and notebooks put objects in its place that print elsewhere.
    with suppress(AttributeError, OSError, ValueError):
        if stream.fileno() == _OUT:
            return os.dup(_OUT)
    return None


def step_aside() -> bool:
    """Print to standard error from now on if standard output is reserved.

    Returns
    -------
    bool
        Whether `step_back` has to be called.
    """
    global _aside, _kept
    if not _reservations:
        return False
    # The first call of several threads keeps the stream, and the last one puts it back.
    with _lock:
        if not _aside:
            if _copy is not None:
                sys.stdout.flush()
                _lead(sys.stderr)
            _kept = sys.stdout, sys.__stdout__, os._exit
            os._exit = partial(_end, os.getpid(), os._exit)
            sys.stdout = sys.__stdout__ = sys.stderr  # type: ignore[assignment,misc]
        _aside += 1
    return True


def step_back() -> None:
    """Print to standard output again."""
    global _aside
    with _lock:
        _aside -= 1
        if not _aside:
            sys.stdout, sys.__stdout__, os._exit = _kept  # type: ignore[misc]
            if _copy is not None:
                os.dup2(_copy, _OUT)


def _end(pid: int, end: Callable[[int], NoReturn], status: int) -> NoReturn:
    """End a process that an agent has forked, but not the command."""
    if os.getpid() == pid:
        sys.exit(status)
    end(status)


def _lead(stream: Any) -> None:
    """Let the descriptor lead to a stream."""
    try:
        os.dup2(stream.fileno(), _OUT)
    except (AttributeError, OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _OUT)
        os.close(nowhere)
