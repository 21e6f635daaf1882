"""Arguments from the mine total: what clues need or can hold, against the mines that are left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Final

from mineproof.arguments import counted
from mineproof.position.topology import Cell
from mineproof.proofs.cases import trimmed
from mineproof.proofs.constraints import Knowledge, Total, fewest, most, numbers
from mineproof.proofs.groups import Group, groups_of
from mineproof.proofs.inferences import Inference, Premises, settle
from mineproof.proofs.proof import Assumptions, Step, Technique
from mineproof.proofs.telling import settling_step, told
from mineproof.proofs.words import capital, clue_text, named, settled_text

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
            held = _held(self._now, at_most=mine) if mine or self._now.left else []
            yield from held
            yield _conclusion(self._now, cell, mine, len(held))
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


def _held(standing: _Standing, *, at_most: bool, assumed: Assumptions = ()) -> list[Step]:
    """Say what clues need, or how much they can hold: those that share no cell all at once."""
    alone = [group for group in standing.groups if len(group.clues) == 1]
    sharing = [[group] for group in standing.groups if len(group.clues) > 1]
    steps = []
    for groups in filter(None, [alone, *sharing]):
        clues = [clue for group in groups for clue in group.clues]
        who = named(map(clue_text, clues)) if len(clues) <= _FEW else f"{len(clues)} clues"
        how = "share no closed cell and " if len(groups) > 1 else "together " * (len(clues) > 1)
        counts = _sums(group.counts for group in groups) or 0
        kind = "more mine" if any(group.begun for group in groups) else "mine"
        text = f"{capital(who)} {how}{_hold(counts, len(clues), at_most, kind)}."
        places = tuple(clue.clue for clue in clues)
        steps.append(Step(Technique.TOTAL, text, places, assumed=assumed))
    return steps


def _hold(counts: int, clues: int, at_most: bool, kind: str) -> str:
    mines = counted(most(counts) if at_most else fewest(counts), kind)
    exactly = most(counts) == fewest(counts)
    if at_most and not exactly:
        return f"can hold at most {mines}"
    return f"need{'s' * (clues == 1)} {'' if exactly else 'at least '}{mines}"


def _mines_left(standing: _Standing, only: str = "") -> str:
    """Say how many mines are left, as the end of a sentence."""
    left, mines = standing.left, counted(standing.all_mines, "mine")
    if left == standing.all_mines:
        return f"the board has {only}{mines}"
    return f"{only}{left or 'none'} of the {mines} {'is' if left == 1 else 'are'} left"


def _conclusion(standing: _Standing, cell: Cell, mine: bool, held: int) -> Step:
    """Draw the conclusion from so many sentences about what clues hold."""
    left, mines = standing.left, counted(standing.all_mines, "mine")
    these = capital(f"{'together ' * (held > 1)}{'that is' if left == 1 else 'those are'}")
    if mine:
        other = "other closed" if held else "closed"
        cells = len(standing.others)
        all_of = f"all {cells:,} {other} cells" if cells > 1 else f"the {other} cell"
        why = f"{capital(_mines_left(standing))}, which takes {all_of}"
    elif standing.all_mines == 0:
        why = "The board has no mines"
    elif left == 0:
        why = f"All {mines} of the board are known"
    elif left == standing.all_mines:
        all_of = {1: "the only mine", 2: "both mines"}.get(left, f"all {mines}")
        why = f"{these} {all_of} of the board"
    else:
        last = {1: "the last", 2: "both that are left"}.get(left, f"all {left} that are left")
        why = f"{these} {last} of the {mines}"
    text = f"{why}: {settled_text([cell], mine)}."
    return settling_step(Technique.TOTAL, text, (cell,), mine, standing.clues, uses_total=True)


def _refuted(then: _Standing, assumed: Assumptions) -> Iterator[Step]:
    """Show that the mines that are left cannot be shared out."""
    counts, room = then.counts or 0, len(then.others)
    too_few, too_many = then.left < fewest(counts), then.left > most(counts) + room
    held = _held(then, at_most=too_many, assumed=assumed) if too_few or too_many else []
    yield from held
    others = counted(room, "other closed cell")
    if too_few:
        needed = counted(fewest(counts), "mine")
        but = f"Together that is {needed}, but" if len(held) > 1 else "But"
        text = f"{but} {_mines_left(then, 'only ' if then.left else '')}."
    elif too_many:
        with_others = f"With {others} that is" if room else "That is"
        text = f"{with_others} room for {most(counts) + room}, but {_mines_left(then)}."
    else:
        possible = f"can only hold {named(numbers(counts), 'or')} mines"
        beside = f" beside {others}" if room else ""
        clues = counted(len(then.clues), "clue")
        text = f"{clues} {possible}{beside}, but {_mines_left(then)}."
    yield Step(Technique.TOTAL, text, then.clues, assumed=assumed, uses_total=True, impossible=True)


def _without_counting(standing: _Standing, cell: Cell, mine: bool) -> Step:
    """Say what is true of clues that are too entangled to be counted by hand."""
    mines, clues = counted(standing.all_mines, "mine"), counted(len(standing.clues), "clue")
    so = settled_text([cell], mine)
    text = f"No layout of {mines} that meets {clues} has it otherwise: {so}."
    return settling_step(Technique.TOTAL, text, (cell,), mine, standing.clues, uses_total=True)
