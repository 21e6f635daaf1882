"""Works clues off a heap, the smallest first, and tries out together those that are stuck.

After R0, idea III (Zuo, Xu, Wang, *Mine Sweeper*, 2019). A clue is solved when counting settles all
its neighbours. What that brings to light, new clues and mines, puts the clues around it back on the
heap: influence travels in chains. Clues that settle nothing wait in a second heap. When the first
is empty, the possibilities of waiting clues that touch are listed together, and what all of them
have in common is true. The list is kept short, so some of what is certain is missed. Then a random
cell is opened: in how many of the possibilities it is mined is never asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import combinations, islice
from types import MappingProxyType
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from mineproof.agents.agent import Action, Agent, Beliefs, Decision
from mineproof.agents.basic import guess, settle
from mineproof.agents.clues import Clue, clues, neighbours, told_safe
from mineproof.arguments import counted
from mineproof.position.observation import CellCode, Observation
from mineproof.position.topology import Cell

__all__ = ["BOUND", "ClueHeapAgent"]

BOUND: Final = 100
"""How many possibilities are listed together at most; a clue that would make more is left out."""


class ClueHeapAgent(Agent):
    r"""Solves single clues off a heap, then stuck ones by their joint possibilities, else guesses.

    Told the mine total, it also sees when all mines are found or only mines are left, and strikes
    out possibilities with too many or too few of them. Clues are taken at face value, and one that
    clashes with those it is joined to is left out.

    Examples
    --------
    >>> decision = ClueHeapAgent().decide(Observation.from_text("?12?\n...."))
    >>> [(action.kind, action.cell) for action in decision.actions]
    [('flag', (1, 3)), ('open', (1, 0))]
    >>> decision.reason
    'common to the 2 ways to meet the 1 at row 0, column 1 and the 2 at row 0, column 2'
    """

    name = "clue-heap"
    report = "R0 Zuo, Xu and Wang, 2019, idea III"
    options: ClassVar = MappingProxyType({"nobacktrack": "guesses as soon as no clue is solvable"})

    def begin(self, seed: int) -> None:
        """Forget the last game."""
        super().begin(seed)
        self._codes: NDArray[np.int8] | None = None
        self._seen: Mapping[Cell, Clue] = {}
        self._heap: list[tuple[int, Cell]] = []
        self._waiting: list[tuple[int, Cell]] = []

    def decide(self, observation: Observation) -> Decision | None:
        """Solve the smallest clue that can be solved; else backtrack, else open any cell."""
        self._seen = {clue.cell: clue for clue in clues(observation) if clue.unknown}
        self._queue_influenced(observation)
        given = told_safe(observation)
        if given is not None:
            return given
        left = _Left.of(observation)
        decision = self._solve_next() or (left.settle() if left is not None else None)
        if decision is None and "nobacktrack" not in self.chosen:
            decision = self._backtrack(left)
        return decision or guess(observation, self.random, "no clue can be solved")

    def beliefs(self) -> Beliefs:
        """Show both heaps, smallest clues first."""
        heaps = (("is on the heap", self._heap), ("waits", self._waiting))
        return Beliefs(
            sentences=tuple(
                f"{self._seen[cell]} {state}"
                for state, heap in heaps
                for _, cell in sorted(heap)
                if cell in self._seen
            )
        )

    def _queue_influenced(self, observation: Observation) -> None:
        """Put the clues that are new, and those around what is new, on the first heap."""
        before = CellCode.CLOSED if self._codes is None else self._codes
        self._codes = observation.cells
        around = neighbours(observation.topology)
        places = np.flatnonzero(observation.cells != before).tolist()
        new = [divmod(place, observation.cols) for place in places]
        influenced = {near for cell in new for near in (cell, *around[cell])} & self._seen.keys()
        queued = {(self._seen[cell].seen, cell) for cell in influenced}
        self._waiting = [entry for entry in self._waiting if entry not in queued]
        self._heap = list(queued.union(self._heap))
        heapify(self._waiting)
        heapify(self._heap)

    def _solve_next(self) -> Decision | None:
        while self._heap:
            clue = self._seen.get(self._heap[0][1])
            decision = settle(clue) if clue is not None else None
            if decision is not None:
                # A solved clue stays until it is seen that nothing is unknown around it.
                return decision
            entry = heappop(self._heap)
            if clue is not None:
                heappush(self._waiting, entry)
        return None

    def _backtrack(self, left: _Left | None) -> Decision | None:
        stuck = [self._seen[cell] for _, cell in sorted(self._waiting) if cell in self._seen]
        joined: set[Cell] = set()
        for clue in stuck:
            if clue.cell not in joined:
                for joint in _join_touching(clue, stuck, left):
                    decision = joint.settle(left)
                    if decision is not None:
                        return decision
                    joined.update(clue.cell for clue in joint.clues)
        return None


@dataclass(frozen=True, slots=True)
class _Left:
    """What the mine total leaves: so many mines among these cells."""

    mines: int
    cells: tuple[Cell, ...]

    @classmethod
    def of(cls, observation: Observation) -> _Left | None:
        if observation.mines is None:
            return None
        known = np.isin(observation.cells, (CellCode.EXPLODED, CellCode.FLAGGED))
        mines = observation.mines - int(np.count_nonzero(known))
        return cls(mines, tuple(observation.openable_cells()))

    def settle(self) -> Decision | None:
        if not self.cells:
            return None
        if self.mines == len(self.cells):
            flags = (Action("flag", cell, certain=True, risk=1.0) for cell in self.cells)
            return Decision(tuple(flags), "only mines are left, by the mine total")
        if self.mines == 0:
            opens = (Action("open", cell, certain=True, risk=0.0) for cell in self.cells)
            return Decision(tuple(opens), "all mines are found, by the mine total")
        return None


@dataclass(frozen=True, slots=True)
class _Joint:
    """Clues that are read together: the cells around them, and every way to lay their mines."""

    clues: tuple[Clue, ...] = ()
    cells: frozenset[Cell] = frozenset()
    ways: tuple[frozenset[Cell], ...] = (frozenset(),)

    def join(self, clue: Clue, left: _Left | None) -> _Joint | None:
        """Take in another clue, unless the ways become too many or none is left."""
        cells = self.cells.union(clue.unknown)
        ways = tuple(islice(self._ways_with(clue, left), BOUND + 1))
        return _Joint((*self.clues, clue), cells, ways) if 0 < len(ways) <= BOUND else None

    def settle(self, left: _Left | None) -> Decision | None:
        """Flag what is mined in every way, open what is mined in none."""
        mined = frozenset.intersection(*self.ways)
        free = self.cells.difference(*self.ways)
        if left is not None:
            spare = {left.mines - len(way) for way in self.ways}
            if spare == {0}:
                free |= self._beyond(left)
            elif spare == {len(left.cells) - len(self.cells)}:
                mined |= self._beyond(left)
        flags = [Action("flag", cell, certain=True, risk=1.0) for cell in sorted(mined)]
        opens = [Action("open", cell, certain=True, risk=0.0) for cell in sorted(free)]
        if not flags and not opens:
            return None
        together = " and ".join(map(str, self.clues))
        mines = "" if left is None else f" with {counted(left.mines, 'mine')} left"
        reason = f"common to the {counted(len(self.ways), 'way')} to meet {together}{mines}"
        return Decision((*flags, *opens), reason)

    def _beyond(self, left: _Left) -> frozenset[Cell]:
        return frozenset(left.cells) - self.cells

    def _ways_with(self, clue: Clue, left: _Left | None) -> Iterator[frozenset[Cell]]:
        shared = self.cells.intersection(clue.unknown)
        new = [cell for cell in clue.unknown if cell not in shared]
        beyond = len(left.cells) - len(self.cells) - len(new) if left is not None else 0
        for way in self.ways:
            missing = clue.left - len(way & shared)
            if not 0 <= missing <= len(new):
                continue
            if left is None or 0 <= left.mines - len(way) - missing <= beyond:
                yield from (way.union(mines) for mines in combinations(new, missing))


def _join_touching(first: Clue, stuck: Sequence[Clue], left: _Left | None) -> Iterator[_Joint]:
    """Join clue after clue to the first, always the smallest that touches those joined so far."""
    joint, others = _Joint(), list(stuck)
    clue: Clue | None = first
    while clue is not None:
        others.remove(clue)
        joined = joint.join(clue, left)
        if joined is not None:
            joint = joined
            yield joint
        clue = next((clue for clue in others if joint.cells.intersection(clue.unknown)), None)
