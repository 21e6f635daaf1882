"""What follows from clues without assuming anything: by counting at one, or by comparing two.

Each inference rests on cells that were settled before. It is first made with all that is known, and
then cut to what it needs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

from mineproof.position.topology import Cell
from mineproof.proofs.constraints import Constraint, Knowledge, fewest, most
from mineproof.proofs.proof import Technique

__all__ = ["Clash", "Inference", "Premises", "Settling", "bounds_of_shared", "settle"]

_FEW: Final = 4
"""Of so few clues all are looked at again, rather than to look for the right ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Inference:
    """Cells that one clue settles, or two.

    Parameters
    ----------
    by
        The clue, or two of them: what the first says of the cells they share bounds the rest of
        the second.
    cells, mine
        The cells, and what they are.
    given
        What was settled before and is looked at.
    """

    by: tuple[Constraint, ...]
    cells: tuple[Cell, ...]
    mine: bool
    given: Knowledge

    @property
    def technique(self) -> Technique:
        """How it is made."""
        return Technique.COUNTING if len(self.by) == 1 else Technique.SUBSET

    def cut_to(self, wanted: Set[Cell]) -> Self | None:
        """Keep what is wanted of it, and what that needs; None where nothing is wanted."""
        cells = tuple(cell for cell in self.cells if cell in wanted)
        if not cells:
            return None
        given = _fewest(self.given, wanted, lambda known: self._settles(cells, known))
        return type(self)(self.by, cells, self.mine, given)

    def _settles(self, cells: tuple[Cell, ...], known: Knowledge) -> bool:
        if len(self.by) == 1:
            left, counts = self.by[0].left(known)
            return counts == (1 << len(left) if self.mine else 1)
        one, other = self.by
        settled, mine = _compared(one, other, known)
        return mine is self.mine and set(cells) <= set(settled)


@dataclass(frozen=True, slots=True, eq=False)
class Clash:
    """One clue that cannot be met any more, or two that cannot both be.

    Parameters
    ----------
    by
        The clue, or two of them: the first puts more mines on the cells they share than the second
        allows there.
    given
        What was settled before and is looked at.
    """

    by: tuple[Constraint, ...]
    given: Knowledge

    def cut(self) -> Clash:
        """Keep what it needs."""
        return Clash(self.by, _fewest(self.given, frozenset(), self._shows))

    def _shows(self, known: Knowledge) -> bool:
        if len(self.by) == 1:
            return not self.by[0].left(known)[1]
        one, other = self.by
        return _cannot_both_be_met(one, other, known)


def _fewest(
    given: Knowledge, wanted: Set[Cell], suffices: Callable[[Knowledge], bool]
) -> dict[Cell, bool]:
    """Leave out what is not needed, first of all what is not wanted for anything else."""
    kept = dict(given)
    for cell in sorted(given, key=wanted.__contains__):
        mine = kept.pop(cell)
        if not suffices(kept):
            kept[cell] = mine
    return kept


class Premises:
    """Clues to argue from. They are read when first needed: of many sets, mostly one is."""

    def __init__(self, constraints: Iterable[Constraint]) -> None:
        self._unread = constraints

    @cached_property
    def constraints(self) -> tuple[Constraint, ...]:
        """What the clues say."""
        return tuple(self._unread)

    @cached_property
    def speaking_of(self) -> dict[Cell, list[Constraint]]:
        """The clues by the cells that they speak of."""
        speaking: dict[Cell, list[Constraint]] = {}
        for constraint in self.constraints:
            for cell in constraint.cells:
                speaking.setdefault(cell, []).append(constraint)
        return speaking

    def to_look_at_after(self, cells: Iterable[Cell]) -> Iterable[Constraint]:
        """Return the clues that may tell more once cells are settled."""
        if len(self.constraints) <= _FEW:
            return self.constraints
        return {id(c): c for cell in cells for c in self.speaking_of.get(cell, ())}.values()

    def pairs(self) -> Iterator[tuple[Constraint, Constraint]]:
        """Go through all clues and those that share a cell with them, each pair both ways."""
        for one in self.constraints:
            sharing = {id(other): other for cell in one.cells for other in self.speaking_of[cell]}
            for other in sharing.values():
                if other is not one:
                    yield one, other


@dataclass(frozen=True, slots=True, eq=False)
class Settling:
    """What was settled, one inference after the other.

    Parameters
    ----------
    premises, technique
        By which clues, and the hardest technique that was used.
    inferences
        In order.
    known
        All that is settled in the end.
    """

    premises: Premises
    technique: Technique
    inferences: list[Inference]
    known: dict[Cell, bool]

    def clashes(self) -> Iterator[Clash]:
        """Go through all ways in which it shows that clues cannot be met, where they cannot."""
        broken = [clue for clue in self.premises.constraints if not clue.left(self.known)[1]]
        for clue in broken:
            yield Clash((clue,), _looked_at((clue,), self.known))
        if self.technique >= Technique.SUBSET and not broken:
            for pair in self.premises.pairs():
                if _cannot_both_be_met(*pair, self.known):
                    yield Clash(pair, _looked_at(pair, self.known))


def settle(
    premises: Premises, start: Knowledge, technique: Technique, until: Cell | None = None
) -> Settling:
    """Settle cells until one is settled, some clue cannot be met or nothing more follows.

    Parameters
    ----------
    premises
        The clues.
    start
        What is settled already.
    technique
        The hardest technique to use: counting or comparing.
    until
        The cell that is wanted.
    """
    known = dict(start)
    found: list[Inference] = []
    queue = deque(premises.constraints)

    def conclude(by: tuple[Constraint, ...], cells: Iterable[Cell], mine: bool) -> None:
        cells = tuple(cells)
        found.append(Inference(by, cells, mine, _looked_at(by, known)))
        known.update(dict.fromkeys(cells, mine))
        queue.extend(premises.to_look_at_after(cells))

    def count() -> bool:
        while queue and until not in known:
            constraint = queue.popleft()
            cells, counts = constraint.left(known)
            if not counts:
                return False
            if cells and (counts == 1 or counts == 1 << len(cells)):
                conclude((constraint,), cells, counts != 1)
        return True

    def compare() -> bool:
        before = len(found)
        for one, other in premises.pairs():
            cells, mine = _compared(one, other, known)
            if cells:
                conclude((one, other), cells, mine)
                if not count() or until in known:
                    return False
        return len(found) > before

    if count() and technique >= Technique.SUBSET:
        while until not in known and compare():
            pass
    return Settling(premises, technique, found, known)


def _looked_at(by: tuple[Constraint, ...], known: Knowledge) -> dict[Cell, bool]:
    return {cell: known[cell] for constraint in by for cell in constraint.cells if cell in known}


def bounds_of_shared(
    one: Constraint, other: Constraint, known: Knowledge
) -> tuple[list[Cell], int, int]:
    """Return the cells that two clues share, and how many mines the first puts there.

    Parameters
    ----------
    one, other
        The clues; the first must be possible to meet.
    known
        What is settled already.

    Returns
    -------
    tuple
        The shared cells that are not settled, the least and the greatest number of mines.
    """
    cells, counts = one.left(known)
    shared = [cell for cell in cells if cell in other.cells]
    alone = len(cells) - len(shared)
    return shared, max(0, fewest(counts) - alone), min(most(counts), len(shared))


def _compared(one: Constraint, other: Constraint, known: Knowledge) -> tuple[list[Cell], bool]:
    """Return what the first clue lets follow of the cells that only the second touches."""
    cells, counts = other.left(known)
    if not cells or not counts:
        return [], False
    shared, least, greatest = bounds_of_shared(one, other, known)
    rest = [cell for cell in cells if cell not in shared]
    if rest and shared:
        if most(counts) - least <= 0:
            return rest, False
        if fewest(counts) - greatest >= len(rest):
            return rest, True
    return [], False


def _cannot_both_be_met(one: Constraint, other: Constraint, known: Knowledge) -> bool:
    """Whether the first clue puts more mines on the shared cells than the second allows there."""
    shared, least, _ = bounds_of_shared(one, other, known)
    _, _, greatest = bounds_of_shared(other, one, known)
    return bool(shared) and least > greatest
