"""Takes clues from a heap, the smallest first, and reads those that are stuck together.

After R0, idea III (Zuo, Xu, Wang, *Mine Sweeper*, 2019). A clue is solved if counting settles all
its neighbours. New clues and mines put the clues around them back on the heap, so influence travels
in chains. Clues that settle nothing wait in a second heap. When the first heap is empty, the agent
lists all ways to meet waiting clues that touch, and what these ways have in common is true. The
list is kept short, so the agent misses some certain cells. Then it opens a random cell; it does not
ask in how many of the ways the cell is a mine.
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

from mineproof import _core
from mineproof.agents.agent import Agent, Beliefs, Decision, Told
from mineproof.agents.clues import (
    Clue,
    clues,
    mines_left,
    neighbours,
    open_known_safe,
    random_guess,
)
from mineproof.arguments import counted
from mineproof.position.cells import CellCode
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

__all__ = ["MAX_WAYS", "ClueHeapAgent"]

MAX_WAYS: Final = 100
"""The largest number of ways that are listed; a clue that would lead to more is left out."""


class ClueHeapAgent(Agent):
    r"""Solves single clues from a heap, then stuck clues by their joint solutions, else guesses.

    If it is told the mine total, it also knows when all mines are found or only mines are left, and
    rules out ways with too many or too few mines. It takes clues at face value. A clue that clashes
    with those it is read with is left out.

    Examples
    --------
    >>> decision = ClueHeapAgent().decide(Observation.from_text("?12?\n...."))
    >>> [(action.kind, action.cell) for action in decision.actions]
    [('flag', (1, 3)), ('open', (1, 0))]
    >>> decision.reason
    'common to the 2 ways to meet the 1 at (0, 1) and the 2 at (0, 2)'
    """

    name = "clue-heap"
    report = "R0 Zuo, Xu and Wang, 2019, idea III"
    told = Told()
    options: ClassVar = MappingProxyType({"nobacktrack": "guesses as soon as no clue is solvable"})

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self._codes: NDArray[np.int8] | None = None
        self._seen: Mapping[Cell, Clue] = {}
        self._heap: list[tuple[int, Cell]] = []
        self._waiting: list[tuple[int, Cell]] = []

    def decide(self, observation: Observation) -> Decision | None:
        self._seen = {clue.cell: clue for clue in clues(observation)}
        self._queue_influenced(observation)
        left = mines_left(observation)
        rest = None if left is None else _Rest(left, frozenset(observation.openable_cells()))
        return (
            open_known_safe(observation)
            or self._solve_next()
            or (rest and rest.settle())
            or (None if "nobacktrack" in self.chosen else self._backtrack(rest))
            or random_guess(observation, self.random, "no clue can be solved")
        )

    def native(self) -> _core.Player:
        """Return the player of the core."""
        return _core.Player.clue_heap("nobacktrack" not in self.chosen)

    def beliefs(self) -> Beliefs:
        """Show both heaps, the smallest clues first."""
        heaps = (("is on the heap", self._heap), ("is waiting", self._waiting))
        return Beliefs(
            sentences=tuple(
                f"{self._seen[cell]} {state}"
                for state, heap in heaps
                for _, cell in sorted(heap)
                if cell in self._seen
            )
        )

    def _queue_influenced(self, observation: Observation) -> None:
        """Put new clues, and those next to anything new, on the first heap."""
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
            decision = clue.settle() if clue is not None else None
            if decision is not None:
                # A solved clue stays on the heap until it has no unknown neighbours.
                return decision
            entry = heappop(self._heap)
            if clue is not None:
                heappush(self._waiting, entry)
        return None

    def _backtrack(self, rest: _Rest | None) -> Decision | None:
        stuck = [self._seen[cell] for _, cell in sorted(self._waiting) if cell in self._seen]
        joined: set[Cell] = set()
        for clue in stuck:
            if clue.cell not in joined:
                for joint in _join_touching(clue, stuck, rest):
                    if decision := joint.settle(rest):
                        return decision
                    joined.update(clue.cell for clue in joint.clues)
        return None


@dataclass(frozen=True, slots=True)
class _Rest:
    """The number of mines that are left, and the closed cells that contain them."""

    mines: int
    cells: frozenset[Cell]

    def settle(self) -> Decision | None:
        """Settle all these cells, if none of them or all of them are mines."""
        if self.cells and self.mines == len(self.cells):
            reason = "only mines are left, by the mine total"
            return Decision.certain(reason, mines=sorted(self.cells))
        if self.cells and self.mines == 0:
            reason = "all mines are found, by the mine total"
            return Decision.certain(reason, safe=sorted(self.cells))
        return None


@dataclass(frozen=True, slots=True)
class _Joint:
    """Clues that are read together, the cells around them, and all ways to lay their mines."""

    clues: tuple[Clue, ...] = ()
    cells: frozenset[Cell] = frozenset()
    ways: tuple[frozenset[Cell], ...] = (frozenset(),)

    def join(self, clue: Clue, rest: _Rest | None) -> _Joint | None:
        """Add a clue, unless there are too many ways to meet all clues, or none."""
        cells = self.cells.union(clue.unknown)
        ways = tuple(islice(self._ways_with(clue, rest), MAX_WAYS + 1))
        return _Joint((*self.clues, clue), cells, ways) if 0 < len(ways) <= MAX_WAYS else None

    def settle(self, rest: _Rest | None) -> Decision | None:
        """Flag what is a mine in every way, and open what is a mine in none."""
        mined = frozenset.intersection(*self.ways)
        free = self.cells.difference(*self.ways)
        if rest is not None:
            beyond = rest.cells - self.cells
            spare = {rest.mines - len(way) for way in self.ways}
            if spare == {0}:
                free |= beyond
            elif spare == {len(beyond)}:
                mined |= beyond
        if not mined and not free:
            return None
        together = " and ".join(map(str, self.clues))
        mines = "" if rest is None else f" with {counted(rest.mines, 'mine')} left"
        reason = f"common to the {counted(len(self.ways), 'way')} to meet {together}{mines}"
        return Decision.certain(reason, mines=sorted(mined), safe=sorted(free))

    def _ways_with(self, clue: Clue, rest: _Rest | None) -> Iterator[frozenset[Cell]]:
        shared = self.cells.intersection(clue.unknown)
        new = [cell for cell in clue.unknown if cell not in shared]
        beyond = len(rest.cells) - len(self.cells) - len(new) if rest is not None else 0
        for way in self.ways:
            missing = clue.left - len(way & shared)
            if not 0 <= missing <= len(new):
                continue
            if rest is None or 0 <= rest.mines - len(way) - missing <= beyond:
                yield from (way.union(mines) for mines in combinations(new, missing))


def _join_touching(first: Clue, stuck: Sequence[Clue], rest: _Rest | None) -> Iterator[_Joint]:
    """Join one clue after the other to the first, always the smallest that touches the others."""
    joint, others = _Joint(), list(stuck)
    clue: Clue | None = first
    while clue is not None:
        others.remove(clue)
        joined = joint.join(clue, rest)
        if joined is not None:
            joint = joined
            yield joint
        clue = next((clue for clue in others if joint.cells.intersection(clue.unknown)), None)
