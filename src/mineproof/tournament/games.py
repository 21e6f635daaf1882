"""The games of a tournament, and their seeds."""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.arguments import instance, whole
from mineproof.game.game import Game
from mineproof.position.setup import Setup
from mineproof.random import check_seed, one_way

__all__ = ["TournamentGames"]


@dataclass(frozen=True, slots=True)
class TournamentGames:
    """The games of a tournament: nobody can tell a board from its number without the seed.

    Parameters
    ----------
    setup
        The conditions of all games.
    count
        How many.
    seed
        The seed of the tournament, from which those of boards and agents are derived.

    Examples
    --------
    >>> games = TournamentGames(Setup.level("easy"), count=2, seed=1)
    >>> games.game(0)
    Game(9x9, 10 mines, seed=5247554842218744114, 0 opened, playing)
    """

    setup: Setup
    count: int
    seed: int

    def __post_init__(self) -> None:
        instance("setup", self.setup, Setup, "Setup.level('easy')")
        object.__setattr__(self, "count", whole("count", self.count, 1))
        object.__setattr__(self, "seed", check_seed(self.seed))

    def __len__(self) -> int:
        return self.count

    def game(self, number: int) -> Game:
        """Start a game, counted from 0."""
        number = whole("game", number, 0, self.count - 1)
        return Game.laid(self.setup, self._derived("board", number))

    def agent_seed(self, number: int) -> int:
        """Return the seed of the agents' randomness, which says nothing about the board."""
        return self._derived("agent", number)

    def _derived(self, purpose: str, number: int) -> int:
        return one_way("tournament", self.seed, purpose, number)
