"""From premises to an argument: the simplest steps by which they settle a cell.

Arguments are looked for from the simplest kind on: counting at one clue after the other; comparing
two; supposing the opposite until some clue cannot be met, at first by counting alone; last, cases
inside of cases. Where several sets of premises settle a cell, all of them are tried with one kind
before the next, so that the kind does not depend on their order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final, TypeAlias

from mineproof.position.topology import Cell
from mineproof.proofs.cases import Argument, length, refute, refute_by_cases, trimmed
from mineproof.proofs.inferences import Premises, settle
from mineproof.proofs.proof import Technique

__all__ = ["simplest_argument"]

_ENOUGH: Final = 8
"""Among so many arguments of one kind the shortest is chosen."""
_FEW: Final = 2
"""So many sets of premises are tried with cases inside of cases."""

Kind: TypeAlias = Callable[[Premises], Argument | None]
"""A way to look for an argument."""


def simplest_argument(sets: Sequence[Premises], cell: Cell, *, mine: bool) -> Argument | None:
    """Find the simplest argument by which one of several sets of premises settles a cell.

    Parameters
    ----------
    sets
        Premises, as many in each, that settle the cell without the mine total.
    cell, mine
        What is to be shown.

    Returns
    -------
    tuple or None
        The argument; None where it would be too long to follow.
    """
    premises = len(sets[0].constraints)
    # Every premise is needed, and a step looks at one clue, or at two.
    kinds: list[tuple[Kind, int]] = [
        (partial(_straight, Technique.COUNTING, cell), premises),
        (partial(_straight, Technique.SUBSET, cell), -(-premises // 2)),
        (partial(_by_contradiction, Technique.COUNTING, cell, mine), 0),
        (partial(_by_contradiction, Technique.SUBSET, cell, mine), 0),
    ]
    for find, least in kinds:
        shortest = _shortest(map(find, sets), least)
        if shortest is not None:
            return shortest
    return _shortest(map(partial(_by_cases, cell, mine), sets[:_FEW]))


def _shortest(found: Iterator[Argument | None], least: int = 0) -> Argument | None:
    """Return the shortest of the first few, and be content with one that cannot be shorter."""
    shortest = None
    for argument in islice(filter(None, found), _ENOUGH):
        if shortest is None or length(argument) < length(shortest):
            shortest = argument
            if length(argument) <= least:
                break
    return shortest


def _straight(technique: Technique, cell: Cell, premises: Premises) -> Argument | None:
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
