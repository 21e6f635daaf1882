"""Cells that cannot be otherwise: what is supposed of them leads to a clash."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import Final, Protocol, Self, TypeAlias, TypeVar

from mineproof.position.topology import Cell
from mineproof.proofs.constraints import Knowledge
from mineproof.proofs.inferences import Clash, Inference, Premises, settle
from mineproof.proofs.proof import Technique

__all__ = ["Argument", "Case", "length", "refute", "refute_by_cases", "trimmed"]

_MOST_WORK: Final = 12_000
"""Clues looked at before an argument by cases is given up as too long to follow."""


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A supposition that is refuted, so the cell is the other way round.

    Parameters
    ----------
    cell, mine
        What is supposed.
    argument
        What follows then.
    clash
        What that leads to.
    """

    cell: Cell
    mine: bool
    argument: Argument
    clash: Clash

    @property
    def given(self) -> set[Cell]:
        """What was settled before and is looked at."""
        given = set(self.clash.given)
        inside = {self.cell}
        for part in self.argument:
            given.update(part.given)
            inside.update((part.cell,) if isinstance(part, Case) else part.cells)
        return given - inside

    def cut_to(self, wanted: Set[Cell]) -> Self | None:
        """Keep it where it is wanted."""
        return self if self.cell in wanted else None


Argument: TypeAlias = tuple[Inference | Case, ...]
"""Inferences and cases in order, each resting on what comes before."""


class _Part(Protocol):
    @property
    def given(self) -> Iterable[Cell]: ...

    def cut_to(self, wanted: Set[Cell]) -> Self | None: ...


P = TypeVar("P", bound=_Part)


def trimmed(parts: Sequence[P], wanted: Iterable[Cell]) -> tuple[P, ...]:
    """Leave out what does not lead to the cells that are wanted."""
    needed = set(wanted)
    kept: list[P] = []
    for part in reversed(parts):
        cut = part.cut_to(needed)
        if cut is not None:
            kept.append(cut)
            needed.update(cut.given)
    return tuple(reversed(kept))


def length(argument: Argument) -> int:
    """Return how many steps it takes to tell an argument."""
    return sum(3 + length(part.argument) if isinstance(part, Case) else 1 for part in argument)


def refute(
    premises: Premises, known: Knowledge, cell: Cell, mine: bool, technique: Technique
) -> Case | None:
    """Show without further cases that a cell cannot be so; None where that does not show.

    Parameters
    ----------
    premises
        The clues.
    known
        What is settled already.
    cell, mine
        What is supposed.
    technique
        The hardest technique to use meanwhile: counting or comparing.
    """
    then = settle(premises, {**known, cell: mine}, technique)
    cases = (_case(cell, mine, then.inferences, clash) for clash in then.clashes())
    return min(cases, key=lambda case: length(case.argument), default=None)


def _case(cell: Cell, mine: bool, parts: Sequence[Inference | Case], clash: Clash) -> Case:
    cut = clash.cut()
    return Case(cell, mine, trimmed(parts, cut.given), cut)


def refute_by_cases(premises: Premises, known: Knowledge, cell: Cell, mine: bool) -> Case | None:
    """Show that a cell cannot be so, by cases inside of cases; None where that takes too long.

    Parameters
    ----------
    premises, known, cell, mine
        As for `refute`; the clues must refute it.
    """
    try:
        return _refute_by_cases(premises, known, cell, mine, _Patience())
    except _TooLong:
        return None


class _TooLong(Exception):
    """Too many suppositions were tried."""


class _Patience:
    def __init__(self) -> None:
        self._left = _MOST_WORK

    def spend(self, clues: int) -> None:
        self._left -= clues
        if self._left < 0:
            raise _TooLong


def _refute_by_cases(
    premises: Premises, known: Knowledge, cell: Cell, mine: bool, patience: _Patience
) -> Case:
    parts: list[Inference | Case] = []
    now = {**known, cell: mine}
    while True:
        then = settle(premises, now, Technique.SUBSET)
        parts += then.inferences
        now = then.known
        cases = [_case(cell, mine, parts, clash) for clash in then.clashes()]
        if cases:
            return min(cases, key=lambda case: length(case.argument))
        inner = _simplest_refuted(premises, now, patience)
        if inner is None:
            # The clues cannot be met, so neither way of any cell can be: the one that most clues
            # speak of tells most.
            pivot = max(_open(premises, now), key=lambda c: len(premises.speaking_of[c]))
            inner = _refute_by_cases(premises, now, pivot, True, patience)
        parts.append(inner)
        now[inner.cell] = not inner.mine


def _simplest_refuted(premises: Premises, known: Knowledge, patience: _Patience) -> Case | None:
    """Return what can be refuted in the fewest steps, by counting if possible."""
    for technique, looks in ((Technique.COUNTING, 1), (Technique.SUBSET, 5)):
        refuted = []
        for cell in _open(premises, known):
            for mine in (True, False):
                patience.spend(looks * len(premises.constraints))
                refuted.append(refute(premises, known, cell, mine, technique))
        cases = [case for case in refuted if case is not None]
        if cases:
            return min(cases, key=lambda case: length((case,)))
    return None


def _open(premises: Premises, known: Knowledge) -> list[Cell]:
    return [cell for cell in premises.speaking_of if cell not in known]
