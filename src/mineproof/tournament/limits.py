"""What an agent may use in one game."""

from __future__ import annotations

import gc
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["Limits", "limit_memory"]

_OPEN_FILES: Final = 64
"""How many files an isolated agent may have open at a time."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an agent may use in one game.

    Parameters
    ----------
    seconds
        The time by the clock.
    megabytes
        The memory, in addition to what Python and mineproof take.
    isolated
        Whether the system itself keeps the agent from all but its folder and Python.
    """

    seconds: float = 10.0
    megabytes: int = 512
    isolated: bool = False


def limit_memory(limits: Limits) -> None:
    """Let this process have so much more memory than it has, where the system can limit it."""
    gc.collect()
    more = limits.megabytes * 2**20
    if limits.isolated:
        import resource

        pages = Path("/proc/self/statm").read_text().split()
        _limit(resource.RLIMIT_AS, int(pages[0]) * resource.getpagesize() + more)
        # Files in memory do not count as memory of the process.
        _limit(resource.RLIMIT_FSIZE, 0)
        _limit(resource.RLIMIT_CORE, 0)
        _limit(resource.RLIMIT_NOFILE, _OPEN_FILES)
        return
    with suppress(ImportError, OSError, ValueError):
        import resource

        pages = Path("/proc/self/statm").read_text().split()
        _limit(resource.RLIMIT_DATA, int(pages[5]) * resource.getpagesize() + more)


def _limit(what: int, most: int) -> None:
    import resource

    resource.setrlimit(what, (most, most))
