"""Processes of this machine, by their numbers."""

from __future__ import annotations

from pathlib import Path

__all__ = ["is_running"]


def is_running(pid: int) -> bool:
    """Return whether a process exists and has not ended (its parent may not have noticed)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"
