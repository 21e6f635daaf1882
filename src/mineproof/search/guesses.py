"""How good each guess is: its risk, its chance to win and its chance of progress."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import numpy as np

from mineproof import _core
from mineproof.arguments import percent
from mineproof.game.board import Board
from mineproof.game.game import Game
from mineproof.inference.posterior import Posterior, core_of
from mineproof.position.cells import CellCode
from mineproof.position.model import NOTHING
from mineproof.position.rules import Rules
from mineproof.position.topology import Cell
from mineproof.proofs.explain import imagine
from mineproof.search.strength import STRENGTHS

__all__ = ["Chance", "Guess", "best_guess", "chances_to_win", "weigh_guesses"]

_STRENGTH: Final = STRENGTHS[""]
_PLAYER: Final = STRENGTHS["1"]
"""Plays the rest of a game to estimate the chance to win."""
_MOST: Final = 8
"""At most this many guesses are weighed."""


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance to win, exact or estimated.

    Parameters
    ----------
    win
        The chance.
    error
        Its standard error; 0 if it is exact.

    Examples
    --------
    >>> print(Chance(0.5, 0.0), Chance(0.413, 0.02), sep=", ")
    50.0%, about 41.3% ± 4.0
    """

    win: float
    error: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, with the chance in words as ``text``."""
        return {**asdict(self), "text": str(self)}

    def __str__(self) -> str:
        if self.error:
            return f"about {self.win:.1%} ± {200 * self.error:.1f}"
        return f"{self.win:.0%}" if self.win in (0, 1) else percent(self.win, digits=1)


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
    r"""Return the most promising guesses, best first.

    There are none if a cell is certainly safe, or if cells show no clue where clues are never lost:
    such a position can be judged, but not played.

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
    >>> from mineproof import Observation, infer
    >>> seen = Observation.from_text("3x3x2\n...\n.2.\n...")
    >>> print(*weigh_guesses(infer(seen), samples=100)[:2], sep="\n")
    (0, 0): risk 25.0%, wins 60.7%, progress 39.3%
    (0, 2): risk 25.0%, wins 60.7%, progress 39.3%
    """
    if posterior.safe:
        return ()
    topology = posterior.observation.topology
    ranked = _STRENGTH.guesses(core_of(posterior))
    found = {topology.cell(place): (risk, progress) for place, risk, _, progress in ranked}
    best = best_guess(posterior)
    if best is not None and best not in found:
        found[best] = float(posterior.risk[best]), _progress(posterior, best)
    exact = _optimum(posterior) is not None
    if not exact and not _can_be_played(posterior):
        return ()
    cells = list(found) if exact else list(found)[:_MOST]
    chances = chances_to_win(posterior, [(cell,) for cell in cells], samples=samples)
    guesses = [
        Guess(cell, found[cell][0], chance.win, chance.error, found[cell][1])
        for cell, chance in zip(cells, chances, strict=True)
    ]
    if exact:
        guesses.sort(key=lambda guess: -guess.win)
    return tuple(guesses[:_MOST])


def best_guess(posterior: Posterior) -> Cell | None:
    r"""Return the cell that the champion opens if none is certainly safe; None if there is none.

    Examples
    --------
    >>> from mineproof import Observation, infer
    >>> best_guess(infer(Observation.from_text("3x3x2\n...\n.2.\n...")))
    (0, 1)
    """
    solved = _optimum(posterior)
    if solved is not None and solved[1] is not None:
        return posterior.observation.topology.cell(solved[1])
    ranked = _STRENGTH.guesses(core_of(posterior))
    return posterior.observation.topology.cell(ranked[0][0]) if ranked else None


def chances_to_win(
    posterior: Posterior, moves: Sequence[Sequence[Cell]] = ((),), *, samples: int
) -> tuple[Chance, ...]:
    r"""Return the chance to win by each move, if the game is played well after it.

    If few layouts are left, they are those of optimal play. Otherwise boards are drawn from the
    posterior, the same ones for each move, and a fast champion plays them to the end.

    Parameters
    ----------
    posterior
        An exact posterior.
    moves
        The cells that each move opens. A move without cells leaves the choice to the champion.
    samples
        How many boards to draw.

    Raises
    ------
    ValueError
        If cells show no clue where clues are never lost, and too many layouts are left.

    Examples
    --------
    >>> from mineproof import Observation, infer
    >>> found = infer(Observation.from_text("3x2x1\n..?\n11?"))
    >>> print(*chances_to_win(found, [(), [(0, 0)]], samples=100))
    50.0% 50.0%
    """
    solved = _optimum(posterior)
    if solved is not None:
        return tuple(
            Chance(_exact_win(posterior, move) if move else solved[0], 0.0) for move in moves
        )
    if not _can_be_played(posterior):
        raise ValueError("cells show no clue, but this channel loses none")
    return tuple(
        Chance(win, math.sqrt(max(win * (1 - win), 0.25 / samples) / samples))
        for win in _play(posterior, moves, samples)
    )


def _can_be_played(posterior: Posterior) -> bool:
    silent = np.argwhere(posterior.observation.cells == CellCode.NO_CLUE.value)
    degrees = posterior.observation.topology.degrees
    return all(posterior.channel.weights[degrees[*cell], :, NOTHING].any() for cell in silent)


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


def _exact_win(posterior: Posterior, cells: Sequence[Cell]) -> float:
    """Return the chance to win by optimal play after opening cells one after another."""
    if not cells:
        solved = _optimum(posterior)
        return 0.0 if solved is None else solved[0]
    cell, *others = cells
    return sum(
        float(chance) * _exact_win(imagine(posterior, cell, clue), others)
        for clue, chance in enumerate(posterior.count_chances(cell))
        if chance > 0
    )


def _progress(posterior: Posterior, cell: Cell) -> float:
    chances = enumerate(posterior.count_chances(cell))
    return float(sum(c for clue, c in chances if c > 0 and imagine(posterior, cell, clue).safe))


def _play(posterior: Posterior, moves: Sequence[Sequence[Cell]], samples: int) -> list[float]:
    """Return the share of sampled boards that are won by each move."""
    seen = posterior.observation
    bare = seen.without(flags=seen.flagged_cells())
    rules = replace(seen.rules or Rules(), start="any", on_mine="end")
    player = _PLAYER.player()
    told = posterior.prior.kind == "total"
    wins = [0] * len(moves)
    for seed, layout in enumerate(posterior.sample(samples, seed=0)):
        board = Board(seen.topology, layout)
        for number, move in enumerate(moves):
            if any(layout[cell] for cell in move):
                continue
            game = Game.on(board, rules, channel=posterior.channel, seed=seed, position=bare)
            for cell in move:
                if game.outcome is None and game.observation.openable[cell]:
                    game.open(cell)
            if game.outcome is None:
                game.play_out(player, total=told, channel=True, seed=seed)
            wins[number] += game.won
    return [won / samples for won in wins]
