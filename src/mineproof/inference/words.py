"""Words for clues and flags by where they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mineproof.arguments import counted, named
from mineproof.position.topology import Cell

__all__ = ["flag_sentences", "placed", "placed_flags"]

_MOST_NAMED: Final = 8
"""Up to this many flags are named one by one."""


def flag_sentences(trusted: Sequence[Cell], wrong: Sequence[Cell]) -> list[str]:
    """Say which trusted flags an answer rests on, and which flags it finds to be wrong.

    Examples
    --------
    >>> flag_sentences([(0, 1), (2, 3)], [])
    ['This rests on the trusted flags at (0, 1) and (2, 3).']
    >>> flag_sentences([], [(0, 1)])
    ['The flag at (0, 1) is wrong: the cell is safe.']
    """
    sentences = []
    if trusted:
        sentences.append(f"This rests on {placed_flags('trusted flag', trusted)}.")
    if wrong:
        be, they = ("is", "the cell is") if len(wrong) == 1 else ("are", "these cells are")
        which = placed_flags("flag", wrong)
        sentences.append(f"{which[0].upper()}{which[1:]} {be} wrong: {they} safe.")
    return sentences


def placed(noun: str, cells: Sequence[Cell]) -> str:
    """Name things by where they are.

    Examples
    --------
    >>> placed("clue", [(0, 1)]), placed("clue", [(0, 1), (2, 3)])
    ('the clue at (0, 1)', 'the clues at (0, 1) and (2, 3)')
    """
    return f"the {noun}{'s' * (len(cells) > 1)} at {named(cells)}"


def placed_flags(noun: str, cells: Sequence[Cell]) -> str:
    """Name flags by where they are, or count them if there are many."""
    return placed(noun, cells) if len(cells) <= _MOST_NAMED else counted(len(cells), noun)
