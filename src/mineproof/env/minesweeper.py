"""The environment of one game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from mineproof.arguments import choice, whole
from mineproof.env.games import RENDER_MODES, Games, Invalid, Switches
from mineproof.position.model import Channel
from mineproof.position.rules import Start
from mineproof.position.topology import TopologyKind

__all__ = ["MinesweeperEnv", "refuse_options"]


def refuse_options(options: Mapping[str, Any] | None, known: tuple[str, ...] = ()) -> None:
    """Refuse options of `reset` that have no meaning."""
    for name in options or {}:
        if name not in known:
            raise ValueError(f"options: {name!r} is not known")


class MinesweeperEnv(gymnasium.Env[NDArray[np.int8], np.int64]):
    """One game of Minesweeper for Gymnasium.

    An action is the number of the cell to open, in row order. An observation is an array of
    ``np.int8``: -1 closed, 0 to 8 a clue, 9 open without a clue (only if clues can be lost). The
    cell of the mine that ended a game stays -1.

    ``reset(seed=S)`` starts the game that `Game.random` starts with the seed S; it also determines
    the games that follow. ``info`` holds the ``action_mask``, the ``seed`` of the board, and
    whether the game is ``won``.

    Parameters
    ----------
    rows, cols, mines
        The board.
    start
        Whether the first cell may be a mine (``any``), is safe (``safe``), or is safe like its
        neighbours (``zero``). Under ``safe`` and ``zero`` the mines are laid around the first
        action.
    cascade
        Whether opening a zero opens its neighbours.
    reward
        Some of ``win`` (default 1), ``loss`` (-1), ``safe`` (an action that opens a safe cell, 0),
        ``cell`` (each cell that it opens, 0) and ``invalid`` (0). Those that apply are added up.
    invalid
        What opening an open cell does: nothing (``ignore``), ``end`` the episode, or raise an
        ``error``.
    channel
        What clues show: ``exact``, ``lost:0.3``, ``optimistic`` or ``cautious``.
    planes
        Observe one plane of zeros and ones per value instead of one array of values: closed first,
        then the clues from 0 on.
    labels
        Put the exact risk of every cell (0 if open) and the cell that `exact` would open into
        ``info`` as ``risk`` and ``move``. This costs much more than a step.
    topology
        Which cells touch: ``square``, ``torus`` or ``hex``, as for `Topology`.
    render_mode
        ``ansi`` for text, ``rgb_array`` for a picture.

    Examples
    --------
    >>> env = MinesweeperEnv(5, 5, 3, start="zero", labels=True)
    >>> seen, info = env.reset(seed=3)
    >>> seen, reward, terminated, truncated, info = env.step(12)
    >>> int(seen[2, 2]), int(info["move"])
    (0, 0)
    """

    metadata: dict[str, Any] = {"render_modes": [*RENDER_MODES], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        rows: int = 9,
        cols: int = 9,
        mines: int = 10,
        *,
        start: Start = "safe",
        cascade: bool = True,
        reward: Mapping[str, float] | None = None,
        invalid: Invalid = "ignore",
        channel: str | Channel = "exact",
        planes: bool = False,
        labels: bool = False,
        topology: TopologyKind = "square",
        render_mode: str | None = None,
    ) -> None:
        switches = Switches(
            rows, cols, mines, start, cascade, reward, invalid, channel, planes, labels, topology
        )
        if render_mode is not None:
            choice("render_mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.observation_space = switches.observation_space
        self.action_space = switches.action_space
        self._games = Games(switches, 1)
        self._begun = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Start the game of a seed, or the next game."""
        super().reset(seed=seed)
        refuse_options(options)
        if seed is None and not self._begun:
            seed = int(self.np_random.integers(2**63))
        self._games.start(0, seed)
        self._begun = True
        return self._games.observations[0], self._info()

    def step(self, action: Any) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Open a cell."""
        whole("action", action, 0, self._games.switches.topology.cells - 1)
        if not self._begun:
            raise ValueError("step: the environment needs reset first")
        games = self._games
        if games.terminated[0]:
            raise ValueError("step: the game is over; the environment needs reset")
        games.step(np.array([action], np.int64))
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
