"""Words for flags, and for what clues clash with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from mineproof.arguments import counted, placed
from mineproof.position.cells import CellCode
from mineproof.position.model import Prior
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

__all__ = ["beside", "flag_sentences", "placed_flags"]

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


def placed_flags(noun: str, cells: Sequence[Cell]) -> str:
    """Name flags by where they are, or count them if there are many."""
    return placed(noun, cells) if len(cells) <= _MOST_NAMED else counted(len(cells), noun)


def beside(
    clues: tuple[Cell, ...],
    flags: tuple[Cell, ...],
    observation: Observation,
    total_of: Prior | None,
) -> tuple[str, ...]:
    """Say in words what clues clash with, besides each other.

    If they clash only together with the total of a prior, all exploded mines matter, otherwise only
    those next to the clues.
    """
    if total_of is None:
        around = {cell for clue in clues for cell in observation.topology.neighbours(clue)}
        codes = np.array([observation.code(cell) for cell in around])
        said = []
    else:
        codes = observation.cells
        kind = "the mine total" if total_of.kind == "total" else "a density"
        said = [f"{kind} of {int(total_of.value or 0):,}"]
    exploded = int(np.count_nonzero(codes == CellCode.EXPLODED.value))
    if exploded:
        said.append(counted(exploded, "exploded mine"))
    if flags:
        said.append(placed_flags("trusted flag", flags))
    return tuple(said)
