"""Explains cells: a proof where one is certain, and what presses on it where it is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final

from mineproof import _core
from mineproof.arguments import instance
from mineproof.inference.posterior import Posterior, infer
from mineproof.position.observation import CellCode, Observation, is_closed
from mineproof.position.topology import Cell
from mineproof.proofs.argue import simplest_argument
from mineproof.proofs.constraints import Reading
from mineproof.proofs.doubt import Doubt, doubt
from mineproof.proofs.inferences import Premises
from mineproof.proofs.proof import Proof, Step, Technique
from mineproof.proofs.telling import settling_step, told
from mineproof.proofs.total import TotalArguments
from mineproof.proofs.words import settled_text

__all__ = ["explain", "explain_all", "proofs"]

_MOST_SETS: Final = 256
"""Among so many smallest sets of premises the one with the simplest argument is chosen."""


def explain(observation: Observation, cell: Cell, **settings: Any) -> Proof | Doubt:
    r"""Explain a closed cell.

    Parameters
    ----------
    observation
        What is seen.
    cell
        A closed cell.
    **settings
        As for `infer`: prior, channel, flags, budget.

    Returns
    -------
    Proof or Doubt
        Why it is certain, or what is to be said of it.

    Raises
    ------
    Contradiction
        If no layout fits.
    BudgetExceeded
        If the position is too wide to be judged exactly.

    Examples
    --------
    >>> print(explain(Observation.from_text("....\n121?\n...."), (0, 1)))
    (0, 1) is safe, by cases:
    Suppose (0, 1) were a mine.
      The 1 at (1, 0) has its mine, (0, 1): (0, 0), (2, 0) and (2, 1) are safe.
      The 1 at (1, 2) has its mine, (0, 1): (0, 2) and (2, 2) are safe.
      Then the 2 at (1, 1) would have only 1 cell left for its 2 mines.
    So (0, 1) is safe.
    """
    instance("observation", observation, Observation, "Observation.from_text('.1.')")
    place = observation.topology.index(cell)
    cell = divmod(place, observation.cols)
    if not is_closed(observation.code(cell)):
        raise ValueError(f"row {cell[0]}, column {cell[1]}: the cell is not closed")
    posterior = infer(observation, **settings, require_exact=True)
    if posterior.risk.flat[place] in (0, 1):
        return next(proofs(posterior, [cell]))
    return doubt(posterior, cell, partial(infer, **settings))


def explain_all(observation: Observation, **settings: Any) -> tuple[Proof, ...]:
    r"""Explain every closed cell that is certain, the simplest first.

    Parameters
    ----------
    observation, **settings
        As for `explain`.

    Examples
    --------
    >>> for proof in explain_all(Observation.from_text("..10\n122?\n....")):
    ...     print(proof.cell, proof.status, proof.technique, proof.premises)
    (0, 1) mine counting ((0, 2),)
    (0, 0) safe counting ((0, 2), (1, 0))
    (2, 0) safe counting ((0, 2), (1, 0))
    (2, 1) safe counting ((0, 2), (1, 0))
    (2, 3) safe counting ((0, 2), (1, 0), (1, 1), (1, 2))
    (2, 2) mine subset ((1, 0), (1, 1))
    """
    posterior = infer(observation, **settings, require_exact=True)
    found = proofs(posterior, [*posterior.safe, *posterior.mined])
    return tuple(sorted(found, key=_simplicity))


def _simplicity(proof: Proof) -> tuple[Any, ...]:
    return proof.technique, len(proof.premises), len(proof.steps), proof.cell


def proofs(posterior: Posterior, cells: Iterable[Cell]) -> Iterator[Proof]:
    """Prove cells that are certain by a posterior, one after the other.

    Parameters
    ----------
    posterior
        An exact posterior.
    cells
        Closed cells that are certain.
    """
    explainer = _Explainer(posterior)
    return map(explainer.prove, cells)


class _Explainer:
    """Proves one cell after the other, and keeps what serves several."""

    def __init__(self, posterior: Posterior) -> None:
        self._posterior = posterior
        self._prover = _core.Prover(posterior.native, _MOST_SETS)
        self._reading = Reading(posterior)
        self._by_total: dict[tuple[int, ...], TotalArguments] = {}

    def prove(self, cell: Cell) -> Proof:
        place = self._posterior.observation.topology.index(cell)
        mine = bool(self._posterior.risk.flat[place])
        sets, uses_total, smallest, _, irreducible = self._prover.prove(place)
        if not self._reading.unknown(place):
            steps = [_given(self._reading.code(place), cell)]
        elif uses_total:
            steps = list(self._arguments_by_total(sets[0]).steps(cell, mine=mine))
        else:
            argument = simplest_argument(list(map(self._premises, sets)), cell, mine=mine)
            steps = list(told(argument)) if argument else [self._too_long(sets[0], cell, mine)]
        return Proof(
            cell=cell,
            status="mine" if mine else "safe",
            # On a huge board, where clues could not all be tried, those that serve no step go too.
            premises=tuple(sorted({clue for step in steps for clue in step.clues})),
            uses_total=uses_total,
            smallest=smallest,
            steps=tuple(steps),
            irreducible=irreducible,
        )

    def _premises(self, clues: Iterable[int]) -> Premises:
        return Premises(map(self._reading.constraint, clues))

    def _too_long(self, clues: Sequence[int], cell: Cell, mine: bool) -> Step:
        """Say what is true where an argument would be too long to follow."""
        so = settled_text([cell], mine)
        text = f"No way to lay mines around {len(clues)} clues leaves it otherwise: {so}."
        places = tuple(constraint.clue for constraint in map(self._reading.constraint, clues))
        return settling_step(Technique.CASES, text, (cell,), mine, places)

    def _arguments_by_total(self, clues: Sequence[int]) -> TotalArguments:
        key = tuple(clues)
        if key not in self._by_total:
            total = self._reading.total()
            self._by_total[key] = TotalArguments(self._premises(clues), total)
        return self._by_total[key]


def _given(code: int, cell: Cell) -> Step:
    if code == CellCode.KNOWN_SAFE:
        return Step(Technique.GIVEN, "It is known to be safe from the start.", safe=(cell,))
    return Step(Technique.GIVEN, "It bears a flag that is trusted.", mined=(cell,))
