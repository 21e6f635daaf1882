"""What makes a position promising: the weights of the champion's look-ahead, fitted to games.

Run `python -m benchmarks.outlook --games 100000`. In each expert game, the champion plays up to a
guess, which is then made at random among the cells that are nearly as good as the best one. The
champion plays on. Whether it wins is regressed on what the look-ahead sees after the guess, within
positions. Because the guesses are random, nothing else about a position can mislead the result.
"""

from __future__ import annotations

import argparse
from typing import Final

import numpy as np

from mineproof import Game, agents, infer
from mineproof.arena.play import carry_out
from mineproof.inference.posterior import Posterior, core_of
from mineproof.random import Random
from mineproof.search.strength import Strength

NEARLY: Final = 0.93
"""The least value of a random guess, relative to the best."""
FEATURES: Final = {
    "safety of the safest cell": Strength(second=0.0, certainty=0.0, candidates=20),
    "safety of the second safest cell": Strength(second=1.0, certainty=0.0, candidates=20),
    "logarithm of 1 + number of safe cells": Strength(second=0.0, certainty=1.0, candidates=20),
}
"""Settings whose value of a guess is a feature; that of the last includes the first."""


def candidates(posterior: Posterior) -> dict[int, list[float]]:
    """Return the features of the cells that are nearly as good as the best one.

    They are means over the clues that the cell may show, if it is safe.
    """
    core = core_of(posterior)
    found = [
        {place: value / (1 - risk) for place, risk, value, _ in strength.guesses(core)}
        for strength in FEATURES.values()
    ]
    first, second, both = found
    cells = {
        place: [first[place], second[place], both[place] - first[place]]
        for place in first.keys() & second.keys() & both.keys()
    }
    topology = posterior.observation.topology
    survival = {
        place: features[0] * (1 - float(posterior.risk[topology.cell(place)]))
        for place, features in cells.items()
    }
    least = NEARLY * max(survival.values(), default=0.0)
    return {place: cells[place] for place in sorted(cells) if survival[place] >= least}


def experiment(seed: int) -> tuple[list[float], float] | None:
    """Make one random guess; return its features against the mean of all, and whether it won.

    None if there was no choice, or if the cell was a mine, which the exact risk accounts for.
    """
    game = Game.level("expert", seed=seed)
    game.lay_mines()
    assert game.first is not None
    game.open(game.first)
    champion = agents.get("champion")
    champion.begin(seed)
    chance = Random(seed)
    guesses = chance.below(8)
    while game.outcome is None:
        seen = game.observe()
        posterior = infer(seen)
        if not posterior.safe:
            if guesses == 0:
                cells = candidates(posterior)
                if len(cells) < 2:
                    return None
                place = list(cells)[chance.below(len(cells))]
                game.open(game.topology.cell(place))
                if game.hits:
                    return None
                if game.outcome is None:
                    native = champion.native()
                    assert native is not None
                    game.play_out(native, total=True, channel=True, seed=seed)
                mean = np.mean(list(cells.values()), axis=0)
                return [a - b for a, b in zip(cells[place], mean, strict=True)], float(game.won)
            guesses -= 1
        decision = champion.decide(seen)
        assert decision is not None
        carry_out(game, decision, seen)
    return None


def main() -> None:
    """Play and print the coefficients: relative changes of the chance to win."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000, help="how many games to play")
    results = [found for n in range(parser.parse_args().games) if (found := experiment(n))]
    features = np.array([features for features, _ in results])
    won = np.array([won for _, won in results])
    gain = won / won.mean() - 1
    inverse = np.linalg.inv(features.T @ features)
    fitted = inverse @ features.T @ gain
    left = (gain - features @ fitted)[:, None] * features
    error = np.sqrt(np.diag(inverse @ (left.T @ left) @ inverse))
    print(f"{len(results):,} random guesses")
    for name, value, about in zip(FEATURES, fitted, error, strict=True):
        print(f"{name}: {value:.3f} ± {about:.3f}")
    print(f"second = {fitted[1] / (fitted[0] + fitted[1]):.2f}", end=", ")
    print(f"certainty = {fitted[2] / (fitted[0] + fitted[1]):.3f}")


if __name__ == "__main__":
    main()
