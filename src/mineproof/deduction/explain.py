"""Explains cells: a proof where one is certain, and what presses on it where it is not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from mineproof.arguments import instance
from mineproof.deduction.argue import argue
from mineproof.deduction.constraints import constraint_of, total_constraint
from mineproof.deduction.proof import Proof, Step, Technique
from mineproof.inference import Best, Posterior, infer
from mineproof.observation import FLAGGED, KNOWN_SAFE, NO_CLUE, Observation, is_open
from mineproof.topology import Cell

__all__ = ["Doubt", "Pressure", "explain", "explain_all", "proofs"]

_SETS: Final = 32
"""Among so many smallest sets of premises the one with the simplest argument is chosen."""

_NEAR: Final = 4
"""Clues further away than so many king's moves hardly press on a cell."""


@dataclass(frozen=True, slots=True)
class Pressure:
    """What one clue does to the risk of a cell.

    Parameters
    ----------
    clue
        The cell of the clue.
    without
        What the risk would be, were the clue not known.
    """

    clue: Cell
    without: float


@dataclass(frozen=True, slots=True)
class Doubt:
    """What is to be said of a cell that is not certain.

    Parameters
    ----------
    cell
        The cell.
    risk
        The chance of a mine there.
    pressing
        The clues that change its risk most, the strongest first.
    best
        The cell of the lowest risk, or one that is certainly safe.
    """

    cell: Cell
    risk: float
    pressing: tuple[Pressure, ...]
    best: Best

    def __str__(self) -> str:
        lines = [f"{self.cell} is not certain: its risk is {self.risk:.1%}."]
        for pressure in self.pressing[:3]:
            lines.append(f"Without the clue at {pressure.clue} it would be {pressure.without:.1%}.")
        if self.best.risk == 0:
            lines.append(f"There is no need to guess: {self.best.cell} is certainly safe.")
        elif self.best.cell == self.cell:
            lines.append("No cell is certainly safe, and none has a lower risk.")
        else:
            lines.append(
                f"No cell is certainly safe; {self.best.cell} has the lowest risk, "
                f"{self.best.risk:.1%}."
            )
        return "\n".join(lines)


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
    >>> print(explain(Observation.from_text("...\n121"), (0, 1)))
    (0, 1) is safe, by cases:
    Suppose (0, 1) were a mine.
      The 1 at (1, 0) has its mine already: (0, 0) is safe.
      The 1 at (1, 2) has its mine already: (0, 2) is safe.
      Then the 2 at (1, 1) would still need 1 mine and have no room.
    So (0, 1) is safe.
    """
    instance("observation", observation, Observation, "Observation.from_text('.1.')")
    place = observation.topology.index(cell)
    cell = observation.topology.cell(place)
    if is_open(observation.code(cell)) or not observation.closed.flat[place]:
        raise ValueError(f"row {cell[0]}, column {cell[1]}: the cell is not closed")
    posterior = infer(observation, **settings, require_exact=True)
    if cell in posterior.safe or cell in posterior.mined:
        return next(proofs(posterior, [cell], trust_flags=settings.get("flags") == "trust"))
    return _doubt(posterior, cell, settings)


def explain_all(observation: Observation, **settings: Any) -> tuple[Proof, ...]:
    r"""Explain every closed cell that is certain, the simplest first.

    Parameters
    ----------
    observation, **settings
        As for `explain`.

    Examples
    --------
    >>> for proof in explain_all(Observation.from_text("1.1\n1.1\n1.1\n...")):
    ...     print(proof.cell, proof.status, proof.technique, proof.premises)
    """
    posterior = infer(observation, **settings, require_exact=True)
    cells = [*posterior.safe, *posterior.mined]
    found = proofs(posterior, cells, trust_flags=settings.get("flags") == "trust")
    return tuple(sorted(found, key=_simplicity))


def _simplicity(proof: Proof) -> tuple[Any, ...]:
    return proof.technique, len(proof.premises), len(proof.steps), proof.cell


def proofs(
    posterior: Posterior, cells: Sequence[Cell], *, trust_flags: bool = False
) -> Iterator[Proof]:
    """Prove cells that are certain by a posterior, one after the other."""
    index = posterior.observation.topology.index
    found = posterior._native.prove([index(cell) for cell in cells], _SETS)
    safe = frozenset(posterior.safe)
    for cell, (sets, uses_total, smallest, _, irreducible) in zip(cells, found, strict=True):
        mine = cell not in safe
        arguments = [
            (_argument(posterior, cell, mine, premises, uses_total, trust_flags), premises)
            for premises in (_cells(posterior, places) for places in sets)
        ]
        steps, premises = min(arguments, key=lambda pair: _weight(*pair))
        yield Proof(
            cell=cell,
            status="mine" if mine else "safe",
            premises=premises,
            uses_total=uses_total,
            smallest=smallest,
            steps=steps,
            irreducible=irreducible,
        )


def _weight(steps: tuple[Step, ...], premises: tuple[Cell, ...]) -> tuple[Any, ...]:
    return max(step.technique for step in steps), len(steps), premises


def _cells(posterior: Posterior, places: Iterable[int]) -> tuple[Cell, ...]:
    return tuple(map(posterior.observation.topology.cell, places))


def _argument(
    posterior: Posterior,
    cell: Cell,
    mine: bool,
    premises: tuple[Cell, ...],
    uses_total: bool,
    trust_flags: bool,
) -> tuple[Step, ...]:
    seen = posterior.observation
    if seen.code(cell) == KNOWN_SAFE:
        text = f"{cell} is known to be safe from the start."
        return (Step(Technique.GIVEN, text, safe=(cell,)),)
    if trust_flags and seen.code(cell) == FLAGGED:
        return (Step(Technique.GIVEN, f"{cell} bears a flag that is trusted.", mined=(cell,)),)
    constraints = [
        constraint_of(seen, clue, posterior.channel, trust_flags=trust_flags) for clue in premises
    ]
    total = None
    if uses_total:
        mines = posterior.prior.total_among(seen.cells.size) or 0
        total = total_constraint(seen, mines, trust_flags=trust_flags)
    return argue(constraints, total, cell, mine=mine)


def _doubt(posterior: Posterior, cell: Cell, settings: dict[str, Any]) -> Doubt:
    risk = float(posterior.risk[cell])
    pressing = []
    for clue in _clues_near(posterior.observation, cell):
        without = infer(_hidden(posterior.observation, clue), **settings)
        changed = float(without.risk[cell])
        if abs(changed - risk) > 1e-9:
            pressing.append(Pressure(clue, changed))
    pressing.sort(key=lambda pressure: (-abs(pressure.without - risk), pressure.clue))
    best = posterior.best
    assert best is not None, "the cell is closed"
    return Doubt(cell, risk, tuple(pressing), best)


def _clues_near(observation: Observation, cell: Cell) -> Iterator[Cell]:
    row, col = cell
    for r in range(max(0, row - _NEAR), min(observation.rows, row + _NEAR + 1)):
        for c in range(max(0, col - _NEAR), min(observation.cols, col + _NEAR + 1)):
            if observation.code((r, c)) > 0:
                yield r, c


def _hidden(observation: Observation, clue: Cell) -> Observation:
    cells = observation.cells.copy()
    cells[clue] = NO_CLUE
    return replace(observation, cells=cells)
