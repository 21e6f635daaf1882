"""A finished game, judged: the risk of each decision, and how much of it was needless."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import Final, Literal, TypeAlias

import numpy as np

from mineproof.arguments import counted, percent
from mineproof.game.notation import Move, Transcript
from mineproof.inference import Budget, Posterior, Solver
from mineproof.inference.posterior import TIE
from mineproof.position.cells import CellCode
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

__all__ = ["Judged", "Review", "Verdict", "review"]

Verdict: TypeAlias = Literal["first", "certain", "forced", "needless"]
"""An opening is the first cell by rule, certain, a forced guess, or needlessly risky."""

_WORDS: Final = {
    "first": "the first cell",
    "certain": "certainly safe",
    "forced": "a forced guess",
    "needless": "needless risk",
}

_USUAL_LUCK: Final = 0.25
"""Fewer hits than this away from the average are neither good nor bad luck."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One opening or chord, against the best that could be done instead.

    Parameters
    ----------
    move
        The number of the move in the game, from 0.
    cell
        Its cell; of a chord, that of the clue.
    by
        Who made it.
    verdict
        What kind of decision it was.
    risk
        The chance that it would explode a mine, by all that could be known.
    lowest
        The lowest risk of any cell.
    best
        The first cell with that risk.
    hit
        Whether it exploded a mine.
    """

    move: int
    cell: Cell
    by: str
    verdict: Verdict
    risk: float
    lowest: float
    best: Cell
    hit: bool

    @property
    def needless(self) -> float:
        """The risk beyond the lowest one."""
        return max(self.risk - self.lowest, 0.0)

    def __str__(self) -> str:
        text = f"{self.cell}: {_WORDS[self.verdict]}"
        if self.verdict == "forced":
            text += f" at {percent(self.risk, digits=1)}, the lowest risk there was"
        elif self.verdict == "needless":
            shown = "100%" if self.risk == 1 else percent(self.risk, digits=1)
            better = "was certainly safe" if self.lowest == 0 else self._lower()
            text += f" of {shown}; {self.best} {better}"
        return text + ("; it was a mine." if self.hit else ".")

    def _lower(self) -> str:
        return f"had {percent(self.lowest, digits=1)}"


@dataclass(frozen=True, slots=True)
class Review:
    """All openings of a game, judged."""

    judged: tuple[Judged, ...]

    def count(self, verdict: Verdict) -> int:
        """Return how many openings got a verdict."""
        return sum(one.verdict == verdict for one in self.judged)

    @property
    def hits(self) -> int:
        """The number of openings that exploded a mine."""
        return sum(one.hit for one in self.judged)

    @property
    def expected_hits(self) -> float:
        """How many would explode one on average: more hits than this are bad luck."""
        return sum(one.risk for one in self.judged)

    @property
    def survival(self) -> float:
        """The chance to come through all these decisions without a hit."""
        return prod(1 - one.risk for one in self.judged)

    @property
    def best_survival(self) -> float:
        """The same chance, if every decision had been one of the lowest risk."""
        return prod(1 - one.lowest for one in self.judged)

    def __str__(self) -> str:
        if not self.judged:
            return "Nothing was opened."
        forced, needless = self.count("forced"), self.count("needless")
        certain = self.count("certain") + self.count("first")
        parts = [
            f"{counted(len(self.judged), 'opening')}: {certain} certain, {forced} forced "
            f"{'guess' if forced == 1 else 'guesses'}, {needless} with needless risk."
        ]
        if forced or needless:
            best, own = (
                f"{chance:.0%}" if chance in (0, 1) else percent(chance, digits=1)
                for chance in (self.best_survival, self.survival)
            )
            parts.append(
                f"With the lowest risk each time, {best} of such games get through; "
                f"with these choices, {own}."
            )
        worst = max(self.judged, key=lambda one: one.needless)
        if worst.needless > TIE:
            parts.append(f"The costliest choice: {worst}")
        parts.append(self._luck())
        return "\n".join(parts)

    def _luck(self) -> str:
        expected = f"{self.expected_hits:.2f}"
        hits = counted(self.hits, "mine") if self.hits else "No mine"
        if self.expected_hits < TIE:
            return "No luck was needed."
        if abs(self.hits - self.expected_hits) < _USUAL_LUCK:
            return f"{hits} exploded, and {expected} on average: neither good nor bad luck."
        luck = "bad" if self.hits > self.expected_hits else "good"
        return f"{hits} exploded, and {expected} on average: {luck} luck."


def review(
    transcript: Transcript,
    *,
    budget: Budget | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Review:
    r"""Judge all openings and chords of a game by their risks.

    Parameters
    ----------
    transcript
        The game, finished or not.
    budget
        As for `infer`.
    progress
        Receives the number of moves that are judged, and of all moves.

    Examples
    --------
    >>> from mineproof import Board, Game, Rules
    >>> game = Game(Board.from_cells(1, 4, [(0, 0)]), Rules(start="any"))
    >>> game.open((0, 1))
    >>> game.open((0, 2))
    >>> for judged in review(Transcript.of(game)).judged:
    ...     print(judged)
    (0, 1): a forced guess at 25.0%, the lowest risk there was.
    (0, 2): needless risk of 50.0%; (0, 3) was certainly safe.
    """
    solver = Solver(budget=budget or Budget())
    judged: list[Judged] = []
    for number, (move, before) in enumerate(_positions(transcript)):
        if move.kind in ("open", "chord"):
            found = _judge(transcript, solver, number, move, before)
            judged += [] if found is None else [found]
        progress(number + 1, len(transcript.moves))
    return Review(tuple(judged))


def _positions(transcript: Transcript) -> Iterator[tuple[Move, Observation]]:
    """Yield every move with what could be seen before it."""
    seen = transcript.observation(0)
    for move in transcript.moves:
        yield move, seen
        cells = seen.cells.copy()
        if move.kind in ("flag", "unflag"):
            cells[move.cell] = CellCode.FLAGGED if move.kind == "flag" else CellCode.CLOSED
        for cell, code in move.shows:
            cells[cell] = code
        seen = replace(seen, cells=cells)


def _judge(
    transcript: Transcript, solver: Solver, number: int, move: Move, before: Observation
) -> Judged | None:
    hit = any(code == CellCode.EXPLODED for _, code in move.shows)
    is_open = (before.cells >= 0) | (before.cells == CellCode.NO_CLUE.value)
    untouched = not is_open.any() and not before.exploded
    if untouched and transcript.rules.start != "any" and not hit:
        return Judged(number, move.cell, move.by, "first", 0.0, 0.0, move.cell, hit)
    posterior = solver.infer(before)
    best = posterior.best
    opened = _opened_by(before, move)
    if best is None or not opened:
        return None
    risk = _risk(solver, posterior, opened)
    verdict: Verdict = (
        "certain" if risk == 0 else "forced" if risk <= best.risk + TIE else "needless"
    )
    return Judged(number, move.cell, move.by, verdict, risk, best.risk, best.cell, hit)


def _opened_by(before: Observation, move: Move) -> list[Cell]:
    if move.kind == "open":
        return [move.cell]
    openable = before.openable
    return [near for near in before.topology.neighbours(move.cell) if openable[near]]


def _risk(solver: Solver, posterior: Posterior, cells: list[Cell]) -> float:
    """Return the chance that at least one of some cells is a mine."""
    safe = 1.0
    for place, cell in enumerate(cells):
        risk = float(posterior.risk[cell])
        safe *= 1 - risk
        if risk == 1 or place == len(cells) - 1:
            break
        codes = np.array(posterior.observation.cells)
        codes[cell] = CellCode.KNOWN_SAFE
        posterior = solver.infer(replace(posterior.observation, cells=codes))
    return 1 - safe
