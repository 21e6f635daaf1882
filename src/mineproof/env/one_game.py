"""The environment of one game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from mineproof.env.batch import Batch
from mineproof.env.options import RENDER_MODES, EnvOptions, refuse_unknown

__all__ = ["MinesweeperEnv"]


@dataclass(eq=False, repr=False)
class MinesweeperEnv(EnvOptions, gymnasium.Env[NDArray[np.int8], np.int64]):
    """One game of Minesweeper for Gymnasium.

    Its parameters are those of `EnvOptions`.

    .. rubric:: Action space

    ``Discrete(rows * cols)``: the number of the cell to open, in row order. An action on an open
    cell is invalid; ``info["action_mask"]`` marks the closed cells.

    .. rubric:: Observation space

    ``Box(-1, 8, (rows, cols), np.int8)``: -1 closed, 0 to 8 a clue; if clues can be lost, up to 9,
    open without a clue. The cell of the mine that ended a game stays -1. With ``planes`` there is
    one plane of zeros and ones per value.

    .. rubric:: Reward

    The sum of the entries of ``reward`` that apply: ``win`` or ``loss`` at the end, ``safe`` for an
    action that opens a safe cell, ``cell`` per cell that it opens, ``invalid`` for an invalid
    action. By default a win gives 1, a loss -1, and everything else 0.

    .. rubric:: Episode start

    ``reset(seed=S)`` starts the game that `Game` starts with the seed S; it also determines
    the games that follow. ``info["seed"]`` is the seed of the board.

    .. rubric:: Episode end

    An episode terminates when all safe cells are open or a mine explodes, and with
    ``invalid="end"`` also at an invalid action; it is never truncated. ``info["won"]`` tells
    whether the game is won.

    Examples
    --------
    >>> env = MinesweeperEnv(5, 5, 3, start="zero", labels=True)
    >>> seen, info = env.reset(seed=3)
    >>> seen, reward, terminated, truncated, info = env.step(12)
    >>> int(seen[2, 2]), int(info["move"])
    (0, 0)
    """

    metadata = {"render_modes": [*RENDER_MODES], "render_fps": 4}  # noqa: RUF012

    def __post_init__(self) -> None:
        super().__post_init__()
        self._games = Batch(self, 1)
        self.observation_space = self._games.observation_space
        self.action_space = self._games.action_space
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Start the game of a seed, or the next game."""
        super().reset(seed=seed)
        refuse_unknown(options)
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(2**63))
        self._games.start(0, seed)
        self._begun = True
        return self._games.observations[0], self._info()

    def step(self, action: Any) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Open a cell."""
        number = self._games.action(action)
        if not self._begun:
            raise ValueError("step: the environment needs reset first")
        games = self._games
        if games.terminated[0]:
            raise ValueError("step: the game is over; the environment needs reset")
        games.step(np.array([number], np.int64))
        reward, ended = float(games.rewards[0]), bool(games.terminated[0])
        return games.observations[0], reward, ended, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions open a closed cell, as MaskablePPO of sb3-contrib asks for it."""
        closed: NDArray[np.bool_] = self._games.closed[0].view(np.bool_)
        return closed

    def render(self) -> Any:
        """Draw the game as the render mode says."""
        return self._games.render(0, self.render_mode)

    def _info(self) -> dict[str, Any]:
        info = {name: values[0] for name, values in self._games.infos().items()}
        return {**info, "won": bool(info["won"])}
