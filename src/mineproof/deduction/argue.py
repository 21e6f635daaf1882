"""From premises to an argument: the simplest steps by which they settle a cell.

Steps are looked for from the simplest technique on: counting at one clue; comparing two; supposing
the opposite until some clue cannot be met; last, the mine total. What no later step needs is left
out again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from mineproof.deduction.constraints import Constraint, Knowledge, fewest_and_most
from mineproof.deduction.proof import Step, Technique
from mineproof.deduction.words import (
    broken_text,
    comparing_text,
    counting_text,
    named,
    settled_text,
    total_text,
)
from mineproof.topology import Cell

__all__ = ["argue"]

Assumed = tuple[tuple[Cell, bool], ...]


def argue(
    constraints: Sequence[Constraint], total: Constraint | None, cell: Cell, *, mine: bool
) -> tuple[Step, ...]:
    """Return the steps by which constraints, and the mine total if one is given, settle a cell.

    Parameters
    ----------
    constraints
        What the premises say.
    total
        What the mine total says, where it is a premise too.
    cell, mine
        What is to be shown.
    """
    for technique in (Technique.COUNTING, Technique.SUBSET):
        inferences, known = _infer({}, constraints, total, technique, cell)
        if cell in known:
            return tuple(_told(_needed(inferences, {cell}), (), total is not None))
    inferences, known = _infer({}, constraints, None, Technique.SUBSET, cell)
    if total is not None:
        return tuple(_by_total(inferences, known, constraints, total, cell, mine))
    refuted = _refute(known, constraints, ((cell, not mine),))
    before = _needed(inferences, _uses(refuted) & known.keys())
    closing = Step(Technique.CASES, f"So {settled_text([cell], mine)}.", **_settles([cell], mine))
    return (*_told(before, (), False), *refuted, closing)


@dataclass(frozen=True, slots=True)
class _Inference:
    """Cells settled at once, and what they were settled by."""

    technique: Technique
    by: tuple[Constraint, ...]  # with what was known then taken out
    cells: tuple[Cell, ...]
    mine: bool
    used: frozenset[Cell]  # settled before


def _infer(
    start: Knowledge,
    constraints: Sequence[Constraint],
    total: Constraint | None,
    technique: Technique,
    until: Cell | None,
) -> tuple[list[_Inference], dict[Cell, bool]]:
    """Settle cells until one is settled, some constraint is broken or nothing more follows."""
    known = dict(start)
    inferences: list[_Inference] = []
    everything = [*constraints, *([total] if total is not None else [])]
    while until not in known and not any(c.left(known).broken for c in constraints):
        found = _count(everything, known)
        if found is None and technique >= Technique.SUBSET:
            found = _compare(constraints, known)
        if found is None:
            break
        inferences.append(found)
        known |= dict.fromkeys(found.cells, found.mine)
    return inferences, known


def _count(constraints: Iterable[Constraint], known: Knowledge) -> _Inference | None:
    for constraint in constraints:
        left = constraint.left(known)
        if not left.cells or left.broken or (left.most > 0 and left.fewest < len(left.cells)):
            continue
        technique = Technique.COUNTING if constraint.clue is not None else Technique.TOTAL
        used = frozenset(cell for cell in constraint.cells if cell in known)
        return _Inference(technique, (left,), left.cells, left.most > 0, used)
    return None


def _compare(constraints: Sequence[Constraint], known: Knowledge) -> _Inference | None:
    """Compare two clues: what one says of the cells they share bounds the rest of the other."""
    for one, other in permutations(constraints, 2):
        a, b = one.left(known), other.left(known)
        shared = set(a.cells) & set(b.cells)
        rest = tuple(cell for cell in b.cells if cell not in shared)
        if not shared or not rest:
            continue
        alone = len(a.cells) - len(shared)
        most = b.most - max(0, a.fewest - alone)
        fewest = b.fewest - min(a.most, len(shared))
        if most <= 0 or fewest >= len(rest):
            used = frozenset(cell for cell in {*one.cells, *other.cells} if cell in known)
            return _Inference(Technique.SUBSET, (a, b), rest, most > 0, used)
    return None


def _needed(inferences: Sequence[_Inference], wanted: Iterable[Cell]) -> list[_Inference]:
    """Leave out what does not lead to the cells that are wanted."""
    needed, kept = set(wanted), []
    for inference in reversed(inferences):
        cells = tuple(cell for cell in inference.cells if cell in needed)
        if cells:
            kept.append(replace(inference, cells=cells))
            needed |= inference.used
    return kept[::-1]


def _told(inferences: Iterable[_Inference], assumed: Assumed, uses_total: bool) -> Iterator[Step]:
    for inference in inferences:
        if inference.technique is Technique.SUBSET:
            text = comparing_text(*inference.by, inference.cells, mine=inference.mine)
        else:
            text = counting_text(inference.by[0], inference.cells, mine=inference.mine)
        yield Step(
            inference.technique,
            text,
            clues=tuple(c.clue for c in inference.by if c.clue is not None),
            assumed=assumed,
            **_settles(inference.cells, inference.mine),
        )


def _settles(cells: Iterable[Cell], mine: bool) -> dict[str, tuple[Cell, ...]]:
    return {"mined" if mine else "safe": tuple(cells)}


# ----------------------------------------------------------------------------------------- cases


def _refute(
    known: Knowledge, constraints: Sequence[Constraint], assumed: Assumed
) -> tuple[Step, ...]:
    """Show that what is assumed last cannot be: some constraint breaks, whatever else holds."""
    cell, mine = assumed[-1]
    start = {**known, cell: mine}
    opening = Step(
        Technique.CASES,
        f"Suppose {named([cell])} were {'a mine' if mine else 'safe'}.",
        assumed=assumed[:-1],
    )
    for technique in (Technique.COUNTING, Technique.SUBSET):
        inferences, then = _infer(start, constraints, None, technique, None)
        broken = [c for c in constraints if c.left(then).broken]
        if broken:
            at_fault = min(broken, key=lambda c: (len(c.cells), c.cells))
            needed = _needed(inferences, set(at_fault.cells))
            clash = Step(
                Technique.CASES,
                broken_text(at_fault, then),
                clues=(at_fault.clue,) if at_fault.clue is not None else (),
                assumed=assumed,
            )
            return (opening, *_told(needed, assumed, False), clash)
    # Neither way of some other cell can be: the one that more clues speak of tells more.
    spoken_of: dict[Cell, int] = {}
    for constraint in constraints:
        for other in constraint.left(then).cells:
            spoken_of[other] = spoken_of.get(other, 0) + 1
    pivot = min(spoken_of, key=lambda other: (-spoken_of[other], other))
    cases = [_refute(then, constraints, (*assumed, (pivot, way))) for way in (True, False)]
    wanted = set().union(*map(_uses, cases)) & then.keys()
    needed = _needed(inferences, wanted)
    either = Step(Technique.CASES, f"Neither way of {named([pivot])} works out.", assumed=assumed)
    return (opening, *_told(needed, assumed, False), *cases[0], *cases[1], either)


def _uses(steps: Iterable[Step]) -> set[Cell]:
    """Return all cells that the clues of steps may have looked at: a generous guess."""
    return {
        (row + i, col + j)
        for step in steps
        for row, col in step.clues
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
    }


# ----------------------------------------------------------------------------------------- total


def _by_total(
    inferences: Sequence[_Inference],
    known: Knowledge,
    constraints: Sequence[Constraint],
    total: Constraint,
    cell: Cell,
    mine: bool,
) -> Iterator[Step]:
    """Weigh the mines that the premises hold against those of the whole board."""
    spoken_of = {other for constraint in constraints for other in constraint.cells}
    inside = cell in spoken_of
    if inside:
        supposed = {**known, cell: not mine}
    else:
        supposed = dict(known)
    ends = fewest_and_most(constraints, supposed)
    left = total.left(supposed)
    around = {other for other in left.cells if other in spoken_of}
    elsewhere = len(left.cells) - len(around)
    before = _needed(inferences, set(known))
    yield from _told(before, (), True)
    yield Step(
        Technique.TOTAL,
        total_text(
            constraints,
            total,
            cell,
            mine=mine,
            inside=inside,
            ends=ends,
            left=left.most,
            elsewhere=elsewhere,
        ),
        clues=tuple(c.clue for c in constraints if c.clue is not None),
        **_settles([cell], mine),
    )
