"""Replays of other programs: mouse clicks on a board, and the moves that they make."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from mineproof.game.board import Board
from mineproof.game.game import Game, Outcome
from mineproof.game.move import Move
from mineproof.game.notation import Transcript
from mineproof.position.cells import CellCode, is_closed
from mineproof.position.rules import Kind, Rules
from mineproof.position.text import MAX_CELLS, lines
from mineproof.position.topology import Cell

__all__ = ["is_rawvf", "read_rawvf", "read_replay", "write_rawvf"]

_SQUARE: Final = 16
"""The width of a cell in pixels, if a replay does not say."""
_MOST: Final = 100_000
"""The most moves of a replay."""
_PATIENCE: Final = 60.0
"""Seconds after which a replay that ms-toollib still reads is given up."""


class Click(NamedTuple):
    """What a mouse did: the code of RAWVF, and the cell below it, which may be off the board."""

    code: str
    cell: Cell


# ---------------------------------------------------------------------------------- clicks to moves


@dataclass
class _Mouse:
    """Turns clicks into the moves that they make in a game; clicks that do nothing make none."""

    game: Game
    marks: bool
    super_click: bool
    left: bool = False
    right: bool = False
    middle: bool = False
    shift: bool = False
    chorded: bool = False
    questioned: set[Cell] = field(default_factory=set)

    def click(self, code: str, cell: Cell) -> Iterator[Kind]:
        rows, cols = self.game.topology.shape
        inside = 0 <= cell[0] < rows and 0 <= cell[1] < cols
        if code in ("lc", "sc") and not self.middle:
            self.left, self.shift = True, code == "sc"
        elif code == "rc" and not self.middle:
            self.right, self.shift = True, False
            if inside and not self.left and is_closed(self.game.code(cell)):
                self.chorded = False
                yield from self._mark(cell)
        elif code == "mc":
            self.left = self.right = self.shift = self.chorded = False
            self.middle = True
        elif code == "mr" and self.middle:
            self.middle = False
            yield from self._chord(cell, inside)
        elif code == "lr" and self.left:
            yield from self._left_release(cell, inside)
        elif code == "rr" and self.right:
            self.right = self.shift = False
            self.chorded = self.left
            if self.left:
                yield from self._chord(cell, inside)
        elif code == "mt":
            self.marks = not self.marks

    def _left_release(self, cell: Cell, inside: bool) -> Iterator[Kind]:
        self.left, shift, self.shift = False, self.shift, False
        is_open = inside and not is_closed(self.game.code(cell))
        if self.right or shift or (self.super_click and is_open):
            yield from self._chord(cell, inside)
            self.chorded = self.right
        elif self.chorded:  # The second release of a chord opens nothing.
            self.chorded = False
        elif inside and self.game.code(cell) in (CellCode.CLOSED, CellCode.KNOWN_SAFE):
            yield "open"

    def _mark(self, cell: Cell) -> Iterator[Kind]:
        """Flag a cell; with question marks, the order is flag, question mark, nothing."""
        if self.game.code(cell) == CellCode.FLAGGED:
            yield "unflag"
            if self.marks:
                self.questioned.add(cell)
        elif cell in self.questioned:
            self.questioned.remove(cell)
        else:
            yield "flag"

    def _chord(self, cell: Cell, inside: bool) -> Iterator[Kind]:
        if inside:
            around = [self.game.code(near) for near in self.game.topology.neighbours(cell)]
            flags = around.count(CellCode.FLAGGED)
            if CellCode.CLOSED in around and self.game.code(cell) == flags:
                yield "chord"


def _moves(
    board: Board, clicks: Iterable[Click], marks: bool, super_click: bool
) -> list[tuple[Kind, Cell]]:
    game = Game.on(board, Rules(start="any"))
    mouse = _Mouse(game, marks, super_click)
    moves: list[tuple[Kind, Cell]] = []
    for code, cell in clicks:
        for kind in mouse.click(code, cell):
            if game.outcome is None:
                game.make(kind, cell)
                moves.append((kind, cell))
        if len(moves) > _MOST:
            raise ValueError(f"more than {_MOST:,} moves")
    return moves


def _transcript(board: Board, moves: list[tuple[Kind, Cell]], player: str) -> Transcript:
    """Return the game. Its first cell is safe by rule, unless it was a mine or had a flag."""
    opened = next((cell for kind, cell in moves if kind == "open"), None)
    marked = {cell for _, cell in takewhile(lambda move: move[0] != "open", moves)}
    by_rule = opened is not None and not board.layout[opened] and opened not in marked
    rules = Rules(start="safe" if by_rule else "any")
    by = " ".join("".join(filter(str.isprintable, player)).split())
    return Transcript(
        board.topology,
        board.mines,
        rules,
        board=board,
        first=opened if by_rule else None,
        moves=tuple(Move(kind, cell, by) for kind, cell in moves),
    )


# ------------------------------------------------------------------------------------------- RAWVF

_EVENT: Final = re.compile(
    r"-?+\d++\.?+\d*+\s++(?P<code>[a-z]++)(?:\s++(?P<col>-?+\d{1,7}+)\s++(?P<row>-?+\d{1,7}+))?"
    r"(?:\s*+\(\s*+(?P<x>-?+\d{1,7}+)\s++(?P<y>-?+\d{1,7}+)\s*+\))?.*+",
    re.ASCII | re.IGNORECASE,
)
_CODES: Final = ("lc", "lr", "rc", "rr", "mc", "mr", "mv", "sc", "mt")
_CHEATS: Final = ("elmar", "nono", "superflag")


def is_rawvf(data: bytes) -> bool:
    r"""Whether bytes look like RAWVF.

    Examples
    --------
    >>> is_rawvf(b"RawVF_Version: Rev6\nProgram: ..."), is_rawvf(b"..1")
    (True, False)
    """
    head = data[:4096].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return head.startswith(b"rawvf_version:") or (
        b"board:" in data[:65536].lower() and b"width:" in head and b"height:" in head
    )


def read_rawvf(text: str) -> Transcript:
    r"""Read a replay: the moves that its clicks make.

    Examples
    --------
    >>> replay = "Width: 2\nHeight: 1\nMines: 1\nBoard:\n0*\nEvents:\n"
    >>> game = read_rawvf(replay + "0.00 lc 1 1 (3 9)\n0.05 lr 1 1 (3 9)")
    >>> game.moves[0].kind, game.moves[0].cell, str(game.outcome)
    ('open', (0, 0), 'won')
    """
    rows = lines(text)
    fields: dict[str, str] = {}
    at = 0
    for at, line in enumerate(rows):
        key, colon, value = line.strip().partition(":")
        if key.lower() == "board" and colon:
            break
        if colon:
            fields.setdefault(key.strip().lower(), value.strip())
        elif line.strip():
            raise ValueError(f"line {at + 1}: not 'Key: value'")
    else:
        raise ValueError("there is no line 'Board:'")
    for cheat in _CHEATS:
        if fields.get(cheat, "").lower() == "on":
            raise ValueError(f"{cheat} is on, and replays with it cannot be read")
    width, height = (_number(fields, name, 1) for name in ("width", "height"))
    if width * height > MAX_CELLS:
        raise ValueError(f"a board of {width} x {height} cells")
    grid = [line.strip().replace("0", ".") for line in rows[at + 1 : at + 1 + height]]
    header = f"{width}x{height}x{fields['mines']}" if "mines" in fields else None
    if "mines" in fields:
        _number(fields, "mines", 0)
    board = Board.from_text("\n".join([header, *grid] if header else grid))
    if board.topology.shape != (height, width):
        raise ValueError(f"the board has not {width} x {height} cells")
    square = _number(fields, "squaresize", 1, _SQUARE)
    clicks = _clicks(rows[at + 1 + height :], at + 1 + height, square)
    marks, super_click = (fields.get(key, "").lower() == "on" for key in ("marks", "superclick"))
    return _transcript(board, _moves(board, clicks, marks, super_click), fields.get("player", ""))


def _number(fields: Mapping[str, str], name: str, least: int, default: int | None = None) -> int:
    value = fields.get(name, "" if default is None else str(default))
    if not re.fullmatch(r"\d{1,7}", value, re.ASCII) or int(value) < least:
        raise ValueError(f"{name}: {value[:20] or 'missing'}, expected a number from {least}")
    return int(value)


def _clicks(rows: list[str], offset: int, square: int) -> Iterator[Click]:
    """Yield the clicks; lines about the board and the state of the game only repeat them."""
    for number, line in enumerate(rows, offset + 1):
        found = _EVENT.fullmatch(line.strip())
        if found is None or found["code"].lower() not in _CODES:
            continue
        code = found["code"].lower()
        if found["x"]:
            # Cells count from 1, but not in every program; pixels count from 0 in all of them.
            x, y = int(found["x"]) // square, int(found["y"]) // square
        elif found["col"]:
            x, y = int(found["col"]) - 1, int(found["row"]) - 1
        elif code == "mt":
            x = y = 0
        else:
            raise ValueError(f"line {number}: the click has no place")
        yield Click(code, (y, x))


_WRITTEN: Final[Mapping[str, tuple[str, str]]] = {
    "open": ("lc", "lr"),
    "flag": ("rc", "rr"),
    "unflag": ("rc", "rr"),
    "chord": ("mc", "mr"),
}
_STATUS: Final = {Outcome.WON: "won", Outcome.LOST: "lost"}
_LEVELS: Final = {(9, 9, 10): "Beginner", (16, 16, 40): "Intermediate", (30, 16, 99): "Expert"}


def write_rawvf(transcript: Transcript) -> str:
    """Write a game as clicks in the middle of cells, one move per second.

    Raises
    ------
    ValueError
        If the format cannot hold the game.
    """
    rules = transcript.rules
    for holds, what in (
        (transcript.board is not None, "needs the board, which is unknown or not laid yet"),
        (transcript.position is None, "holds no games that continue from a position"),
        (transcript.channel.is_exact, f"holds exact clues only, not {transcript.channel.name}"),
        (rules.on_mine == "end", "holds no games that go on after a mine"),
        (rules.cascade, "holds no games without cascades"),
        (not rules.given_safe, "holds no games with given safe cells"),
    ):
        if not holds:
            raise ValueError(what)
    assert transcript.board is not None
    return "\n".join([*_head(transcript, transcript.board), *_events(transcript), ""])


def _head(transcript: Transcript, board: Board) -> Iterator[str]:
    authors = list(dict.fromkeys(move.by for move in transcript.moves if move.by))
    size = (board.cols, board.rows, board.mines)
    yield "RawVF_Version: Rev6"
    yield "Program: mineproof"
    if authors:
        yield f"Player: {', '.join(authors)}"
    yield f"Level: {_LEVELS.get(size, 'Custom')}"
    yield from (
        f"{key}: {value}" for key, value in zip(("Width", "Height", "Mines"), size, strict=True)
    )
    yield "Marks: Off"
    yield f"Time: {max(len(transcript.moves) - 1, 0)}.000"
    if transcript.outcome in _STATUS:
        yield f"Status: {_STATUS[transcript.outcome]}"
    yield "Mode: Classic"
    yield "Board:"
    yield from ("".join("*" if mine else "0" for mine in row) for row in board.layout.tolist())


def _events(transcript: Transcript) -> Iterator[str]:
    yield "Events:"
    for second, move in enumerate(transcript.moves):
        row, col = move.cell
        place = (
            f"{col + 1} {row + 1} ({col * _SQUARE + _SQUARE // 2} {row * _SQUARE + _SQUARE // 2})"
        )
        yield from (f"{second}.000 {code} {place}" for code in _WRITTEN[move.kind])


# ---------------------------------------------------------------------- replays through ms-toollib


def read_replay(data: bytes, kind: str) -> Transcript:
    """Read an AVF, EVF, MVF or RMV replay by ms-toollib.

    It runs in a process of its own, because it ends its process if a replay is damaged.

    Raises
    ------
    ModuleNotFoundError
        If ms-toollib is not installed.
    """
    if find_spec("ms_toollib") is None:
        raise ModuleNotFoundError("No module named 'ms_toollib'", name="ms_toollib")
    # Not as a module of the package, which takes long to import.
    reader = Path(__file__).with_name("replay_reader.py")
    command = [sys.executable, "-P", str(reader), kind]
    try:
        with TemporaryDirectory() as folder:  # ms-toollib leaves a log where it runs.
            done = subprocess.run(
                command, input=data, capture_output=True, timeout=_PATIENCE, cwd=folder
            )
        found = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise ValueError(f"not read in {_PATIENCE:.0f} seconds") from None
    except ValueError:
        raise ValueError("ms-toollib cannot read the replay") from None
    board = Board.from_cells(found["rows"], found["cols"], map(tuple, found["mines"]))
    game = Game.on(board, Rules(start="any"))
    moves: list[tuple[Kind, Cell]] = []
    for row, col, flagged in found["clicks"]:
        cell: Cell = row, col
        code = game.code(cell)
        kind_of: Kind
        if flagged != (code == CellCode.FLAGGED):
            kind_of = "flag" if flagged else "unflag"
        else:
            kind_of = "open" if is_closed(code) else "chord"
        with suppress(ValueError):  # A click that does nothing.
            getattr(game, kind_of)(cell)
            moves.append((kind_of, cell))
    return _transcript(board, moves, found["player"])
