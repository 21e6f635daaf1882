"""One game in play: it holds the board, carries out moves, and shows what a player may know."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

import numpy as np

from mineproof import _core
from mineproof.arguments import choice, counted, instance, truth
from mineproof.game.board import Board
from mineproof.inference import infer
from mineproof.position.cells import CellCode
from mineproof.position.drawn import Drawn
from mineproof.position.model import NOTHING, Channel
from mineproof.position.observation import Observation
from mineproof.position.rules import KINDS, Kind, Rules
from mineproof.position.setup import FirstCell, Setup
from mineproof.position.topology import Cell, Topology
from mineproof.random import check_seed

__all__ = ["Game", "Outcome"]


class Outcome(StrEnum):
    """How a game ended.

    A game that a mine ends is won or lost. A game that continues after a mine is finished when
    every cell is open, exploded or flagged. A game is stuck if its agent makes no decision.

    Examples
    --------
    >>> game = Game.on(Board.from_cells(1, 2, [(0, 1)]))
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


_OUTCOMES: Final = {
    _core.Status.won: Outcome.WON,
    _core.Status.lost: Outcome.LOST,
    _core.Status.finished: Outcome.FINISHED,
}


_CLASSIC: Final = Rules()
_MOVES: Final = {kind: _core.MoveKind[kind] for kind in KINDS}


class Game(Drawn):
    """One game; a copy is an independent game in the same position.

    The seed lays the mines: at once if the setup has a first cell or the start rule is ``any``, and
    otherwise when the first cell is opened, around that cell. That is the same board as with that
    first cell given. Until then no cell is known safe, and there is no board.

    Parameters
    ----------
    setup
        The conditions.
    seed
        Determines where the mines are, what noisy clues show and which safe cells are given.
    board
        Where the mines are, if the seed does not lay them. It must obey the start rule at the first
        cell.
    position
        What is seen at the start, if the game continues from a position. It needs a board that
        fits. The position says what is known, so the game has no first cell, start ``any`` and no
        given cells.

    Attributes
    ----------
    setup
        The conditions. Its first cell is None if the player chooses it.

    Examples
    --------
    >>> game = Game(Setup(Topology(9, 9), 10, Rules("zero")), seed=1)
    >>> game.open((4, 4))
    >>> game.board.mines, game.first
    (10, (4, 4))
    """

    def __init__(
        self,
        setup: Setup,
        seed: int = 0,
        *,
        board: Board | None = None,
        position: Observation | None = None,
    ) -> None:
        self.setup = _settled(instance("setup", setup, Setup, "Setup.level('easy')"), seed, board)
        self.seed = check_seed(seed)
        self.position = position
        self._given_board = self._board = board
        if position is not None:
            if board is None:
                raise ValueError("a game that continues from a position needs a board")
            if setup.first is not None:
                raise ValueError("a game that continues from a position has no first cell")
            _check_fit(board, instance("position", position, Observation), setup.channel)
            self.setup = replace(setup, rules=_continuing(setup.rules))
        mines = None if board is None else board.layout.ravel()
        try:
            self._native = _core.Game(self.setup.native, self.seed, mines)
        except ValueError as error:
            raise ValueError(f"{board.name}: {error}" if board else str(error)) from None
        if position is not None:
            self._native.start_from(position.cells)

    @classmethod
    def on(
        cls,
        board: Board,
        rules: Rules = _CLASSIC,
        *,
        channel: Channel | None = None,
        seed: int = 0,
        first: FirstCell = None,
        position: Observation | None = None,
    ) -> Game:
        """Start a game on a given board, whose size and mines it takes.

        Examples
        --------
        >>> game = Game.on(Board.from_cells(2, 3, [(0, 2)]))
        >>> game.open((0, 0))
        >>> game.observation.cells.tolist()
        [[0, 1, -1], [0, 1, -1]]
        >>> game.open((1, 2))
        >>> game.outcome
        <Outcome.WON: 'won'>
        """
        instance("board", board, Board, "Board.from_text('..*')")
        clues = Channel.exact() if channel is None else channel
        rules = instance("rules", rules, Rules, "Rules()")
        rules = rules if position is None else _continuing(rules)
        setup = Setup(board.topology, board.mines, rules, clues, first)
        return cls(setup, seed, board=board, position=position)

    @classmethod
    def from_position(
        cls, position: Observation, rules: Rules = _CLASSIC, *, seed: int = 0
    ) -> Game:
        r"""Continue from a position, with its hidden mines drawn from the posterior by the seed.

        Clues are exact unless the position has another channel.

        Examples
        --------
        >>> game = Game.from_position(Observation.from_text("4x1x2\n1..."), seed=1)
        >>> game.board.layout.tolist()
        [[False, True, True, False]]
        """
        instance("position", position, Observation)
        layout = infer(position).sample(1, seed)[0]
        board = Board(position.topology, layout)
        return cls.on(board, rules, channel=position.channel, seed=seed, position=position)

    @classmethod
    def level(cls, name: str, seed: int, rules: Rules = _CLASSIC) -> Game:
        """Start a game of a level.

        Examples
        --------
        >>> Game.level("expert", seed=1)
        Game(16x30, 99 mines, seed=1, 0 opened, playing)
        """
        return cls(Setup.level(name, rules=rules), seed)

    @classmethod
    def laid(cls, setup: Setup, seed: int) -> Game:
        """Start a game with its mines in place; without a first cell it has that of the start rule.

        Examples
        --------
        >>> Game.laid(Setup.level("easy"), seed=3).first
        (0, 0)
        """
        game = cls(setup, seed)
        game.lay_mines()
        return game

    @property
    def topology(self) -> Topology:
        """The cells."""
        return self.setup.topology

    @property
    def mines(self) -> int:
        """The number of mines."""
        return self.setup.mines

    @property
    def rules(self) -> Rules:
        """The rules."""
        return self.setup.rules

    @property
    def channel(self) -> Channel:
        """What clues show."""
        return self.setup.channel

    @property
    def first(self) -> Cell | None:
        """The cell that was or is to be opened first by the rules, or None."""
        place = self._native.first
        return None if place < 0 else self.topology.cell(place)

    @property
    def first_open(self) -> bool:
        """Whether the first opening lays the mines, or did."""
        return self.setup.first is None and self.rules.start != "any"

    def lay_mines(self, first: Cell | None = None) -> None:
        """Lay the mines around a first cell, or around that of the start rule, if they are not.

        Examples
        --------
        >>> game = Game.level("easy", seed=1)
        >>> game.is_laid
        False
        >>> game.lay_mines()
        >>> game.first, game.board
        ((0, 0), Board(9x9, 10 mines))
        """
        if not self.is_laid:
            self._native.lay(-1 if first is None else self.topology.index(first))
            self.setup = replace(self.setup, first=self.first)

    @property
    def is_laid(self) -> bool:
        """Whether the mines are in place."""
        return self._native.is_laid

    @property
    def board(self) -> Board:
        """Where the mines are; `ValueError` before they are laid."""
        if self._board is None:
            if not self.is_laid:
                raise ValueError("the mines are laid when the first cell is opened")
            mines = np.frombuffer(self._native.mines(), np.bool_)
            self._board = Board(self.topology, mines.reshape(self.topology.shape))
        return self._board

    def make(self, kind: Kind, cell: Cell) -> tuple[int, int]:
        """Make a move; return how many safe cells it opened, and how many mines it exploded.

        Raises
        ------
        ValueError
            If the rules forbid it.

        Examples
        --------
        >>> Game.on(Board.from_text("..*")).make("open", (0, 0))
        (2, 0)
        """
        if not isinstance(kind, str) or kind not in _MOVES:
            choice("kind", kind, KINDS)
        return self._native.make(_MOVES[kind], self.setup.topology.index(cell))

    def shown(self) -> tuple[tuple[Cell, int], ...]:
        """Return the cells that the last move changed, with their codes, without its own flag.

        Examples
        --------
        >>> game = Game.on(Board.from_text("..*"))
        >>> game.open((0, 0))
        >>> game.shown()
        (((0, 0), 0), ((0, 1), 1))
        """
        return tuple(self._native.shown())

    def open(self, cell: Cell) -> None:
        """Open a closed cell."""
        self.make("open", cell)

    def flag(self, cell: Cell) -> None:
        """Flag a closed cell that is not known to be safe."""
        self.make("flag", cell)

    def unflag(self, cell: Cell) -> None:
        """Remove a flag."""
        self.make("unflag", cell)

    def chord(self, cell: Cell) -> None:
        """Open the unflagged neighbours of a clue that has as many flags and exploded mines.

        They are opened in row order until the game ends.
        """
        self.make("chord", cell)

    def wait(self, cell: Cell) -> None:
        """Wait for the pending clue of a cell: all pending clues arrive."""
        self.make("wait", cell)

    def code(self, cell: Cell) -> int:
        """Return the code that a player sees of one cell: a clue or a `CellCode`."""
        return self._native.code(self.topology.index(cell))

    def play_out(
        self,
        player: _core.Player,
        *,
        total: bool,
        channel: bool,
        seed: int,
        moves: bool = False,
    ) -> _core.Playthrough:
        """Let a player of the core play until the game ends or it makes no decision.

        It may be told the number of mines and the channel. The seed is for its random choices.
        With `moves`, they are recorded and not only counted.
        """
        mines = self.mines if total else None
        assumed = self.channel if channel else Channel.exact()
        return _core.play_out(self._native, player, mines, assumed.native, seed, moves)

    def observe(
        self, *, total: bool = True, channel: bool = True, since: Observation | None = None
    ) -> Observation:
        """Return what a player may know now, with or without the total and the channel.

        It says what has changed since an earlier observation of the game, if one is given.
        """
        setup = self.setup
        return Observation.from_core(
            setup.topology,
            self._native.cells(),
            setup.mines if truth("total", total) else None,
            setup.channel if truth("channel", channel) else None,
            setup.rules,
            None if since is None else since.cells.tobytes(),
        )

    @property
    def native(self) -> _core.Game:
        """The game of the core, for further questions to the core."""
        return self._native

    @property
    def moves(self) -> tuple[tuple[Kind, Cell], ...]:
        """All moves so far.

        Examples
        --------
        >>> game = Game.level("easy", seed=1)
        >>> game.flag((8, 8))
        >>> game.open((4, 4))
        >>> game.moves
        (('flag', (8, 8)), ('open', (4, 4)))
        """
        return tuple((KINDS[kind], self.topology.cell(at)) for kind, at in self._native.history())

    def restarted(self) -> Game:
        """Return the same game before its first move.

        Examples
        --------
        >>> game = Game.level("easy", seed=1)
        >>> game.open((4, 4))
        >>> game.restarted()
        Game(9x9, 10 mines, seed=1, 0 opened, playing)
        """
        return Game(self.setup, self.seed, board=self._given_board, position=self.position)

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
        """The number of flags on safe cells; 0 before the mines are laid."""
        return self._native.wrong_flags

    @property
    def identified(self) -> int:
        """The number of mines that are flagged and not exploded; all of them if the game is won."""
        return self._native.identified

    @property
    def score(self) -> float:
        """The share of mines that are identified; 1 if the board has no mines."""
        return self.identified / self.mines if self.mines else 1.0

    def __repr__(self) -> str:
        state = "playing" if self.outcome is None else self.outcome.value
        size = f"{self.topology}, {counted(self.mines, 'mine')}"
        return f"Game({size}, seed={self.seed}, {self.opened:,} opened, {state})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _replay, (self.setup, self.seed, self._given_board, self.position, self.moves)


def _replay(
    setup: Setup,
    seed: int,
    board: Board | None,
    position: Observation | None,
    moves: tuple[tuple[Kind, Cell], ...],
) -> Game:
    """Rebuild a game from its beginning and its moves."""
    game = Game(setup, seed, board=board, position=position)
    for kind, cell in moves:
        game.make(kind, cell)
    return game


def _settled(setup: Setup, seed: int, board: Board | None) -> Setup:
    """Return a setup with its first cell, unless the first opening lays the mines."""
    if board is not None:
        instance("board", board, Board, "Board.from_text('..*')")
        if (board.topology, board.mines) != (setup.topology, setup.mines):
            size = f"{setup.topology}, {counted(setup.mines, 'mine')}"
            raise ValueError(f"{board.name}: {board!r}, expected {size}")
    elif setup.first != "random":
        return setup
    return replace(setup, first=setup.first_cell(seed))


def _continuing(rules: Rules) -> Rules:
    """Return rules for a game that continues from a position, which says what is known."""
    return replace(rules, start="any", given_safe=0)


def _check_fit(board: Board, position: Observation, channel: Channel) -> None:
    """Raise an error if the position has another size, or clues that the board cannot show."""
    if board.topology.kind != position.topology.kind:
        raise ValueError(f"position: {position.topology.kind}, expected {board.topology.kind}")
    if board.topology != position.topology:
        raise ValueError(f"position: shape {position.cells.shape}, expected {board.layout.shape}")
    cells = position.cells
    seen = np.where(cells == CellCode.NO_CLUE.value, NOTHING, cells)
    shown = seen >= 0
    chance = channel.weights[board.topology.degrees, board.counts, np.where(shown, seen, 0)]
    for row, col in np.argwhere(shown & ~board.layout & (chance == 0))[:1]:
        clue = "no clue" if seen[row, col] == NOTHING else f"clue {seen[row, col]}"
        count = counted(int(board.counts[row, col]), "mine")
        raise ValueError(f"({row}, {col}): {clue}, but {count} around")
