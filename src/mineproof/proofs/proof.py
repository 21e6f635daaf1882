"""Explanations of cells: a proof, a doubt, or the clue of an open cell.

All of them have the same fields as plain values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final, Literal, TypeAlias

from mineproof.arguments import percent
from mineproof.inference.posterior import TIE, Best
from mineproof.inference.words import flag_sentences
from mineproof.position.cells import CellCode
from mineproof.position.drawn import Drawn
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

__all__ = ["Assumptions", "Doubt", "OpenCell", "Pressure", "Proof", "Step", "Technique"]

_MOST_PRESSING: Final = 3
"""A doubt names at most this many clues in its text."""

Assumptions: TypeAlias = tuple[tuple[Cell, bool], ...]
"""Cells assumed for the sake of the argument, each with whether it is assumed to be a mine."""


class Technique(IntEnum):
    """How a cell is settled, from the simplest technique to the hardest.

    Examples
    --------
    >>> Technique.COUNTING < Technique.CASES, str(Technique.CASES)
    (True, 'cases')
    """

    GIVEN = 0
    """The cell is known from the start."""
    COUNTING = 1
    """Count what is left around one clue after another."""
    SUBSET = 2
    """Compare two clues that share cells."""
    CASES = 3
    """Suppose the opposite and find a clue that cannot be met."""
    TOTAL = 4
    """Use the number of mines left on the whole board."""

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a proof.

    Parameters
    ----------
    technique
        The technique it uses.
    text
        The step in words.
    clues
        The clues it looks at.
    safe, mined
        The cells it settles. They follow from its clues and from earlier steps, under the
        assumptions.
    assumed
        The assumptions of the cases that the step belongs to.
    uses_total
        Whether it also looks at the mine total.
    impossible
        Whether it shows that its clues cannot be met, which ends a case.
    """

    technique: Technique
    text: str
    clues: tuple[Cell, ...] = ()
    safe: tuple[Cell, ...] = ()
    mined: tuple[Cell, ...] = ()
    assumed: Assumptions = ()
    uses_total: bool = False
    impossible: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the text, the number of cases that it is inside of as ``depth``, and its cells."""
        return _sentence(self.text, self.clues, self.safe, self.mined, self.assumed)

    def __str__(self) -> str:
        return "  " * len(self.assumed) + self.text


def _sentence(
    text: str,
    clues: tuple[Cell, ...] = (),
    safe: tuple[Cell, ...] = (),
    mined: tuple[Cell, ...] = (),
    assumed: Assumptions = (),
) -> dict[str, Any]:
    cells = {"clues": clues, "safe": safe, "mined": mined, "assumed": assumed}
    return {"text": text, "depth": len(assumed), **cells}


def _explanation(
    cell: Cell, status: str, risk: float | None, text: str, **more: Any
) -> dict[str, Any]:
    about = {"cell": cell, "status": status, "risk": risk, "text": text}
    reasons = {"premises": (), "uses_total": False, "trusted": (), "technique": None, "steps": ()}
    return about | reasons | more


@dataclass(frozen=True, slots=True)
class Proof(Drawn):
    r"""Why a cell is certain.

    Parameters
    ----------
    cell
        The cell.
    status
        What the cell is.
    premises
        The clues that settle it. None of them can be left out.
    uses_total
        Whether the mine total is needed too: without it, all clues of the board are not enough.
    smallest
        Whether it is certain that no set of fewer clues settles the cell.
    steps
        The argument.
    irreducible
        Whether it is certain that no premise can be left out. False only on huge boards, where
        checking takes too long.
    trusted
        The trusted flags that it may rest on: those next to a premise, or all with the mine total.
    observation
        The position, on which `to_svg` draws the proof.

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
    trusted: tuple[Cell, ...] = ()
    observation: Observation | None = field(default=None, compare=False, repr=False, kw_only=True)

    @property
    def technique(self) -> Technique:
        """The hardest technique that the argument needs."""
        return max(step.technique for step in self.steps)

    @property
    def simplicity(self) -> tuple[Technique, int, int, Cell]:
        """The key by which proofs are sorted, the simplest first."""
        return self.technique, len(self.premises), len(self.steps), self.cell

    @property
    def claim(self) -> str:
        """The status of the cell and the technique, in words."""
        what = "a mine" if self.status == "mine" else "safe"
        by = {
            Technique.GIVEN: "",
            Technique.COUNTING: ", by counting",
            Technique.SUBSET: ", by comparing two clues",
            Technique.CASES: ", by cases",
            Technique.TOTAL: ", by the mine total",
        }[self.technique]
        return f"{self.cell} is {what}{by}"

    def to_dict(self) -> dict[str, Any]:
        r"""Return plain values; ``text`` is the claim.

        Examples
        --------
        >>> from mineproof import Observation, explain
        >>> proof = explain(Observation.from_text("1."), (0, 1)).to_dict()
        >>> proof["text"], proof["premises"], proof["steps"][0]["mined"]
        ('(0, 1) is a mine, by counting.', ((0, 0),), ((0, 1),))
        """
        return _explanation(
            self.cell,
            self.status,
            float(self.status == "mine"),
            f"{self.claim}.",
            premises=self.premises,
            uses_total=self.uses_total,
            trusted=self.trusted,
            technique=str(self.technique),
            steps=[step.to_dict() for step in self.steps],
        )

    def __str__(self) -> str:
        return "\n".join([f"{self.claim}:", *map(str, self.steps)])


@dataclass(frozen=True, slots=True)
class Pressure:
    """How one clue changes the risk of a cell.

    Parameters
    ----------
    clue
        The cell of the clue.
    shown
        The number it shows.
    without
        The risk if the number were not known.
    """

    clue: Cell
    shown: int
    without: float


@dataclass(frozen=True, slots=True)
class Doubt:
    r"""What is known about a cell that is not certain.

    Parameters
    ----------
    cell
        The cell.
    risk
        The chance that it is a mine.
    pressing
        The nearby clues that change its risk, the strongest first.
    best
        The cell of the lowest risk, or one that is certainly safe.
    trusted
        The trusted flags that all of this rests on.

    Examples
    --------
    >>> from mineproof import Observation, explain
    >>> print(explain(Observation.from_text("5x2x2\n.1...\n....."), (0, 0)))
    (0, 0) is not certain: its risk is 20.0%.
    Without the 1 at (0, 1) it would be 22.2%.
    No cell is certainly safe, and none has a lower risk.
    """

    cell: Cell
    risk: float
    pressing: tuple[Pressure, ...]
    best: Best
    trusted: tuple[Cell, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values like those of a proof; the premises are the clues that press."""
        text, *more = str(self).splitlines()
        return _explanation(
            self.cell,
            "uncertain",
            self.risk,
            text,
            premises=tuple(pressure.clue for pressure in self.pressing),
            trusted=self.trusted,
            steps=list(map(_sentence, more)),
        )

    def __str__(self) -> str:
        lines = [f"{self.cell} is not certain: its risk is {percent(self.risk, digits=1)}."]
        for pressure in self.pressing[:_MOST_PRESSING]:
            risk = pressure.without
            shown = f"{risk:.0%}" if risk in (0, 1) else percent(risk, digits=1)
            lines.append(f"Without the {pressure.shown} at {pressure.clue} it would be {shown}.")
        return "\n".join([*lines, self.choice, *flag_sentences(self.trusted, ())])

    @property
    def choice(self) -> str:
        """A sentence that says whether to guess here."""
        if self.best.risk == 0:
            return f"There is no need to guess: {self.best.cell} is certainly safe."
        if self.risk <= self.best.risk + TIE:
            return "No cell is certainly safe, and none has a lower risk."
        risk = percent(self.best.risk, digits=1)
        return f"No cell is certainly safe; {self.best.cell} has the lowest risk, {risk}."


@dataclass(frozen=True, slots=True)
class OpenCell:
    """A cell that is not closed, with its clue.

    Parameters
    ----------
    cell
        The cell.
    code
        Its code in the observation.

    Examples
    --------
    >>> print(OpenCell((0, 1), 3))
    (0, 1) is open and shows 3.
    """

    cell: Cell
    code: int

    def to_dict(self) -> dict[str, Any]:
        """Return plain values like those of a proof."""
        if self.code == CellCode.EXPLODED:
            return _explanation(self.cell, "mine", 1.0, str(self), technique="given")
        return _explanation(self.cell, "open", None, str(self))

    def __str__(self) -> str:
        if self.code == CellCode.EXPLODED:
            return f"{self.cell} is a mine that exploded."
        silent = {CellCode.NO_CLUE: "its clue was lost", CellCode.PENDING: "its clue is late"}
        shows = silent[CellCode(self.code)] if self.code < 0 else f"shows {self.code}"
        return f"{self.cell} is open and {shows}."
