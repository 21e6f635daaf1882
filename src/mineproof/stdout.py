"""Who may print: while standard output is reserved, what agents print goes to standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

__all__ = ["reserved", "step_aside", "step_back"]

_lock = Lock()
_reservations = 0
_aside = 0
"""How many calls of agents, on all threads, have stepped aside."""
_kept: Any = None
"""Standard output, while they have."""


@contextmanager
def reserved() -> Iterator[None]:
    """Keep standard output for those who have something to answer, such as a command."""
    global _reservations
    _reservations += 1
    try:
        yield
    finally:
        _reservations -= 1


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
            _kept, sys.stdout = sys.stdout, sys.stderr
        _aside += 1
    return True


def step_back() -> None:
    """Print to standard output again."""
    global _aside
    with _lock:
        _aside -= 1
        if not _aside:
            sys.stdout = _kept
