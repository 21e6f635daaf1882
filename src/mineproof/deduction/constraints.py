"""What clues say of the cells around them, as small as an argument needs it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mineproof.model import NOTHING, Channel
from mineproof.observation import EXPLODED, FLAGGED, KNOWN_SAFE, NO_CLUE, Observation, is_closed
from mineproof.topology import Cell

__all__ = ["Constraint", "Knowledge", "closed_cells", "constraint_of", "total_constraint"]

Knowledge = Mapping[Cell, bool]
"""Cells that are settled, and whether they are mines."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """Among some cells there are so many mines.

    Parameters
    ----------
    clue
        The cell of the clue; None for the mine total.
    shown
        What the clue shows; None where it shows nothing.
    cells
        The cells that it speaks of, in order.
    fewest, most
        How many of them are mines.
    mines_known
        How many mines of the clue were known before: exploded ones, and trusted flags.
    """

    clue: Cell | None
    shown: int | None
    cells: tuple[Cell, ...]
    fewest: int
    most: int
    mines_known: int = 0

    def left(self, known: Knowledge) -> Constraint:
        """Take out the cells that are settled."""
        open_cells = tuple(cell for cell in self.cells if cell not in known)
        mines = sum(known.get(cell, False) for cell in self.cells)
        return Constraint(
            self.clue,
            self.shown,
            open_cells,
            max(self.fewest - mines, 0),
            self.most - mines,
            self.mines_known + mines,
        )

    @property
    def broken(self) -> bool:
        """Whether it cannot be met any more."""
        return self.most < 0 or self.fewest > len(self.cells)


def closed_cells(observation: Observation, *, trust_flags: bool) -> tuple[Cell, ...]:
    """Return the closed cells that may hold a mine and are not known to."""
    known = {KNOWN_SAFE, FLAGGED} if trust_flags else {KNOWN_SAFE}
    return tuple(cell for cell in observation.closed_cells() if observation.code(cell) not in known)


def constraint_of(
    observation: Observation, clue: Cell, channel: Channel, *, trust_flags: bool
) -> Constraint:
    """Return what a clue says of the closed cells around it."""
    code = observation.code(clue)
    around = observation.topology.neighbours(clue)
    known = sum(
        observation.code(cell) == EXPLODED or (trust_flags and observation.code(cell) == FLAGGED)
        for cell in around
    )
    cells = tuple(
        cell
        for cell in around
        if is_closed(observation.code(cell))
        and observation.code(cell) != KNOWN_SAFE
        and not (trust_flags and observation.code(cell) == FLAGGED)
    )
    seen = NOTHING if code == NO_CLUE else code
    counts = [
        mines
        for mines in range(len(cells) + 1)
        if channel.weights[len(around), known + mines, seen] > 0
    ]
    shown = None if code == NO_CLUE else int(code)
    return Constraint(clue, shown, cells, min(counts), max(counts), known)


def total_constraint(observation: Observation, mines: int, *, trust_flags: bool) -> Constraint:
    """Return what the mine total says of all closed cells."""
    cells = closed_cells(observation, trust_flags=trust_flags)
    known = int((observation.cells == EXPLODED).sum())
    if trust_flags:
        known += int((observation.cells == FLAGGED).sum())
    return Constraint(None, mines, cells, mines - known, mines - known, known)


def fewest_and_most(constraints: Iterable[Constraint], known: Knowledge) -> tuple[int, int] | None:
    """Return how many mines the cells of constraints can hold; None if they cannot be met."""
    parts = [constraint.left(known) for constraint in constraints]
    cells = sorted({cell for part in parts for cell in part.cells})
    boxes: dict[frozenset[int], int] = {}
    for cell in cells:
        spoken_of = frozenset(i for i, part in enumerate(parts) if cell in part.cells)
        boxes[spoken_of] = boxes.get(spoken_of, 0) + 1
    states: dict[tuple[int, ...], tuple[int, int]] = {(0,) * len(parts): (0, 0)}
    for spoken_of, size in boxes.items():
        after: dict[tuple[int, ...], tuple[int, int]] = {}
        for sums, (low, high) in states.items():
            for mines in range(size + 1):
                moved = tuple(s + mines * (i in spoken_of) for i, s in enumerate(sums))
                if any(s > part.most for s, part in zip(moved, parts, strict=True)):
                    break
                best = after.get(moved, (low + mines, high + mines))
                after[moved] = min(best[0], low + mines), max(best[1], high + mines)
        states = after
    met = [
        ends
        for sums, ends in states.items()
        if all(s >= part.fewest for s, part in zip(sums, parts, strict=True))
    ]
    if not met:
        return None
    return min(low for low, _ in met), max(high for _, high in met)
