"""Explains cells: a proof of one that is certain, a doubt about one that is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, Unpack

from mineproof import _core
from mineproof.inference.posterior import TIE, Posterior, Settings, core_of, exact_posterior, infer
from mineproof.inference.words import flag_sentences
from mineproof.position.cells import CellCode, is_closed
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell
from mineproof.proofs.constraints import Constraints, Premises
from mineproof.proofs.proof import Doubt, Pressure, Proof, Step, Technique
from mineproof.proofs.reasoning import TotalPremises, simplest_argument
from mineproof.proofs.words import (
    argument_steps,
    settled_text,
    settling_step,
    summary_steps,
    total_steps,
)

__all__ = ["explain", "explain_all", "imagine", "prove"]

_MOST_SETS: Final = 256
"""Of this many smallest sets of premises, the one with the simplest argument is chosen."""
_NEAR: Final = 4
"""Clues farther away than this hardly change the risk of a cell."""


def explain(
    position: Observation | Posterior, cell: Cell, **settings: Unpack[Settings]
) -> Proof | Doubt:
    r"""Explain a closed cell.

    Parameters
    ----------
    position
        An observation, or its exact posterior, which saves inferring again.
    cell
        A closed cell.
    **settings
        For an observation: ``prior``, ``channel``, ``flags`` and ``budget`` as for `infer`.

    Returns
    -------
    Proof or Doubt
        Why the cell is certain, or what is known about it if it is not.

    Raises
    ------
    Contradiction
        If no layout fits.
    BudgetExceeded
        If the position is too wide for an exact answer.

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
    posterior = exact_posterior(position, **settings)
    seen = posterior.observation
    cell = seen.topology.cell(seen.topology.index(cell))
    if not is_closed(seen.code(cell)):
        raise ValueError(f"({cell[0]}, {cell[1]}): the cell is not closed")
    if posterior.risk[cell] in (0, 1):
        return next(prove(posterior, [cell]))
    return _doubt(posterior, cell)


def explain_all(
    position: Observation | Posterior, **settings: Unpack[Settings]
) -> tuple[Proof, ...]:
    r"""Prove every closed cell that is certain, the simplest first.

    Parameters
    ----------
    position, **settings
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
    posterior = exact_posterior(position, **settings)
    proofs = prove(posterior, [*posterior.safe, *posterior.mined])
    return tuple(sorted(proofs, key=lambda proof: proof.simplicity))


def prove(posterior: Posterior, cells: Iterable[Cell]) -> Iterator[Proof]:
    r"""Prove cells that are certain by an exact posterior, one after another.

    Parameters
    ----------
    posterior
        An exact posterior.
    cells
        Closed cells that are certain.

    Examples
    --------
    >>> posterior = infer(Observation.from_text("1.\n1.\n0."))
    >>> [str(proof.technique) for proof in prove(posterior, posterior.mined)]
    ['counting']
    """
    return map(_Prover(posterior).prove, cells)


class _Prover:
    """Proves one cell after another, and keeps intermediate results that several proofs share."""

    def __init__(self, posterior: Posterior) -> None:
        self._posterior = posterior
        self._wrong = posterior.wrong_flags
        self._native = _core.Prover(core_of(posterior), _MOST_SETS)
        self._constraints = Constraints(posterior)
        self._by_total: dict[tuple[int, ...], tuple[TotalPremises, list[Step]]] = {}

    def prove(self, cell: Cell) -> Proof:
        place = self._posterior.observation.topology.index(cell)
        mine = bool(self._posterior.risk[cell])
        sets, uses_total, smallest, _, irreducible = self._native.prove(place)
        if not self._constraints.is_unknown(place):
            text = "It has a trusted flag." if mine else "It is known to be safe from the start."
            steps = [settling_step(Technique.GIVEN, text, (cell,), mine)]
        elif uses_total:
            steps = self._steps_by_total(tuple(sets[0]), cell, mine)
        else:
            steps = self._steps(sets, cell, mine)
        # On a huge board, not every clue can be tried: leave out the clues that no step uses.
        premises = tuple(sorted({clue for step in steps for clue in step.clues}))
        trusted = self._trusted(cell, premises, uses_total=uses_total)
        if self._constraints.is_unknown(place) and (trusted or self._wrong):
            settled = {cell}.union(*(step.safe for step in steps if not step.assumed))
            wrong = [flag for flag in self._wrong if flag in settled]
            steps += [Step(Technique.GIVEN, text) for text in flag_sentences(trusted, wrong)]
        return Proof(
            cell=cell,
            status="mine" if mine else "safe",
            premises=premises,
            uses_total=uses_total,
            smallest=smallest,
            steps=tuple(steps),
            irreducible=irreducible,
            trusted=trusted,
            observation=self._posterior.observation,
        )

    def _trusted(
        self, cell: Cell, premises: tuple[Cell, ...], *, uses_total: bool
    ) -> tuple[Cell, ...]:
        """Return the trusted flags near the premises, or every trusted flag with the mine total."""
        if uses_total or not self._posterior.trusted:
            return self._posterior.trusted
        neighbours = self._posterior.observation.topology.neighbours
        near = {cell}.union(*map(neighbours, premises))
        return tuple(flag for flag in self._posterior.trusted if flag in near)

    def _premises(self, clues: Iterable[int]) -> Premises:
        return Premises(map(self._constraints.of_clue, clues))

    def _steps(self, sets: Sequence[Sequence[int]], cell: Cell, mine: bool) -> list[Step]:
        argument = simplest_argument(list(map(self._premises, sets)), cell, mine=mine)
        if argument is not None:
            return list(argument_steps(argument))
        clues = tuple(self._constraints.of_clue(place).clue for place in sets[0])
        so = settled_text([cell], mine)
        text = f"In every layout that fits these {len(clues)} clues, {so}."
        return [settling_step(Technique.CASES, text, (cell,), mine, clues)]

    def _steps_by_total(self, clues: tuple[int, ...], cell: Cell, mine: bool) -> list[Step]:
        if clues not in self._by_total:
            premises = TotalPremises(self._premises(clues), self._constraints.of_total())
            self._by_total[clues] = premises, summary_steps(premises.inferences)
        premises, opening = self._by_total[clues]
        return [*opening, *total_steps(premises, cell, mine=mine)]


def imagine(posterior: Posterior, cell: Cell, code: int) -> Posterior:
    """Infer again, as if a cell had another code."""
    cells = posterior.observation.cells.copy()
    cells[cell] = code
    return infer(
        replace(posterior.observation, cells=cells),
        posterior.prior,
        posterior.channel,
        flags=posterior.flags,
        budget=posterior.budget,
    )


def _doubt(posterior: Posterior, cell: Cell) -> Doubt:
    best = posterior.best
    assert best is not None, "the cell is closed"
    seen, risk = posterior.observation, float(posterior.risk[cell])
    pressing = []
    for clue in _clues_near(seen, cell):
        # Forget the number, but not that its cell is safe.
        without = imagine(posterior, clue, CellCode.KNOWN_SAFE).risk[cell]
        if abs(without - risk) > TIE:
            pressing.append(Pressure(clue, seen.code(clue), float(without)))
    pressing.sort(key=lambda pressure: (-abs(pressure.without - risk), pressure.clue))
    return Doubt(cell, risk, tuple(pressing), best, posterior.trusted)


def _clues_near(observation: Observation, cell: Cell) -> Iterator[Cell]:
    """Yield the clues near a cell that have a closed neighbour."""
    topology, closed = observation.topology, observation.closed
    reached = {cell}
    for _ in range(_NEAR):
        reached |= {near for other in reached for near in topology.neighbours(other)}
    for clue in sorted(reached):
        around = topology.neighbours(clue)
        if observation.code(clue) >= 0 and any(closed[near] for near in around):
            yield clue
