"""All conditions of a game except its seed, and the levels.

Examples
--------
>>> list(LEVELS)
['easy', 'beginner', 'medium', 'intermediate', 'hard', 'expert']
>>> LEVELS["expert"].topology, LEVELS["expert"].mines
(Topology(rows=16, cols=30, kind='square'), 99)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from mineproof import _core
from mineproof.arguments import choice, counted, instance, share, whole
from mineproof.position.model import Channel
from mineproof.position.rules import Rules
from mineproof.position.topology import Cell, Topology, plain_cell
from mineproof.random import check_seed

__all__ = ["LEVELS", "FirstCell", "Setup", "mines_at"]

FirstCell: TypeAlias = Cell | Literal["random"] | None
"""A cell, ``"random"`` for one drawn by the seed, or None for that of the start rule."""

_DRAWN: Final = -2
_BY_RULE: Final = -1


def mines_at(density: float, cells: int) -> int:
    """Return how many of some cells are mines at a density.

    Examples
    --------
    >>> mines_at(0.2, 81)
    16
    """
    # Use the decimal as written, not its binary neighbour: 0.29 of 100 cells is 29, not 28.
    return math.floor(Fraction(str(share("density", density))) * whole("cells", cells))


@dataclass(frozen=True, slots=True)
class Setup:
    """All conditions of a game except its seed.

    Parameters
    ----------
    topology
        The cells of the board.
    mines
        The number of mines.
    rules, channel
        The rules, and what clues show.
    first
        The cell to open first, or ``"random"``: drawn by the seed. By default the start rule names
        it: (0, 0) under ``safe``, (3, 3) under ``zero`` or the nearest cell to it; but a game whose
        player opens another cell first has its mines laid around that one. Under ``any`` the
        player chooses.

    Examples
    --------
    >>> setup = Setup(Topology(5, 8), 10, Rules("zero"))
    >>> setup.first_cell(seed=1)
    (3, 3)
    >>> Setup(Topology(5, 8), 40)
    Traceback (most recent call last):
    ...
    ValueError: 40 mines: the board has room for 0 to 39
    """

    topology: Topology
    mines: int
    rules: Rules = field(default_factory=Rules)
    channel: Channel = field(default_factory=Channel.exact)
    first: FirstCell = None

    def __post_init__(self) -> None:
        cells = instance("topology", self.topology, Topology, "Topology(9, 9)").cells
        rules = instance("rules", self.rules, Rules, "Rules()")
        instance("channel", self.channel, Channel, "Channel.parse('exact')")
        mines = whole("mines", self.mines)
        if self.first is not None and self.first != "random":
            self.topology.index(self.first)
            object.__setattr__(self, "first", plain_cell(self.first))
        most = cells if rules.start == "any" else cells - 1
        if mines > most:
            raise ValueError(f"{counted(mines, 'mine')}: the board has room for 0 to {most:,}")
        if rules.given_safe > cells - mines:
            given = counted(rules.given_safe, "given safe cell")
            raise ValueError(f"{given}: the board has {counted(cells - mines, 'safe cell')}")
        object.__setattr__(self, "mines", mines)

    @classmethod
    def level(
        cls,
        name: str,
        *,
        rules: Rules | None = None,
        channel: Channel | None = None,
        first: FirstCell = None,
    ) -> Setup:
        """Use the size and the number of mines of a level.

        Examples
        --------
        >>> setup = Setup.level("expert", rules=Rules(on_mine="continue"))
        >>> setup.topology.shape, setup.mines
        ((16, 30), 99)
        """
        choice("level", name, LEVELS)
        level = LEVELS[name]
        return replace(
            level,
            rules=level.rules if rules is None else rules,
            channel=level.channel if channel is None else channel,
            first=first,
        )

    def first_cell(self, seed: int = 0) -> Cell | None:
        """Return the cell that the game of a seed opens first, or None if its player chooses.

        Examples
        --------
        >>> drawn = Setup(Topology(9, 9), 10, first="random")
        >>> [drawn.first_cell(seed) for seed in range(3)]
        [(2, 8), (1, 8), (3, 1)]
        """
        place = self.native.first_cell(check_seed(seed))
        return None if place < 0 else self.topology.cell(place)

    @property
    def native(self) -> _core.Setup:
        """The setup of the core, for further questions to the core."""
        if self.first is None:
            first = _BY_RULE
        else:
            first = _DRAWN if self.first == "random" else self.topology.index(self.first)
        return _core.Setup(
            self.topology.native,
            self.mines,
            _core.Start[self.rules.start],
            self.rules.on_mine == "continue",
            self.rules.cascade,
            self.rules.given_safe,
            self.channel.native,
            self.channel.arrival,
            first,
        )


LEVELS: Final[Mapping[str, Setup]] = MappingProxyType(
    {
        name: Setup(Topology(rows, cols), mines)
        for name, rows, cols, mines in (
            ("easy", 9, 9, 10),
            ("beginner", 9, 9, 10),
            ("medium", 16, 16, 25),
            ("intermediate", 16, 16, 40),
            ("hard", 16, 30, 99),
            ("expert", 16, 30, 99),
        )
    }
)
"""The levels by name. Easy is also called beginner, and hard is also called expert."""
