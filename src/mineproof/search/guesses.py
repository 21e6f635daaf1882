"""How good each guess is: its risk, its chance to win, and what it may tell."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from mineproof import _core
from mineproof.arguments import percent
from mineproof.game.board import Board
from mineproof.game.game import Game
from mineproof.inference.posterior import Posterior, core_of, infer
from mineproof.position.cells import CellCode
from mineproof.position.observation import Observation
from mineproof.position.rules import Rules
from mineproof.position.topology import Cell
from mineproof.search.strength import STRENGTHS

__all__ = ["Guess", "weigh_guesses"]

_STRENGTH: Final = STRENGTHS[""]
_PLAYER: Final = STRENGTHS["1"]
"""Plays the rest of a game to estimate the chance to win."""
_MOST: Final = 8
"""As many guesses are weighed."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A cell to guess at.

    Parameters
    ----------
    cell, risk
        The cell and the chance that it is a mine.
    win
        The chance to win the game by opening it and playing well after that.
    error
        The standard error of ``win``; 0 if it is exact, because optimal play was computed.
    progress
        The chance that it is safe and its clue makes another cell certainly safe.
    """

    cell: Cell
    risk: float
    win: float
    error: float
    progress: float

    def __str__(self) -> str:
        about = f" ± {200 * self.error:.1f}" if self.error else ""
        return (
            f"{self.cell}: risk {percent(self.risk, digits=1)}, "
            f"wins {100 * self.win:.1f}%{about}, progress {100 * self.progress:.1f}%"
        )


def weigh_guesses(posterior: Posterior, *, samples: int) -> tuple[Guess, ...]:
    r"""Return the most promising guesses, best first; none if a cell is certainly safe.

    The best one is that of the champion. If few layouts are left, chances to win are those of
    optimal play. Otherwise boards are drawn from the posterior, the same ones for each guess, and
    a fast champion plays them to the end.

    Parameters
    ----------
    posterior
        An exact posterior.
    samples
        How many boards to draw.

    Examples
    --------
    >>> seen = Observation.from_text("3x3x2\n...\n.2.\n...")
    >>> print(*weigh_guesses(infer(seen), samples=100)[:2], sep="\n")
    (0, 0): risk 25.0%, wins 60.7%, progress 39.3%
    (0, 2): risk 25.0%, wins 60.7%, progress 39.3%
    """
    if posterior.safe:
        return ()
    found = _core.guesses(
        core_of(posterior), _STRENGTH.candidates, _STRENGTH.inside, _STRENGTH.least_safety
    )
    topology = posterior.observation.topology
    solved = _optimum(posterior)
    if solved is not None:
        best = solved[1]
        places = [place for place, *_ in found]
        if best is not None and best not in places:
            risk = float(posterior.risk[topology.cell(best)])
            found.append((best, risk, 0.0, _progress(posterior, topology.cell(best))))
        guesses = [
            Guess(cell := topology.cell(place), risk, _exact_win(posterior, cell), 0.0, progress)
            for place, risk, _, progress in found
        ]
        guesses.sort(key=lambda guess: -guess.win)
        return tuple(guesses[:_MOST])
    wins = _play(posterior, [topology.cell(place) for place, *_ in found[:_MOST]], samples)
    return tuple(
        Guess(cell, risk, win, math.sqrt(max(win * (1 - win), 0.25 / samples) / samples), progress)
        for (cell, win), (_, risk, _, progress) in zip(wins.items(), found, strict=False)
    )


def _optimum(posterior: Posterior) -> tuple[float, int | None] | None:
    """Return the chance to win by optimal play, and a best cell; None if it is not known."""
    exact = posterior.channel.is_exact and posterior.prior.kind == "total"
    if not exact or posterior.observation.pending_cells():
        return None
    endings, complete = _core.endings(
        core_of(posterior), _STRENGTH.ending_layouts, _STRENGTH.ending_work
    )
    if not complete:
        return None
    win = math.prod(won / layouts for _, layouts, won, _ in endings)
    return win, endings[0][3] if endings else None


def _after(posterior: Posterior, cell: Cell, clue: int) -> Posterior:
    cells = posterior.observation.cells.copy()
    cells[cell] = clue
    seen = replace(posterior.observation, cells=cells)
    return infer(seen, posterior.prior, posterior.channel, flags=posterior.flags)


def _exact_win(posterior: Posterior, cell: Cell) -> float:
    win = 0.0
    for clue, chance in enumerate(posterior.count_chances(cell)):
        if chance > 0:
            after = _optimum(_after(posterior, cell, clue))
            win += chance * (after[0] if after is not None else 0.0)
    return win


def _progress(posterior: Posterior, cell: Cell) -> float:
    chances = enumerate(posterior.count_chances(cell))
    return float(sum(c for clue, c in chances if c > 0 and _after(posterior, cell, clue).safe))


def _play(posterior: Posterior, cells: list[Cell], samples: int) -> dict[Cell, float]:
    """Return the share of sampled boards that are won by opening each cell."""
    seen = posterior.observation
    rules = replace(seen.rules or Rules(), start="any", on_mine="end")
    player = _PLAYER.player()
    told = posterior.prior.kind == "total"
    wins = dict.fromkeys(cells, 0)
    for seed, layout in enumerate(posterior.sample(samples, seed=0)):
        board = Board(seen.topology, layout)
        for cell in cells:
            if layout[cell]:
                continue
            game = Game(board, rules, channel=posterior.channel, seed=seed, position=_bare(seen))
            game.open(cell)
            if game.outcome is None:
                game.play_out(player, total=told, channel=True, seed=seed)
            wins[cell] += game.won
    return {cell: won / samples for cell, won in wins.items()}


def _bare(seen: Observation) -> Observation:
    """Return what is seen without flags, which may be wrong."""
    cells = seen.cells.copy()
    cells[cells == CellCode.FLAGGED.value] = CellCode.CLOSED
    return replace(seen, cells=cells)
