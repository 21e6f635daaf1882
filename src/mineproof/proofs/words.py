"""Turns arguments into steps with sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from mineproof.arguments import counted, named
from mineproof.position.topology import Cell
from mineproof.proofs.constraints import (
    Constraint,
    Knowledge,
    fewest,
    most,
    numbers,
    possible_sums,
)
from mineproof.proofs.proof import Assumptions, Step, Technique
from mineproof.proofs.reasoning import (
    Case,
    Clash,
    Inference,
    MinesLeft,
    TotalPremises,
    bounds_of_shared,
)

__all__ = [
    "argument_steps",
    "capital",
    "clue_text",
    "settled_text",
    "settling_step",
    "summary_steps",
    "total_steps",
]

_FEW: Final = 3
"""Up to this many inferences or clues are named one by one."""
_NUMBERS: Final = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")


def capital(text: str) -> str:
    """Begin a sentence with a capital letter."""
    return text[:1].upper() + text[1:]


def clue_text(clue: Cell, shown: int | None) -> str:
    """Name a clue by its number and its cell.

    Examples
    --------
    >>> clue_text((0, 1), 2), clue_text((0, 1), None)
    ('the 2 at (0, 1)', 'the lost clue at (0, 1)')
    """
    return f"the {'lost clue' if shown is None else shown} at {clue}"


def settled_text(cells: Sequence[Cell], mine: bool, be: str = "") -> str:
    """Say what cells are, or with another verb what they would be.

    Examples
    --------
    >>> settled_text([(0, 1)], mine=True), settled_text([(0, 1), (0, 2)], mine=False)
    ('(0, 1) is a mine', '(0, 1) and (0, 2) are safe')
    """
    if len(cells) == 1:
        return f"{cells[0]} {be or 'is'} {'a mine' if mine else 'safe'}"
    return f"{named(sorted(cells))} {be or 'are'} {'mines' if mine else 'safe'}"


# ------------------------------------------------------------------------------------------- steps


def argument_steps(
    argument: Iterable[Inference | Case], assumed: Assumptions = ()
) -> Iterator[Step]:
    """Yield the steps of an argument, under the assumptions of the cases around it."""
    for part in argument:
        if isinstance(part, Case):
            yield from _case_steps(part, assumed)
        else:
            by_two = len(part.by) == 2
            text = f"{_shared_text(part)} {_rest_text(part)}" if by_two else _counting_text(part)
            clues = _cells(part.by)
            yield settling_step(part.technique, text, part.cells, part.mine, clues, assumed)


def _case_steps(case: Case, assumed: Assumptions) -> Iterator[Step]:
    also = "also that " if assumed else ""
    supposed = f"Suppose {also}{settled_text([case.cell], case.mine, 'were')}."
    yield Step(Technique.CASES, supposed, assumed=assumed)
    inside = (*assumed, (case.cell, case.mine))
    yield from argument_steps(case.argument, inside)
    clues, text = _cells(case.clash.by), _clash_text(case.clash)
    yield Step(Technique.CASES, text, clues, assumed=inside, impossible=True)
    so = f"So {settled_text([case.cell], not case.mine, 'would be' if assumed else '')}."
    yield settling_step(Technique.CASES, so, (case.cell,), not case.mine, assumed=assumed)


def summary_steps(inferences: Sequence[Inference]) -> list[Step]:
    """Tell few inferences one by one, and more in one step."""
    if len(inferences) <= _FEW:
        return list(argument_steps(inferences))
    clues = sorted({constraint.clue for part in inferences for constraint in part.by})
    safe = sorted(cell for part in inferences if not part.mine for cell in part.cells)
    mined = sorted(cell for part in inferences if part.mine for cell in part.cells)
    technique = max(part.technique for part in inferences)
    how = "Counting" if technique is Technique.COUNTING else "Counting and comparing"
    kinds = (mined, "mine"), (safe, "safe cell")
    found = named(counted(len(cells), kind) for cells, kind in kinds if cells)
    text = f"{how} around {counted(len(clues), 'clue')} finds {found}."
    return [Step(technique, text, tuple(clues), tuple(safe), tuple(mined))]


def settling_step(
    technique: Technique,
    text: str,
    cells: tuple[Cell, ...],
    mine: bool,
    clues: tuple[Cell, ...] = (),
    assumed: Assumptions = (),
    *,
    uses_total: bool = False,
) -> Step:
    """Return a step that settles cells of one kind."""
    safe, mined = ((), cells) if mine else (cells, ())
    return Step(technique, text, clues, safe, mined, assumed, uses_total)


def _cells(constraints: Iterable[Constraint]) -> tuple[Cell, ...]:
    return tuple(constraint.clue for constraint in constraints)


def _name(constraint: Constraint) -> str:
    return clue_text(constraint.clue, constraint.shown)


def _meaning(clue: Constraint) -> str:
    """Say which numbers of mines a clue may stand for.

    Examples
    --------
    >>> _meaning(Constraint((0, 0), 2, 0b111, (), 1))
    'at most 2 mines'
    """
    if _has_gaps(clue):
        # Only the numbers that are possible with the cells around it.
        possible = [len(clue.mines) + number for number in numbers(clue.counts)]
        return f"{named(possible, 'or')} {'mine' if possible == [1] else 'mines'}"
    least, greatest = fewest(clue.meant), most(clue.meant)
    if least == greatest:
        return counted(least, "mine")
    if greatest == clue.neighbours:
        return f"at least {counted(least, 'mine')}"
    return f"at most {counted(greatest, 'mine')}" if least == 0 else f"{least} to {greatest} mines"


def _has_gaps(clue: Constraint) -> bool:
    """Return whether a clue may stand for two numbers of mines but not for one between them."""
    return clue.meant.bit_count() <= most(clue.meant) - fewest(clue.meant)


def _mines_of(constraint: Constraint, known: Knowledge) -> list[Cell]:
    return sorted([*constraint.mines, *(cell for cell in constraint.cells if known.get(cell))])


def _these(mines: Sequence[Cell]) -> str:
    return named(mines) if len(mines) <= 3 else f"{len(mines)} mines already"


def _spelled(number: int, noun: str) -> str:
    return f"{_NUMBERS[number]} {noun}{'s' * (number != 1)}"


def _its_mines(number: int, known: Sequence[Cell]) -> str:
    """Name the mines that a clue still needs."""
    last = "last " if known else ""
    return f"its {last}mine" if number == 1 else f"its {last}{number} mines"


def _counting_text(inference: Inference) -> str:
    (clue,) = inference.by
    left, _ = clue.left(inference.given)
    mines = _mines_of(clue, inference.given)
    if _has_gaps(clue):
        why = f"{_standing_for(clue, mines)} and {counted(len(left), 'cell')} left"
    elif inference.mine:
        why = _no_room(clue, inference.given, left, mines)
    else:
        why = _no_need(clue, mines)
    return f"{capital(_name(clue))} {why}: {settled_text(inference.cells, inference.mine)}."


def _standing_for(clue: Constraint, mines: Sequence[Cell]) -> str:
    known = f", has {_these(mines)}" if mines else ""
    return f"stands for {_meaning(clue)}{known}"


def _no_room(
    clue: Constraint, given: Knowledge, left: Sequence[Cell], mines: Sequence[Cell]
) -> str:
    """Say that a clue has no more cells than it needs mines."""
    first_look = not given and not mines and not clue.known_safe
    touches = f"touches only {counted(len(left), 'closed cell')}"
    has = f"has only {counted(len(left), 'cell')} left"
    if not clue.plain:
        return f"{_standing_for(clue, mines)} and {touches if first_look else has}"
    return touches if first_look else f"{has} for {_its_mines(len(left), mines)}"


def _no_need(clue: Constraint, mines: Sequence[Cell]) -> str:
    """Say that a clue needs no more mines."""
    if not mines:
        return "touches no mine"
    if not clue.plain:
        return f"stands for {_meaning(clue)} and has {_these(mines)}"
    if len(mines) == 1:
        return f"has its mine, {mines[0]}"
    return f"has {'both its' if len(mines) == 2 else f'its {len(mines)}'} mines, {named(mines)}"


def _shared_text(inference: Inference) -> str:
    """Say how many mines the first clue needs or allows on the cells that the two share."""
    one, other = inference.by
    left, _ = one.left(inference.given)
    shared, least, greatest = bounds_of_shared(one, other, inference.given)
    mines = _mines_of(one, inference.given)
    reasons = [] if one.plain else [f"stands for {_meaning(one)}"]
    has = [_these(mines)] if mines else []
    others = len(left) - len(shared)
    names_shared = not inference.mine and others > 0
    if names_shared:
        has.append(f"only {_spelled(others, 'cell')} other than {named(shared)}")
    if has:
        reasons.append(f"has {named(has)}")
    number = greatest if inference.mine else least
    exactly = "only " if inference.mine else ""
    bound = exactly if least == greatest else "at most " if inference.mine else "at least "
    be = "is a mine" if number == 1 else "are mines"
    so = f"{bound}{_NUMBERS[number]} of {'these' if names_shared else named(shared)} {be}."
    if reasons:
        return f"{capital(_name(one))} {named(reasons)}, so {so}"
    return f"By {_name(one)}, {so}"


def _rest_text(inference: Inference) -> str:
    """State the number of mines left for the other cells of the second clue."""
    one, other = inference.by
    left, _ = other.left(inference.given)
    shared, _, _ = bounds_of_shared(one, other, inference.given)
    others = len(left) - len(shared)
    mines = _mines_of(other, inference.given)
    with_these = f", with {_these(mines)}," if mines else ""
    name = capital(_name(other))
    if not other.plain:
        name = f"{name} stands for {_meaning(other)}; it"
    if inference.mine:
        cells = _spelled(others, "other cell")
        why = f"{with_these} needs {_spelled(others, 'more mine')} and has only {cells}"
    else:
        these = "both" if len(shared) == 2 else "them"
        why = f" also touches {these} and{with_these} needs no other mine"
    so = settled_text(inference.cells, inference.mine)
    return f"{name}{why}: {so}{_pattern(inference, others)}."


def _pattern(inference: Inference, rest: int) -> str:
    """Name the pattern if players have a name for it."""
    one, other = inference.by
    if not one.plain or not other.plain:
        return ""
    (cells, counts), (others, needed) = (clue.left(inference.given) for clue in inference.by)
    pair = most(counts), most(needed)
    one_one = pair == (1, 1) and set(cells) <= set(others)
    one_two = pair == (1, 2) and rest == 1
    if not one_one and not one_two:
        return ""
    reduces = "" if pair == (one.shown, other.shown) else "it reduces to "
    return f" ({reduces}the {pair[0]}-{pair[1]} pattern)"


def _clash_text(clash: Clash) -> str:
    if len(clash.by) == 2:
        one, other = clash.by
        shared, least, _ = bounds_of_shared(one, other, clash.given)
        _, _, greatest = bounds_of_shared(other, one, clash.given)
        be = "would be a mine" if least == 1 else "would be mines"
        return (
            f"Then at least {_NUMBERS[least]} of {named(shared)} {be} by {_name(one)}, "
            f"but at most {_NUMBERS[greatest]} by {_name(other)}."
        )
    (clue,) = clash.by
    mines = _mines_of(clue, clash.given)
    left, _ = clue.left(clash.given)
    name = _name(clue)
    if not clue.plain:
        name += f", which stands for {_meaning(clue)},"
    room = f"only {counted(len(left), 'cell')} left" if left else "no cell left"
    if _has_gaps(clue):
        return f"Then {name} would have {counted(len(mines), 'mine')} and {room}."
    if len(mines) > most(clue.meant):
        return f"Then {name} would have {counted(len(mines), 'mine')}, {named(mines)}: too many."
    needed = fewest(clue.meant) - len(mines)
    return f"Then {name} would have {room} for {_its_mines(needed, mines)}."


def total_steps(premises: TotalPremises, cell: Cell, *, mine: bool) -> Iterator[Step]:
    """Yield the steps by which clues and the mine total settle a cell."""
    now = premises.now
    if now.settles(cell, mine):
        held = _held(now, at_most=mine) if mine or now.left else []
        yield from held
        yield _conclusion(now, cell, mine, len(held))
        return
    then = premises.supposing(cell, not mine)
    if then.counts is None:
        mines, clues = counted(now.all_mines, "mine"), counted(len(now.clues), "clue")
        so = settled_text([cell], mine)
        text = f"In every layout of {mines} that fits these {clues}, {so}."
        yield settling_step(Technique.TOTAL, text, (cell,), mine, now.clues, uses_total=True)
        return
    yield Step(Technique.TOTAL, f"Suppose {settled_text([cell], not mine, 'were')}.")
    yield from _refuted(then, ((cell, not mine),))
    yield settling_step(Technique.TOTAL, f"So {settled_text([cell], mine)}.", (cell,), mine)


def _held(now: MinesLeft, *, at_most: bool, assumed: Assumptions = ()) -> list[Step]:
    """State the mines that clues need or can hold; one step for all clues that share no cell."""
    alone = [group for group in now.groups if len(group.clues) == 1]
    sharing = [[group] for group in now.groups if len(group.clues) > 1]
    steps = []
    for groups in filter(None, [alone, *sharing]):
        clues = [clue for group in groups for clue in group.clues]
        who = named(map(_name, clues)) if len(clues) <= _FEW else f"{len(clues)} clues"
        how = "share no closed cell and " if len(groups) > 1 else "together " * (len(clues) > 1)
        kind = "more mine" if any(group.begun for group in groups) else "mine"
        hold = _hold(possible_sums(groups) or 0, len(clues), at_most, kind)
        text = f"{capital(who)} {how}{hold}."
        steps.append(Step(Technique.TOTAL, text, _cells(clues), assumed=assumed))
    return steps


def _hold(counts: int, clues: int, at_most: bool, kind: str) -> str:
    mines = counted(most(counts) if at_most else fewest(counts), kind)
    exactly = most(counts) == fewest(counts)
    if at_most and not exactly:
        return f"can hold at most {mines}"
    return f"need{'s' * (clues == 1)} {'' if exactly else 'at least '}{mines}"


def _mines_left(now: MinesLeft, only: str = "") -> str:
    left, mines = now.left, counted(now.all_mines, "mine")
    if left == now.all_mines:
        return f"the board has {only}{mines}"
    return f"{only}{left or 'none'} of the {mines} {'is' if left == 1 else 'are'} left"


def _conclusion(now: MinesLeft, cell: Cell, mine: bool, held: int) -> Step:
    """Draw the conclusion after the sentences about the mines that clues need or can hold."""
    left, mines = now.left, counted(now.all_mines, "mine")
    these = capital(f"{'together ' * (held > 1)}{'that is' if left == 1 else 'those are'}")
    if mine:
        which = "other " if held else "remaining " if left < now.all_mines else ""
        cells = f"{which}closed cell must be a mine"
        if len(now.others) > 1:
            cells = f"{len(now.others):,} {which}closed cells must all be mines"
        why = f"{capital(_mines_left(now))}, so the {cells}"
    elif now.all_mines == 0:
        why = "The board has no mines"
    elif left == 0:
        known = "The only mine on the board is" if now.all_mines == 1 else f"All {mines} are"
        why = f"{known} known"
    elif left == now.all_mines:
        all_of = {1: "the only mine", 2: "the only 2 mines"}.get(left, f"all {mines}")
        why = f"{these} {all_of} on the board"
    else:
        why = f"{these} the last{f' {left}' * (left > 1)} of the {mines}"
    text = f"{why}: {settled_text([cell], mine)}."
    return settling_step(Technique.TOTAL, text, (cell,), mine, now.clues, uses_total=True)


def _refuted(then: MinesLeft, assumed: Assumptions) -> Iterator[Step]:
    """Show that the mines left are too few or too many."""
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
        with_others = f"With the {others} there" if room else "There"
        text = f"{with_others} is room for {most(counts) + room}, but {_mines_left(then)}."
    else:
        clues = counted(len(then.clues), "clue")
        possible = f"{clues} can hold only {named(numbers(counts), 'or')} mines"
        are_left = f", and {others} {'is' if room == 1 else 'are'} left" if room else ""
        text = f"{possible}{are_left}, but {_mines_left(then)}."
    yield Step(Technique.TOTAL, text, then.clues, assumed=assumed, uses_total=True, impossible=True)
