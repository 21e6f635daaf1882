"""Whether a guess is needed, and what is worth knowing before one is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mineproof.arguments import counted, percent
from mineproof.inference.posterior import TIE, Best, Posterior, infer
from mineproof.position.model import NOTHING
from mineproof.position.observation import CellCode, Observation, is_closed
from mineproof.position.topology import Cell
from mineproof.proofs.words import named

__all__ = ["Advice", "advise", "dead_cells", "fifty_fifties"]

_NAMED: Final = 8
_SAMPLES: Final = 64
"""So many layouts are looked at before any chances are counted."""


@dataclass(frozen=True, slots=True)
class Advice:
    r"""Whether to guess, and where.

    Parameters
    ----------
    safe
        The closed cells that are certainly safe. Where there are any, no guess is needed.
    candidates
        Where there are none, the cells that may be safe, the least risky first.
    dead
        Uncertain cells whose clue would tell nothing: see `dead_cells`.
    fifty_fifties
        Pairs of cells that nothing can tell apart: see `fifty_fifties`.

    Examples
    --------
    >>> advice = advise(Observation.from_text("3x2x1\n..?\n11?"))
    >>> advice.may_guess, advice.candidates[0], advice.fifty_fifties
    (True, Best(cell=(0, 0), risk=0.5), (((0, 0), (0, 1)),))
    """

    safe: tuple[Cell, ...]
    candidates: tuple[Best, ...]
    dead: tuple[Cell, ...]
    fifty_fifties: tuple[tuple[Cell, Cell], ...]

    @property
    def may_guess(self) -> bool:
        """Whether no closed cell is certainly safe, and some may be."""
        return bool(self.candidates)

    def __str__(self) -> str:
        return "\n".join([*self._choice(), *self._worth_knowing()])

    def _choice(self) -> list[str]:
        if self.safe:
            more = len(self.safe) - 1
            beside = f", and {counted(more, 'other cell')}" if more else ""
            return [f"There is a certain move: {self.safe[0]} is safe{beside}."]
        if not self.candidates:
            return ["There is nothing left to open."]
        best = self.candidates[0]
        equals = sum(guess.risk <= best.risk + TIE for guess in self.candidates)
        same = f", like {counted(equals - 1, 'other cell')}" if equals > 1 else ""
        lines = [
            "You may guess: no closed cell is certainly safe.",
            f"{best.cell} has the lowest risk, {percent(best.risk, digits=1)}{same}.",
        ]
        if equals < len(self.candidates):
            second = self.candidates[equals]
            lines += [f"Next comes {second.cell} with {percent(second.risk, digits=1)}."]
        return lines

    def _worth_knowing(self) -> list[str]:
        lines = [
            f"{one} and {other} are a 50/50: one of them is a mine, and no clue can tell which."
            for one, other in self.fifty_fifties
        ]
        if self.dead:
            be = "is dead: its clue" if len(self.dead) == 1 else "are dead: their clues"
            lines += [f"{_first_few(self.dead)} {be} would tell nothing."]
        return lines


def _first_few(cells: Sequence[Cell]) -> str:
    more = len(cells) - _NAMED
    return named([*cells[:_NAMED], counted(more, "other")] if more > 0 else cells)


def advise(observation: Observation, **settings: Any) -> Advice:
    r"""Say whether a guess is needed, and what is worth knowing before one is made.

    Parameters
    ----------
    observation, **settings
        As for `explain`.

    Examples
    --------
    >>> print(advise(Observation.from_text("6x1x2\n.1...1")))
    There is a certain move: (0, 3) is safe.
    (0, 0) and (0, 2) are dead: their clues would tell nothing.
    """
    posterior = infer(observation, **settings, require_exact=True)
    return Advice(
        posterior.safe,
        () if posterior.safe else _candidates(posterior),
        dead_cells(posterior),
        fifty_fifties(posterior, partial(infer, **settings)),
    )


def _candidates(posterior: Posterior) -> tuple[Best, ...]:
    guesses = [Best(cell, float(posterior.risk[cell])) for cell in _uncertain_cells(posterior)]
    lowest = min((guess.risk for guess in guesses), default=0.0)
    # Risks that differ by less than a tie are equal, and the first of equal cells comes first.
    guesses.sort(key=lambda guess: (max(guess.risk, lowest + TIE), guess.cell))
    return tuple(guesses)


def _uncertain_cells(posterior: Posterior) -> list[Cell]:
    certain = {*posterior.safe, *posterior.mined}
    return [cell for cell in posterior.observation.closed_cells() if cell not in certain]


# ------------------------------------------------------------------------------------- dead cells


def dead_cells(posterior: Posterior) -> tuple[Cell, ...]:
    r"""Return the uncertain cells whose clue would tell nothing.

    That is so where the cell touches the same number of mines in every layout that fits and leaves
    it safe: to open it tells whether it is safe, and its clue tells no more. Under a noisy channel
    the number may differ, as long as no clue is likelier for one number than for another.

    Parameters
    ----------
    posterior
        An exact posterior.

    Examples
    --------
    >>> dead_cells(infer(Observation.from_text("3x1x1\n.1.")))
    ((0, 0), (0, 2))
    """
    layouts = posterior.sample(_SAMPLES, seed=0).reshape(_SAMPLES, -1)
    return tuple(cell for cell in _uncertain_cells(posterior) if _is_dead(posterior, layouts, cell))


def _is_dead(posterior: Posterior, layouts: NDArray[np.bool_], cell: Cell) -> bool:
    topology = posterior.observation.topology
    place = topology.index(cell)
    around = topology.native.neighbours(place)

    def tells_nothing(counts: NDArray[np.int64]) -> bool:
        rows = posterior.channel.weights[len(around), counts]
        return bool((rows == rows[:1]).all())

    safe = layouts[~layouts[:, place]]
    # Most cells show different clues in a few layouts, and need no more than that.
    return tells_nothing(safe[:, around].sum(axis=1)) and tells_nothing(
        np.flatnonzero(posterior.count_chances(cell))
    )


# --------------------------------------------------------------------------------------- 50/50s


def fifty_fifties(
    posterior: Posterior, ask: Callable[[Observation], Posterior]
) -> tuple[tuple[Cell, Cell], ...]:
    r"""Return the pairs of cells of which one is a mine, and which nothing can tell apart.

    In every layout that fits, exactly one of the two is a mine. And whatever cell shows a clue, or
    is closed and may come to show one, touches both or neither: so the two can be swapped in every
    layout, no clue will ever be the wiser, and their risks are equal to the end of the game. Larger
    patterns that come down to one guess are not looked for.

    Parameters
    ----------
    posterior
        An exact posterior.
    ask
        Infers in the same way from another observation.

    Examples
    --------
    >>> seen = Observation.from_text("3x2x1\n..?\n11?")
    >>> fifty_fifties(infer(seen), infer)
    (((0, 0), (0, 1)),)
    """
    alike: dict[frozenset[Cell], list[Cell]] = {}
    for cell in _uncertain_cells(posterior):
        if abs(posterior.risk[cell] - 0.5) <= TIE:
            # Cells that touch each other are alike if each sees the other and else the same.
            for around in (_witnesses(posterior, cell), _witnesses(posterior, cell) | {cell}):
                alike.setdefault(around, []).append(cell)
    # Of three cells alike, no two can be sure to hold one mine.
    pairs = ((cells[0], cells[1]) for cells in alike.values() if len(cells) == 2)
    return tuple(sorted(pair for pair in pairs if _one_is_a_mine(posterior, *pair, ask)))


def _one_is_a_mine(
    posterior: Posterior, one: Cell, other: Cell, ask: Callable[[Observation], Posterior]
) -> bool:
    seen = posterior.observation
    if_safe, if_mined = (
        ask(_with_code(seen, one, code)) for code in (CellCode.KNOWN_SAFE, CellCode.EXPLODED)
    )
    return other in if_safe.mined and other in if_mined.safe


def _with_code(observation: Observation, cell: Cell, code: int) -> Observation:
    cells = observation.cells.copy()
    cells[cell] = code
    return replace(observation, cells=cells)


def _witnesses(posterior: Posterior, cell: Cell) -> frozenset[Cell]:
    """Return the cells around one that show a clue, or may come to show one."""
    seen = posterior.observation
    return frozenset(near for near in seen.topology.neighbours(cell) if _may_speak(posterior, near))


def _may_speak(posterior: Posterior, cell: Cell) -> bool:
    code = posterior.observation.code(cell)
    if is_closed(code):
        return bool(posterior.risk[cell] < 1)
    if code == CellCode.NO_CLUE:
        degree = posterior.observation.topology.degrees[cell]
        silent = posterior.channel.weights[degree, : degree + 1, NOTHING]
        return bool((silent != silent[0]).any())
    return code >= 0
