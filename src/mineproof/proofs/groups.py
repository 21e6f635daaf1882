"""Clues that hang together, and how many mines the cells around them can hold."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mineproof.position.topology import Cell
from mineproof.proofs.constraints import Constraint, Knowledge
from mineproof.proofs.inferences import Premises

__all__ = ["Group", "groups_of"]

_MOST_STATES: Final = 3000
"""Wider groups are not counted."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Clues that share cells with each other and with no other clue.

    Parameters
    ----------
    clues
        In the order of their cells.
    cells
        The cells that they speak of and that are not settled.
    counts
        How many of these can be mines, as bits; None where that is too much to find out.
    begun
        Whether some of the clues have mines already.
    """

    clues: tuple[Constraint, ...]
    cells: frozenset[Cell]
    counts: int | None
    begun: bool


def groups_of(premises: Premises, known: Knowledge) -> list[Group]:
    """Sort clues into groups, where some cells are settled. Clues with no other cell are left out.

    Examples
    --------
    >>> one, two = (Constraint((0, c), 1, 2, ((1, c), (1, c + 1)), 2) for c in (0, 1))
    >>> (group,) = groups_of(Premises([one, two]), {})
    >>> bin(group.counts)
    '0b110'
    """
    groups = []
    sorted_out: set[Cell] = set()
    for first in premises.constraints:
        clues = {first.clue: first}
        cells: list[Cell] = []
        queue = deque([first])
        while queue:
            for cell in queue.popleft().cells:
                if cell in known or cell in sorted_out:
                    continue
                sorted_out.add(cell)
                cells.append(cell)
                for other in premises.speaking_of[cell]:
                    if other.clue not in clues:
                        clues[other.clue] = other
                        queue.append(other)
        if cells:
            together = tuple(clues[clue] for clue in sorted(clues))
            counts = _possible_counts(premises, cells, known)
            begun = any(c.mines or any(map(known.get, c.cells)) for c in together)
            groups.append(Group(together, frozenset(cells), counts, begun))
    return groups


def _possible_counts(premises: Premises, cells: Sequence[Cell], known: Knowledge) -> int | None:
    """Fill one cell after the other, and close each clue with its last cell.

    A state is how many mines each clue has that was begun and is not closed; its value is how many
    mines there can be in all.
    """
    around = [[clue.clue for clue in premises.speaking_of[cell]] for cell in cells]
    allowed = {c.clue: c.left(known)[1] for cell in cells for c in premises.speaking_of[cell]}
    last = {clue: place for place, near in enumerate(around) for clue in near}
    states: dict[tuple[tuple[Cell, int], ...], int] = {(): 1}
    for place, near in enumerate(around):
        after: dict[tuple[tuple[Cell, int], ...], int] = {}
        for state, totals in states.items():
            for mine in (0, 1):
                sums = dict(state)
                for i in near:
                    sums[i] = sums.get(i, 0) + mine
                if any(not allowed[i] >> sums[i] for i in near):
                    continue
                closed = [i for i in near if last[i] == place]
                if any(not allowed[i] >> sums.pop(i) & 1 for i in closed):
                    continue
                key = tuple(sorted(sums.items()))
                after[key] = after.get(key, 0) | totals << mine
        if len(after) > _MOST_STATES:
            return None
        states = after
    return states.get((), 0)
