"""A cell as text: a word or a letter, and its colours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mineproof.draw.looks import CLUES, Look, hexadecimal
from mineproof.position.observation import CellCode

__all__ = ["letter", "style", "word"]

_MARKS: Final[Mapping[int, str]] = {
    CellCode.CLOSED: "#4a5361 on #b4bccb",
    CellCode.FLAGGED: "bold #c62828 on #b4bccb",
    CellCode.KNOWN_SAFE: "bold #1c8c44 on #b4bccb",
    CellCode.EXPLODED: "bold #ffffff on #c62828",
}
"""What is not open, in a terminal with colours."""


def word(look: Look) -> str:
    """Write a cell in at most four characters.

    Examples
    --------
    >>> word(Look(-1, 1.0, certain=True)), word(Look(-1, 0.25, label="25%")), word(Look(3))
    ('mine', '25%', '3')
    """
    if look.risk is None:
        return _plain(look.code)
    if look.certain:
        return "mine" if look.risk > 0.5 else "safe"
    return look.label


def letter(look: Look) -> str:
    """Write a cell in one character, a risk as its tenth.

    Examples
    --------
    >>> letter(Look(-1, 1.0, certain=True)), letter(Look(-1, 0.25)), letter(Look(3))
    ('#', 'c', '3')
    """
    if look.risk is None:
        return _plain(look.code)
    if look.certain:
        return "#" if look.risk > 0.5 else "+"
    return "abcdefghij"[min(int(look.risk * 10), 9)]


def _plain(code: int) -> str:
    symbols: Mapping[int, str] = {
        CellCode.CLOSED: ".",
        CellCode.FLAGGED: "F",
        CellCode.NO_CLUE: "?",
        CellCode.EXPLODED: "*",
        CellCode.KNOWN_SAFE: "s",
    }
    return symbols.get(code, str(code))


def style(look: Look) -> str:
    """Return the colours of a cell, in the words of Rich.

    Examples
    --------
    >>> style(Look(0))
    'dim'
    """
    if look.heat is not None:
        ink = "bold white" if look.certain else look.ink
        return f"{ink} on {hexadecimal(look.heat)}"
    if look.code in _MARKS:
        return _MARKS[look.code]
    if look.code > 0:
        return f"bold {CLUES[look.code]}"
    return "dim"
