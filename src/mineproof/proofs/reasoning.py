"""Finds the simplest argument by which clues settle a cell.

The techniques, from the simplest on: counting at one clue; comparing two clues; supposing the
opposite until some clue cannot be met, first without further cases and then with cases inside
cases. Arguments from the mine total compare what groups of clues need with the mines left.

An inference is first made with everything known at that point, then cut to what it needs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import islice, product
from typing import Final, Self, TypeAlias, TypeVar

from mineproof.position.topology import Cell
from mineproof.proofs.constraints import (
    Constraint,
    Group,
    Knowledge,
    Premises,
    Total,
    fewest,
    groups_of,
    most,
    possible_sums,
)
from mineproof.proofs.proof import Technique

__all__ = [
    "Argument",
    "Case",
    "Clash",
    "Inference",
    "MinesLeft",
    "TotalPremises",
    "bounds_of_shared",
    "simplest_argument",
]

_MOST_ARGUMENTS: Final = 8
"""The shortest of this many arguments of one kind is chosen."""
_MOST_SETS_BY_CASES: Final = 2
"""This many sets of premises are tried with cases inside cases."""
_MOST_WORK: Final = 12_000
"""An argument by cases is too long to follow if finding it takes more looks at clues than this."""


@dataclass(frozen=True, slots=True, eq=False)
class Inference:
    """Cells settled by one clue, or by two that share cells.

    What the first of two clues says about the shared cells settles the other cells of the second.
    """

    by: tuple[Constraint, ...]
    cells: tuple[Cell, ...]
    mine: bool
    given: Knowledge  # the cells settled before that it uses

    @property
    def technique(self) -> Technique:
        """The technique it uses."""
        return Technique.COUNTING if len(self.by) == 1 else Technique.SUBSET

    def cut_to(self, wanted: Set[Cell]) -> Self | None:
        """Keep only wanted cells and the knowledge they need; None if no cell is wanted."""
        cells = tuple(cell for cell in self.cells if cell in wanted)
        if not cells:
            return None
        given = _fewest_given(self.given, wanted, lambda known: self._settles(cells, known))
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
    """One clue that cannot be met, or two that cannot both be met.

    The first of two clues needs more mines on the cells they share than the second allows.
    """

    by: tuple[Constraint, ...]
    given: Knowledge  # the cells settled before that it uses

    def cut(self) -> Clash:
        """Keep only the knowledge that it needs."""
        return Clash(self.by, _fewest_given(self.given, frozenset(), self._holds))

    def _holds(self, known: Knowledge) -> bool:
        if len(self.by) == 1:
            return not self.by[0].left(known)[1]
        one, other = self.by
        return _cannot_both_be_met(one, other, known)


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A supposition about a cell that leads to a clash, so that the opposite is true."""

    cell: Cell
    mine: bool  # whether the cell is supposed to be a mine
    argument: Argument  # the consequences of the supposition
    clash: Clash

    @property
    def given(self) -> set[Cell]:
        """The cells settled before that it uses."""
        given = set(self.clash.given)
        inside = {self.cell}
        for part in self.argument:
            given.update(part.given)
            inside.update((part.cell,) if isinstance(part, Case) else part.cells)
        return given - inside

    def cut_to(self, wanted: Set[Cell]) -> Self | None:
        """Return itself if its cell is wanted."""
        return self if self.cell in wanted else None


Argument: TypeAlias = tuple[Inference | Case, ...]
"""Inferences and cases; each uses only cells settled before it."""

Part = TypeVar("Part", Inference, Inference | Case)


def _fewest_given(
    given: Knowledge, wanted: Set[Cell], suffices: Callable[[Knowledge], bool]
) -> dict[Cell, bool]:
    """Leave out cells that are not needed, trying those that are not wanted first."""
    kept = dict(given)
    for cell in sorted(given, key=wanted.__contains__):
        mine = kept.pop(cell)
        if not suffices(kept):
            kept[cell] = mine
    return kept


def _trimmed(parts: Sequence[Part], wanted: Iterable[Cell]) -> tuple[Part, ...]:
    """Leave out the parts that do not lead to the wanted cells."""
    needed = set(wanted)
    kept: list[Part] = []
    for part in reversed(parts):
        cut = part.cut_to(needed)
        if cut is not None:
            kept.append(cut)
            needed.update(cut.given)
    return tuple(reversed(kept))


def _length(argument: Argument) -> int:
    """Return the number of steps in which an argument is told."""
    return sum(3 + _length(part.argument) if isinstance(part, Case) else 1 for part in argument)


# --------------------------------------------------------------------------- the simplest argument


def simplest_argument(sets: Sequence[Premises], cell: Cell, *, mine: bool) -> Argument | None:
    """Find the simplest argument by which one of several sets of premises settles a cell.

    The sets have equal sizes, and each settles the cell without the mine total. All are tried with
    one technique before the next, so that the technique does not depend on their order. None if the
    argument would be too long to follow.
    """

    def direct(premises: Premises, technique: Technique) -> Argument | None:
        inferences, known = _settle(premises, {}, technique, until=cell)
        return _trimmed(inferences, [cell]) if cell in known else None

    def by_contradiction(premises: Premises, technique: Technique) -> Argument | None:
        inferences, known = _settle(premises, {}, technique)
        case = _refute(premises, known, cell, not mine, technique)
        return None if case is None else _trimmed([*inferences, case], [cell])

    def by_cases(premises: Premises) -> Argument | None:
        inferences, known = _settle(premises, {}, Technique.SUBSET)
        try:
            case = _CaseSearch(premises).refute(known, cell, not mine)
        except _TooLong:
            return None
        return _trimmed([*inferences, case], [cell])

    # Every premise is needed, and a step uses one clue or two, so an argument has a least length.
    premises = len(sets[0].constraints)
    return (
        _shortest((direct(some, Technique.COUNTING) for some in sets), least=premises)
        or _shortest((direct(some, Technique.SUBSET) for some in sets), least=(premises + 1) // 2)
        or _shortest(by_contradiction(some, Technique.COUNTING) for some in sets)
        or _shortest(by_contradiction(some, Technique.SUBSET) for some in sets)
        or _shortest(by_cases(some) for some in sets[:_MOST_SETS_BY_CASES])
    )


def _shortest(found: Iterator[Argument | None], least: int = 0) -> Argument | None:
    """Return the shortest of the first few; stop at one of the least possible length."""
    shortest = None
    for argument in islice(filter(None, found), _MOST_ARGUMENTS):
        if shortest is None or _length(argument) < _length(shortest):
            shortest = argument
            if _length(argument) <= least:
                break
    return shortest


# -------------------------------------------------------------------------- counting and comparing


def _settle(
    premises: Premises, start: Knowledge, technique: Technique, until: Cell | None = None
) -> tuple[list[Inference], dict[Cell, bool]]:
    """Count, and compare if the technique says so, as long as anything follows.

    Stops when the given cell is settled or some clue cannot be met. Returns the inferences and all
    that is known then.
    """
    known = dict(start)
    found: list[Inference] = []
    queue = deque(premises.constraints)

    def conclude(by: tuple[Constraint, ...], cells: Iterable[Cell], mine: bool) -> None:
        cells = tuple(cells)
        found.append(Inference(by, cells, mine, _used(by, known)))
        known.update(dict.fromkeys(cells, mine))
        queue.extend(premises.around(cells))

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
    return found, known


def _used(by: tuple[Constraint, ...], known: Knowledge) -> dict[Cell, bool]:
    return {cell: known[cell] for constraint in by for cell in constraint.cells if cell in known}


def bounds_of_shared(
    one: Constraint, other: Constraint, known: Knowledge
) -> tuple[list[Cell], int, int]:
    """Return the unsettled cells that two clues share, and the least and most mines there.

    The bounds follow from the first clue, which must be possible to meet.
    """
    cells, counts = one.left(known)
    shared = [cell for cell in cells if cell in other.cells]
    alone = len(cells) - len(shared)
    return shared, max(0, fewest(counts) - alone), min(most(counts), len(shared))


def _compared(one: Constraint, other: Constraint, known: Knowledge) -> tuple[list[Cell], bool]:
    """Return the cells that only the second clue touches, if settled, and if they are mines."""
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
    """Return whether the first clue needs more mines on the shared cells than the second allows."""
    shared, least, _ = bounds_of_shared(one, other, known)
    _, _, greatest = bounds_of_shared(other, one, known)
    return bool(shared) and least > greatest


# ------------------------------------------------------------------------------------------- cases


def _refute(
    premises: Premises, known: Knowledge, cell: Cell, mine: bool, technique: Technique
) -> Case | None:
    """Refute a supposition without further cases; None if that is not possible."""
    inferences, known = _settle(premises, {**known, cell: mine}, technique)
    return _shortest_case(cell, mine, inferences, _clashes(premises, known, technique))


def _clashes(premises: Premises, known: Knowledge, technique: Technique) -> Iterator[Clash]:
    """Yield the clues that cannot be met; if there are none, the pairs that cannot both be met."""
    broken = [clue for clue in premises.constraints if not clue.left(known)[1]]
    for clue in broken:
        yield Clash((clue,), _used((clue,), known))
    if technique >= Technique.SUBSET and not broken:
        for pair in premises.pairs():
            if _cannot_both_be_met(*pair, known):
                yield Clash(pair, _used(pair, known))


def _shortest_case(
    cell: Cell, mine: bool, parts: Sequence[Inference | Case], clashes: Iterable[Clash]
) -> Case | None:
    cuts = (clash.cut() for clash in clashes)
    cases = (Case(cell, mine, _trimmed(parts, cut.given), cut) for cut in cuts)
    return min(cases, key=lambda case: _length(case.argument), default=None)


class _TooLong(Exception):
    """The argument would be too long to follow."""


class _CaseSearch:
    """Refutes suppositions by cases inside cases, with a limit of work."""

    def __init__(self, premises: Premises) -> None:
        self._premises = premises
        self._work_left = _MOST_WORK

    def refute(self, known: Knowledge, cell: Cell, mine: bool) -> Case:
        """Refute a supposition that the premises do not allow, or raise `_TooLong`."""
        parts: list[Inference | Case] = []
        now = {**known, cell: mine}
        while True:
            inferences, now = _settle(self._premises, now, Technique.SUBSET)
            parts += inferences
            clashes = _clashes(self._premises, now, Technique.SUBSET)
            case = _shortest_case(cell, mine, parts, clashes)
            if case is not None:
                return case
            inner = self._simplest_refuted(now)
            if inner is None:
                # The clues cannot be met, so either value of any cell can be refuted. The cell with
                # the most clues around it settles most.
                pivot = max(self._unsettled(now), key=lambda c: len(self._premises.by_cell[c]))
                inner = self.refute(now, pivot, True)
            parts.append(inner)
            now[inner.cell] = not inner.mine

    def _simplest_refuted(self, known: Knowledge) -> Case | None:
        """Find the supposition that can be refuted in the fewest steps, if possible by counting."""
        for technique, looks in ((Technique.COUNTING, 1), (Technique.SUBSET, 5)):
            cases = []
            for cell, mine in product(self._unsettled(known), (True, False)):
                self._work_left -= looks * len(self._premises.constraints)
                if self._work_left < 0:
                    raise _TooLong
                cases.append(_refute(self._premises, known, cell, mine, technique))
            refuted = list(filter(None, cases))
            if refuted:
                return min(refuted, key=lambda case: _length(case.argument))
        return None

    def _unsettled(self, known: Knowledge) -> list[Cell]:
        return [cell for cell in self._premises.by_cell if cell not in known]


# ----------------------------------------------------------------------------------- the mine total


@dataclass(frozen=True, slots=True, eq=False)
class MinesLeft:
    """The mines that are not known, and the places where they may be."""

    all_mines: int
    left: int  # the number of unknown mines
    groups: Sequence[Group]  # the clues that are not met yet
    counts: int | None  # the numbers of mines in the groups, as bits; None if not counted
    others: frozenset[Cell]  # the unsettled cells that belong to no group

    @classmethod
    def of(cls, premises: Premises, total: Total, known: Knowledge) -> MinesLeft:
        """Take away the mines that are known."""
        groups = groups_of(premises, known)
        left = total.mines - total.found - sum(known.values())
        others = total.cells.difference(known, *(group.cells for group in groups))
        return cls(total.mines, left, groups, possible_sums(groups), others)

    @property
    def clues(self) -> tuple[Cell, ...]:
        """The cells of the clues that are not met yet."""
        return tuple(sorted(clue.clue for group in self.groups for clue in group.clues))

    def settles(self, cell: Cell, mine: bool) -> bool:
        """Return whether the clues need all mines left, or the mines left need all other cells."""
        if self.counts is None:
            return False
        if mine:
            return cell in self.others and self.left == most(self.counts) + len(self.others)
        return self.left == 0 or (cell in self.others and self.left == fewest(self.counts))


class TotalPremises:
    """Clues and the mine total to argue from, after the inferences that need no total."""

    def __init__(self, premises: Premises, total: Total) -> None:
        self._premises = premises
        self._total = total
        inferences, self._known = _settle(premises, {}, Technique.SUBSET)
        self.inferences = _trimmed(inferences, self._known)
        self.now = MinesLeft.of(premises, total, self._known)

    def supposing(self, cell: Cell, mine: bool) -> MinesLeft:
        """Return the mines left if a cell were a mine, or were safe."""
        return MinesLeft.of(self._premises, self._total, {**self._known, cell: mine})
