"""The codes of what a player sees of a cell."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

__all__ = ["CellCode", "is_closed", "is_open"]


class CellCode(IntEnum):
    """What a player sees of a cell that shows no clue; clues are the codes 0 to 8.

    Compare arrays with its values: NumPy asks a member for attributes that it lacks, which is slow,
    and drops any exception meanwhile, even Ctrl-C.
    """

    # native/core uses the same numbers.
    CLOSED = -1
    """Closed, without a flag."""
    FLAGGED = -2
    """Closed, with a flag."""
    NO_CLUE = -3
    """Open, but the clue was lost."""
    EXPLODED = -4
    """A mine that was opened."""
    KNOWN_SAFE = -5
    """Closed, and known to be free of a mine."""
    PENDING = -6
    """Open, but the clue has not arrived yet."""


# Plain numbers: comparing with a member of an enumeration takes several times as long.
_SILENT: Final = {CellCode.NO_CLUE.value, CellCode.PENDING.value}
_CLOSED: Final = {CellCode.CLOSED.value, CellCode.FLAGGED.value, CellCode.KNOWN_SAFE.value}


def is_open(code: int) -> bool:
    """Whether a code means an open safe cell."""
    return code >= 0 or code in _SILENT


def is_closed(code: int) -> bool:
    """Whether a code means a closed cell, which may be flagged or known to be safe."""
    return code in _CLOSED
