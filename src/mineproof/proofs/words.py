"""The sentences of an argument."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mineproof.arguments import counted
from mineproof.position.topology import Cell
from mineproof.proofs.constraints import Constraint, Knowledge, fewest, most, numbers
from mineproof.proofs.inferences import Clash, Inference, bounds_of_shared

__all__ = ["capital", "clash_text", "clue_text", "inference_text", "named", "settled_text"]


def named(things: Iterable[object], link: str = "and") -> str:
    """List cells, or other things.

    Examples
    --------
    >>> named([(0, 1), (0, 2), (1, 2)])
    '(0, 1), (0, 2) and (1, 2)'
    """
    *others, last = map(str, things)
    return f"{', '.join(others)} {link} {last}" if others else last


def capital(text: str) -> str:
    """Begin a sentence."""
    return text[:1].upper() + text[1:]


def settled_text(cells: Sequence[Cell], mine: bool, be: str = "") -> str:
    """Say what cells are, or with another verb what they were or would be.

    Examples
    --------
    >>> settled_text([(0, 1)], mine=True), settled_text([(0, 1), (0, 2)], mine=False)
    ('(0, 1) is a mine', '(0, 1) and (0, 2) are safe')
    """
    if len(cells) == 1:
        return f"{cells[0]} {be or 'is'} {'a mine' if mine else 'safe'}"
    return f"{named(sorted(cells))} {be or 'are'} {'mines' if mine else 'safe'}"


def clue_text(constraint: Constraint) -> str:
    """Name a clue by what it shows and where it is."""
    shown = "lost clue" if constraint.shown is None else str(constraint.shown)
    return f"the {shown} at {constraint.clue}"


def inference_text(inference: Inference) -> str:
    """Tell how cells are settled by one clue or two."""
    if len(inference.by) == 1:
        return _counting_text(inference)
    return f"{_shared_text(inference)} {_rest_text(inference)}"


def _meaning(clue: Constraint) -> str:
    """Say which numbers of mines a clue may stand for.

    Examples
    --------
    >>> _meaning(Constraint((0, 0), 2, 0b111, (), 1))
    'at most 2 mines'
    """
    if _has_gaps(clue):
        # Those that the cells around it leave room for.
        possible = [len(clue.mines) + number for number in numbers(clue.counts)]
        return f"{named(possible, 'or')} {'mine' if possible == [1] else 'mines'}"
    least, greatest = fewest(clue.meant), most(clue.meant)
    if least == greatest:
        return counted(least, "mine")
    if greatest == clue.neighbours:
        return f"at least {counted(least, 'mine')}"
    return f"at most {counted(greatest, 'mine')}" if least == 0 else f"{least} to {greatest} mines"


def _has_gaps(clue: Constraint) -> bool:
    """Whether a clue stands for some numbers of mines, but not for all between them."""
    return clue.meant.bit_count() <= most(clue.meant) - fewest(clue.meant)


def _mines_of(constraint: Constraint, known: Knowledge) -> list[Cell]:
    """Return the mines around a clue that are known so far."""
    return sorted([*constraint.mines, *(cell for cell in constraint.cells if known.get(cell))])


def _these(mines: Sequence[Cell]) -> str:
    return named(mines) if len(mines) <= 3 else f"{len(mines)} mines already"


def _its_mines(number: int, known: Sequence[Cell]) -> str:
    """Name the mines that a clue still needs, where some may be known."""
    last = "last " if known else ""
    return f"its {last}mine" if number == 1 else f"its {last}{number} mines"


def _word(number: int) -> str:
    words = "none", "one", "two", "three", "four", "five", "six", "seven", "eight"
    return words[number]


# -------------------------------------------------------------------------------------- counting


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
    return f"{capital(clue_text(clue))} {why}: {settled_text(inference.cells, inference.mine)}."


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


# ------------------------------------------------------------------------------------- comparing


def _shared_text(inference: Inference) -> str:
    """Say how many mines the first of two clues puts on the cells that they share."""
    one, other = inference.by
    left, _ = one.left(inference.given)
    shared, least, greatest = bounds_of_shared(one, other, inference.given)
    mines = _mines_of(one, inference.given)
    reasons = [] if one.plain else [f"stands for {_meaning(one)}"]
    has = [_these(mines)] if mines else []
    others = len(left) - len(shared)
    told = not inference.mine and others > 0
    if told:
        has.append(f"only {_word(others)} cell{'s' * (others > 1)} other than {named(shared)}")
    if has:
        reasons.append(f"has {named(has)}")
    number = greatest if inference.mine else least
    exactly = "only " if inference.mine else ""
    bound = exactly if least == greatest else "at most " if inference.mine else "at least "
    be = "is a mine" if number == 1 else "are mines"
    so = f"{bound}{_word(number)} of {'these' if told else named(shared)} {be}."
    if reasons:
        return f"{capital(clue_text(one))} {named(reasons)}, so {so}"
    return f"By {clue_text(one)}, {so}"


def _rest_text(inference: Inference) -> str:
    """Say what that leaves for the cells that only the second clue touches."""
    one, other = inference.by
    left, _ = other.left(inference.given)
    shared, _, _ = bounds_of_shared(one, other, inference.given)
    others = len(left) - len(shared)
    mines = _mines_of(other, inference.given)
    with_these = f", with {_these(mines)}," if mines else ""
    name = capital(clue_text(other))
    if not other.plain:
        name = f"{name} stands for {_meaning(other)}; it"
    if inference.mine:
        only = f"only {_word(others)} other cell{'s' * (others > 1)}"
        why = f"{with_these} needs {_word(others)} more and has {only}"
    else:
        these = "it" if len(shared) == 1 else "both" if len(shared) == 2 else "them"
        why = f" also touches {these} and{with_these} needs no other"
    so = settled_text(inference.cells, inference.mine)
    return f"{name}{why}: {so}{_pattern(inference, others)}."


def _pattern(inference: Inference, rest: int) -> str:
    """Name a pattern that players know, where it is one."""
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


# --------------------------------------------------------------------------------------- clashes


def clash_text(clash: Clash) -> str:
    """Say why one clue cannot be met any more, or two not both."""
    if len(clash.by) == 2:
        return _two_clash_text(clash)
    (clue,) = clash.by
    mines = _mines_of(clue, clash.given)
    left, _ = clue.left(clash.given)
    name = clue_text(clue)
    if not clue.plain:
        name += f", which stands for {_meaning(clue)},"
    room = f"only {counted(len(left), 'cell')} left" if left else "no cell left"
    if _has_gaps(clue):
        return f"Then {name} would have {counted(len(mines), 'mine')} and {room}."
    if len(mines) > most(clue.meant):
        return f"Then {name} would have {counted(len(mines), 'mine')}, {named(mines)}: too many."
    needed = fewest(clue.meant) - len(mines)
    return f"Then {name} would have {room} for {_its_mines(needed, mines)}."


def _two_clash_text(clash: Clash) -> str:
    one, other = clash.by
    shared, least, _ = bounds_of_shared(one, other, clash.given)
    _, _, greatest = bounds_of_shared(other, one, clash.given)
    be = "would be a mine" if least == 1 else "would be mines"
    return (
        f"Then at least {_word(least)} of {named(shared)} {be} by {clue_text(one)}, "
        f"but at most {_word(greatest)} by {clue_text(other)}."
    )
