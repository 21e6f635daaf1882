"""The options of the environments, declared once: both environments inherit them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np

from mineproof.arguments import choice, instance, truth, whole
from mineproof.position.model import Channel
from mineproof.position.rules import Rules, Start
from mineproof.position.setup import Setup
from mineproof.position.topology import Topology, TopologyKind

__all__ = ["RENDER_MODES", "EnvOptions", "Invalid", "refuse_unknown"]

Invalid: TypeAlias = Literal["ignore", "end", "error"]
"""What opening an open cell does: nothing, end the episode, or raise an error."""

RENDER_MODES: Final = ("ansi", "rgb_array")

_REWARDS: Final[Mapping[str, float]] = {
    "win": 1.0,
    "loss": -1.0,
    "safe": 0.0,
    "cell": 0.0,
    "invalid": 0.0,
}


@dataclass(eq=False, repr=False)
class EnvOptions:
    """How an environment behaves.

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
        Values for ``win`` (default 1), ``loss`` (-1), ``safe`` (an action that opens a safe cell,
        0), ``cell`` (each cell that it opens, 0) and ``invalid`` (0). Values that apply are added.
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
    """

    rows: int = 9
    cols: int = 9
    mines: int = 10
    _: KW_ONLY
    start: Start = "safe"
    cascade: bool = True
    reward: Mapping[str, float] | None = None
    invalid: Invalid = "ignore"
    channel: str | Channel = "exact"
    planes: bool = False
    labels: bool = False
    topology: TopologyKind = "square"
    render_mode: str | None = None

    def __post_init__(self) -> None:
        whole("mines", self.mines)
        choice("start", self.start, get_args(Start))
        for name in ("cascade", "planes", "labels"):
            truth(name, getattr(self, name))
        choice("invalid", self.invalid, get_args(Invalid))
        if self.render_mode is not None:
            choice("render_mode", self.render_mode, RENDER_MODES)
        if self.setup.channel.arrival is not None:
            raise ValueError("channel 'late': environments have no clues that arrive late")
        self.reward = {**_REWARDS, **(self.reward or {})}
        for name, value in self.reward.items():
            choice("reward", name, _REWARDS)
            if not np.isfinite(value):
                raise ValueError(f"reward {name!r} {value!r}: must be a finite number")

    @property
    def setup(self) -> Setup:
        """The conditions of all games."""
        clues = Channel.parse(self.channel) if isinstance(self.channel, str) else self.channel
        return Setup(
            Topology(self.rows, self.cols, self.topology),
            self.mines,
            Rules(self.start, cascade=self.cascade),
            instance("channel", clues, Channel, "'exact'"),
        )


def refuse_unknown(options: Mapping[str, Any] | None, known: tuple[str, ...] = ()) -> None:
    """Refuse options of `reset` that have no meaning."""
    for name in options or {}:
        if name not in known:
            raise ValueError(f"options: {name!r} is not known")
