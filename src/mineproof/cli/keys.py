"""Waiting at a terminal: for a key, or for a while.

An interruption that comes just before a long wait is heard only after it, so none is long.
"""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import typer

__all__ = ["QUIT", "pause", "read_key", "unechoed"]

_NAP: Final = 0.2
"""Seconds of one wait."""

QUIT = ("q", "Q", "\x04", "")
"""Keys that end a program; nothing comes from a terminal that is gone."""


@contextmanager
def unechoed() -> Iterator[None]:
    """While this lasts, keys are not shown and come without waiting for the end of a line."""
    if os.name == "nt" or sys.stdin is None or not sys.stdin.isatty():
        yield
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    usual = termios.tcgetattr(terminal)
    # Keys that were pressed before are kept, and Ctrl-C still interrupts.
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, usual)


def read_key() -> str:
    """Wait for a key."""
    if os.name == "nt":
        return typer.getchar()
    keys = sys.stdin.fileno()
    while not select.select([keys], [], [], _NAP)[0]:
        pass
    return os.read(keys, 1).decode(errors="replace")


def pause(seconds: float) -> None:
    """Let time pass."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        time.sleep(min(left, _NAP))
