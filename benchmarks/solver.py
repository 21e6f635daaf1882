"""A `Solver` that remembers, against `infer` that does not, along whole expert games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.positions import witnessed
from benchmarks.report import Report, Track, every
from benchmarks.timing import side_by_side
from mineproof import Game, Observation, Posterior, Solver, infer

GAMES = 100


def risks(
    ask: Callable[[Observation], Posterior], game: Sequence[Observation]
) -> list[NDArray[np.float64]]:
    """Return the risks of every position of a game."""
    return [ask(seen).risk for seen in game]


def remembering(game: Sequence[Observation]) -> list[NDArray[np.float64]]:
    """Return the same by a solver that begins with this game."""
    return risks(Solver().infer, game)


def run(track: Track, quick: bool = False) -> Report:
    """Ask both about every move of the same games."""
    seconds, same = [], []
    for seed in track(range(3 if quick else GAMES), "solver"):
        game = witnessed(Game.level("expert", seed=seed))
        ours, theirs = side_by_side(
            partial(remembering, game), partial(risks, infer, game), turns=2, calls=2
        )
        seconds.append((ours.warm, theirs.warm))
        pairs = zip(ours.result, theirs.result, strict=True)
        same += [one.tobytes() == other.tobytes() for one, other in pairs]
    remembered, plain = np.sum(seconds, axis=0).tolist()
    moves = len(same)
    return Report(
        f"solver: {len(seconds)} expert games, {moves:,} moves",
        ("microseconds a move", "infer", "Solver", "ratio"),
        (("expert", 1e6 * plain / moves, 1e6 * remembered / moves, plain / remembered),),
        (every("moves with the same risks, bit for bit", same),),
    )
