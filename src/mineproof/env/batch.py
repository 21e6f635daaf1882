"""Games that are played in step by the core, with their spaces, observations and infos."""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from mineproof import _core
from mineproof.arguments import counted, sentence, whole
from mineproof.env.options import EnvOptions
from mineproof.env.picture import draw_board
from mineproof.inference.posterior import Solver
from mineproof.position.cells import CellCode
from mineproof.position.observation import Observation
from mineproof.random import check_seed

__all__ = ["Batch"]

_NO_CLUE: Final = 9
"""The core's value of an open cell without a clue."""


class Batch:
    """Games that are played in step, with their spaces and results for Gymnasium."""

    def __init__(
        self,
        options: EnvOptions,
        count: int,
        *,
        max_episode_steps: int | None = None,
        same_step: bool = False,
    ) -> None:
        self.options = options
        self.count = whole("num_envs", count, 1)
        self.setup = options.setup
        self.topology = self.setup.topology
        lost = self.setup.channel.weights[..., -1].any()
        self._highest = _NO_CLUE if lost else _NO_CLUE - 1
        reward = {name: float(value) for name, value in (options.reward or {}).items()}
        self._batch = _core.GameBatch(
            self.setup.native,
            (reward["win"], reward["loss"], reward["safe"], reward["cell"], reward["invalid"]),
            options.invalid == "end",
            0
            if max_episode_steps is None
            else whole("max_episode_steps", max_episode_steps, 1, 2**62),
            same_step,
            self.count,
        )
        self._solver = Solver()

    @property
    def observation_space(self) -> spaces.Space[NDArray[np.int8]]:
        """The space of the observations of one game."""
        if self.options.planes:
            box = spaces.Box(0, 1, (self._highest + 2, *self.topology.shape), np.int8)
        else:
            box = spaces.Box(-1, self._highest, self.topology.shape, np.int8)
        return cast("spaces.Space[NDArray[np.int8]]", box)

    @property
    def action_space(self) -> spaces.Discrete:
        """The space of the actions in one game: the number of the cell to open, in row order."""
        return spaces.Discrete(self.topology.cells)

    def start(self, game: int, seed: int | None) -> None:
        """Start a game with the board of a seed, or the next game."""
        if seed is None:
            self._batch.next(game)
        else:
            self._batch.seed(game, check_seed(seed))

    def action(self, value: Any, name: str = "action") -> int:
        """Return an action as an int, or raise an error that names it."""
        return whole(name, value, 0, self.topology.cells - 1)

    def actions(self, values: Any) -> NDArray[np.int64]:
        """Return an action for each game, each checked by `action`."""
        try:
            array = np.asarray(values)
        except ValueError:  # rows of several lengths
            must = counted(self.count, "whole number")
            raise ValueError(sentence("actions", values, must)) from None
        if array.shape != (self.count,):
            raise ValueError(f"actions: shape {array.shape}, expected {(self.count,)}")
        if array.dtype.kind in "iu" and array.min() >= 0 and array.max() < self.topology.cells:
            return np.ascontiguousarray(array, np.int64)
        each = (self.action(one, f"actions[{game}]") for game, one in enumerate(array.tolist()))
        return np.fromiter(each, np.int64)

    def step(self, actions: NDArray[np.int64]) -> None:
        """Take one action in each game, as `actions` returns them."""
        if self.options.invalid == "error":
            game = self._batch.first_invalid(actions)
            if game is not None:
                cell = self.topology.cell(int(actions[game]))
                raise ValueError(f"action {actions[game]} of game {game}: {cell} is open already")
        self._batch.step(actions)

    @property
    def rewards(self) -> NDArray[np.float64]:
        """The reward of the last action in each game."""
        return self._batch.rewards()

    @property
    def terminated(self) -> NDArray[np.bool_]:
        """Whether each game ended in the last step."""
        return self._batch.terminated().view(np.bool_)

    @property
    def truncated(self) -> NDArray[np.bool_]:
        """Whether each game was cut off in the last step."""
        return self._batch.truncated().view(np.bool_)

    @property
    def closed(self) -> NDArray[np.int8]:
        """Which cells of each game are closed."""
        return self._batch.closed().reshape(self.count, -1)

    @property
    def _cells(self) -> NDArray[np.int8]:
        return self._batch.cells().reshape(self.count, *self.topology.shape)

    @property
    def observations(self) -> NDArray[np.int8]:
        """The observation of each game."""
        return self._seen(self._cells)

    def finals(self) -> tuple[NDArray[np.int8], dict[str, NDArray[Any]]]:
        """Return observations and infos of the games that ended in the last step.

        They are without labels, and mean nothing for the other games.
        """
        cells = self._batch.final_cells().reshape(self.count, *self.topology.shape)
        infos: dict[str, NDArray[Any]] = {
            "action_mask": (cells == -1).astype(np.int8).reshape(self.count, -1),
            "seed": self._batch.final_seeds(),
            "won": self._batch.won().view(np.bool_),
        }
        return self._seen(cells), infos

    def _seen(self, cells: NDArray[np.int8]) -> NDArray[np.int8]:
        if not self.options.planes:
            return cells
        values = np.arange(-1, self._highest + 1, dtype=np.int8)
        planes: NDArray[np.bool_] = cells[:, None] == values[:, None, None]
        return planes.view(np.int8)

    def infos(self) -> dict[str, NDArray[Any]]:
        """Return the infos of each game."""
        infos: dict[str, NDArray[Any]] = {
            "action_mask": self.closed,
            "seed": self._batch.seeds(),
            "won": self._batch.won().view(np.bool_),
        }
        if self.options.labels:
            infos["risk"], infos["move"] = self._labels()
        return infos

    def _labels(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the exact risks, 0 for open cells, and the cell that `exact` would open."""
        risks = np.zeros((self.count, *self.topology.shape))
        moves = np.full(self.count, -1, np.int64)
        for game in range(self.count):
            posterior = self._solver.infer(self.observation(game))
            risks[game] = np.nan_to_num(posterior.risk)
            if posterior.best is not None:
                moves[game] = self.topology.index(posterior.best.cell)
        return risks, moves

    def observation(self, game: int) -> Observation:
        """Return one game as its player sees it."""
        cells = self._cells[game]
        codes = np.where(cells == _NO_CLUE, np.int8(CellCode.NO_CLUE.value), cells)
        setup = self.setup
        return Observation.from_core(
            setup.topology, codes.tobytes(), setup.mines, setup.channel, setup.rules
        )

    def render(self, game: int, mode: str | None) -> str | NDArray[np.uint8] | None:
        """Draw one game. When it is over, its mines are shown."""
        if mode is None:
            return None
        seen = self.observation(game)
        over = self.terminated[game] or self.truncated[game]
        mines = self._batch.mines(game)
        if over and mines.size:
            cells = seen.cells.copy()
            cells[mines.reshape(cells.shape) != 0] = CellCode.EXPLODED.value
            codes = cells.tobytes()
            setup = self.setup
            seen = Observation.from_core(
                setup.topology, codes, setup.mines, setup.channel, setup.rules
            )
        return seen.to_text() if mode == "ansi" else draw_board(seen.cells, self.topology.kind)
