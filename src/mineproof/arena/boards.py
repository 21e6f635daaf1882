"""Games to play: on random boards, on given ones, or from given positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from mineproof.arguments import instance, sentence, whole
from mineproof.game.board import Board
from mineproof.game.game import Game
from mineproof.position.model import Channel
from mineproof.position.observation import Observation
from mineproof.position.rules import Rules
from mineproof.position.setup import FirstCell, Setup
from mineproof.random import check_seed

__all__ = ["FixedBoards", "Games", "RandomBoards"]


class Games(Protocol):
    """A number of games, each of which can be started any number of times, in any process."""

    def __len__(self) -> int:
        """Return the number of games."""

    def game(self, number: int) -> Game:
        """Start a game, counted from 0; its seed is also that of the agent's randomness."""


@dataclass(frozen=True, slots=True)
class RandomBoards:
    """Games of one setup on random boards.

    Parameters
    ----------
    setup
        The conditions of all games.
    count
        How many.
    seed
        The seed of game 0; game i has the seed ``seed + i``.

    Examples
    --------
    >>> games = RandomBoards(Setup.level("easy"), count=100, seed=7)
    >>> len(games), games.game(2)
    (100, Game(9x9, 10 mines, seed=9, 0 opened, playing))
    """

    setup: Setup
    count: int
    seed: int = 0

    def __post_init__(self) -> None:
        instance("setup", self.setup, Setup, "Setup.level('easy')")
        object.__setattr__(self, "count", whole("count", self.count, 1))
        object.__setattr__(self, "seed", _first_seed(self.seed, self.count))

    def __len__(self) -> int:
        return self.count

    def game(self, number: int) -> Game:
        """Start a game, counted from 0."""
        return Game.laid(self.setup, self.seed + _check_number(number, self.count))


@dataclass(frozen=True, slots=True)
class FixedBoards:
    """Games on given boards or from given positions, one on each.

    Parameters
    ----------
    boards
        The boards; each must keep the start rule at the first cell. A game may also continue from
        a position, with its hidden mines drawn from the posterior by the seed of the game.
    rules, channel, first
        The conditions, as for `Setup`; a position has no first cell.
    seed
        The seed of game 0, for its clues and given cells; game i has the seed ``seed + i``.

    Examples
    --------
    >>> boards = [Board.from_text("..*"), Board.from_text("*..")]
    >>> FixedBoards(boards, first=(0, 1)).game(1)
    Game(1x3, 1 mine, seed=1, 0 opened, playing)
    >>> FixedBoards(boards)
    Traceback (most recent call last):
    ...
    ValueError: board 1: a mine at the first cell, (0, 0), which start 'safe' forbids
    """

    boards: Sequence[Board | Observation]
    rules: Rules = field(default_factory=Rules)
    channel: Channel = field(default_factory=Channel.exact)
    first: FirstCell = None
    seed: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.boards, Sequence) or not self.boards:
            raise ValueError(sentence("boards", self.boards, "a list of at least one Board"))
        object.__setattr__(self, "boards", tuple(self.boards))
        object.__setattr__(self, "seed", _first_seed(self.seed, len(self)))
        for number, board in enumerate(self.boards):
            try:
                self.game(number)
            except ValueError as error:
                name = board.name if isinstance(board, Board) else "position"
                reason = str(error).removeprefix(f"{name}: ")
                raise ValueError(f"board {number}: {reason}") from None

    def __len__(self) -> int:
        return len(self.boards)

    def game(self, number: int) -> Game:
        """Start a game, counted from 0."""
        board = self.boards[_check_number(number, len(self))]
        seed = self.seed + number
        if isinstance(board, Observation):
            seen = replace(board, channel=self.channel)
            return Game.from_position(seen, self.rules, seed=seed)
        return Game.on(board, self.rules, channel=self.channel, seed=seed, first=self.first)


def _check_number(number: int, count: int) -> int:
    return whole("game", number, 0, count - 1)


def _first_seed(seed: int, count: int) -> int:
    """Check the first seed of several, and the last."""
    seed = check_seed(seed)
    check_seed(seed + count - 1)
    return seed
