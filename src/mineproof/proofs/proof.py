"""What a proof is: clues that settle a cell, and the argument in steps."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

from mineproof.position.topology import Cell

__all__ = ["Assumptions", "Proof", "Step", "Technique"]

Assumptions = tuple[tuple[Cell, bool], ...]
"""Cells that are assumed for the sake of the argument, and whether to be mines."""


class Technique(IntEnum):
    """How a cell is settled, from the simplest on.

    Examples
    --------
    >>> Technique.COUNTING < Technique.CASES, str(Technique.CASES)
    (True, 'cases')
    """

    GIVEN = 0
    """It is known from the start."""
    COUNTING = 1
    """One clue after the other, by counting what is left around it."""
    SUBSET = 2
    """Two clues that share cells are compared."""
    CASES = 3
    """Were it otherwise, some clue could not be met."""
    TOTAL = 4
    """The mines that are left on the whole board decide."""

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an argument.

    Parameters
    ----------
    technique
        How it is made.
    text
        The step in words.
    clues
        The clues that it looks at.
    safe, mined
        The cells that it settles: they follow from its clues and from what was settled before,
        under the assumptions that stand.
    assumed
        The assumptions that stand: those of the cases that the step belongs to.
    uses_total
        Whether it looks at the mine total too.
    impossible
        Whether it shows that its clues cannot be met any more, which ends a case.
    """

    technique: Technique
    text: str
    clues: tuple[Cell, ...] = ()
    safe: tuple[Cell, ...] = ()
    mined: tuple[Cell, ...] = ()
    assumed: Assumptions = ()
    uses_total: bool = False
    impossible: bool = False

    def __str__(self) -> str:
        return "  " * len(self.assumed) + self.text


@dataclass(frozen=True, slots=True)
class Proof:
    r"""Why a cell is certain.

    Parameters
    ----------
    cell
        The cell.
    status
        What it is certain to be.
    premises
        The clues that settle it: none of them can be left out.
    uses_total
        Whether the mine total is needed as well: all clues of the board would not do without it.
    smallest
        Whether it was decided that no set of fewer clues settles the cell.
    steps
        The argument.
    irreducible
        False only on a huge board, where leaving out all that can go would have taken too long.

    Examples
    --------
    >>> from mineproof import Observation, explain
    >>> proof = explain(Observation.from_text("1.\n1.\n0."), (0, 1))
    >>> proof.status, proof.premises, proof.smallest, str(proof.technique)
    ('mine', ((0, 0), (2, 0)), True, 'counting')
    >>> print(proof)
    (0, 1) is a mine, by counting:
    The 0 at (2, 0) touches no mine: (1, 1) is safe.
    The 1 at (0, 0) has only 1 cell left for its mine: (0, 1) is a mine.
    """

    cell: Cell
    status: Literal["safe", "mine"]
    premises: tuple[Cell, ...]
    uses_total: bool
    smallest: bool
    steps: tuple[Step, ...]
    irreducible: bool = True

    @property
    def technique(self) -> Technique:
        """The hardest technique that the argument needs."""
        return max(step.technique for step in self.steps)

    def __str__(self) -> str:
        what = "a mine" if self.status == "mine" else "safe"
        by = {
            Technique.GIVEN: "",
            Technique.COUNTING: ", by counting",
            Technique.SUBSET: ", by comparing two clues",
            Technique.CASES: ", by cases",
            Technique.TOTAL: ", by the mine total",
        }[self.technique]
        return "\n".join([f"{self.cell} is {what}{by}:", *map(str, self.steps)])
