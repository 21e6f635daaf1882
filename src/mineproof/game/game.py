"""One game in play: it holds the board, carries out moves, and shows what a player may know."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

import numpy as np

from mineproof import _core
from mineproof.arguments import choice, counted, instance, truth
from mineproof.game.board import Board, check_room, first_cell, mine_total
from mineproof.game.levels import LEVELS, Level
from mineproof.inference import infer
from mineproof.position.cells import CellCode
from mineproof.position.drawn import Drawn
from mineproof.position.model import NOTHING, Channel
from mineproof.position.observation import Observation
from mineproof.position.rules import KINDS, Kind, Rules, Start
from mineproof.position.topology import Cell, Topology, TopologyKind, plain_cell
from mineproof.random import check_seed

__all__ = ["Game", "Outcome", "check_given"]


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


_OUTCOMES: Final = {
    _core.Status.won: Outcome.WON,
    _core.Status.lost: Outcome.LOST,
    _core.Status.finished: Outcome.FINISHED,
}


_CLASSIC: Final = Rules()
_EXACT: Final = Channel.exact()


class Game(Drawn):
    """One game on one board; a copy is an independent game in the same position.

    `Game.random` and `Game.level` start games whose mines are laid by seed. If they get no first
    cell, the mines are laid when the first cell is opened, around that cell: the same board as
    with that first cell given. Until then no cell is known safe, and there is no board.

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
    position
        What is seen at the start, if the game continues from a position. The mines must fit it.
        The position says what is known, so the game has no first cell, start ``any`` and no given
        cells.

    Attributes
    ----------
    first_open
        Whether the first opening lays the mines, or did.

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
        position: Observation | None = None,
    ) -> None:
        instance("board", board, Board, "Board.random(9, 9, mines=10, seed=1)")
        self._prepare(board.topology, board.mines, rules, channel, seed)
        if position is None:
            self._start(board, first_cell(board.topology, rules.start) if first is None else first)
        elif first is None:
            self._continue(board, position)
        else:
            raise ValueError("a game that continues from a position has no first cell")

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
        return cls(board, rules, channel=position.channel, seed=seed, position=position)

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
        topology: TopologyKind = "square",
    ) -> Game:
        """Start a game whose mines `Board.random` lays.

        Examples
        --------
        >>> game = Game.random(9, 9, density=0.2, seed=1)
        >>> game.open((4, 4))
        >>> game.board.mines, game.first
        (16, (4, 4))
        """
        cells = Topology(rows, cols, topology)
        game = cls.__new__(cls)
        total = mine_total(mines, density, cells.cells)
        game._prepare(cells, total, rules, channel, seed)
        if first is not None or rules.start == "any":
            game.lay_mines(first)
        else:
            game.first_open = True
            check_room(cells, total, rules.start)
            check_given(cells, total, rules.given_safe)
        return game

    @classmethod
    def level(
        cls,
        level: str | Level,
        *,
        seed: int,
        rules: Rules = _CLASSIC,
        channel: Channel | None = None,
        first: Cell | None = None,
        topology: TopologyKind = "square",
    ) -> Game:
        """Start a game of a level, as `Game.random` does.

        Examples
        --------
        >>> Game.level("expert", seed=1)
        Game(16x30, 99 mines, seed=1, 0 opened, playing)
        """
        if not isinstance(level, Level):
            choice("level", level, LEVELS)
            level = LEVELS[level]
        return cls.random(
            level.rows,
            level.cols,
            mines=level.mines,
            seed=seed,
            rules=rules,
            channel=channel,
            first=first,
            topology=topology,
        )

    def _prepare(
        self, topology: Topology, mines: int, rules: Rules, channel: Channel | None, seed: int
    ) -> None:
        self.topology, self.mines = topology, mines
        self.rules = instance("rules", rules, Rules, "Rules()")
        self.channel = _EXACT if channel is None else channel
        instance("channel", self.channel, Channel, "Channel.parse('exact')")
        self.seed = check_seed(seed)
        self.first: Cell | None = None
        self.first_open = False
        self.position: Observation | None = None
        self._board: Board | None = None
        self._native = self._on(Board(topology, np.zeros(topology.shape, np.bool_)), [])
        self._early: list[tuple[int, int]] = []  # flags from before the mines were laid
        self._kept = 0  # how many of them the native game has

    def _start(self, board: Board, first: Cell | None) -> None:
        """Put the mines in place, and keep the flags that were set before."""
        self.first = None if first is None else plain_cell(first)
        protected = [] if self.first is None else _protected(board, self.rules.start, self.first)
        check_given(board.topology, board.mines, self.rules.given_safe)
        given = _core.given_safe(board.layout.ravel(), self.rules.given_safe, self.seed)
        native = self._on(board, [*protected, *given])
        self._early = self._native.history()
        for kind, place in self._early:
            if native.code(place) != CellCode.KNOWN_SAFE:
                getattr(native, KINDS[kind])(place)
        self._kept = len(native.history())
        self._board, self._native = board, native

    def _continue(self, board: Board, position: Observation) -> None:
        """Put the mines in place, and show the position."""
        _check_fit(board, instance("position", position, Observation), self.channel)
        self.rules = replace(self.rules, start="any", given_safe=0)
        self._native = self._on(board, [])
        self._native.start_from(position.cells)
        self._board, self.position = board, position

    def _on(self, board: Board, known_safe: list[int]) -> _core.Game:
        return _core.Game(
            self.topology.native,
            board.layout.ravel(),
            None if self.channel.is_exact else self.channel.weights,
            self.seed,
            self.rules.on_mine == "continue",
            self.rules.cascade,
            known_safe,
            self.channel.arrival,
        )

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
        if self._board is None:
            self._lay(first_cell(self.topology, self.rules.start) if first is None else first)
            self._early, self._kept, self.first_open = [], 0, False

    def _lay(self, first: Cell | None) -> None:
        board = Board.random(
            *self.topology.shape,
            mines=self.mines,
            seed=self.seed,
            start=self.rules.start,
            first=first,
            topology=self.topology.kind,
        )
        self._start(board, first)

    @property
    def is_laid(self) -> bool:
        """Whether the mines are in place."""
        return self._board is not None

    @property
    def board(self) -> Board:
        """Where the mines are; `ValueError` before they are laid."""
        if self._board is None:
            raise ValueError("the mines are laid when the first cell is opened")
        return self._board

    def open(self, cell: Cell) -> None:
        """Open a closed cell. Raise `ValueError` if the rules forbid it, as all moves do."""
        if self._board is None and self.code(cell) == CellCode.CLOSED:
            self._lay(cell)
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

    def wait(self, cell: Cell) -> None:
        """Wait for the pending clue of a cell: all pending clues arrive."""
        self._move("wait", cell)

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
        self.lay_mines()
        mines = self.mines if total else None
        assumed = self.channel if channel else _EXACT
        return _core.play_out(self._native, player, mines, assumed.native, seed, moves)

    def observe(self, *, total: bool = True, channel: bool = True) -> Observation:
        """Return what a player may know now, with or without the total and the channel."""
        return Observation.from_core(
            self.topology,
            self._native.cells(),
            self.mines if truth("total", total) else None,
            self.channel if truth("channel", channel) else None,
            self.rules,
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
        made = [*self._early, *self._native.history()[self._kept :]]
        return tuple((KINDS[kind], self.topology.cell(place)) for kind, place in made)

    def restarted(self) -> Game:
        """Return the same game before its first move.

        Examples
        --------
        >>> game = Game.level("easy", seed=1)
        >>> game.open((4, 4))
        >>> game.restarted()
        Game(9x9, 10 mines, seed=1, 0 opened, playing)
        """
        game = Game.__new__(Game)
        game._prepare(self.topology, self.mines, self.rules, self.channel, self.seed)
        if self.position is not None:
            game._continue(self.board, self.position)
        elif self.is_laid and not self.first_open:
            game._start(self.board, self.first)
        game.first_open = self.first_open
        return game

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
        return _OUTCOMES.get(self._native.status) if self.is_laid else None

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
        return self._native.wrong_flags if self.is_laid else 0

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
        place = self.topology, self.mines, self.rules, self.channel, self.seed
        board = None if self.first_open else self._board
        return _replay, (place, board, self.first, self.position, self.moves)

    def _move(self, kind: Kind, cell: Cell) -> None:
        getattr(self._native, kind)(self.topology.index(cell))


def _replay(
    place: tuple[Topology, int, Rules, Channel, int],
    board: Board | None,
    first: Cell | None,
    position: Observation | None,
    moves: tuple[tuple[Kind, Cell], ...],
) -> Game:
    """Rebuild a game from its beginning and its moves."""
    topology, mines, rules, channel, seed = place
    if board is None:
        game = Game.random(
            *topology.shape,
            mines=mines,
            seed=seed,
            rules=rules,
            channel=channel,
            topology=topology.kind,
        )
    else:
        game = Game(board, rules, channel=channel, seed=seed, first=first, position=position)
    for kind, cell in moves:
        getattr(game, kind)(cell)
    return game


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


def check_given(topology: Topology, mines: int, count: int) -> None:
    """Raise an error if there are fewer safe cells than are to be given."""
    safe = topology.cells - mines
    if count > safe:
        given, all_safe = counted(count, "given safe cell"), counted(safe, "safe cell")
        raise ValueError(f"{given}: the board has {all_safe}")


def _protected(board: Board, start: Start, first: Cell) -> list[int]:
    """Return the places that the start rule makes known to be safe, or refuse the board."""
    topology = board.topology
    place, rule = topology.index(first), _core.Start[start]
    try:
        return _core.protected_cells(topology.native, board.layout.ravel(), rule, place)
    except ValueError as error:
        raise ValueError(f"{board.name}: {error}") from None
