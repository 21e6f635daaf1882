"""Reasons with sentences about sets of cells, and never guesses.

After R2 (Chang, *Report*; a player in the manner of Harvard's CS50 AI). A clue is a sentence: so
many of these cells are mines. A sentence that leaves no choice marks its cells, marked cells leave
all sentences, and where one sentence speaks of a part of another's cells, the difference is a
sentence too. Two sentences that merely overlap are never combined, so some cells that are certain
stay unknown to it; then it stops.

The mine total is one more sentence, about all cells. The report does not say that it was told, but
wins more often on its two smaller boards than the clues alone allow.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mineproof.agents.agent import Action, Agent, Beliefs, Decision, Told
from mineproof.agents.clues import clues
from mineproof.position.observation import CellCode, Observation
from mineproof.position.topology import MAX_DEGREE, Cell

__all__ = ["PATIENCE", "KnowledgeBase", "LogicAgent", "Sentence"]

PATIENCE: Final = 5
"""How many turns may pass without a new mark."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """So many of these cells are mines.

    Parameters
    ----------
    cells, mines
        What it says.
    sources
        What it was made from, in words.

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
        """Return what is left to say of the other cells."""
        sources = self.sources | part.sources
        return Sentence(self.cells - part.cells, self.mines - part.mines, sources)

    def __str__(self) -> str:
        many = len(self.cells) > MAX_DEGREE
        named = f"{len(self.cells)} cells" if many else ", ".join(map(str, sorted(self.cells)))
        return f"{{{named}}} = {self.mines}"


class KnowledgeBase:
    """What is known: sentences that leave a choice (KB), and marked cells (KB0).

    A sentence that contradicts the marks is dropped, and a cell keeps its first mark: under exact
    clues neither ever matters.

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
        """Cells marked safe, each with the sentence that did it."""
        self.mines: dict[Cell, Sentence] = {}
        """Cells marked as mines, each with the sentence that did it."""
        self._kept: dict[frozenset[Cell], Sentence] = {}
        self._unmatched: list[frozenset[Cell]] = []

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences that leave a choice, oldest first."""
        return tuple(self._kept.values())

    def learn(self, sentences: Iterable[Sentence]) -> None:
        """Take in sentences, and mark cells until no sentence alone marks another."""
        waiting = deque(sentences)
        while waiting:
            sentence = self._without_marked(waiting.popleft())
            if not sentence.cells or not 0 <= sentence.mines <= len(sentence.cells):
                continue
            if sentence.mines in (0, len(sentence.cells)):
                marks = self.mines if sentence.mines else self.safe
                marks.update(dict.fromkeys(sentence.cells, sentence))
                waiting += self._take_out(sentence.cells)
            elif sentence.cells not in self._kept:
                self._kept[sentence.cells] = sentence
                self._unmatched.append(sentence.cells)

    def match(self) -> None:
        """Match all sentences pairwise once: of a part and a whole, keep part and difference."""
        # A pair in which neither is new has been matched before.
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
        return Sentence(
            sentence.cells - mines - safe, sentence.mines - len(mines), sentence.sources
        )

    def _take_out(self, cells: frozenset[Cell]) -> list[Sentence]:
        touched = [kept for kept in self._kept if not kept.isdisjoint(cells)]
        return [self._kept.pop(kept) for kept in touched]


class LogicAgent(Agent):
    r"""Keeps sentences about cells, matches them pairwise, and stops where none settles a cell.

    It marks one cell a turn, safe ones before mines, beginning with those that are told to be
    safe; where none is told and nothing is open, it opens one random cell. Five turns of matching
    without a new mark, and it is stuck. It takes clues at face value.

    Examples
    --------
    >>> decision = LogicAgent().decide(Observation.from_text("11.\n..."))
    >>> decision.actions[0]
    Action(kind='open', cell=(0, 2), certain=True, risk=0.0)
    >>> decision.reason
    '{(0, 2), (1, 2)} = 0 by the 1 at row 0, column 0 and the 1 at row 0, column 1'
    """

    name = "logic"
    report = "R2 Chang"
    told = Told(total=True)

    def begin(self, seed: int) -> None:
        """Forget the last game."""
        super().begin(seed)
        self._known = KnowledgeBase()
        self._seen: Observation | None = None

    def decide(self, observation: Observation) -> Decision | None:
        """Mark the next cell that is known to be safe or a mine."""
        before, self._seen = self._seen, observation
        self._known.learn(_read(observation, before))
        for _ in range(PATIENCE):
            self._known.match()
            decision = self._mark(observation)
            if decision is not None:
                return decision
        if observation.openable.all():
            start = Action("open", self.random.pick(observation.openable_cells()))
            return Decision((start,), "nothing is known yet: any cell will do")
        return None

    def beliefs(self) -> Beliefs:
        """Show the sentences, and the marks of closed cells: 0 for safe, 1 for a mine."""
        closed = [] if self._seen is None else self._seen.closed_cells()
        marks = {cell: 0.0 for cell in closed if cell in self._known.safe}
        marks |= {cell: 1.0 for cell in closed if cell in self._known.mines}
        return Beliefs(marks, tuple(map(str, self._known.sentences)))

    def _mark(self, observation: Observation) -> Decision | None:
        codes = observation.cells.tolist()
        known = self._known
        safe = [
            (r, c) for r, c in known.safe if codes[r][c] in (CellCode.CLOSED, CellCode.KNOWN_SAFE)
        ]
        if safe:
            cell = min(safe)
            opening = Action("open", cell, certain=True, risk=0.0)
            return Decision((opening,), _because(known.safe[cell]))
        mines = [(r, c) for r, c in known.mines if codes[r][c] == CellCode.CLOSED]
        if mines:
            cell = min(mines)
            flag = Action("flag", cell, certain=True, risk=1.0)
            return Decision((flag,), _because(known.mines[cell]))
        return None


def _read(now: Observation, before: Observation | None) -> Iterator[Sentence]:
    """Say in sentences what is seen now, leaving out clues that were seen before."""
    cells = now.cells
    opened = (cells >= 0) | (cells == CellCode.NO_CLUE)
    yield Sentence(_where(opened), 0)
    yield Sentence(
        _where(cells == CellCode.KNOWN_SAFE), 0, frozenset({"what was told at the start"})
    )
    if before is None and now.mines is not None:
        left = now.mines - int(np.isin(cells, (CellCode.EXPLODED, CellCode.FLAGGED)).sum())
        yield Sentence(_where(cells == CellCode.CLOSED), left, frozenset({"the mine total"}))
    if before is not None:
        now = replace(now, cells=np.where(before.cells >= 0, CellCode.NO_CLUE, cells))
    for clue in clues(now):
        yield Sentence(frozenset(clue.unknown), clue.left, frozenset({str(clue)}))


def _where(mask: NDArray[np.bool_]) -> frozenset[Cell]:
    cols = mask.shape[1]
    return frozenset(divmod(place, cols) for place in np.flatnonzero(mask).tolist())


def _because(sentence: Sentence) -> str:
    sources = sorted(sentence.sources)
    shown = sources if len(sources) <= 3 else [*sources[:3], f"{len(sources) - 3} more"]
    return f"{sentence} by {' and '.join(shown)}"
