"""What an agent may not do: look for the game or its seed, or reach beyond its process.

This names agents that try, and stops careless ones. It is not a sandbox.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Collection
from typing import Any, Final

__all__ = ["Guard"]

_SEARCHES: Final = ("gc.get_objects", "gc.get_referrers", "gc.get_referents")
_PROCESSES: Final = (
    *("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn"),
    *("os.exec", "os.system", "os.startfile", "os.kill", "os.killpg"),
)
_NETWORK: Final = (
    *("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg"),
    "socket.getaddrinfo",
)
_NATIVE: Final = ("ctypes.dlopen",)
_FORBIDDEN: Final = {
    **dict.fromkeys(_SEARCHES, "searched the memory of its process for the game"),
    **dict.fromkeys(_PROCESSES, "reached for other processes"),
    **dict.fromkeys(_NETWORK, "used the network"),
    **dict.fromkeys(_NATIVE, "loaded native code during a game"),
}
_OTHER_PROCESS: Final = re.compile(r"/proc/\d+(/|$)")


class Guard:
    """From now on, reports an agent that reads what it may not, and ends the process.

    Parameters
    ----------
    report
        Receives what the agent did, in words.
    private
        The files that it may not read, as they may tell the seeds of the boards.
    """

    def __init__(self, report: Callable[[str], object], private: Collection[str]) -> None:
        self._report, self._private = report, frozenset(private)
        self._calls: dict[str, str] = {}
        sys.addaudithook(self._look)

    def forbid_all(self) -> None:
        """Forbid all the rest too, which libraries may need while they are loaded."""
        self._calls = _FORBIDDEN

    def _look(self, event: str, arguments: tuple[Any, ...]) -> None:
        did = self._calls.get(event)
        if event == "open" and isinstance(arguments[0], str | bytes):
            path = os.path.realpath(os.fsdecode(arguments[0]))
            if path in self._private:
                did = "read the files of the tournament"
            elif _OTHER_PROCESS.match(path) and not path.startswith(f"/proc/{os.getpid()}/"):
                did = "looked into other processes"
        if did is not None:
            self._report(f"{did} ({event})")
            os._exit(1)
