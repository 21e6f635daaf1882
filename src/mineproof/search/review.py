"""A finished game, judged: the risk, the cost and the luck of each decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from math import prod
from typing import Any, Final, Literal, TypeAlias

import numpy as np

from mineproof.arguments import counted, percent
from mineproof.game.game import Outcome
from mineproof.game.move import Move
from mineproof.game.notation import Transcript
from mineproof.inference import Budget, Posterior, Solver
from mineproof.inference.posterior import TIE
from mineproof.position.cells import CellCode
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell
from mineproof.search.guesses import Chance, best_guess, chances_to_win

__all__ = ["Judged", "Review", "Verdict", "review"]

Verdict: TypeAlias = Literal["first", "certain", "forced", "needless"]
"""An opening is the first cell by rule, certain, a forced guess, or worse than it had to be."""

_WORDS: Final = {
    "first": "the first cell",
    "certain": "certainly safe",
    "forced": "a forced guess",
    "needless": "needless risk",
}

_POINT: Final = 0.5
"""Changes of winning chance by less than this many points are not mentioned."""
_USUAL_LUCK: Final = 0.25
"""If hits differ from the average by less than this, luck was neither good nor bad."""


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
        What to open instead: a certainly safe cell, else the champion's choice, or the first cell
        with the lowest risk if chances to win were not asked for.
    hit
        Whether it exploded a mine.
    before, chosen, after
        The chance to win before the move by playing well, by this move before its result is known,
        and after it. None if they were not asked for, or cannot be told.
    """

    move: int
    cell: Cell
    by: str
    verdict: Verdict
    risk: float
    lowest: float
    best: Cell
    hit: bool
    before: Chance | None = None
    chosen: Chance | None = None
    after: Chance | None = None

    @property
    def needless(self) -> float:
        """The risk beyond the lowest one, unless the move was as good as any."""
        return max(self.risk - self.lowest, 0.0) if self.verdict == "needless" else 0.0

    @property
    def cost(self) -> float:
        """The chance to win that the choice gave away, regardless of its result."""
        if self.before is None or self.chosen is None or self.verdict != "needless":
            return 0.0
        return max(self.before.win - self.chosen.win, 0.0)

    @property
    def luck(self) -> float:
        """The change of the chance to win by the result."""
        if self.after is None or self.chosen is None:
            return 0.0
        return self.after.win - self.chosen.win

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with the sentence about it as ``text``."""
        chances = {name: getattr(self, name) for name in ("before", "chosen", "after")}
        return {
            **asdict(self),
            **{name: chance and chance.to_dict() for name, chance in chances.items()},
            "needless": self.needless,
            "cost": self.cost,
            "luck": self.luck,
            "text": str(self),
        }

    def __str__(self) -> str:
        text = f"{self.cell}: {_WORDS[self.verdict]}"
        if self.verdict == "forced":
            lower = self.risk <= self.lowest + TIE
            why = "the lowest risk there was" if lower else "which wins as often as any"
            text += f" at {percent(self.risk, digits=1)}, {why}"
        elif self.verdict == "needless" and self.lowest > 0 and self.chosen is not None:
            risk = percent(self.risk, digits=1)
            text = f"{self.cell}: a weak guess at {risk}: it wins {self.chosen}"
            text += f", and {self.best} {self.before}"
        elif self.verdict == "needless":
            shown = "100%" if self.risk == 1 else percent(self.risk, digits=1)
            lowest = percent(self.lowest, digits=1)
            better = "was certainly safe" if self.lowest == 0 else f"had {lowest}"
            text += f" of {shown}; {self.best} {better}"
        return text + ("; it was a mine." if self.hit else ".")


@dataclass(frozen=True, slots=True)
class Review:
    """All openings of a game, judged."""

    judged: tuple[Judged, ...]

    @property
    def by_champion(self) -> bool:
        """Whether the judge is the champion's chance to win, and not the lowest risk."""
        return any(one.chosen is not None for one in self.judged)

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

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with the sentences of the summary as ``text``."""
        return {
            "judged": [one.to_dict() for one in self.judged],
            "by_champion": self.by_champion,
            "text": str(self).splitlines(),
            "survival": self.survival,
            "best_survival": self.best_survival,
            "expected_hits": self.expected_hits,
            "hits": self.hits,
        }

    def __str__(self) -> str:
        if not self.judged:
            return "Nothing was opened."
        forced, needless = self.count("forced"), self.count("needless")
        certain = self.count("certain") + self.count("first")
        parts = [
            f"{counted(len(self.judged), 'opening')}: {certain} certain, {forced} forced "
            f"{'guess' if forced == 1 else 'guesses'}, {needless} "
            + ("needless or weak." if self.by_champion else "with needless risk.")
        ]
        if (forced or needless) and not self.by_champion:
            best, own = (
                f"{chance:.0%}" if chance in (0, 1) else percent(chance, digits=1)
                for chance in (self.best_survival, self.survival)
            )
            parts.append(
                f"With the lowest risk each time, {best} of such games get through; "
                f"with these choices, {own}."
            )
        worst = max(self.judged, key=lambda one: (one.cost, one.needless))
        if worst.verdict == "needless":
            parts.append(f"The costliest choice: {worst}")
        parts.append(self._skill_and_luck() if self.by_champion else self._luck())
        return "\n".join(parts)

    def _skill_and_luck(self) -> str:
        cost = 100 * sum(one.cost for one in self.judged)
        luck = 100 * sum(one.luck for one in self.judged)
        gave = f"{cost:.0f}" if cost > _POINT else "nothing"
        did = f"{'added' if luck > 0 else 'took'} {abs(luck):.0f}"
        if abs(luck) < _POINT:
            did = "did little"
        return f"Of 100 points of winning chance, the choices gave away {gave}; luck {did}."

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
    samples: int = 0,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Review:
    r"""Judge all openings and chords of a game by the champion's chance to win, or by their risks.

    A guess is forced if the champion's choice does not win more often. If chances are estimated, a
    certainly safe cell is always better, and another guess if it wins more often by more than twice
    the standard error.

    Parameters
    ----------
    transcript
        The game, finished or not.
    budget
        As for `infer`.
    samples
        How many boards to draw to estimate a chance to win, where it cannot be computed; half as
        many before certain moves. With 0, or in a game that goes on after a mine, the judge is the
        lowest risk.
    progress
        Receives the number of moves that are judged, and of all moves.

    Examples
    --------
    >>> from mineproof import Board, Game, Rules
    >>> game = Game.on(Board.from_cells(1, 4, [(0, 0)]), Rules(start="any"))
    >>> game.open((0, 1))
    >>> game.open((0, 2))
    >>> for judged in review(Transcript.of(game)).judged:
    ...     print(judged)
    (0, 1): a forced guess at 25.0%, the lowest risk there was.
    (0, 2): needless risk of 50.0%; (0, 3) was certainly safe.
    """
    solver = Solver(budget=budget or Budget())
    samples = samples if transcript.rules.on_mine == "end" else 0
    seen = transcript.observations()
    judged: list[Judged] = []
    # There is one position more than moves: the last one is judged at the end.
    for number, (move, before) in enumerate(zip(transcript.moves, seen, strict=False)):
        if move.kind in ("open", "chord"):
            found = _judge(transcript, solver, number, move, before, samples)
            judged += [] if found is None else [found]
        progress(number + 1, len(transcript.moves))
    if samples and judged:
        afters = [*(one.before for one in judged[1:]), _at_the_end(transcript, solver, samples)]
        judged = [replace(one, after=after) for one, after in zip(judged, afters, strict=True)]
    return Review(tuple(judged))


def _at_the_end(transcript: Transcript, solver: Solver, samples: int) -> Chance | None:
    if transcript.outcome in (Outcome.WON, Outcome.LOST):
        return Chance(float(transcript.outcome is Outcome.WON), 0.0)
    posterior = solver.infer(transcript.observation())
    return chances_to_win(posterior, samples=samples)[0] if posterior.exact else None


def _judge(
    transcript: Transcript,
    solver: Solver,
    number: int,
    move: Move,
    before: Observation,
    samples: int,
) -> Judged | None:
    hit = any(code == CellCode.EXPLODED for _, code in move.shows)
    untouched = not before.opened.any() and not before.exploded
    if untouched and transcript.rules.start != "any" and not hit:
        return Judged(number, move.cell, move.by, "first", 0.0, 0.0, move.cell, hit)
    posterior = solver.infer(before)
    lowest = posterior.best
    opened = _opened_by(before, move)
    if lowest is None or not opened:
        return None
    risk = _risk(solver, posterior, opened)
    best: Cell = lowest.cell
    chance: Chance | None = None
    chosen: Chance | None = None
    if samples and posterior.exact:
        best, chance, chosen = _weighed(posterior, best, opened if risk else [], samples)
    verdict = _verdict(risk, lowest.risk, chance, chosen)
    return Judged(number, move.cell, move.by, verdict, risk, lowest.risk, best, hit, chance, chosen)


def _weighed(
    posterior: Posterior, safest: Cell, opened: list[Cell], samples: int
) -> tuple[Cell, Chance, Chance]:
    """Return the best cell, the chance to win with it, and the chance with the opened cells."""
    best = safest if posterior.safe else best_guess(posterior) or safest
    if not opened or opened == [best]:
        # A certain move costs nothing, and most moves are certain.
        enough = samples if opened else (samples + 1) // 2
        (chance,) = chances_to_win(posterior, [opened], samples=enough)
        return best, chance, chance
    instead = [] if posterior.safe else [best]
    own, other = chances_to_win(posterior, [opened, instead], samples=samples)
    return best, (other if other.win >= own.win else own), own


def _verdict(risk: float, lowest: float, before: Chance | None, chosen: Chance | None) -> Verdict:
    if risk == 0:
        return "certain"
    if before is None or chosen is None or (lowest == 0 and chosen.error):
        return "forced" if risk <= lowest + TIE else "needless"
    worse = before.win - chosen.win > max(2 * before.error, 2 * chosen.error, TIE)
    return "needless" if worse else "forced"


def _opened_by(before: Observation, move: Move) -> list[Cell]:
    if move.kind == "open":
        return [move.cell]
    openable = before.openable
    return [near for near in before.topology.neighbours(move.cell) if openable[near]]


def _risk(solver: Solver, posterior: Posterior, cells: list[Cell]) -> float:
    """Return the chance that at least one of the cells is a mine."""
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
