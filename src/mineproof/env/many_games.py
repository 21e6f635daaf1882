"""The environment of many games that are stepped natively in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from mineproof.env.batch import Batch
from mineproof.env.options import RENDER_MODES, EnvOptions, refuse_unknown

__all__ = ["MinesweeperVectorEnv"]


@dataclass(eq=False, repr=False, kw_only=True)
class MinesweeperVectorEnv(
    EnvOptions, VectorEnv[NDArray[np.int8], NDArray[np.int64], NDArray[Any]]
):
    """Many games of Minesweeper for Gymnasium, stepped natively in one call.

    Each game behaves as in `MinesweeperEnv`, and the parameters of `EnvOptions` come first.
    ``reset(seed=S)`` gives the games the seeds S, S + 1 and so on; a list of seeds is accepted too.
    Returned arrays never change afterwards.

    Parameters
    ----------
    num_envs
        The number of games.
    max_episode_steps
        Truncates a game after this many actions.
    autoreset_mode
        As for `gymnasium.vector.SyncVectorEnv`: a game that ends starts again at the next step, at
        the same step, or only when ``reset(options={"reset_mask": ...})`` asks for it.

    Examples
    --------
    >>> import gymnasium, mineproof.env
    >>> envs = gymnasium.make_vec("mineproof/Minesweeper-v0", num_envs=1000, mines=12)
    >>> seen, infos = envs.reset(seed=0)
    >>> seen, rewards, terminated, truncated, infos = envs.step(np.full(1000, 40))
    >>> seen.shape, infos["action_mask"].shape, bool(terminated.any())
    ((1000, 9, 9), (1000, 81), False)
    """

    num_envs: int = 1
    max_episode_steps: int | None = None
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP

    def __post_init__(self) -> None:
        super().__post_init__()
        self._mode = AutoresetMode(self.autoreset_mode)
        self.metadata = {"render_modes": list(RENDER_MODES), "autoreset_mode": self._mode}
        self._games = Batch(
            self,
            self.num_envs,
            max_episode_steps=self.max_episode_steps,
            same_step=self._mode is AutoresetMode.SAME_STEP,
        )
        self.single_observation_space = self._games.observation_space
        self.single_action_space = self._games.action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._begun = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Start all games, or those of ``options["reset_mask"]``."""
        refuse_unknown(options, known=("reset_mask",))
        if isinstance(seed, np.integer):
            seed = int(seed)
        super().reset(seed=seed if isinstance(seed, int) else None)
        everything = np.ones(self.num_envs, np.bool_)
        mask = everything if options is None else options.get("reset_mask", everything)
        if getattr(mask, "shape", None) != (self.num_envs,) or mask.dtype != np.bool_:
            raise ValueError(f"options: 'reset_mask' must be {self.num_envs} values of bool")
        for game, each in enumerate(self._seeds(seed)):
            if mask[game]:
                self._games.start(game, each)
        self._begun = True
        return self._games.observations, self._infos()

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if isinstance(seed, int):
            return range(seed, seed + self.num_envs)
        if seed is not None:
            if len(seed) != self.num_envs:
                raise ValueError(f"seed: {len(seed)} seeds, expected {self.num_envs}")
            return seed
        if self._begun:
            return [None] * self.num_envs
        return [int(each) for each in self.np_random.integers(2**63, size=self.num_envs)]

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[
        NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """Open a cell in each game."""
        games = self._games
        if not self._begun:
            raise ValueError("step: the environment needs reset first")
        if self._mode is AutoresetMode.DISABLED and (games.terminated | games.truncated).any():
            raise ValueError("step: a game is over; the environment needs reset with reset_mask")
        games.step(games.actions(actions))
        terminated, truncated = games.terminated, games.truncated
        infos = self._infos()
        over = terminated | truncated
        if self._mode is AutoresetMode.SAME_STEP and over.any():
            self._add_finals(infos, over)
        return games.observations, games.rewards, terminated, truncated, infos

    def _add_finals(self, infos: dict[str, Any], over: NDArray[np.bool_]) -> None:
        """Add how games ended that have started again."""
        seen, ended = self._games.finals()
        observations = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(over):
            observations[game] = seen[game]
        info: dict[str, Any] = {}
        for name, values in ended.items():
            values[~over] = 0
            info |= {name: values, f"_{name}": over.copy()}
        infos |= {"final_obs": observations, "_final_obs": over}
        infos |= {"final_info": info, "_final_info": over}
        infos["won"][over] = False

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions open a closed cell, by game."""
        return self._games.closed.view(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        """Draw the games as the render mode says."""
        if self.render_mode is None:
            return None
        return tuple(self._games.render(game, self.render_mode) for game in range(self.num_envs))

    def _infos(self) -> dict[str, Any]:
        every = np.ones(self.num_envs, np.bool_)
        infos: dict[str, Any] = {}
        for name, values in self._games.infos().items():
            infos |= {name: values, f"_{name}": every.copy()}
        return infos
