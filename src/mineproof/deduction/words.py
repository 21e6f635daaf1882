"""The sentences of an argument."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mineproof.arguments import counted
from mineproof.deduction.constraints import Constraint, Knowledge
from mineproof.topology import Cell

__all__ = [
    "broken_text",
    "clue_text",
    "comparing_text",
    "counting_text",
    "named",
    "settled_text",
    "total_text",
]


def named(cells: Iterable[Cell]) -> str:
    """List cells.

    Examples
    --------
    >>> named([(0, 1), (0, 2), (1, 2)])
    '(0, 1), (0, 2) and (1, 2)'
    """
    *others, last = map(str, sorted(cells))
    return f"{', '.join(others)} and {last}" if others else last


def settled_text(cells: Sequence[Cell], mine: bool) -> str:
    """Say what cells are.

    Examples
    --------
    >>> settled_text([(0, 1)], mine=True), settled_text([(0, 1), (0, 2)], mine=False)
    ('(0, 1) is a mine', '(0, 1) and (0, 2) are safe')
    """
    if mine:
        return f"{named(cells)} {'is a mine' if len(cells) == 1 else 'are mines'}"
    return f"{named(cells)} {'is' if len(cells) == 1 else 'are'} safe"


def clue_text(constraint: Constraint) -> str:
    """Name a clue by what it shows and where it is."""
    shown = "lost clue" if constraint.shown is None else str(constraint.shown)
    return f"the {shown} at {constraint.clue}"


def counting_text(left: Constraint, cells: Sequence[Cell], *, mine: bool) -> str:
    """Tell how cells are settled by counting at one clue, or with the mine total.

    Parameters
    ----------
    left
        What the clue says of cells that are not settled yet.
    cells
        Those of them that matter.
    mine
        What they turn out to be.
    """
    so = settled_text(cells, mine)
    room = len(left.cells)
    if left.clue is None:
        if not mine:
            return f"All {counted(left.mines_known, 'mine')} of the board are found: {so}."
        return f"{_counted_are(left.fewest, 'mine')} left for {counted(room, 'closed cell')}: {so}."
    clue = _capital(clue_text(left))
    if mine:
        needs = "more mine" if left.mines_known else "mine"
        only = f"only {counted(room, 'closed neighbour')} left"
        return f"{clue} needs {counted(left.fewest, needs)} and has {only}: {so}."
    if left.mines_known == 0:
        return f"{clue} has no mine around it: {so}."
    has = "its mine" if left.mines_known == 1 else f"all its {left.mines_known} mines"
    return f"{clue} has {has} already: {so}."


def comparing_text(one: Constraint, other: Constraint, cells: Sequence[Cell], *, mine: bool) -> str:
    """Tell how two clues that share cells settle the rest of the other's.

    Parameters
    ----------
    one, other
        What the clues say of cells that are not settled yet.
    cells
        Those of the other's own cells that matter.
    mine
        What they turn out to be.
    """
    so = settled_text(cells, mine)
    shared = [cell for cell in other.cells if cell in one.cells]
    alone = len(one.cells) - len(shared)
    rest = len(other.cells) - len(shared)
    first, second = clue_text(one), clue_text(other)
    if mine:
        held = min(one.most, len(shared))
        at_most = "none" if held == 0 else f"at most {held}" if alone or held < one.most else held
        bound = f"can hold {at_most} of the {_mines(other.fewest)} that {second} needs"
        finish = f"its {_other_cells(rest)} must hold the rest"
        pattern = " (the 1-2 pattern)" if (one.most, other.fewest) == (1, 2) else ""
        return f"By {first}, the shared cells {named(shared)} {bound}; {finish}: {so}{pattern}."
    held = max(0, one.fewest - alone)
    at_least = f"at least {counted(held, 'mine')}" if alone else counted(held, "mine")
    pattern = " (the 1-1 pattern)" if not alone and (one.fewest, other.most) == (1, 1) else ""
    cells_text = "cell" if len(shared) == 1 else "cells"
    return (
        f"By {first}, the shared {cells_text} {named(shared)} hold{'s' * (len(shared) == 1)} "
        f"{at_least}, and {second} needs no more: {so}{pattern}."
    )


def broken_text(constraint: Constraint, known: Knowledge) -> str:
    """Say why a clue cannot be met."""
    left = constraint.left(known)
    clue = clue_text(constraint)
    if left.most < 0:
        return f"Then {clue} would have {counted(left.mines_known, 'mine')} around it: too many."
    missing = counted(left.fewest, "mine")
    room = "no room" if not left.cells else f"room for only {len(left.cells)}"
    return f"Then {clue} would still need {missing} and have {room}."


def total_text(
    constraints: Sequence[Constraint],
    total: Constraint,
    cell: Cell,
    *,
    mine: bool,
    inside: bool,
    ends: tuple[int, int] | None,
    left: int,
    elsewhere: int,
) -> str:
    """Tell how the mines left on the whole board decide.

    Parameters
    ----------
    constraints, total
        What the premises say, and the mine total.
    cell, mine
        What is shown.
    inside
        Whether the premises speak of the cell; then the opposite is supposed.
    ends
        How many mines the cells around the premises hold at least and at most.
    left
        How many mines are left for all closed cells that are not settled.
    elsewhere
        How many of these the premises do not speak of.
    """
    so = settled_text([cell], mine)
    mines = f"of the {counted(total.shown or 0, 'mine')} of the board {_are(left)} left"
    around = "the cells around the premises"
    if ends is None:  # cannot be: the premises would settle it by themselves
        return f"Were it otherwise, {around} could not be filled: {so}."
    fewest, most = ends
    suppose = f"Suppose {named([cell])} were {'safe' if mine else 'a mine'}. Then" if inside else ""
    if fewest > left or (not inside and fewest == left and not mine):
        needs = f"{around} need at least {counted(fewest, 'mine')}"
        if inside:
            return f"{suppose} {needs} more, but {mines}. So {so}."
        return f"{_capital(needs)}, and {mines}. None is left for other cells: {so}."
    if most + elsewhere < left or (not inside and most + elsewhere == left and mine):
        holds = f"{around} can hold at most {counted(most, 'mine')}"
        others = counted(elsewhere, "other closed cell")
        if inside:
            return (
                f"{suppose} {holds} more and {others} no more than one each, but {mines}. So {so}."
            )
        return f"{_capital(holds)}, and {mines}. All of {others} are mines: {so}."
    exactly = f"no filling of {around} leaves a number of mines that fits: {mines}"
    return f"{suppose} {exactly}. So {so}.".strip() if inside else f"{_capital(exactly)}. So {so}."


def _other_cells(number: int) -> str:
    return "other cell" if number == 1 else f"other {number} cells"


def _mines(number: int) -> str:
    return counted(number, "mine")


def _are(number: int) -> str:
    return f"{number} is" if number == 1 else f"{number} are"


def _counted_are(number: int, noun: str) -> str:
    return f"{counted(number, noun)} {'is' if number == 1 else 'are'}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
