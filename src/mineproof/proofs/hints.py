"""Hints in stages: where to look, at which clues, and what follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mineproof.position.observation import CellCode, Observation
from mineproof.position.topology import Cell
from mineproof.proofs.explain import explain_all
from mineproof.proofs.proof import Proof, Technique
from mineproof.proofs.words import named, settled_text

__all__ = ["Hint", "hints"]

_FEW: Final = 4
"""So many clues are named."""


@dataclass(frozen=True, slots=True)
class Hint:
    r"""A certain move, told in stages.

    Parameters
    ----------
    region
        Where to look.
    clues
        At which clues, and what to do with them.
    cell
        What follows.
    proof
        Why.

    Examples
    --------
    >>> print(hints(Observation.from_text("........\n12??????\n????????\n????????"))[0])
    Look at the top left.
    Compare the 1 at (1, 0) with the 2 at (1, 1).
    (0, 2) is a mine.
    """

    region: str
    clues: str
    cell: str
    proof: Proof

    def __str__(self) -> str:
        return "\n".join([self.region, self.clues, self.cell])


def hints(observation: Observation, **settings: Any) -> tuple[Hint, ...]:
    r"""Hint at every certain move, the simplest first: safe cells, and mines without a flag.

    Parameters
    ----------
    observation, **settings
        As for `explain`.

    Examples
    --------
    >>> for hint in hints(Observation.from_text("F11.\n?1??")):
    ...     print(hint.clues, hint.cell)
    Count at the 1 at (0, 2). (0, 3) is a mine.
    """
    return tuple(
        Hint(
            _region_text(observation, proof),
            _clues_text(observation, proof),
            f"{settled_text([proof.cell], proof.status == 'mine')}.",
            proof,
        )
        for proof in explain_all(observation, **settings)
        if proof.status == "safe" or observation.code(proof.cell) != CellCode.FLAGGED
    )


def _region_text(observation: Observation, proof: Proof) -> str:
    cells = [proof.cell, *proof.premises]
    rows, cols = zip(*cells, strict=True)
    down = _third(rows, observation.rows, ("top", "middle", "bottom"))
    across = _third(cols, observation.cols, ("left", "middle", "right"))
    where = " ".join(dict.fromkeys(word for word in (down, across) if word))
    if proof.uses_total or not where:
        return "Look at the whole board."
    return f"Look at the {where}."


def _third(places: Sequence[int], size: int, words: tuple[str, str, str]) -> str:
    """Name the third of the board where places lie; nothing where they are spread too far."""
    least, greatest = min(places), max(places)
    if greatest - least + 1 > size / 2:
        return ""
    return words[(least + greatest + 1) * 3 // (2 * size)]


def _clues_text(observation: Observation, proof: Proof) -> str:
    match proof.technique:
        case Technique.GIVEN:
            return "No clue is needed."
        case Technique.COUNTING:
            return f"Count at {_named(observation, _order(proof))}."
        case Technique.SUBSET:
            return _comparing_text(observation, proof)
        case Technique.CASES:
            return f"Try what {_named(observation, proof.premises)} allow together."
        case Technique.TOTAL:
            return _total_text(observation, proof)


def _comparing_text(observation: Observation, proof: Proof) -> str:
    compared = next(step for step in proof.steps if step.technique is Technique.SUBSET)
    one, other = compared.clues
    others = [clue for clue in _order(proof) if clue not in compared.clues]
    along = f"; also look at {_named(observation, others)}" if others else ""
    return f"Compare {_clue(observation, one)} with {_clue(observation, other)}{along}."


def _total_text(observation: Observation, proof: Proof) -> str:
    if not proof.premises:
        return "Count the mines that are left."
    return f"Set {_named(observation, proof.premises)} against the mines that are left."


def _order(proof: Proof) -> list[Cell]:
    """Return the clues in the order in which the argument looks at them."""
    return list(dict.fromkeys(clue for step in proof.steps for clue in step.clues))


def _clue(observation: Observation, clue: Cell) -> str:
    code = observation.code(clue)
    return f"the {code if code >= 0 else 'lost clue'} at {clue}"


def _named(observation: Observation, clues: Iterable[Cell]) -> str:
    clues = list(clues)
    if len(clues) > _FEW:
        return f"{len(clues)} clues, beginning with {_clue(observation, clues[0])}"
    return named(_clue(observation, clue) for clue in clues)
