"""Arguments from the mine total: what clues need or can hold, against the mines that are left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final

from mineproof.arguments import counted
from mineproof.deduction.cases import trimmed
from mineproof.deduction.constraints import Knowledge, Total, fewest, most, numbers
from mineproof.deduction.groups import Group, groups_of
from mineproof.deduction.inferences import Inference, Premises, settle
from mineproof.deduction.proof import Assumptions, Step, Technique
from mineproof.deduction.telling import settling_step, told
from mineproof.deduction.words import capital, clue_text, named, settled_text
from mineproof.topology import Cell

__all__ = ["TotalArguments"]

_FEW: Final = 3
"""So many inferences are told one by one, and so many clues are named."""


class TotalArguments:
    """Argues from some clues and the mine total, for one cell after the other.

    Parameters
    ----------
    premises, total
        What the clues and the mine total say.
    """

    def __init__(self, premises: Premises, total: Total) -> None:
        self._premises = premises
        self._total = total
        before = settle(premises, {}, Technique.SUBSET)
        self._known = before.known
        self._begin = list(_told_briefly(trimmed(before.inferences, before.known)))
        self._now = _Standing.of(premises, total, before.known)

    def steps(self, cell: Cell, *, mine: bool) -> Iterator[Step]:
        """Go through the steps by which they settle a cell.

        Parameters
        ----------
        cell, mine
            What is to be shown.
        """
        yield from self._begin
        if self._now.leaves_no_choice(cell, mine):
            yield from _held(self._now, at_most=mine)
            yield _conclusion(self._now, cell, mine)
            return
        then = _Standing.of(self._premises, self._total, {**self._known, cell: not mine})
        if then.counts is None:
            yield _without_counting(self._now, cell, mine)
            return
        yield Step(Technique.TOTAL, f"Suppose {settled_text([cell], not mine, 'were')}.")
        yield from _refuted(then, ((cell, not mine),))
        yield settling_step(Technique.TOTAL, f"So {settled_text([cell], mine)}.", (cell,), mine)


@dataclass(frozen=True, slots=True, eq=False)
class _Standing:
    """Where the mines may be that are left.

    Parameters
    ----------
    all_mines, left
        How many mines the board has, and how many of them are not known.
    groups
        The clues that are not met yet.
    counts
        How many mines these can hold in all, as bits; None where that is too much to find out.
    others
        The cells that no group speaks of and that are not settled.
    """

    all_mines: int
    left: int
    groups: Sequence[Group]
    counts: int | None
    others: frozenset[Cell]

    @classmethod
    def of(cls, premises: Premises, total: Total, known: Knowledge) -> _Standing:
        groups = groups_of(premises, known)
        left = total.mines - total.found - sum(known.values())
        others = total.cells.difference(known, *(group.cells for group in groups))
        return cls(total.mines, left, groups, _sums(group.counts for group in groups), others)

    @property
    def clues(self) -> tuple[Cell, ...]:
        return tuple(sorted(clue.clue for group in self.groups for clue in group.clues))

    def leaves_no_choice(self, cell: Cell, mine: bool) -> bool:
        """Whether the clues need all mines that are left, or the mines need all other cells."""
        if self.counts is None:
            return False
        if mine:
            return cell in self.others and self.left == most(self.counts) + len(self.others)
        return self.left == 0 or (cell in self.others and self.left == fewest(self.counts))


def _sums(sets: Iterator[int | None]) -> int | None:
    """Return what numbers can add up to, one of each set; the sets are given as bits."""
    sums = 1
    for counts in sets:
        if counts is None:
            return None
        sums = reduce(or_, (sums << number for number in numbers(counts)), 0)
    return sums


def _told_briefly(inferences: Sequence[Inference]) -> Iterator[Step]:
    """Tell few inferences one by one, and many at once."""
    if len(inferences) <= _FEW:
        yield from told(inferences)
        return
    clues = sorted({constraint.clue for part in inferences for constraint in part.by})
    safe = sorted(cell for part in inferences if not part.mine for cell in part.cells)
    mined = sorted(cell for part in inferences if part.mine for cell in part.cells)
    technique = max(part.technique for part in inferences)
    how = "Counting" if technique is Technique.COUNTING else "Counting and comparing"
    kinds = (mined, "mine"), (safe, "safe cell")
    found = named(counted(len(cells), kind) for cells, kind in kinds if cells)
    text = f"{how} at {counted(len(clues), 'clue')} finds {found}."
    yield Step(technique, text, tuple(clues), tuple(safe), tuple(mined))


# -------------------------------------------------------------------------------------- sentences


def _held(standing: _Standing, *, at_most: bool, assumed: Assumptions = ()) -> Iterator[Step]:
    """Say what clues need, or how much they can hold: those that share no cell all at once."""
    alone = [group for group in standing.groups if len(group.clues) == 1]
    for groups in (alone, *([group] for group in standing.groups if len(group.clues) > 1)):
        if groups:
            clues = [clue for group in groups for clue in group.clues]
            who = named(map(clue_text, clues)) if len(clues) <= _FEW else f"{len(clues)} clues"
            apart = "share no closed cell and " if len(groups) > 1 else ""
            counts = _sums(group.counts for group in groups) or 0
            text = f"{capital(who)} {apart}{_hold(counts, len(clues), at_most)}."
            places = tuple(clue.clue for clue in clues)
            yield Step(Technique.TOTAL, text, places, assumed=assumed)


def _hold(counts: int, clues: int, at_most: bool) -> str:
    mines = counted(most(counts) if at_most else fewest(counts), "mine")
    exactly = most(counts) == fewest(counts)
    if at_most and not exactly:
        return f"can hold at most {mines}"
    return f"need{'s' * (clues == 1)} {'' if exactly else 'at least '}{mines}"


def _left(standing: _Standing) -> str:
    mines = counted(standing.all_mines, "mine")
    if standing.left == standing.all_mines:
        return f"The board has {mines}"
    return f"Of the {mines} {standing.left or 'none'} {'is' if standing.left == 1 else 'are'} left"


def _conclusion(standing: _Standing, cell: Cell, mine: bool) -> Step:
    so = settled_text([cell], mine)
    others, mines = len(standing.others), counted(standing.all_mines, "mine")
    if mine:
        other = "other closed" if standing.groups else "closed"
        all_of = f"all {others:,} {other} cells" if others > 1 else f"the {other} cell"
        text = f"{_left(standing)}, which takes {all_of}: {so}."
    elif standing.all_mines == 0:
        text = f"The board has no mines: {so}."
    elif standing.left == 0:
        text = f"All {mines} of the board are known: {so}."
    elif standing.left == standing.all_mines:
        text = f"The board has no more mines than that: {so}."
    else:
        text = f"No more are left of the {mines} of the board: {so}."
    return settling_step(Technique.TOTAL, text, (cell,), mine, standing.clues, uses_total=True)


def _refuted(then: _Standing, assumed: Assumptions) -> Iterator[Step]:
    """Show that the mines that are left cannot be shared out."""
    counts, room = then.counts or 0, len(then.others)
    too_few, too_many = then.left < fewest(counts), then.left > most(counts) + room
    if too_few or too_many:
        yield from _held(then, at_most=too_many, assumed=assumed)
    others = f", with {counted(room, 'other closed cell')}" if room else ""
    if too_few:
        text = f"{_left(then)}: too few."
    elif too_many:
        text = f"{_left(then)}: too many{others}."
    else:
        clues, possible = counted(len(then.clues), "clue"), named(numbers(counts), "or")
        text = f"{_left(then)}, but {clues} can only hold {possible}{others}."
    yield Step(Technique.TOTAL, text, then.clues, assumed=assumed, uses_total=True, impossible=True)


def _without_counting(standing: _Standing, cell: Cell, mine: bool) -> Step:
    """Say what is true of clues that are too entangled to be counted by hand."""
    mines, clues = counted(standing.all_mines, "mine"), counted(len(standing.clues), "clue")
    so = settled_text([cell], mine)
    text = f"No layout of {mines} that meets {clues} has it otherwise: {so}."
    return settling_step(Technique.TOTAL, text, (cell,), mine, standing.clues, uses_total=True)
