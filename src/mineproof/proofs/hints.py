"""Hints in three stages: where to look, at which clues, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Unpack

from mineproof.arguments import named
from mineproof.inference.posterior import Posterior, Settings, exact_posterior
from mineproof.inference.words import flag_sentences
from mineproof.position.cells import CellCode
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell
from mineproof.proofs.explain import explain_all
from mineproof.proofs.proof import Proof, Technique
from mineproof.proofs.words import clue_text, settled_text

__all__ = ["Hint", "hints"]

_FEW: Final = 4
"""Up to this many clues are named one by one."""


@dataclass(frozen=True, slots=True)
class Hint:
    r"""A certain move, told in stages.

    Parameters
    ----------
    region
        Where to look.
    clues
        Which clues to look at, and what to do with them.
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

    @property
    def stages(self) -> tuple[str, str, str]:
        """The sentences, each of which tells more."""
        return self.region, self.clues, self.cell

    def __str__(self) -> str:
        return "\n".join(self.stages)


def hints(position: Observation | Posterior, **settings: Unpack[Settings]) -> tuple[Hint, ...]:
    r"""Return a hint for every safe cell and every mine without a flag.

    Safe cells come before mines, as they open the board; of each kind the simplest comes first.

    Parameters
    ----------
    position, **settings
        As for `explain`.

    Examples
    --------
    >>> for hint in hints(Observation.from_text("F11.\n?1??")):
    ...     print(hint.clues, hint.cell)
    Count around the 1 at (0, 2). (0, 3) is a mine.
    """
    posterior = exact_posterior(position, **settings)
    observation, proofs = posterior.observation, explain_all(posterior)
    return tuple(
        Hint(
            _region_text(observation, proof),
            _clues_text(observation, proof),
            _cell_text(observation, proof),
            proof,
        )
        for proof in sorted(proofs, key=lambda proof: proof.status == "mine")
        if proof.status == "safe" or observation.code(proof.cell) != CellCode.FLAGGED
    )


def _cell_text(observation: Observation, proof: Proof) -> str:
    so = f"{settled_text([proof.cell], proof.status == 'mine')}."
    wrong = observation.code(proof.cell) == CellCode.FLAGGED and proof.status == "safe"
    return " ".join([so, *flag_sentences(proof.trusted, [proof.cell] * wrong)])


def _region_text(observation: Observation, proof: Proof) -> str:
    rows, cols = zip(proof.cell, *proof.premises, strict=True)
    down = _third(rows, observation.rows, ("top", "middle", "bottom"))
    across = _third(cols, observation.cols, ("left", "middle", "right"))
    where = " ".join(dict.fromkeys(word for word in (down, across) if word))
    if proof.uses_total or not where:
        return "Look at the whole board."
    return f"Look at the {where}."


def _third(places: Sequence[int], size: int, words: tuple[str, str, str]) -> str:
    """Name the third of the board that the places are in; "" if they are too far apart."""
    least, greatest = min(places), max(places)
    if greatest - least + 1 > size / 2:
        return ""
    return words[(least + greatest + 1) * 3 // (2 * size)]


def _clues_text(observation: Observation, proof: Proof) -> str:
    in_order = list(dict.fromkeys(clue for step in proof.steps for clue in step.clues))
    match proof.technique:
        case Technique.GIVEN:
            return "No clue is needed."
        case Technique.COUNTING:
            return f"Count around {_named(observation, in_order)}."
        case Technique.SUBSET:
            compared = next(s for s in proof.steps if s.technique is Technique.SUBSET).clues
            one, other = (_named(observation, [clue]) for clue in compared)
            others = [clue for clue in in_order if clue not in compared]
            also = f"; also look at {_named(observation, others)}" if others else ""
            return f"Compare {one} with {other}{also}."
        case Technique.CASES:
            return f"Work out which layouts fit {_named(observation, proof.premises)}."
        case Technique.TOTAL if proof.premises:
            return f"Compare the number of mines left with {_named(observation, proof.premises)}."
        case Technique.TOTAL:
            return "Count the mines that are left."


def _named(observation: Observation, clues: Sequence[Cell]) -> str:
    codes = [observation.code(clue) for clue in clues]
    texts = [
        clue_text(clue, code if code >= 0 else None)
        for clue, code in zip(clues, codes, strict=True)
    ]
    return named(texts) if len(clues) <= _FEW else f"{len(clues)} clues, starting with {texts[0]}"
