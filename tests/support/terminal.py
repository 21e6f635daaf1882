"""A terminal for tests: a program runs in it, and its screen can be read."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable
from types import TracebackType

PROGRAM = """
import signal, sys
from mineproof.cli import main
# A shell's background jobs are born deaf to interruptions.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main())
"""


class Terminal:
    """Runs `mineproof` with some arguments in a terminal of a given size."""

    def __init__(self, *words: str, cols: int = 80, rows: int = 24, **environment: str) -> None:
        self.cols, self.rows = cols, rows
        self.output = ""
        arguments = [sys.executable, "-c", PROGRAM, *words]
        own = {"TERM": "xterm-256color", "COLUMNS": str(cols), "LINES": str(rows), **environment}
        kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self._process, self._master = pty.fork()
        if self._process == 0:
            os.execve(sys.executable, arguments, {**kept, **own})
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if self._process:
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
        os.close(self._master)

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def wait_until(self, done: Callable[[Terminal], bool], seconds: float = 30) -> None:
        """Read on until something is to be seen."""
        end = time.monotonic() + seconds
        while not done(self):
            assert time.monotonic() < end, f"never came:\n{self.plain[-2000:]}"
            assert self._read(), f"ended before it came:\n{self.plain[-2000:]}"

    def wait_for(self, words: str, seconds: float = 30) -> None:
        """Read until the output contains some words."""
        self.wait_until(lambda terminal: words in terminal.plain, seconds)

    def wait(self, seconds: float = 30) -> int:
        """Read all output and return the exit code."""
        end = time.monotonic() + seconds
        while self._read():
            assert time.monotonic() < end, f"never ended:\n{self.plain[-2000:]}"
        _, status = os.waitpid(self._process, 0)
        self._process = 0
        return os.waitstatus_to_exitcode(status)

    @property
    def echoes(self) -> bool:
        """Whether the terminal shows typed keys, as it does unless a program turns it off."""
        return bool(termios.tcgetattr(self._master)[3] & termios.ECHO)

    @property
    def plain(self) -> str:
        """All output, without control codes."""
        return _plain(self.output)

    @property
    def frames(self) -> list[str]:
        """What was drawn in place, frame by frame."""
        _, _, drawn = self.output.partition("\x1b[?1049h")
        drawn, _, _ = drawn.partition("\x1b[?1049l")
        return [frame for frame in map(_plain, drawn.split("\x1b[H")) if frame.strip()]

    @property
    def left(self) -> str:
        """What remains on the terminal at the end."""
        return _plain(self.output.rpartition("\x1b[?1049l")[2])

    def _read(self) -> bool:
        """Read the available output, and return whether more may follow."""
        if not select.select([self._master], [], [], 0.2)[0]:
            return True
        try:
            piece = os.read(self._master, 65536)
        except OSError:
            return False
        self.output += piece.decode(errors="replace")
        return bool(piece)


def _plain(output: str) -> str:
    return re.sub(r"\x1b\[[?\d;]*[A-Za-z]", "", output).replace("\r\n", "\n")
