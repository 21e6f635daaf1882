"""From premises to an argument: the simplest steps by which they settle a cell.

Arguments are looked for from the simplest kind on: counting at one clue after the other; comparing
two; supposing the opposite until some clue cannot be met, at first by counting alone; last, cases
inside of cases. Where several sets of premises settle a cell, all of them are tried with one kind
before the next, so that the kind does not depend on their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final, TypeAlias

from mineproof.deduction.cases import Argument, length, refute, refute_by_cases, trimmed
from mineproof.deduction.inferences import Premises, settle
from mineproof.deduction.proof import Technique
from mineproof.topology import Cell

__all__ = ["simplest_argument"]

_ENOUGH: Final = 8
"""Among so many arguments of one kind the shortest is chosen."""
_FEW: Final = 4
"""So many sets of premises are tried with cases inside of cases."""

Kind: TypeAlias = Callable[[Premises, Cell, bool], Argument | None]


def simplest_argument(
    sets: Sequence[Premises], cell: Cell, *, mine: bool
) -> tuple[int, Argument | None]:
    """Find which set of premises settles a cell most simply, and how.

    Parameters
    ----------
    sets
        Premises, each of which settles the cell without the mine total.
    cell, mine
        What is to be shown.

    Returns
    -------
    tuple
        The place of the set among all, and the argument; None for one that is too long to tell.
    """
    for technique in (Technique.COUNTING, Technique.SUBSET):
        found = _found(sets, partial(_straight, technique, cell, mine))
        # Every premise is looked at, and a step looks at no more than two.
        least = -(-len(sets[0].constraints) // technique)
        shortest = _shortest(found, least)
        if shortest:
            return shortest
    for technique in (Technique.COUNTING, Technique.SUBSET):
        shortest = _shortest(_found(sets, partial(_by_contradiction, technique, cell, mine)))
        if shortest:
            return shortest
    return _shortest(_found(sets[:_FEW], partial(_by_cases, cell, mine))) or (0, None)


def _found(
    sets: Iterable[Premises], find: Callable[[Premises], Argument | None]
) -> Iterator[tuple[int, Argument]]:
    for place, premises in enumerate(sets):
        argument = find(premises)
        if argument is not None:
            yield place, argument


def _shortest(found: Iterator[tuple[int, Argument]], least: int = 0) -> tuple[int, Argument] | None:
    """Return the shortest of the first few, and be content with one that cannot be shorter."""
    shortest = None
    for place, argument in islice(found, _ENOUGH):
        if shortest is None or length(argument) < length(shortest[1]):
            shortest = place, argument
            if length(argument) <= least:
                break
    return shortest


def _straight(technique: Technique, cell: Cell, mine: bool, premises: Premises) -> Argument | None:
    then = settle(premises, {}, technique, until=cell)
    return trimmed(then.inferences, [cell]) if cell in then.known else None


def _by_contradiction(
    technique: Technique, cell: Cell, mine: bool, premises: Premises
) -> Argument | None:
    before = settle(premises, {}, technique)
    case = refute(premises, before.known, cell, not mine, technique)
    return None if case is None else trimmed([*before.inferences, case], [cell])


def _by_cases(cell: Cell, mine: bool, premises: Premises) -> Argument | None:
    before = settle(premises, {}, Technique.SUBSET)
    case = refute_by_cases(premises, before.known, cell, not mine)
    return None if case is None else trimmed([*before.inferences, case], [cell])
