"""May I guess, and where? Certain moves, the least risky cells, dead cells and 50/50s."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, Unpack

import numpy as np
from numpy.typing import NDArray

from mineproof import _core
from mineproof.arguments import counted, named, percent
from mineproof.inference.posterior import TIE, Best, Posterior, Settings, exact_posterior
from mineproof.inference.words import flag_sentences
from mineproof.position.cells import CellCode, is_closed
from mineproof.position.model import NOTHING, Channel
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell
from mineproof.proofs.explain import imagine
from mineproof.search.guesses import Guess, weigh_guesses

__all__ = ["Advice", "advise", "dead_cells", "fifty_fifties"]

_MOST_NAMED: Final = 8
"""Up to this many dead cells are named one by one."""
_MOST_LISTED: Final = 20
"""Plain values list at most this many candidates."""
_SAMPLES: Final = 64
"""The layouts that are looked at before exact chances are computed."""


@dataclass(frozen=True, slots=True)
class Advice:
    r"""Whether to guess, and where.

    Parameters
    ----------
    safe
        The closed cells that are certainly safe. If there are any, no guess is needed.
    candidates
        The cells to guess at, the least risky first; empty if a cell is certainly safe.
    dead
        Uncertain cells whose clues would tell you nothing: see `dead_cells`.
    fifty_fifties
        Pairs of cells that nothing can tell apart: see `fifty_fifties`.
    guesses
        The most promising candidates with their chances to win, best first, if they were asked for.
    trusted
        The trusted flags that all of this rests on.
    wrong_flags
        The cells that have a flag and are certainly safe.

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
    guesses: tuple[Guess, ...] = ()
    trusted: tuple[Cell, ...] = ()
    wrong_flags: tuple[Cell, ...] = ()

    @property
    def may_guess(self) -> bool:
        """Whether no closed cell is certainly safe, but at least one may be."""
        return bool(self.candidates)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values: the sentences as ``text``, and at most 20 candidates."""
        paired = self._paired
        return {
            "may_guess": self.may_guess,
            # The guesses have fields of their own.
            "text": [line for line in str(self).splitlines() if not line.startswith(" ")],
            "safe": self.safe,
            "candidates": [best._asdict() for best in self.candidates[:_MOST_LISTED]],
            "choice": self.guesses[0].cell if self.guesses else None,
            "guesses": [
                {
                    **asdict(guess),
                    "dead": guess.cell in self.dead,
                    "fifty_fifty": guess.cell in paired,
                }
                for guess in self.guesses
            ],
            "dead": self.dead,
            "fifty_fifties": self.fifty_fifties,
        }

    @property
    def _paired(self) -> set[Cell]:
        return {cell for pair in self.fifty_fifties for cell in pair}

    def __str__(self) -> str:
        lines = [*self._choice(), *self._weighed()]
        for one, other in self.fifty_fifties:
            mine = "one of them is a mine, and no clue can tell which"
            lines.append(f"{one} and {other} are a 50/50: {mine}.")
        if self.dead:
            more = len(self.dead) - _MOST_NAMED
            cells = named([*self.dead[:_MOST_NAMED], *[counted(more, "other")] * (more > 0)])
            be = "is dead: its clue" if len(self.dead) == 1 else "are dead: their clues"
            lines.append(f"{cells} {be} would tell you nothing.")
        lines += flag_sentences(self.trusted, self.wrong_flags)
        return "\n".join(lines)

    def _weighed(self) -> list[str]:
        if not self.guesses:
            return []
        best, paired = self.guesses[0], self._paired
        if best.cell in paired:
            why = "this 50/50 has to be guessed sooner or later"
        elif not best.error:
            why = "no other cell wins more often"
        else:
            why = "it is likely to be safe and to leave a safe next move"
        notes = dict.fromkeys(self.dead, ", dead") | dict.fromkeys(paired, ", a 50/50")
        return [
            f"Open {best.cell}: {why}.",
            *(f"  {guess}{notes.get(guess.cell, '')}" for guess in self.guesses),
        ]

    def _choice(self) -> list[str]:
        if self.safe:
            more = len(self.safe) - 1
            be = "is" if more == 1 else "are"
            so = f", and so {be} {counted(more, 'other cell')}" if more else ""
            return [f"There is a certain move: {self.safe[0]} is safe{so}."]
        if not self.candidates:
            return ["There is nothing left to open."]
        best = self.candidates[0]
        equals = sum(guess.risk <= best.risk + TIE for guess in self.candidates)
        others = f" and {counted(equals - 1, 'other cell')} have" if equals > 1 else " has"
        lines = [
            "You may guess: no closed cell is certainly safe.",
            f"{best.cell}{others} the lowest risk, {percent(best.risk, digits=1)}.",
        ]
        if equals < len(self.candidates):
            second = self.candidates[equals]
            lines.append(f"The next lowest is {second.cell}, {percent(second.risk, digits=1)}.")
        return lines


def advise(
    position: Observation | Posterior, *, samples: int = 0, **settings: Unpack[Settings]
) -> Advice:
    r"""Say whether a guess is needed, and compare the guesses.

    Parameters
    ----------
    position, **settings
        As for `explain`.
    samples
        How many boards to draw to estimate chances to win. With 0, none are estimated.

    Examples
    --------
    >>> print(advise(Observation.from_text("6x1x2\n.1...1")))
    There is a certain move: (0, 3) is safe.
    (0, 0) and (0, 2) are dead: their clues would tell you nothing.
    """
    posterior = exact_posterior(position, **settings)
    return Advice(
        posterior.safe,
        () if posterior.safe else _candidates(posterior),
        dead_cells(posterior),
        fifty_fifties(posterior),
        weigh_guesses(posterior, samples=samples) if samples else (),
        posterior.trusted,
        posterior.wrong_flags,
    )


def _candidates(posterior: Posterior) -> tuple[Best, ...]:
    guesses = [Best(cell, float(posterior.risk[cell])) for cell in _uncertain_cells(posterior)]
    lowest = min((guess.risk for guess in guesses), default=0.0)
    # Risks closer than a tie to the lowest are equal, and of equal cells the first comes first.
    guesses.sort(key=lambda guess: (max(guess.risk, lowest + TIE), guess.cell))
    return tuple(guesses)


def _uncertain_cells(posterior: Posterior) -> list[Cell]:
    certain = {*posterior.safe, *posterior.mined}
    return [cell for cell in posterior.observation.closed_cells() if cell not in certain]


def dead_cells(posterior: Posterior) -> tuple[Cell, ...]:
    r"""Return the uncertain cells whose clues would tell you nothing.

    A cell is dead if it touches the same number of mines in every layout that fits and leaves it
    safe: opening it shows whether it is safe, and its clue says no more. Under a noisy channel the
    number may vary, as long as every clue is equally likely for each of the numbers.

    Parameters
    ----------
    posterior
        An exact posterior.

    Examples
    --------
    >>> from mineproof import infer
    >>> dead_cells(infer(Observation.from_text("3x1x1\n.1.")))
    ((0, 0), (0, 2))
    """
    may_be_dead = _may_be_dead(posterior)
    cells = [cell for cell in _uncertain_cells(posterior) if may_be_dead[cell]]
    return tuple(cell for cell in cells if _is_dead(posterior, cell))


def _may_be_dead(posterior: Posterior) -> NDArray[np.bool_]:
    """Look at a few layouts, which are enough to rule out most cells."""
    topology = posterior.observation.topology
    layouts = posterior.sample(_SAMPLES, seed=0).reshape(_SAMPLES, -1)
    counts = np.stack([_core.true_counts(topology.native, layout) for layout in layouts])
    kinds = _kinds_of_counts(posterior.channel)[topology.degrees.ravel(), counts]
    least = np.where(layouts, kinds.max() + 1, kinds).min(axis=0)
    most = np.where(layouts, -1, kinds).max(axis=0)
    may_be_dead: NDArray[np.bool_] = (least >= most).reshape(topology.shape)
    return may_be_dead


def _kinds_of_counts(channel: Channel) -> NDArray[np.int64]:
    """Give two counts of a degree the same number if they have the same chances of clues."""
    same = (channel.weights[:, :, None] == channel.weights[:, None]).all(axis=3)
    kinds: NDArray[np.int64] = same.argmax(axis=2)
    return kinds


def _is_dead(posterior: Posterior, cell: Cell) -> bool:
    degree = posterior.observation.topology.degrees[cell]
    counts = np.flatnonzero(posterior.count_chances(cell))
    rows = posterior.channel.weights[degree, counts]
    return bool((rows == rows[:1]).all())


def fifty_fifties(posterior: Posterior) -> tuple[tuple[Cell, Cell], ...]:
    r"""Return the pairs of cells of which exactly one is a mine and which nothing can tell apart.

    Every cell that shows a clue, or is closed and may come to show one, touches both cells or
    neither. So the two can be swapped in every layout without changing any clue, and their risks
    stay equal to the end of the game. Larger patterns that come down to one guess are not found.

    Parameters
    ----------
    posterior
        An exact posterior.

    Examples
    --------
    >>> from mineproof import infer
    >>> fifty_fifties(infer(Observation.from_text("3x2x1\n..?\n11?")))
    (((0, 0), (0, 1)),)
    """
    alike: dict[frozenset[Cell], list[Cell]] = {}
    for cell in _uncertain_cells(posterior):
        if abs(posterior.risk[cell] - 0.5) <= TIE:
            witnesses = _witnesses(posterior, cell)
            # Two cells that touch each other are alike if their other witnesses are the same.
            for around in (witnesses, witnesses | {cell}):
                alike.setdefault(around, []).append(cell)
    # Among three cells that are alike, no two are sure to hold exactly one mine.
    pairs = ((cells[0], cells[1]) for cells in alike.values() if len(cells) == 2)
    return tuple(sorted(pair for pair in pairs if _one_is_a_mine(posterior, *pair)))


def _one_is_a_mine(posterior: Posterior, one: Cell, other: Cell) -> bool:
    if_safe = imagine(posterior, one, CellCode.KNOWN_SAFE)
    return other in if_safe.mined and other in imagine(posterior, one, CellCode.EXPLODED).safe


def _witnesses(posterior: Posterior, cell: Cell) -> frozenset[Cell]:
    """Return the neighbours of a cell that show a clue or may come to show one."""
    seen = posterior.observation

    def may_show(near: Cell) -> bool:
        code = seen.code(near)
        if is_closed(code):
            return bool(posterior.risk[near] < 1)
        if code == CellCode.PENDING:
            return True
        if code == CellCode.NO_CLUE:
            degree = seen.topology.degrees[near]
            silent = posterior.channel.weights[degree, : degree + 1, NOTHING]
            return bool((silent != silent[0]).any())
        return code >= 0

    return frozenset(near for near in seen.topology.neighbours(cell) if may_show(near))
