"""All conditions of a game except its seed."""

from __future__ import annotations

from dataclasses import dataclass, field

from mineproof.arguments import choice, instance, whole
from mineproof.game.game import Game, Rules
from mineproof.game.levels import LEVELS
from mineproof.position.model import Channel
from mineproof.position.topology import Cell, Topology, plain_cell

__all__ = ["Setup"]


@dataclass(frozen=True, slots=True)
class Setup:
    """All conditions of a game except its seed.

    Parameters
    ----------
    rows, cols, mines
        The size of the board and the number of mines.
    rules, channel, first
        As for `Game`.

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
    first: Cell | None = None

    def __post_init__(self) -> None:
        topology = Topology(self.rows, self.cols)
        object.__setattr__(self, "rows", topology.rows)
        object.__setattr__(self, "cols", topology.cols)
        object.__setattr__(self, "mines", whole("mines", self.mines))
        instance("channel", self.channel, Channel, "Channel.parse('exact')")
        if self.first is not None:
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
        first: Cell | None = None,
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
        )

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
            first=self.first,
        )
        game.lay_mines()
        return game
