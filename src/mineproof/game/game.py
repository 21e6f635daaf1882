"""One game in play: it holds the board, carries out moves, and shows what a player may know."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Literal, TypeAlias, get_args

from mineproof import _core
from mineproof.arguments import choice, counted, instance, truth, whole
from mineproof.game.board import LEVELS, Board, Level, Start, first_cell
from mineproof.position.drawn import Drawn
from mineproof.position.model import Channel
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell, plain_cell
from mineproof.random import check_seed

__all__ = ["KINDS", "Game", "OnMine", "Outcome", "Rules"]

OnMine: TypeAlias = Literal["end", "continue"]
"""What an exploded mine does: it ends the game, or play continues."""


class Outcome(StrEnum):
    """How a game ended.

    A game that a mine ends is won or lost. A game that continues after a mine is finished when
    every cell is open, exploded or flagged. A game is stuck if its agent makes no decision.

    Examples
    --------
    >>> game = Game(Board.from_cells(1, 2, [(0, 1)]))
    >>> game.outcome is None
    True
    >>> game.open((0, 0))
    >>> game.outcome is Outcome.WON, game.outcome == "won"
    (True, True)
    """

    WON = "won"
    LOST = "lost"
    FINISHED = "finished"
    STUCK = "stuck"


KINDS: Final = ("open", "flag", "unflag", "chord")
"""The kinds of moves, in the order of their numbers in the core."""

_OUTCOMES: Final = {
    _core.Status.won: Outcome.WON,
    _core.Status.lost: Outcome.LOST,
    _core.Status.finished: Outcome.FINISHED,
}


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a game.

    Parameters
    ----------
    start
        What is free of mines at the start: nothing (``any``), the first cell (``safe``), or the
        first cell and its neighbours (``zero``).
    on_mine
        Whether an exploded mine ends the game, or play continues with that mine known.
    cascade
        Whether opening a zero opens its neighbours too; under a noisy channel it never does.
    given_safe
        The number of safe cells, drawn by the seed, that are known to be safe from the start.

    Examples
    --------
    >>> Rules(on_mine="continue").start
    'safe'
    """

    start: Start = "safe"
    on_mine: OnMine = "end"
    cascade: bool = True
    given_safe: int = 0

    def __post_init__(self) -> None:
        choice("start", self.start, get_args(Start))
        choice("on_mine", self.on_mine, get_args(OnMine))
        object.__setattr__(self, "cascade", truth("cascade", self.cascade))
        object.__setattr__(self, "given_safe", whole("given_safe", self.given_safe))


_CLASSIC: Final = Rules()
_EXACT: Final = Channel.exact()


class Game(Drawn):
    """One game on one board; a copy is an independent game in the same position.

    Parameters
    ----------
    board
        Where the mines are. It must obey the start rule at the first cell.
    rules
        The rules of the game.
    channel
        How clues are produced; exact if not given.
    seed
        Determines what noisy clues show and which safe cells are given.
    first
        The cell to open first. If not given, it is set by the start rule, and under ``any`` the
        agent chooses it.

    Examples
    --------
    >>> game = Game(Board.from_cells(2, 3, [(0, 2)]))
    >>> game.open((0, 0))
    >>> game.observation.cells.tolist()
    [[0, 1, -1], [0, 1, -1]]
    >>> game.open((1, 2))
    >>> game.outcome
    <Outcome.WON: 'won'>
    """

    def __init__(
        self,
        board: Board,
        rules: Rules = _CLASSIC,
        *,
        channel: Channel | None = None,
        seed: int = 0,
        first: Cell | None = None,
    ) -> None:
        self.board = instance("board", board, Board, "Board.random(9, 9, mines=10, seed=1)")
        self.rules = instance("rules", rules, Rules, "Rules()")
        self.channel = _EXACT if channel is None else channel
        instance("channel", self.channel, Channel, "Channel.parse('exact')")
        self.seed = check_seed(seed)
        own = first_cell(board.topology, rules.start)
        self.first = own if first is None else plain_cell(first)
        protected = _protected(board, rules.start, self.first)
        given = _given(board, rules.given_safe, self.seed)
        self._native = _core.Game(
            board.topology.native,
            board.mines.ravel(),
            None if self.channel.is_exact else self.channel.weights,
            self.seed,
            rules.on_mine == "continue",
            rules.cascade,
            [*map(board.topology.index, protected), *given],
        )

    @classmethod
    def random(
        cls,
        rows: int,
        cols: int,
        *,
        mines: int | None = None,
        density: float | None = None,
        seed: int,
        rules: Rules = _CLASSIC,
        channel: Channel | None = None,
        first: Cell | None = None,
    ) -> Game:
        """Start a game on a random board, which `Board.random` lays.

        Examples
        --------
        >>> Game.random(9, 9, density=0.2, seed=1).board.total
        16
        """
        instance("rules", rules, Rules, "Rules()")
        board = Board.random(
            rows, cols, mines=mines, density=density, seed=seed, start=rules.start, first=first
        )
        return cls(board, rules, channel=channel, seed=seed, first=first)

    @classmethod
    def level(
        cls,
        level: str | Level,
        *,
        seed: int,
        rules: Rules = _CLASSIC,
        channel: Channel | None = None,
        first: Cell | None = None,
    ) -> Game:
        """Start a game on a random board of a level.

        Examples
        --------
        >>> Game.level("expert", seed=1).board
        Board(16x30, 99 mines)
        """
        instance("rules", rules, Rules, "Rules()")
        if not isinstance(level, Level):
            choice("level", level, LEVELS)
            level = LEVELS[level]
        board = level.board(seed=seed, start=rules.start, first=first)
        return cls(board, rules, channel=channel, seed=seed, first=first)

    def open(self, cell: Cell) -> None:
        """Open a closed cell. Raise `ValueError` if the rules forbid it, as all moves do."""
        self._move("open", cell)

    def flag(self, cell: Cell) -> None:
        """Flag a closed cell that is not known to be safe."""
        self._move("flag", cell)

    def unflag(self, cell: Cell) -> None:
        """Remove a flag."""
        self._move("unflag", cell)

    def chord(self, cell: Cell) -> None:
        """Open the unflagged neighbours of a clue that has as many flags and exploded mines.

        They are opened in row order until the game ends.
        """
        self._move("chord", cell)

    def code(self, cell: Cell) -> int:
        """Return the code that a player sees of one cell: a clue or a `CellCode`."""
        return self._native.code(self.board.topology.index(cell))

    def play_out(
        self, player: _core.Player, *, total: bool, channel: bool, seed: int
    ) -> _core.Playthrough:
        """Let a player of the core play until the game ends or it makes no decision.

        It may be told the number of mines and the channel. The seed is for its random choices.
        """
        mines = self.board.total if total else None
        assumed = self.channel if channel else _EXACT
        return _core.play_out(self._native, player, mines, assumed.native, seed)

    def observe(self, *, total: bool = True, channel: bool = True) -> Observation:
        """Return what a player may know now, with or without the total and the channel."""
        return Observation.from_core(
            self.board.topology,
            self._native.cells(),
            self.board.total if truth("total", total) else None,
            self.channel if truth("channel", channel) else None,
        )

    @property
    def native(self) -> _core.Game:
        """The game of the core, for further questions to the core."""
        return self._native

    @property
    def begun(self) -> bool:
        """Whether any move was made."""
        return self._native.begun

    @property
    def observation(self) -> Observation:
        """What a player may know now who is told the number of mines and the channel."""
        return self.observe()

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None if it has not ended."""
        return _OUTCOMES.get(self._native.status)

    @property
    def won(self) -> bool:
        """Whether the game is won, or finished without an exploded mine or a wrong flag."""
        if self.outcome is Outcome.FINISHED:
            return self.hits == 0 and self.wrong_flags == 0
        return self.outcome is Outcome.WON

    @property
    def hits(self) -> int:
        """The number of mines that exploded."""
        return self._native.exploded

    @property
    def opened(self) -> int:
        """The number of safe cells that are open."""
        return self._native.opened

    @property
    def wrong_flags(self) -> int:
        """The number of flags on safe cells."""
        return self._native.wrong_flags

    @property
    def identified(self) -> int:
        """The number of mines that are flagged and not exploded; all of them if the game is won."""
        return self._native.identified

    @property
    def score(self) -> float:
        """The share of mines that are identified; 1 if the board has no mines."""
        return self.identified / self.board.total if self.board.total else 1.0

    def __repr__(self) -> str:
        state = "playing" if self.outcome is None else self.outcome.value
        return f"Game({self.board!r}, seed={self.seed}, {self.opened:,} opened, {state})"

    def __reduce__(self) -> tuple[Any, ...]:
        beginning = self.board, self.rules, self.channel, self.seed, self.first
        return _replay, (beginning, tuple(self._native.history()))

    def _move(self, kind: str, cell: Cell) -> None:
        place = self.board.topology.index(cell)
        getattr(self._native, kind)(place)


def _replay(
    beginning: tuple[Board, Rules, Channel, int, Cell | None], moves: tuple[tuple[int, int], ...]
) -> Game:
    """Rebuild a game from its beginning and its moves."""
    board, rules, channel, seed, first = beginning
    game = Game(board, rules, channel=channel, seed=seed, first=first)
    for kind, place in moves:
        getattr(game._native, KINDS[kind])(place)
    return game


def _given(board: Board, count: int, seed: int) -> list[int]:
    """Return the indices of the given safe cells."""
    safe = board.topology.cells - board.total
    if count > safe:
        given, all_safe = counted(count, "given safe cell"), counted(safe, "safe cell")
        raise ValueError(f"{given}: the board has {all_safe}")
    return _core.given_safe(board.mines.ravel(), count, seed)


def _protected(board: Board, start: Start, first: Cell | None) -> list[Cell]:
    """Return the cells that the start rule protects, or raise an error if one is a mine."""
    if first is None:
        return []
    neighbours = board.topology.neighbours(first)
    if start == "any":
        return []
    if board.mines[first]:
        raise ValueError(_broken(board, start, "at", first))
    if start == "safe":
        return [first]
    mined = [cell for cell in neighbours if board.mines[cell]]
    # Neighbours may be mines only if every cell further away is one.
    far = board.topology.cells - 1 - len(neighbours)
    if mined and board.total - len(mined) < far:
        raise ValueError(_broken(board, start, "next to", first))
    return [first, *(cell for cell in neighbours if cell not in mined)]


def _broken(board: Board, start: Start, where: str, first: Cell) -> str:
    row, col = first
    return (
        f"{board.name}: a mine {where} the first cell, ({row}, {col}), "
        f"which start {start!r} forbids"
    )
