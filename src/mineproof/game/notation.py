"""The notation of games: a whole game as text, or as one line for a link.

docs/notation.md specifies it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final, Literal, TypeVar, get_args
from urllib.parse import quote_plus, unquote_plus

import numpy as np
from numpy.typing import NDArray

from mineproof.arguments import choice, counted, instance, sentence, whole
from mineproof.game.board import Board
from mineproof.game.game import Game, Outcome
from mineproof.game.move import Move, decisions
from mineproof.position.cells import CellCode, is_open
from mineproof.position.model import Channel
from mineproof.position.observation import Observation
from mineproof.position.rules import KINDS, OnMine, Rules, Start
from mineproof.position.setup import Setup
from mineproof.position.text import MAX_CELLS, SYMBOLS, lines
from mineproof.position.topology import TOPOLOGIES, Cell, Topology, TopologyKind, plain_cell
from mineproof.random import check_seed

__all__ = ["Transcript", "is_transcript"]

T = TypeVar("T")

_TITLE: Final = "mineproof game"
_VERSIONS: Final = ("1", "2")
"""Version 2 has a topology. Square boards are written in version 1, which older readers know."""
_SYMBOL_OF: Final = {int(code): symbol for symbol, code in SYMBOLS.items()}
_SHOWN: Final = "".join(symbol for symbol in SYMBOLS if symbol not in ".F")
"""The symbols of what a move may show."""
_OPENABLE: Final = (CellCode.CLOSED, CellCode.KNOWN_SAFE)


@dataclass(frozen=True, slots=True)
class Transcript:
    r"""A whole game as a value: how it began, every move, what the moves showed, how it ended.

    The mines are laid by the seed or given as a board. Then what the moves show and the outcome are
    filled in, or checked. Without a seed and a board, the board is unknown, and every opening must
    say what it showed.

    Parameters
    ----------
    topology, mines
        The cells of the board and the number of mines, which may be None if the board is unknown.
    rules, channel
        As for `Game`.
    seed
        As for `Game`; None if the board is unknown.
    board
        Where the mines are. If the seed lays them, this is None until the game is over.
    first
        The first cell: given, or ``"open"`` if the first opening lays the mines. By default that of
        the start rule.
    position
        What is seen at the start, if that is not what the rules and the seed say.
    moves
        All moves in order.
    outcome
        How the game ended; None if it has not.

    Examples
    --------
    >>> game = Game(Setup(Topology(3, 4), 2), seed=1)
    >>> game.open((0, 3))
    >>> game.flag((2, 1))
    >>> transcript = Transcript.of(game, by="Ada")
    >>> print(transcript)
    mineproof game 1
    size 4x3x2
    seed 1
    start safe
    on_mine end
    cascade yes
    given_safe 0
    channel exact
    first open
    by Ada
    open 0,3 shows 0,2=10 1,2=20 2,2=20
    flag 2,1
    >>> transcript.to_line()
    'mineproof+game+1;size+4x3x2;seed+1;first+open;by+Ada;open+0,3;flag+2,1'
    >>> Transcript.from_text(transcript.to_line()) == transcript
    True
    >>> transcript.game().observation == game.observation
    True
    """

    topology: Topology
    mines: int | None
    rules: Rules = field(default_factory=Rules)
    channel: Channel = field(default_factory=Channel.exact)
    seed: int | None = None
    board: Board | None = None
    first: Cell | Literal["open"] | None = None
    position: Observation | None = None
    moves: tuple[Move, ...] = field(default=(), repr=False)
    outcome: Outcome | None = None

    def __post_init__(self) -> None:
        self._check_start()
        self._check_decisions()
        if self.seed is None:
            self._check_moves()
        else:
            self._replay()

    @classmethod
    def of(
        cls,
        game: Game,
        by: str = "",
        *,
        moves: Sequence[Move] | None = None,
        outcome: Outcome | None = None,
    ) -> Transcript:
        """Return the transcript of a game.

        Parameters
        ----------
        game
            The game, after any number of moves.
        by
            Who made all moves, unless they are given.
        moves
            The moves that were made, to say who made each of them, and which were decided together.
        outcome
            How it ended, if the game cannot know: an agent was stuck.
        """
        instance("game", game, Game, "Game.level('easy', seed=1)")
        if moves is None:
            moves = [Move(kind, cell, by) for kind, cell in game.moves]
        elif [(move.kind, move.cell) for move in moves] != [*game.moves]:
            raise ValueError("moves: not those of the game")
        return cls(
            game.topology,
            game.mines,
            game.rules,
            game.channel,
            game.seed,
            board=None if game.first_open else game.board,
            first="open" if game.first_open else game.first,
            position=game.position,
            moves=tuple(moves),
            outcome=game.outcome or outcome,
        )

    @classmethod
    def from_text(cls, text: str) -> Transcript:
        """Read a game from its text or its line. The `ValueError` for bad text names the line."""
        return _Reader(text).transcript()

    def to_text(self) -> str:
        """Write the game as text, one move per line."""
        return "\n".join(self._lines(brief=False))

    def to_line(self) -> str:
        """Write the game as one line for the fragment of a link, as short as it can be."""
        # None of these characters needs escaping in a fragment.
        return ";".join(quote_plus(line, safe=",:/=*?&") for line in self._lines(brief=True))

    def __str__(self) -> str:
        return self.to_text()

    def game(self, moves: int | None = None) -> Game:
        """Return the game after its first moves, by default all; `ValueError` without a board."""
        game = self._begin()
        for move in self.moves[: self._number(moves)]:
            game.make(move.kind, move.cell)
        return game

    def beginning(self) -> Game:
        """Return the game before its first move; if its first cell was open, with that given."""
        game = self.game()
        game.lay_mines()
        if game.position is not None:
            return game.restarted()
        return Game(replace(game.setup, first=game.first), game.seed, board=game.board)

    def observation(self, moves: int | None = None) -> Observation:
        """Return what a player saw after the first moves, by default all of them."""
        seen = _Seen(self)
        for move in self.moves[: self._number(moves)]:
            seen.show(move)
        cells = seen.cells.reshape(self.topology.shape)
        return Observation(self.topology, cells, self.mines, self.channel, self.rules)

    def observations(self) -> Iterator[Observation]:
        """Yield what a player saw at the start, and then after each move."""
        seen = _Seen(self)
        for move in (None, *self.moves):
            if move is not None:
                seen.show(move)
            cells = seen.cells.reshape(self.topology.shape).copy()
            yield Observation(self.topology, cells, self.mines, self.channel, self.rules)

    def decisions(self) -> Iterator[tuple[Move, ...]]:
        """Yield the moves of each decision."""
        return decisions(self.moves)

    @property
    def first_opened(self) -> Cell | None:
        """The first cell by the rules, or else the one that was opened first; None before that.

        Examples
        --------
        >>> game = Game.level("easy", seed=1)
        >>> game.open((4, 4))
        >>> Transcript.of(game).first_opened
        (4, 4)
        """
        if self.first is not None and self.first != "open":
            return self.first
        return next((move.cell for move in self.moves if move.kind == "open"), None)

    def as_seen(self) -> Transcript:
        """Return the game as its player knows it, without the seed and the board."""
        start = self.observation(0)
        shown = bool((start.cells != CellCode.CLOSED.value).any())
        return replace(self, seed=None, board=None, position=start if shown else None)

    # ------------------------------------------------------------------------------------- checks

    def _check_start(self) -> None:
        """Check the conditions, and fill in the first cell and the seed of a fixed board."""
        topology = instance("topology", self.topology, Topology, "Topology(9, 9)")
        rules = instance("rules", self.rules, Rules, "Rules()")
        instance("channel", self.channel, Channel, "Channel.parse('exact')")
        if self.outcome is not None:
            choice("outcome", self.outcome, [*Outcome])
            object.__setattr__(self, "outcome", Outcome(self.outcome))
        first = None if self.first == "open" else self.first
        with _about("size"):
            mines = None if self.mines is None else whole("mines", self.mines, 0, topology.cells)
        with _about("first"):
            if self.first == "open" and (rules.start == "any" or self.position is not None):
                raise ValueError("open, but the mines are laid at the start")
            if first is not None:
                topology.index(first)
                first = plain_cell(first)
            elif self.position is None:
                first = Setup(topology, 0, Rules(rules.start)).first_cell()
        with _about("position"):
            if self.position is not None and self.position.topology != topology:
                raise ValueError(f"another size than {topology}")
            if self.position is not None:
                seen = Observation(topology, self.position.cells, mines, self.channel)
                object.__setattr__(self, "position", seen)
        object.__setattr__(self, "mines", mines)
        object.__setattr__(self, "first", "open" if self.first == "open" else first)
        if self.seed is not None or self.board is not None:
            self._check_board(mines)

    def _check_decisions(self) -> None:
        before = None
        for number, move in enumerate(self.moves):
            with _about(number):
                if move.together and (before is None or before.by != move.by):
                    raise ValueError(f"{move.cell}: no move before it by the same player")
                if move.together and (before is None or "wait" in (before.kind, move.kind)):
                    raise ValueError(f"{move.cell}: nobody decides to wait")
            before = move

    def _check_board(self, mines: int | None) -> None:
        with _about("seed"):
            object.__setattr__(self, "seed", check_seed(0 if self.seed is None else self.seed))
        with _about("size"):
            if mines is None:
                raise ValueError("a board has a number of mines, as in 9x9x10")
            Setup(self.topology, mines, replace(self.rules, given_safe=0))
        with _about("board"):
            if self.board is not None and self.board.topology != self.topology:
                raise ValueError(f"another size than {self.topology}")
            if self.board is not None and self.board.mines != mines:
                raise ValueError(f"{counted(self.board.mines, 'mine')}, expected {mines}")
        with _about("position"):
            if self.position is not None and self.board is None:
                raise ValueError("the seed of a game from a position lays no mines; give its board")
            if self.position is not None and (self.rules.start != "any" or self.rules.given_safe):
                raise ValueError("a game from a position has start any and no given safe cells")
        with _about("given_safe"):
            Setup(self.topology, mines, self.rules)

    def _check_moves(self) -> None:
        """Check that the moves of a game whose board is unknown can be moves of one game."""
        seen, moves = _Seen(self), []
        for number, move in enumerate(self.moves):
            with _about(number):
                seen.check(move)
            moves.append(seen.show(move))
        object.__setattr__(self, "moves", tuple(moves))
        found = seen.outcome
        if self.mines is None and self.outcome is Outcome.WON and not seen.exploded:
            found = Outcome.WON  # It takes the total to tell.
        self._check_outcome(found)

    def _replay(self) -> None:
        """Play the moves again; fill in or check what they show, the outcome, and the board."""
        with _about("board" if self.position is None else "position"):
            game = self._begin()
        moves: list[Move] = []
        for number, move in enumerate(self.moves):
            with _about(number):
                moves.append(_made(game, move))
        object.__setattr__(self, "moves", tuple(moves))
        self._check_outcome(game.outcome)
        board = game.board if game.is_laid else None
        with _about("board"):
            if self.board is not None and self.board != board:
                raise ValueError("the seed lays other mines")
        hidden = self.outcome is None and self._is_laid_by_seed(board)
        object.__setattr__(self, "board", None if hidden else board)

    def _check_outcome(self, found: Outcome | None) -> None:
        with _about("outcome"):
            if self.outcome is not None and self.outcome is not (found or Outcome.STUCK):
                state = "is not over" if found is None else f"is {found.value}"
                raise ValueError(f"{self.outcome.value}, but the game {state}")
        object.__setattr__(self, "outcome", self.outcome or found)

    # ---------------------------------------------------------------------------------- the start

    def _begin(self) -> Game:
        if self.seed is None:
            raise ValueError("the board is unknown")
        board = None if self.first == "open" else self.board
        return Game(self._setup, self.seed, board=board, position=self.position)

    @property
    def _setup(self) -> Setup:
        assert self.mines is not None, "a game with a seed has a number of mines"
        first = None if self.first == "open" else self.first
        return Setup(self.topology, self.mines, self.rules, self.channel, first)

    def _is_laid_by_seed(self, board: Board | None) -> bool:
        if self.first == "open" or board is None:
            return True
        if self.position is not None or self.seed is None:
            return False
        return board == Board.random(self._setup, self.seed)

    def _number(self, moves: int | None) -> int:
        return len(self.moves) if moves is None else whole("moves", moves, 0, len(self.moves))

    # ------------------------------------------------------------------------------------ writing

    def _lines(self, *, brief: bool) -> Iterator[str]:
        rows, cols = self.topology.shape
        kind = self.topology.kind
        yield f"{_TITLE} {_VERSIONS[kind != 'square']}"
        yield f"size {cols}x{rows}" + ("" if self.mines is None else f"x{self.mines}")
        if kind != "square":
            yield f"topology {kind}"
        if self.seed is not None:
            yield f"seed {self.seed}"
        usual = [*_conditions(Rules(), Channel.exact()), f"first {self._first_by_rule()}"]
        conditions = [*_conditions(self.rules, self.channel)]
        if self.first is not None:
            conditions.append(f"first {'open' if self.first == 'open' else _cell(self.first)}")
        yield from (line for line in conditions if not brief or line not in usual)
        if self.position is not None:
            yield "position"
            yield from self.position.to_text().splitlines()[-rows:]
        yield from self._move_lines(with_shows=not brief or self.seed is None)
        if self.outcome is not None:
            yield f"outcome {self.outcome.value}"
        if self.board is not None and not (brief and self._is_laid_by_seed(self.board)):
            yield "board"
            yield from self.board.to_text().splitlines()[-rows:]

    def _first_by_rule(self) -> str:
        first = Setup(self.topology, 0, Rules(self.rules.start)).first_cell()
        return "" if first is None or self.position is not None else _cell(first)

    def _move_lines(self, *, with_shows: bool) -> Iterator[str]:
        author = ""
        for (by, kind, single), group in groupby(
            self.moves, lambda move: (move.by, move.kind, with_shows and move.shows)
        ):
            moves = list(group)
            if by != author:
                author = by
                yield f"by {by}".rstrip()
            if single or with_shows:
                yield from (_with_shows(move) for move in moves)
            else:
                yield " ".join([kind, *map(_place, moves)])


def is_transcript(text: str) -> bool:
    """Whether a text begins like a game in this notation, in any version."""
    return text.lstrip("\ufeff \t\r\n").replace("+", " ", 2).startswith(_TITLE)


# ------------------------------------------------------------------------------------------ replay


class _Misfit(ValueError):
    """What is wrong, and where: the number of a move, or the name of a line."""

    def __init__(self, place: str | int, reason: str) -> None:
        super().__init__(f"{f'move {place}' if isinstance(place, int) else place}: {reason}")
        self.place, self.reason = place, reason


@contextmanager
def _about(place: str | int) -> Iterator[None]:
    """Add the place to errors."""
    try:
        yield
    except ValueError as error:
        raise _Misfit(place, str(error)) from None


def _made(game: Game, move: Move) -> Move:
    """Make a move; return it with what it shows, which is checked if the move says it."""
    opened, hits = game.make(move.kind, move.cell)
    shown = replace(move, shows=game.shown(), opened=opened, hits=hits, claim=None)
    if move.shows and move.shows != shown.shows:
        raise ValueError(f"on this board it shows {_runs(shown.shows) or 'nothing'}")
    return shown


class _Seen:
    """What a player sees during a game whose board may be unknown."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._topology = transcript.topology
        if transcript.seed is not None:
            cells = transcript.game(0).observation.cells
        elif transcript.position is not None:
            cells = transcript.position.cells
        else:
            cells = np.full(self._topology.shape, CellCode.CLOSED.value, np.int8)
        self.cells: NDArray[np.int8] = cells.ravel().copy()
        self._laid = transcript.first != "open"
        self.exploded = int(np.count_nonzero(self.cells == CellCode.EXPLODED.value))
        self._opened = sum(map(is_open, self.cells.tolist()))
        self._openable = int(np.count_nonzero(np.isin(self.cells, _OPENABLE)))

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, as far as it can be seen."""
        if not self._laid:
            return None
        if self._transcript.rules.on_mine == "continue":
            return None if self._openable else Outcome.FINISHED
        if self.exploded:
            return Outcome.LOST
        mines = self._transcript.mines
        over = mines is not None and self._opened == self._topology.cells - mines
        return Outcome.WON if over else None

    def check(self, move: Move) -> None:
        """Raise an error if the move cannot be made now, or cannot show what it does."""
        code = self.cells[self._topology.index(move.cell)]
        if self.outcome is not None:
            raise ValueError("the game is over")
        if move.kind in ("flag", "unflag"):
            needed = CellCode.CLOSED if move.kind == "flag" else CellCode.FLAGGED
            if code != needed or move.shows:
                raise ValueError(f"{move.cell}: {move.kind} is not possible, or shows nothing")
            return
        possible = {"chord": code >= 0, "wait": code == CellCode.PENDING}
        if not possible.get(move.kind, code in _OPENABLE):
            raise ValueError(f"{move.cell}: {move.kind} is not possible")
        shown = dict(move.shows)
        if not shown or (move.kind == "open" and not _is_revealed(shown.get(move.cell))):
            raise ValueError(f"{move.cell}: without a board, the move must say what it shows")
        if len(shown) < len(move.shows):
            raise ValueError(f"{move.cell}: shows a cell twice")
        for cell, seen in move.shows:
            before = self.cells[self._topology.index(cell)]
            laying = not self._laid
            arrives = before == CellCode.PENDING and seen >= 0
            if not (before in _OPENABLE or arrives or (laying and before == CellCode.FLAGGED)):
                raise ValueError(f"{cell}: is not closed, so the move cannot show it")
            if not (_is_revealed(seen) or (laying and seen == CellCode.KNOWN_SAFE)):
                raise ValueError(f"{cell}: code {seen} cannot be shown")
            if seen > self._topology.degrees[cell]:
                around = counted(int(self._topology.degrees[cell]), "neighbour")
                raise ValueError(f"{cell}: clue {seen}, but the cell has {around}")

    def show(self, move: Move) -> Move:
        """Make a move; return it with what it opened and exploded."""
        before = self._opened, self.exploded
        if move.kind in ("flag", "unflag"):
            flagged = move.kind == "flag"
            self.cells[self._topology.index(move.cell)] = (
                CellCode.FLAGGED if flagged else CellCode.CLOSED
            )
            self._openable += -1 if flagged else 1
        self._laid = self._laid or move.kind == "open"
        for cell, code in move.shows:
            place = self._topology.index(cell)
            self._openable -= int(self.cells[place] in _OPENABLE) - int(code in _OPENABLE)
            self._opened += is_open(code) and not is_open(self.cells[place])
            self.exploded += int(code == CellCode.EXPLODED)
            self.cells[place] = code
        opened, hits = self._opened - before[0], self.exploded - before[1]
        return replace(move, opened=opened, hits=hits, claim=None)


def _is_revealed(code: int | None) -> bool:
    return code is not None and (code == CellCode.EXPLODED or is_open(code))


# ----------------------------------------------------------------------------------------- writing


def _conditions(rules: Rules, channel: Channel) -> Iterator[str]:
    yield f"start {rules.start}"
    yield f"on_mine {rules.on_mine}"
    yield f"cascade {'yes' if rules.cascade else 'no'}"
    yield f"given_safe {rules.given_safe}"
    yield f"channel {channel.to_text()}"


def _cell(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def _place(move: Move) -> str:
    return "&" * move.together + _cell(move.cell)


def _with_shows(move: Move) -> str:
    shows = f" shows {_runs(move.shows)}" if move.shows else ""
    return f"{move.kind} {_place(move)}{shows}"


def _runs(shows: Sequence[tuple[Cell, int]]) -> str:
    """Write cells next to each other in a row as one run."""
    runs: list[list[Any]] = []
    for (row, col), code in shows:
        if not (runs and runs[-1][0] == row and runs[-1][1] + len(runs[-1][2]) == col):
            runs.append([row, col, ""])
        runs[-1][2] += _SYMBOL_OF[code]
    return " ".join(f"{row},{col}={symbols}" for row, col, symbols in runs)


# ----------------------------------------------------------------------------------------- reading

_SIZE: Final = re.compile(r"(\d+)x(\d+)(?:x(\d+))?", re.ASCII)
_CELL: Final = re.compile(r"(\d{1,7}),(\d{1,7})", re.ASCII)
_RUN: Final = re.compile(rf"(\d{{1,7}}),(\d{{1,7}})=([{re.escape(_SHOWN)}]+)", re.ASCII)
_WHOLE: Final = re.compile(r"\d+", re.ASCII)
_DIGITS: Final = 1_000
"""The most digits of a number. Python takes ever longer to read more of them, and then refuses."""


def _match(pattern: re.Pattern[str], text: str, must: str) -> re.Match[str]:
    found = pattern.fullmatch(text)
    if found is None:
        raise ValueError(sentence("value", text, must))
    return found


def _read_size(text: str) -> tuple[int, int, int | None]:
    cols, rows, mines = _match(_SIZE, text, "COLSxROWSxMINES, as in 30x16x99").groups()
    if max(map(len, (cols, rows, mines or ""))) > _DIGITS or int(cols) * int(rows) > MAX_CELLS:
        raise ValueError(sentence("value", text, f"a size of at most {MAX_CELLS:,} cells"))
    return int(rows), int(cols), None if mines is None else int(mines)


def _read_whole(text: str) -> int:
    digits = _match(_WHOLE, text, "a whole number").group()
    if len(digits) > _DIGITS:
        raise ValueError(sentence("value", text, f"a whole number of at most {_DIGITS:,} digits"))
    return int(digits)


def _read_cell(text: str) -> Cell:
    row, col = _match(_CELL, text, "ROW,COLUMN, as in 0,3").groups()
    return int(row), int(col)


def _read_runs(text: str, topology: Topology) -> Iterator[tuple[Cell, int]]:
    for word in text.split():
        row, col, symbols = _match(_RUN, word, "ROW,COLUMN=SYMBOLS, as in 0,3=112").groups()
        topology.index((int(row), int(col) + len(symbols) - 1))
        yield from (
            ((int(row), int(col) + at), int(SYMBOLS[symbol])) for at, symbol in enumerate(symbols)
        )


def _one_of(options: Collection[str]) -> Callable[[str], str]:
    def read(text: str) -> str:
        choice("value", text, options)
        return text

    return read


_RULES: Final[Mapping[str, Callable[[str], Any]]] = MappingProxyType(
    {
        "start": _one_of(get_args(Start)),
        "on_mine": _one_of(get_args(OnMine)),
        "cascade": lambda text: _one_of(("yes", "no"))(text) == "yes",
        "given_safe": _read_whole,
    }
)
_CONDITIONS: Final[Mapping[str, Callable[[str], Any]]] = MappingProxyType(
    {
        "size": _read_size,
        "topology": _one_of(TOPOLOGIES),
        "seed": lambda text: check_seed(_read_whole(text)),
        **_RULES,
        "channel": Channel.parse,
        "first": lambda text: text if text == "open" else _read_cell(text),
    }
)
"""How the value of each condition is read."""


class _Reader:
    """Reads one game, and remembers in which line everything was."""

    def __init__(self, text: str) -> None:
        self._unit = "line"
        self._lines = [line.strip() for line in lines(text)]
        self._at = 0
        self._places: dict[str | int, int] = {}
        while self._lines and not self._lines[-1]:
            self._lines.pop()
        while self._at < len(self._lines) and not self._lines[self._at]:
            self._at += 1
        if self._at == len(self._lines) - 1 and ";" in self._lines[-1]:
            self._split_line(self._lines[-1])

    def _split_line(self, line: str) -> None:
        self._unit, self._lines, self._at = "part", [], 0
        for part in line.split(";"):
            try:
                self._lines.append(unquote_plus(part, errors="strict").strip())
            except UnicodeDecodeError:
                self._at = len(self._lines)
                raise self._fault("the escaped characters are not UTF-8") from None

    def transcript(self) -> Transcript:
        self._read_title()
        conditions = self._read_conditions()
        rows, cols, mines = conditions.pop("size")
        topology = self._topology(rows, cols, conditions.pop("topology", "square"))
        rules = Rules(**{name: conditions.pop(name) for name in _RULES if name in conditions})
        position = self._read_grid("position", topology, Observation.from_text)
        moves = tuple(self._read_moves(topology))
        outcome = self._read_outcome()
        board = self._read_grid("board", topology, Board.from_text)
        if self._at < len(self._lines):
            word = self._lines[self._at].partition(" ")[0]
            again = "is out of place" if word in _WORDS else "is not a word of this notation"
            raise self._fault(f"{word[:20]!r} {again}")
        try:
            return Transcript(
                topology,
                mines,
                rules,
                board=board,
                position=position,
                moves=moves,
                outcome=outcome,
                **conditions,
            )
        except _Misfit as error:
            self._at = self._places.get(error.place, self._places["size"])
            raise self._fault(error.reason) from None

    def _read_title(self) -> None:
        line = self._lines[self._at] if self._at < len(self._lines) else ""
        if not line.startswith(f"{_TITLE} "):
            raise self._fault(f"a game begins with '{_TITLE} {_VERSIONS[0]}'")
        self._version = line.removeprefix(f"{_TITLE} ").strip()
        if self._version not in _VERSIONS:
            known = " and ".join(_VERSIONS)
            raise self._fault(f"version {self._version[:20]!r}: only versions {known} can be read")
        self._at += 1

    def _read_conditions(self) -> dict[str, Any]:
        conditions: dict[str, Any] = {}
        while (line := self._line_of(_CONDITIONS)) is not None:
            name, _, value = line.partition(" ")
            if name in conditions:
                raise self._fault(f"{name} is given twice")
            with self._naming_line():
                conditions[name] = _CONDITIONS[name](value.strip())
            self._done(name)
        if "size" not in conditions:
            raise self._fault("the conditions need a size, as in 'size 30x16x99'")
        return conditions

    def _topology(self, rows: int, cols: int, kind: TopologyKind) -> Topology:
        self._at, after = self._places.get("topology", self._places["size"]), self._at
        with self._naming_line():
            if "topology" in self._places and self._version == "1":
                raise ValueError("version 1 has no topology")
            topology = Topology(rows, cols, kind)
        self._at = after
        return topology

    def _read_grid(self, name: str, topology: Topology, read: Callable[..., T]) -> T | None:
        """Read a grid, if there is one with this name."""
        if self._line_of((name,)) is None:
            return None
        with self._naming_line():
            if self._lines[self._at] != name:
                raise ValueError(f"{name} stands alone in its line")
            rows = self._lines[self._at + 1 : self._at + 1 + topology.rows]
            text = "\n".join(rows)
            if len(rows) < topology.rows or not all(rows):
                raise ValueError(f"{name} needs {counted(topology.rows, 'row')}")
            found = read(text, topology=topology.kind)
        self._done(name)
        self._at += topology.rows
        return found

    def _read_moves(self, topology: Topology) -> Iterator[Move]:
        author, count = "", 0
        while (line := self._line_of(("by", *KINDS))) is not None:
            kind, _, rest = line.partition(" ")
            if kind == "by":
                author = rest.strip()
                with self._naming_line():
                    Move("open", (0, 0), author)
                self._at += 1
                continue
            for move in self._read_move(kind, rest, author, topology):
                yield move
                self._places[count] = self._at
                count += 1
            self._at += 1

    def _read_move(self, kind: Any, rest: str, author: str, topology: Topology) -> list[Move]:
        """Read a line of moves: several cells, or one cell and what it shows."""
        with self._naming_line():
            cells, says, runs = rest.partition("shows")
            places = [
                (_read_cell(word.removeprefix("&")), word[0] == "&") for word in cells.split()
            ]
            for cell, _ in places:
                topology.index(cell)
            if not places or (says and len(places) > 1):
                raise ValueError(f"{kind} needs {'one cell' if says else 'a cell'}, as in 0,3")
            shows = tuple(_read_runs(runs, topology))
            if says and not shows:
                raise ValueError("shows needs cells, as in 0,3=112")
            return [Move(kind, cell, author, shows, together) for cell, together in places]

    def _read_outcome(self) -> Outcome | None:
        line = self._line_of(("outcome",))
        if line is None:
            return None
        with self._naming_line():
            outcome = Outcome(_one_of(tuple(Outcome))(line.partition(" ")[2].strip()))
        self._done("outcome")
        return outcome

    def _line_of(self, words: Collection[str]) -> str | None:
        """Return the next line if it begins with one of the words."""
        line = self._lines[self._at] if self._at < len(self._lines) else ""
        return line if line.partition(" ")[0] in words and line else None

    def _done(self, name: str) -> None:
        self._places[name] = self._at
        self._at += 1

    def _fault(self, reason: str) -> ValueError:
        return ValueError(f"{self._unit} {self._at + 1}: {reason}")

    @contextmanager
    def _naming_line(self) -> Iterator[None]:
        """Add the line to errors."""
        try:
            yield
        except ValueError as error:
            raise self._fault(str(error)) from None


_WORDS: Final = {*_CONDITIONS, *KINDS, "by", "position", "outcome", "board"}
