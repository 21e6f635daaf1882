"""What an agent may not do while it plays: look for the game, or reach beyond its process.

This names agents that try, and stops careless ones. It is not a sandbox.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

__all__ = ["forbid"]

_SEARCHES: Final = ("gc.get_objects", "gc.get_referrers", "gc.get_referents")
_PROCESSES: Final = (
    *("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn"),
    *("os.exec", "os.system", "os.startfile", "os.kill", "os.killpg"),
)
_NETWORK: Final = ("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo")
_NATIVE: Final = ("ctypes.dlopen",)
_FORBIDDEN: Final = {
    **dict.fromkeys(_SEARCHES, "searched the memory of its process for the game"),
    **dict.fromkeys(_PROCESSES, "reached for other processes"),
    **dict.fromkeys(_NETWORK, "used the network"),
    **dict.fromkeys(_NATIVE, "loaded native code during a game"),
}
_OTHER_PROCESS: Final = re.compile(r"/proc/\d+(/|$)")


def forbid(report: Callable[[str], object], private: Path) -> None:
    """From now on, report what an agent may not do, and end the process.

    Parameters
    ----------
    report
        Receives what the agent did, in words.
    private
        A folder that it may not read, as it holds the seeds of the boards.
    """

    def look(event: str, arguments: tuple[Any, ...]) -> None:
        did = _FORBIDDEN.get(event)
        if event == "open" and isinstance(arguments[0], str | bytes):
            path = os.path.realpath(os.fsdecode(arguments[0]))
            if path.startswith(f"{private}{os.sep}"):
                did = "read the files of the tournament"
            elif _OTHER_PROCESS.match(path) and not path.startswith(f"/proc/{os.getpid()}/"):
                did = "looked into other processes"
        if did is not None:
            report(f"{did} ({event})")
            os._exit(1)

    sys.addaudithook(look)
