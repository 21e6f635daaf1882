"""The games of a server: in memory while they are played, and on disk after every move."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Final, TypeAlias, cast

import numpy as np

from mineproof.agents import Decision
from mineproof.arena.play import carry_out
from mineproof.game import Game, Move, Transcript
from mineproof.game.move import decisions
from mineproof.position import CellCode, Observation
from mineproof.position.rules import Kind
from mineproof.position.topology import Cell
from mineproof.web.errors import Refused
from mineproof.web.models import Ended, GameState, RulesShown

__all__ = ["PERSON", "RULE", "Games", "Session", "notation"]

Write: TypeAlias = Callable[..., sqlite3.Cursor]
"""Carries out one statement of a transaction."""

PERSON: Final = "person"
RULE: Final = ""
"""Who made a move, if it was not an agent. The rule opens the first cell before an agent moves."""

_LIVE_CELLS: Final = 5_000_000
"""The games in memory have at most this many cells in all."""
_MOST_GONE: Final = 100_000
"""How many ids of games that are gone are remembered."""
_PRIVATE: Final = 0o600


@dataclass
class Session:
    """A game in play, with all its moves; ``start`` is its beginning."""

    id: str
    start: Transcript
    moves: list[Move] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    """When each move was made."""
    taken_back: int = 0
    no_guess: bool = False
    """Whether its board is laid at the first opening so that no guess is needed."""
    thinking: bool = False
    """Whether an agent is deciding."""
    game: Game = field(init=False)

    def __post_init__(self) -> None:
        self.replay()

    def replay(self) -> None:
        """Set the game to where its moves lead."""
        self.game = self.start.game(0)
        for move in self.moves:
            self.game.make(move.kind, move.cell)

    @property
    def steps(self) -> int:
        """The number of decisions so far."""
        return sum(not move.together for move in self.moves)

    @property
    def version(self) -> tuple[int, int]:
        """Differs between any two states of the game."""
        return len(self.moves), self.taken_back

    def seen_by(self, agent: str) -> list[Observation]:
        """Return the observations at an agent's decisions, by playing the game again."""
        game, seen = self.start.game(0), []
        for made in decisions(self.moves):
            if made[0].by == agent:
                seen.append(game.observe())
            for move in made:
                game.make(move.kind, move.cell)
        return seen

    def before_last_step(self) -> Game:
        """Return the game before its last decision."""
        game = self.start.game(0)
        for move in self.moves[: self.last_step]:
            game.make(move.kind, move.cell)
        return game

    @property
    def last_step(self) -> int:
        """The number of moves before the last decision."""
        number = max(len(self.moves) - 1, 0)
        while number and self.moves[number].together:
            number -= 1
        return number

    def transcript(self) -> Transcript:
        """Return the whole game in the project's notation."""
        return Transcript.of(self.game, moves=self.moves)

    def state(self) -> GameState:
        """Return what a player may know, and the board if the game is over."""
        game = self.game
        seen = game.observe()
        over = game.outcome is not None
        flags = int(np.count_nonzero(seen.cells == CellCode.FLAGGED.value))
        return GameState(
            id=self.id,
            rows=seen.rows,
            cols=seen.cols,
            mines=game.mines,
            rules=RulesShown(**asdict(game.rules)),
            channel=game.channel.name,
            no_guess=self.no_guess,
            cells=seen.to_text().partition("\n")[2].replace("\n", ""),
            moves=len(self.moves),
            steps=self.steps,
            taken_back=self.taken_back,
            alone=all(move.by == PERSON for move in self.moves),
            outcome=cast("Ended | None", game.outcome and game.outcome.value),
            won=game.won,
            opened=game.opened,
            hits=game.hits,
            flags=flags,
            mines_left=game.mines - flags - game.hits,
            wrong_flags=game.wrong_flags if over else None,
            score=game.score if over else None,
            seconds=self._seconds(),
            seed=game.seed if over else None,
            board=_cells(game.board.layout) if over else None,
            last=[move.cell for move in self.moves[self.last_step :]][:1000],
        )

    def _seconds(self) -> float:
        made = zip(self.moves, self.times, strict=True)
        begun = next((at for move, at in made if move.kind in ("open", "chord")), None)
        if begun is None:
            return 0.0
        end = time() if self.game.outcome is None else self.times[-1]
        return round(max(end - begun, 0.0), 3)


def notation(progress: object, start: Transcript, moves: list[Move]) -> dict[str, str]:
    """Return a game in the notation; before its end without the board and the seed."""
    found = Session("", start, moves).transcript()
    if found.outcome is None:
        found = found.as_seen()
    return {"text": found.to_text(), "line": found.to_line()}


def _text(move: Move) -> str:
    """Return a move as a line of the notation."""
    row, col = move.cell
    return f"{move.kind} {row},{col}"


def _read(text: str, by: str, together: bool) -> Move:
    kind, _, cell = text.partition(" ")
    row, _, col = cell.partition(",")
    return Move(cast("Kind", kind), (int(row), int(col)), by, together=together)


def _cells(mask: np.ndarray) -> list[Cell]:
    return [(row, col) for row, col in np.argwhere(mask).tolist()]


_VERSION: Final = 3
"""Changes whenever the tables do."""
_LATER_COLUMNS: Final = {
    "no_guess": "INTEGER NOT NULL DEFAULT 0",
    "client": "TEXT NOT NULL DEFAULT ''",
    "in_play": "INTEGER NOT NULL DEFAULT 1",
}
"""The columns that the first version did not have."""
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY, start TEXT NOT NULL, taken_back INTEGER NOT NULL DEFAULT 0,
    used REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS moves (
    game TEXT NOT NULL REFERENCES games ON DELETE CASCADE, number INTEGER NOT NULL,
    step INTEGER NOT NULL, move TEXT NOT NULL, by TEXT NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS gone (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
"""
_INDEXES: Final = """
DROP INDEX IF EXISTS games_used;
CREATE INDEX IF NOT EXISTS games_last ON games (used);
CREATE INDEX IF NOT EXISTS games_first_to_go ON games (client, in_play, used);
"""
_NOW: Final = "(SELECT coalesce(max(used), 0) + 1 FROM games)"
"""When a game was used, for the order alone: a clock may be set back."""
_FIRST_TO_GO: Final = """
SELECT id FROM games WHERE id != ? AND client = (
    SELECT client FROM games GROUP BY client ORDER BY count(*) DESC, min(used) LIMIT 1
) ORDER BY in_play, used LIMIT 1
"""


class _Unusable(Exception):
    """A file that keeps something else."""


def _opened(file: Path | None) -> sqlite3.Connection:
    """Open the file of the games, which only its owner can read: it knows where all mines are."""
    try:
        if file is not None:
            with suppress(FileExistsError):  # The next line says what is wrong with it.
                file.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(file, os.O_RDWR | os.O_CREAT, _PRIVATE))
        games = sqlite3.connect(file or ":memory:", isolation_level=None, check_same_thread=False)
        try:
            _check(games)
            if file is not None:
                _make_private(file)
            _make_tables(games)
        except BaseException:
            games.close()
            raise
    except (OSError, sqlite3.Error, _Unusable) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise ValueError(f"games file {file}: {reason}") from None
    return games


def _check(games: sqlite3.Connection) -> None:
    (version,) = games.execute("PRAGMA user_version").fetchone()
    if version not in range(_VERSION + 1):
        raise _Unusable("its games were kept by another version of mineproof")
    tables = {name for (name,) in games.execute("SELECT name FROM sqlite_master")}
    if tables and not tables >= {"games", "moves"}:
        raise _Unusable("it is a database of another program")


def _make_private(file: Path) -> None:
    # SQLite gives the files that it adds the mode of this one, but there may be older ones.
    for part in (file, *(Path(f"{file}{end}") for end in ("-wal", "-shm", "-journal"))):
        with suppress(FileNotFoundError):
            if part.stat().st_mode & 0o077:
                part.chmod(_PRIVATE)


def _make_tables(games: sqlite3.Connection) -> None:
    # A process that is killed loses nothing, even though not every move waits for the disk.
    games.executescript(
        "PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "
        "PRAGMA foreign_keys = ON;" + _TABLES
    )
    # The columns tell more than the version: a server may be killed between the two changes.
    columns = {name for _, name, *_ in games.execute("PRAGMA table_info(games)")}
    for name, kind in _LATER_COLUMNS.items():
        if name not in columns:
            games.execute(f"ALTER TABLE games ADD COLUMN {name} {kind}")
    games.executescript(f"{_INDEXES} PRAGMA user_version = {_VERSION};")


def _tag(client: str) -> str:
    """Return a short hash that tells clients apart in the file, but does not identify them."""
    return sha256(client.encode()).hexdigest()[:4] if client else ""


class Games:
    """All games of a server.

    A move is written to the file before it is answered, so a server that is killed loses none that
    it acknowledged. Two servers may share a file: a move that does not follow the last one in the
    file is refused. `ValueError` if the file cannot be used.
    """

    def __init__(self, file: Path | None, *, most: int, most_live: int) -> None:
        self._most, self._most_live = most, most_live
        self._live: OrderedDict[str, Session] = OrderedDict()
        self._file = _opened(file)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def new(self, start: Transcript, *, no_guess: bool = False, client: str = "") -> Session:
        """Start a game, and let one go if there are too many.

        It is one of the client that has the most: if it has any that is not in play, the one of
        these that was used least recently.
        """
        session = Session(secrets.token_urlsafe(9), start, no_guess=no_guess)
        with self._writing() as write:
            write(
                "INSERT INTO games (id, start, used, no_guess, client, in_play) "
                f"VALUES (?, ?, {_NOW}, ?, ?, 0)",
                (session.id, start.to_text(), no_guess, _tag(client)),
            )
            (count,) = write("SELECT count(*) FROM games").fetchone()
            for _ in range(count - self._most):
                (name,) = write(_FIRST_TO_GO, (session.id,)).fetchone()
                write("INSERT OR IGNORE INTO gone (id) VALUES (?)", (name,))
                write("DELETE FROM games WHERE id = ?", (name,))
                self._live.pop(name, None)
            write(
                "DELETE FROM gone WHERE number <= (SELECT max(number) FROM gone) - ?",
                (_MOST_GONE,),
            )
        self._keep(session)
        return session

    def get(self, name: str) -> Session:
        """Return a game by its id, from memory or from the file."""
        session = self._live.get(name)
        if session is None:
            session = self._read(name)
            self._keep(session)
        self._live.move_to_end(name)
        return session

    def act(self, session: Session, kind: Kind, cell: Cell, *, by: str = PERSON) -> None:
        """Make one move, which is a decision by itself."""
        self._refuse_if_over(session)
        try:
            session.game.make(kind, cell)
        except ValueError as error:
            raise Refused(409, f"{error}.") from None
        self._record(session, [Move(kind, cell, by)])

    def decide(
        self, session: Session, decision: Decision, seen: Observation | None, by: str
    ) -> list[Move]:
        """Carry out the decision of an agent."""
        self._refuse_if_over(session)
        try:
            moves = carry_out(session.game, decision, seen, by)
        except BaseException:
            session.replay()
            raise
        self._record(session, moves)
        return moves

    def lay(self, session: Session, start: Transcript) -> None:
        """Give a game in which no cell is open its board.

        Flags on cells that are known to be safe now are gone, as in `Game.lay_mines`.
        """
        game = start.game(0)
        kept = [
            made
            for made in zip(session.moves, session.times, strict=True)
            if game.code(made[0].cell) != CellCode.KNOWN_SAFE
        ]
        with self._writing() as write:
            self._check_number(session, write)
            write("UPDATE games SET start = ? WHERE id = ?", (start.to_text(), session.id))
            write("DELETE FROM moves WHERE game = ?", (session.id,))
            for number, (move, at) in enumerate(kept):  # Each flag is a decision by itself.
                row = (session.id, number, number, _text(move), move.by, at)
                write("INSERT INTO moves VALUES (?, ?, ?, ?, ?, ?)", row)
        session.start = start
        session.moves, session.times = [move for move, _ in kept], [at for _, at in kept]
        session.replay()

    def undo(self, session: Session) -> None:
        """Take back the last decision, with all its moves."""
        if not session.moves:
            raise Refused(409, "There is no move to take back.")
        self._change(session, session.last_step)

    def reset(self, session: Session) -> None:
        """Take back all decisions."""
        if session.moves:
            self._change(session, 0)

    def _change(self, session: Session, kept: int) -> None:
        with self._writing() as write:
            self._check_number(session, write)
            write("DELETE FROM moves WHERE game = ? AND number >= ?", (session.id, kept))
            write(
                f"UPDATE games SET taken_back = taken_back + 1, used = {_NOW}, in_play = ? "
                "WHERE id = ?",
                (kept > 0, session.id),
            )
        del session.moves[kept:], session.times[kept:]
        session.taken_back += 1
        session.replay()

    def _record(self, session: Session, moves: Sequence[Move]) -> None:
        now, step = time(), session.steps
        try:
            with self._writing() as write:
                self._check_number(session, write)
                for number, move in enumerate(moves, start=len(session.moves)):
                    row = (session.id, number, step, _text(move), move.by, now)
                    write("INSERT INTO moves VALUES (?, ?, ?, ?, ?, ?)", row)
                in_play = session.game.outcome is None
                write(
                    f"UPDATE games SET used = {_NOW}, in_play = ? WHERE id = ?",
                    (in_play, session.id),
                )
        except BaseException:
            # A move that is not in the file did not happen.
            self._live.pop(session.id, None)
            raise
        session.moves.extend(moves)
        session.times.extend([now] * len(moves))

    def _check_number(self, session: Session, write: Write) -> None:
        query = (
            "SELECT taken_back, (SELECT coalesce(max(number) + 1, 0) FROM moves WHERE game = id) "
            "FROM games WHERE id = ?"
        )
        found = write(query, (session.id,)).fetchone()
        if found != (session.taken_back, len(session.moves)):
            self._live.pop(session.id, None)
            raise Refused(409, "The game was changed by another server: load it again.")

    @contextmanager
    def _writing(self) -> Iterator[Write]:
        self._file.execute("BEGIN IMMEDIATE")
        try:
            yield self._file.execute
        except BaseException:
            self._file.execute("ROLLBACK")
            raise
        self._file.execute("COMMIT")

    def _read(self, name: str) -> Session:
        found = self._file.execute(
            "SELECT start, taken_back, no_guess FROM games WHERE id = ?", (name,)
        ).fetchone()
        if found is None:
            if self._file.execute("SELECT 1 FROM gone WHERE id = ?", (name,)).fetchone():
                raise Refused(410, f"The game is gone: the server keeps {self._most:,} games.")
            raise Refused(404, "There is no game with this id.")
        moves = self._file.execute(
            "SELECT step, move, by, at FROM moves WHERE game = ? ORDER BY number", (name,)
        ).fetchall()
        steps = [None, *(step for step, *_ in moves)]
        start, taken_back, no_guess = found
        return Session(
            name,
            Transcript.from_text(start),
            [
                _read(text, by, step == before)
                for before, (step, text, by, _) in zip(steps, moves, strict=False)
            ],
            [at for *_, at in moves],
            taken_back,
            bool(no_guess),
        )

    def _keep(self, session: Session) -> None:
        self._live[session.id] = session
        cells = sum(kept.start.topology.cells for kept in self._live.values())
        while len(self._live) > 1 and (len(self._live) > self._most_live or cells > _LIVE_CELLS):
            old = next(iter(self._live.values()))
            cells -= old.start.topology.cells
            del self._live[old.id]

    @staticmethod
    def _refuse_if_over(session: Session) -> None:
        if session.game.outcome is not None:
            raise Refused(409, "The game is over.")
