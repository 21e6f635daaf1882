"""Reasons with sentences about sets of cells, and never guesses.

After R2 (Chang, *Report*; a player like that of Harvard's CS50 AI). A clue is a sentence: this many
of these cells are mines. A sentence that leaves no choice marks its cells, and marked cells are
removed from all sentences. If the cells of one sentence are part of those of another, the
difference is a sentence too. Sentences that merely overlap are never combined, so the agent misses
some certain cells; then it stops.

The report's player is not told the mine total. With ``total``, it is one more sentence, about all
cells.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mineproof import _core
from mineproof.agents.agent import Agent, Beliefs, Decision, Told
from mineproof.agents.clues import clues, mines_left
from mineproof.position.cells import CellCode
from mineproof.position.observation import Observation
from mineproof.position.topology import MAX_DEGREE, Cell

__all__ = ["PATIENCE", "KnowledgeBase", "LogicAgent", "Sentence"]

PATIENCE: Final = 5
"""The number of turns without a new mark after which the agent stops."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A statement that this many of these cells are mines, and what it was derived from.

    Examples
    --------
    >>> part = Sentence(frozenset({(0, 0), (0, 1)}), 1)
    >>> whole = Sentence(frozenset({(0, 0), (0, 1), (0, 2)}), 1)
    >>> print(whole - part)
    {(0, 2)} = 0
    """

    cells: frozenset[Cell]
    mines: int
    sources: frozenset[str] = field(default=frozenset(), compare=False)

    def __sub__(self, part: Sentence) -> Sentence:
        sources = self.sources | part.sources
        return Sentence(self.cells - part.cells, self.mines - part.mines, sources)

    def __str__(self) -> str:
        many = len(self.cells) > MAX_DEGREE
        named = f"{len(self.cells)} cells" if many else ", ".join(map(str, sorted(self.cells)))
        return f"{{{named}}} = {self.mines}"

    def __getstate__(self) -> list[object]:
        # What a dataclass returns, in a fifth of the time: studies write many of these.
        return [self.cells, self.mines, self.sources]


class KnowledgeBase:
    """What is known: sentences that leave a choice (KB), and marked cells (KB0).

    A sentence that contradicts the marks is dropped, and a cell keeps its first mark. Under exact
    clues neither happens.

    Examples
    --------
    >>> known = KnowledgeBase()
    >>> known.learn([Sentence(frozenset({(0, 0), (0, 1)}), 1)])
    >>> known.learn([Sentence(frozenset({(0, 0), (0, 1), (0, 2)}), 2)])
    >>> known.match()
    >>> sorted(known.mines), [str(sentence) for sentence in known.sentences]
    ([(0, 2)], ['{(0, 0), (0, 1)} = 1'])
    """

    def __init__(self) -> None:
        self.safe: dict[Cell, Sentence] = {}
        """Cells marked as safe, each with the sentence that marked it."""
        self.mines: dict[Cell, Sentence] = {}
        """Cells marked as mines, each with the sentence that marked it."""
        self._kept: dict[frozenset[Cell], Sentence] = {}
        self._unmatched: list[frozenset[Cell]] = []

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences that leave a choice, the oldest first."""
        return tuple(self._kept.values())

    def learn(self, sentences: Iterable[Sentence]) -> None:
        """Add sentences, and mark cells until no single sentence marks another one."""
        waiting = deque(sentences)
        while waiting:
            sentence = self._without_marked(waiting.popleft())
            if not sentence.cells or not 0 <= sentence.mines <= len(sentence.cells):
                continue
            if sentence.mines in (0, len(sentence.cells)):
                marks = self.mines if sentence.mines else self.safe
                marks.update(dict.fromkeys(sentence.cells, sentence))
                touched = [kept for kept in self._kept if not kept.isdisjoint(sentence.cells)]
                waiting += [self._kept.pop(kept) for kept in touched]
            elif sentence.cells not in self._kept:
                self._kept[sentence.cells] = sentence
                self._unmatched.append(sentence.cells)

    def match(self) -> None:
        """Match all sentences in pairs once: replace a whole by its difference from a part."""
        # A pair without a new sentence has been matched before.
        new, self._unmatched = self._unmatched, []
        for cells in new:
            for other in tuple(self._kept):
                if cells < other:
                    self._reduce(other, cells)
                elif other < cells:
                    self._reduce(cells, other)

    def _reduce(self, whole: frozenset[Cell], part: frozenset[Cell]) -> None:
        if whole in self._kept and part in self._kept:
            self.learn([self._kept.pop(whole) - self._kept[part]])

    def _without_marked(self, sentence: Sentence) -> Sentence:
        mines = sentence.cells & self.mines.keys()
        safe = sentence.cells & self.safe.keys()
        if not mines and not safe:
            return sentence
        return replace(
            sentence, cells=sentence.cells - mines - safe, mines=sentence.mines - len(mines)
        )


class LogicAgent(Agent):
    r"""Keeps sentences about cells, matches them in pairs, and stops when none settles a cell.

    It marks one cell per turn, safe ones before mines, starting with those known to be safe. If no
    cell is known or open, it opens one random cell. After five turns of matching without a new
    mark it is stuck. It takes clues at face value.

    Examples
    --------
    >>> decision = LogicAgent().decide(Observation.from_text("11.\n..."))
    >>> decision.actions[0]
    Action(kind='open', cell=(0, 2), certain=True, risk=0.0)
    >>> decision.reason
    '{(0, 2), (1, 2)} = 0 by the 1 at (0, 0) and the 1 at (0, 1)'
    """

    name = "logic"
    report = "R2 Chang"
    told = Told()

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self._known = KnowledgeBase()
        self._seen: Observation | None = None

    def decide(self, observation: Observation) -> Decision | None:
        before, self._seen = self._seen, observation
        self._known.learn(_read(observation, before))
        openable = set(observation.openable_cells())
        for _ in range(PATIENCE):
            self._known.match()
            if decision := self._mark(openable):
                return decision
        if observation.openable.all():
            start = self.random.pick(observation.openable_cells())
            return Decision.guess(start, "nothing is known yet: a random cell")
        return None

    def native(self) -> _core.Player:
        """Return the player of the core."""
        return _core.Player.logic()

    def beliefs(self) -> Beliefs:
        """Show the sentences, and the marks of closed cells: 0 for a safe cell, 1 for a mine."""
        closed = [] if self._seen is None else self._seen.closed_cells()
        marks = {cell: 0.0 for cell in closed if cell in self._known.safe}
        marks |= {cell: 1.0 for cell in closed if cell in self._known.mines}
        return Beliefs(marks, tuple(map(str, self._known.sentences)))

    def _mark(self, openable: set[Cell]) -> Decision | None:
        known = self._known
        for cell in sorted(openable & known.safe.keys())[:1]:
            return Decision.certain(_because(known.safe[cell]), safe=[cell])
        for cell in sorted(openable & known.mines.keys())[:1]:
            return Decision.certain(_because(known.mines[cell]), mines=[cell])
        return None


def _read(now: Observation, before: Observation | None) -> Iterator[Sentence]:
    """Turn an observation into sentences, without the clues that were seen before."""
    cells = now.cells
    yield Sentence(_where(now.opened), 0)
    known_safe = _where(cells == CellCode.KNOWN_SAFE.value)
    yield Sentence(known_safe, 0, frozenset({"what is known from the start"}))
    left = mines_left(now)
    if before is None and left is not None:
        yield Sentence(_where(cells == CellCode.CLOSED.value), left, frozenset({"the mine total"}))
    for clue in clues(now):
        if before is None or before.cells[clue.cell] < 0:
            yield Sentence(frozenset(clue.unknown), clue.left, frozenset({str(clue)}))


def _where(mask: NDArray[np.bool_]) -> frozenset[Cell]:
    cols = mask.shape[1]
    return frozenset(divmod(place, cols) for place in np.flatnonzero(mask).tolist())


def _because(sentence: Sentence) -> str:
    sources = sorted(sentence.sources)
    shown = sources if len(sources) <= 3 else [*sources[:3], f"{len(sources) - 3} more"]
    return f"{sentence} by {' and '.join(shown)}"
