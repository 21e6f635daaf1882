"""Keys of the terminal, one at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

__all__ = ["QUIT", "read_key", "unechoed"]

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
    return os.read(sys.stdin.fileno(), 1).decode(errors="replace")
