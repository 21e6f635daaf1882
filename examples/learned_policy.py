"""Train a small masked policy with NumPy, then compare it with `exact`, in one command:

    python examples/learned_policy.py

The policy sees the 5x5 cells around a closed cell and predicts the chance of a mine there. It
learns from its own openings, in many games at once, and opens the cell of the lowest predicted
chance. The file is also a third-party agent:

    mineproof watch --agent examples/learned_policy.py:Learned
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mineproof import Agent, Decision, Observation
from mineproof.cli import main as mineproof

WEIGHTS = Path(__file__).with_suffix(".npz")
REACH = 2
VALUES = 11
"""Outside the board, closed, and the clues from 0 to 8."""
FEATURES = (2 * REACH + 1) ** 2 * VALUES
HIDDEN = 32
MEMORY = 500
"""The steps that the policy remembers."""
LESSONS = 4
"""How often it learns from them per step."""

Floats = NDArray[np.float32]


def patches(cells: NDArray[np.int8]) -> Floats:
    """Return what surrounds each cell of some boards, as zeros and ones."""
    padded = np.pad(cells + 2, ((0, 0), (REACH, REACH), (REACH, REACH)))
    planes = np.eye(VALUES, dtype=np.float32)[padded]
    windows = np.lib.stride_tricks.sliding_window_view(planes, (2 * REACH + 1,) * 2, axis=(1, 2))
    return windows.reshape(-1, FEATURES)


class Policy:
    """Two layers, trained with Adam on the logistic loss."""

    def __init__(self, weights: Sequence[Floats]) -> None:
        self.weights = list(weights)
        self._steps = 0
        self._means = [np.zeros_like(weight) for weight in weights]
        self._squares = [np.zeros_like(weight) for weight in weights]

    @classmethod
    def random(cls, seed: int) -> Policy:
        """Start with small random weights."""
        draw = np.random.default_rng(seed).standard_normal
        first = draw((FEATURES, HIDDEN)) * 0.1
        second = draw((HIDDEN, 1)) * 0.1
        zeros = np.zeros(HIDDEN), np.zeros(1)
        return cls([part.astype(np.float32) for part in (first, zeros[0], second, zeros[1])])

    def scores(self, features: Floats) -> Floats:
        """Return the logit of the chance of a mine."""
        first, bias, second, last = self.weights
        scores: Floats = (np.maximum(features @ first + bias, 0) @ second + last)[:, 0]
        return scores

    def learn(self, features: Floats, mines: Floats, rate: float = 2e-3) -> None:
        """Take one step towards what was found under some cells."""
        first, bias, second, last = self.weights
        hidden = np.maximum(features @ first + bias, 0)
        scores = (hidden @ second + last)[:, 0]
        error = ((1 / (1 + np.exp(-scores)) - mines) / len(mines))[:, None]
        back = error @ second.T * (hidden > 0)
        gradients = [features.T @ back, back.sum(0), hidden.T @ error, error.sum(0)]
        self._steps += 1
        for place, gradient in enumerate(gradients):
            self._means[place] += 0.1 * (gradient - self._means[place])
            self._squares[place] += 0.001 * (gradient**2 - self._squares[place])
            mean = self._means[place] / (1 - 0.9**self._steps)
            square = self._squares[place] / (1 - 0.999**self._steps)
            self.weights[place] -= (rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


def train(steps: int, games: int = 64, *, seed: int = 0) -> Policy:
    """Play many games at once, mostly by the policy so far, and learn from every opening."""
    import gymnasium

    envs = gymnasium.make_vec("mineproof.env:mineproof/Minesweeper-v0", num_envs=games)
    policy, random = Policy.random(seed), np.random.default_rng(seed)
    seen, infos = envs.reset(seed=seed)
    over = np.zeros(games, np.bool_)
    remembered: deque[tuple[Floats, Floats]] = deque(maxlen=MEMORY)
    for _ in range(steps):
        features = patches(seen)
        scores = policy.scores(features).reshape(games, -1)
        noise = random.gumbel(size=scores.shape) * np.where(random.random((games, 1)) < 0.2, 1, 0)
        actions = np.where(infos["action_mask"], scores - noise, np.inf).argmin(1)
        seen, _, terminated, truncated, infos = envs.step(actions)
        # The step after the end of a game opens nothing: it starts the next game.
        opened = np.flatnonzero(~over)
        places = opened * scores.shape[1] + actions[opened]
        mines = terminated[opened] & ~infos["won"][opened]
        remembered.append((features[places], mines.astype(np.float32)))
        for _ in range(LESSONS):
            some = [remembered[i] for i in random.integers(len(remembered), size=4)]
            around, under = map(np.concatenate, zip(*some, strict=True))
            policy.learn(around, under)
        over = terminated | truncated
    return policy


class Learned(Agent):
    """Opens the cell where the trained policy expects a mine least."""

    name = "learned"
    report = "an example"

    def __init__(self, *options: str) -> None:
        if not WEIGHTS.exists():
            raise ValueError(f"agent learned: run python {Path(__file__).name} first")
        with np.load(WEIGHTS) as file:
            self._policy = Policy([file[name] for name in sorted(file.files)])
        super().__init__(*options)

    def decide(self, observation: Observation) -> Decision | None:
        """Choose among the cells that may be opened."""
        cells = observation.openable_cells()
        if not cells:
            return None
        # The policy knows no other codes than closed cells and clues.
        scores = self._policy.scores(patches(np.maximum(observation.cells, -1)[None]))
        scores = scores.reshape(observation.topology.shape)
        best = min(cells, key=lambda cell: float(scores[cell]))
        return Decision.guess(best, "the lowest learned risk", risk=_chance(float(scores[best])))


def _chance(score: float) -> float:
    return float(1 / (1 + np.exp(-score)))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2000, help="training steps of 64 games each")
    parser.add_argument("--games", type=int, default=1000, help="games of the comparison")
    options = parser.parse_args(arguments)
    policy = train(options.steps)
    np.savez(WEIGHTS, *policy.weights)
    agents = f"exact,{__file__}:Learned,random"
    return mineproof(
        ["compare", "--agents", agents, "--level", "beginner", "--games", str(options.games)]
    )


if __name__ == "__main__":
    sys.exit(main())
