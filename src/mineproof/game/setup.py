"""All conditions of a game except its seed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from mineproof.arguments import choice, instance, whole
from mineproof.game.game import Game
from mineproof.game.levels import LEVELS
from mineproof.position.model import Channel
from mineproof.position.rules import Rules
from mineproof.position.topology import Cell, Topology, TopologyKind, plain_cell
from mineproof.random import Random, check_seed

__all__ = ["FirstCell", "Setup", "drawn_cell"]

FirstCell: TypeAlias = Cell | Literal["random"] | None
"""The first cell, drawn by the seed, or what the start rule says."""

_STREAM: Final = 0x5851F42D4C957F2D
"""Keeps the random numbers of the first cell apart from those of the mines and of the agent."""


def drawn_cell(topology: Topology, first: FirstCell, seed: int) -> Cell | None:
    """Return the first cell, drawn by the seed if it is random; all cells are equally likely.

    Examples
    --------
    >>> [drawn_cell(Topology(9, 9), "random", seed) for seed in range(3)]
    [(2, 8), (1, 8), (3, 1)]
    """
    if first != "random":
        return first
    return topology.cell(Random(check_seed(seed) ^ _STREAM).below(topology.cells))


@dataclass(frozen=True, slots=True)
class Setup:
    """All conditions of a game except its seed.

    Parameters
    ----------
    rows, cols, mines
        The size of the board and the number of mines.
    rules, channel
        As for `Game`.
    first
        As for `Game`, or ``"random"``: each game draws it by its seed.
    topology
        Which cells touch: ``square``, ``torus`` or ``hex``, as for `Topology`.

    Examples
    --------
    >>> setup = Setup(5, 8, 10, Rules(start="zero"))
    >>> [game.mines for game in map(setup.game, range(3))]
    [10, 10, 10]
    >>> Setup(5, 8, 40)
    Traceback (most recent call last):
    ...
    ValueError: 40 mines: the board has room for 0 to 39
    """

    rows: int
    cols: int
    mines: int
    rules: Rules = field(default_factory=Rules)
    channel: Channel = field(default_factory=Channel.exact)
    first: FirstCell = None
    topology: TopologyKind = "square"

    def __post_init__(self) -> None:
        cells = self.cells
        object.__setattr__(self, "rows", cells.rows)
        object.__setattr__(self, "cols", cells.cols)
        object.__setattr__(self, "mines", whole("mines", self.mines))
        instance("channel", self.channel, Channel, "Channel.parse('exact')")
        if self.first is not None and self.first != "random":
            object.__setattr__(self, "first", plain_cell(self.first))
        # Whether the conditions are possible does not depend on the seed, so any seed shows it.
        self.game(seed=0)

    @classmethod
    def level(
        cls,
        name: str,
        *,
        rules: Rules | None = None,
        channel: Channel | None = None,
        first: FirstCell = None,
        topology: TopologyKind = "square",
    ) -> Setup:
        """Use the size and the number of mines of a level.

        Examples
        --------
        >>> setup = Setup.level("expert", rules=Rules(on_mine="continue"))
        >>> setup.rows, setup.cols, setup.mines
        (16, 30, 99)
        """
        choice("level", name, LEVELS)
        level = LEVELS[name]
        return cls(
            level.rows,
            level.cols,
            level.mines,
            Rules() if rules is None else rules,
            Channel.exact() if channel is None else channel,
            first,
            topology,
        )

    @property
    def cells(self) -> Topology:
        """The cells and their neighbours."""
        return Topology(self.rows, self.cols, self.topology)

    def game(self, seed: int) -> Game:
        """Start the game with this seed; without a first cell it has that of the start rule.

        Examples
        --------
        >>> Setup.level("easy").game(seed=3)
        Game(9x9, 10 mines, seed=3, 0 opened, playing)
        """
        game = Game.random(
            self.rows,
            self.cols,
            mines=self.mines,
            seed=seed,
            rules=self.rules,
            channel=self.channel,
            first=drawn_cell(self.cells, self.first, seed),
            topology=self.topology,
        )
        game.lay_mines()
        return game
