"""The formats of other programs, read and written: boards, positions and replays.

docs/formats.md describes them and names the sources.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from types import MappingProxyType
from typing import Final, TypeAlias, TypeVar
from urllib.parse import parse_qs

import numpy as np

from mineproof.arguments import choice, counted
from mineproof.formats.replays import is_rawvf, read_rawvf, read_replay, write_rawvf
from mineproof.game.board import Board
from mineproof.game.notation import Transcript
from mineproof.position.observation import Observation
from mineproof.position.rules import Rules
from mineproof.position.text import MAX_BYTES, MAX_CELLS, SYMBOLS, decode, lines
from mineproof.position.topology import Topology

__all__ = ["FORMATS", "Entry", "Format", "format_of", "is_link", "read_foreign", "write_entry"]

T = TypeVar("T", Transcript, Board, Observation)

Entry: TypeAlias = Transcript | Board | Observation
"""A game, a board or a position."""


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files.

    Parameters
    ----------
    title
        What it is called.
    endings
        How the names of its files end.
    read
        Reads the bytes of a file; None for the formats of this package, which `read_entries` reads.
    write
        Writes a game, a board or a position; None if the format can only be read.
    fits
        Whether bytes look like this format.
    in_blocks
        Whether a file may have several entries, one below the other.
    """

    title: str
    endings: tuple[str, ...]
    read: Callable[[bytes], Entry] | None = None
    write: Callable[[Entry], bytes] | None = None
    fits: Callable[[bytes], bool] = lambda data: False
    in_blocks: bool = False


def format_of(file: str) -> str | None:
    """Return the name of the format that the ending of a file stands for, if any.

    Examples
    --------
    >>> format_of("games/expert.MBF"), format_of("game.txt"), format_of("game")
    ('mbf', 'text', None)
    """
    ending = PurePath(file).suffix.lower()
    return next((name for name, one in FORMATS.items() if ending in one.endings), None)


def read_foreign(data: bytes, file: str = "") -> Entry | None:
    """Read a file in the format of another program; None if it is not in any of them.

    The content decides, and where it does not, the ending of the file's name.

    Examples
    --------
    >>> read_foreign(bytes([3, 2, 0, 1, 2, 0]))
    Board(2x3, 1 mine)
    >>> read_foreign(b"..1") is None
    True
    """
    if len(data) > MAX_BYTES:
        raise ValueError(f"the input is larger than {MAX_BYTES:,} bytes")
    named = format_of(file)
    found = next((one for one in FORMATS.values() if one.fits(data)), None)
    if found is None and named is not None:
        found = FORMATS[named]
    if found is None or found.read is None:
        return None
    try:
        return found.read(data)
    except ValueError as error:
        raise ValueError(f"{found.title}: {error}") from None


def write_entry(entry: Entry, name: str) -> bytes:
    r"""Write a game, a board or a position in the format with this name.

    Raises
    ------
    ValueError
        If the format cannot hold it.

    Examples
    --------
    >>> write_entry(Board.from_cells(2, 3, [(0, 2)]), "mbf")
    b'\x03\x02\x00\x01\x02\x00'
    >>> write_entry(Observation.from_text("2x1x1\n.1"), "mbf")
    Traceback (most recent call last):
    ...
    ValueError: MBF holds boards, not positions
    """
    choice("format", name, FORMATS)
    chosen = FORMATS[name]
    if chosen.write is None:
        raise ValueError(f"{chosen.title} can be read but not written")
    if chosen.read is not None and entry.topology.kind != "square":
        raise ValueError(f"{chosen.title} holds square boards, not {entry.topology.kind}")
    try:
        return chosen.write(entry)
    except _Unfit as unfit:
        raise ValueError(f"{chosen.title} {unfit}") from None


class _Unfit(ValueError):
    """What a format cannot do; the name of the format comes first."""


_KINDS: Final = {Transcript: "games", Board: "boards", Observation: "positions"}


def _only(kind: type[T], entry: Entry) -> T:
    if not isinstance(entry, kind):
        raise _Unfit(f"holds {_KINDS[kind]}, not {_KINDS[type(entry)]}")
    return entry


# ------------------------------------------------------------------------------------------- MBF

_BYTE: Final = 255


def _is_mbf(data: bytes) -> bool:
    """Whether the length and all cells fit: text never does, as its cells would repeat."""
    if len(data) < 4 or len(data) != 4 + 2 * int.from_bytes(data[2:4]):
        return False
    cells = _mbf_cells(data)
    return bool((cells < [data[0], data[1]]).all()) and len(np.unique(cells, axis=0)) == len(cells)


def _mbf_cells(data: bytes) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    return np.frombuffer(data, np.uint8, offset=4).reshape(-1, 2)


def _read_mbf(data: bytes) -> Board:
    if len(data) < 4:
        raise ValueError(f"{counted(len(data), 'byte')}, expected at least 4")
    width, height, mines = data[0], data[1], int.from_bytes(data[2:4])
    if not width or not height:
        raise ValueError(f"a board of {width} x {height} cells")
    if len(data) != 4 + 2 * mines:
        raise ValueError(f"{counted(mines, 'mine')} take {4 + 2 * mines} bytes, not {len(data)}")
    layout = np.zeros((height, width), np.bool_)
    for number, (x, y) in enumerate(_mbf_cells(data).tolist()):
        if x >= width or y >= height:
            raise ValueError(f"mine {number}: ({y}, {x}) is outside the board")
        if layout[y, x]:
            raise ValueError(f"mine {number}: ({y}, {x}) is given twice")
        layout[y, x] = True
    return Board(Topology(height, width), layout)


def _write_mbf(entry: Entry) -> bytes:
    board = _only(Board, entry)
    if max(board.rows, board.cols) > _BYTE or board.mines > 0xFFFF:
        raise _Unfit(f"holds at most {_BYTE} rows, {_BYTE} columns and 65,535 mines")
    cells = np.argwhere(board.layout)[:, ::-1].astype(np.uint8).tobytes()
    return bytes([board.cols, board.rows]) + board.mines.to_bytes(2) + cells


# ----------------------------------------------------------------------------- links to PTT, Llama

_PTT: Final = "https://pttacgfans.github.io/Minesweeper-ZiNi-Calculator/"
_LLAMA: Final = "https://llamasweeper.com/#/game/board-editor"
_SIZES: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {"1": (9, 9), "2": (16, 16), "3": (30, 16)}
)
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuv"


def is_link(data: bytes) -> bool:
    """Whether bytes are one link to a board.

    Examples
    --------
    >>> is_link(b"https://llamasweeper.com/#/game/board-editor?b=0202&m=g")
    True
    """
    words = data.split(None, 1)
    if len(words) != 1 or b"?" not in words[0]:
        return False
    values = words[0].rpartition(b"?")[2].split(b"&")
    return any(value.startswith(b"b=") and value[2:].isdigit() for value in values)


def _read_link(data: bytes) -> Board:
    link = decode(data).strip()
    values = parse_qs(link.rpartition("?")[2], keep_blank_values=True)
    sizes, digits = (values.get(name, [""])[-1] for name in "bm")
    half = len(sizes) // 2
    if not re.fullmatch(r"[123]|(\d\d){1,6}", sizes, re.ASCII):
        raise ValueError(f"b={sizes[:20]} is neither 1, 2, 3 nor a width and a height")
    width, height = _SIZES.get(sizes) or (int(sizes[:half]), int(sizes[half:]))
    cells = width * height
    if not 0 < cells <= MAX_CELLS:
        raise ValueError(f"a board of {width} x {height} cells")
    # A link without mines may leave them out.
    digits = digits.lower() or "0" * -(-cells // 5)
    if len(digits) != -(-cells // 5):
        needed = counted(-(-cells // 5), "character")
        raise ValueError(f"m has {len(digits)}, but {width} x {height} cells take {needed}")
    if unknown := set(digits) - set(_DIGITS):
        raise ValueError(f"m: unknown character {min(unknown)!a}")
    values_of = np.array([_DIGITS.index(digit) for digit in digits], np.uint8)
    bits = np.unpackbits(values_of[:, None], axis=1)[:, 3:].ravel()
    if bits[cells:].any():
        raise ValueError("m has mines beyond the last cell")
    return Board(Topology(height, width), bits[:cells].reshape(height, width).astype(np.bool_))


def _write_link(base: str, entry: Entry) -> bytes:
    board = _only(Board, entry)
    width, height = board.cols, board.rows
    digits = len(str(max(width, height)))
    named = {size: name for name, size in _SIZES.items()}.get((width, height))
    size = named or f"{width:0{digits}}{height:0{digits}}"
    bits = np.zeros(-(-board.topology.cells // 5) * 5, np.uint8)
    bits[: board.topology.cells] = board.layout.ravel()
    values = bits.reshape(-1, 5) @ np.array([16, 8, 4, 2, 1], np.uint8)
    mines = "".join(_DIGITS[value] for value in values)
    return f"{base}?b={size}&m={mines}\n".encode()


# ------------------------------------------------------------------------------ JSMinesweeper .mine

_CODES: Final = {int(code): symbol for symbol, code in SYMBOLS.items()}
_MINE: Final = re.compile(rb"\s*+\d++x\d++x\d++\s[0-8F?\s]*+H[0-8FH?\s]*+", re.ASCII)


def _read_mine(data: bytes) -> Observation:
    text = decode(data)
    if "x" not in text.partition("\n")[0]:
        raise ValueError("the first line is not COLSxROWSxMINES, as in 30x16x99")
    if wrong := set("\n".join(lines(text)[1:])) - set("012345678FH? \t\n"):
        raise ValueError(f"unknown character {min(wrong)!a}")
    return Observation.from_text(text.translate(str.maketrans("H?", ".*")))


def _write_mine(entry: Entry) -> bytes:
    rows = _seen_rows(entry, {".": "H", "*": "?", "F": "F"})
    size = f"{entry.topology.cols}x{entry.topology.rows}x{entry.mines}"
    return "\n".join([size, *rows, ""]).encode()


def _seen_rows(entry: Entry, symbols: Mapping[str, str]) -> list[str]:
    """Return the rows of a position, in the symbols of a format that has clues and these."""
    seen = _only(Observation, entry)
    if seen.mines is None:
        raise _Unfit("needs the number of mines")
    rows = []
    for row, codes in enumerate(seen.cells.tolist()):
        own = [_CODES[code] for code in codes]
        for col, symbol in enumerate(own):
            if symbol not in symbols and not symbol.isdigit():
                raise _Unfit(f"has no symbol for {symbol!r}, which is at ({row}, {col})")
        rows.append("".join(symbols.get(symbol, symbol) for symbol in own))
    return rows


# -------------------------------------------------------------------------------- ms-toollib .board

_TITLE: Final = "# MINESWEEPER-BOARD"
_VIEW: Final = {
    **{digit: digit for digit in "012345678"},
    **dict(zip("U?F#X@*", "..FF*..", strict=True)),
}
_EMOJI: Final = dict(zip("⬜🚩❓💥💣❌", "UF?X@#", strict=True))
_KEYCAP: Final = "\ufe0f\u20e3"


def _read_board(data: bytes) -> Entry:
    metadata: dict[str, str] = {}
    sections: dict[str, list[str]] = {}
    section = ""
    first, *rest = lines(decode(data).lstrip())
    if first.split() != [*_TITLE.split(), "v0.1"]:
        raise ValueError(f"begins with {first[:40]!a}, expected {_TITLE + ' v0.1'!a}")
    for number, line in enumerate(rest, 2):
        stripped = line.strip()
        key, colon, value = stripped.partition(":")
        if not stripped or (stripped.startswith("#") and not section):
            continue
        if stripped in ("[real]", "[view]"):
            section = stripped[1:-1]
            if section in sections:
                raise ValueError(f"line {number}: {stripped} is given twice")
            sections[section] = []
        elif section:
            sections[section].append(_plain(stripped))
        elif colon:
            metadata[key.strip()] = value.strip()
        else:
            raise ValueError(f"line {number}: neither 'key: value' nor a section")
    return _board_entry(metadata, sections)


def _plain(row: str) -> str:
    """Return a row in the symbols of the render ``ascii``."""
    return "".join(_EMOJI.get(symbol, symbol) for symbol in row if symbol not in _KEYCAP)


def _board_entry(metadata: Mapping[str, str], sections: Mapping[str, list[str]]) -> Entry:
    size = []
    for name in ("columns", "rows", "mines"):
        if not re.fullmatch(r"\d{1,8}", metadata.get(name, ""), re.ASCII):
            raise ValueError(f"{name}: {metadata.get(name, 'missing')[:20]}, expected a number")
        size.append(metadata[name])
    header = "x".join(size)
    if not sections:
        raise ValueError("neither [real] nor [view]")
    board = position = None
    if "real" in sections:
        rows = [row.replace("@", "*") for row in sections["real"]]
        board = Board.from_text("\n".join([header, *rows]))
    if "view" in sections:
        rows = sections["view"]
        for number, row in enumerate(rows):
            for at, symbol in enumerate(row):
                if symbol not in _VIEW:
                    raise ValueError(f"({number}, {at}): unknown character {symbol!a}")
        translated = ["".join(_VIEW[symbol] for symbol in row) for row in rows]
        position = Observation.from_text("\n".join([header, *translated]))
    if board is None or position is None:
        return position or board  # type: ignore[return-value]
    rules = Rules(start="any")
    return Transcript(board.topology, board.mines, rules, board=board, position=position)


def _write_board(entry: Entry) -> bytes:
    if isinstance(entry, Transcript) and (entry.moves or entry.position is None):
        raise _Unfit("holds boards and positions, not games")
    board = entry if isinstance(entry, Board) else None
    view = entry if isinstance(entry, Observation) else None
    if isinstance(entry, Transcript):
        board, view = entry.board, entry.position
    size = {"rows": entry.topology.rows, "columns": entry.topology.cols, "mines": entry.mines}
    text = [f"{_TITLE} v0.1", "# Render: ascii", ""]
    text += [f"{name}: {value}" for name, value in size.items()] + ["game_mode: classic"]
    if board is not None:
        counts = np.where(board.layout, ord("*"), board.counts + ord("0")).astype(np.uint8)
        text += ["", "[real]", *(row.tobytes().decode("ascii") for row in counts)]
    if view is not None:
        text += ["", "[view]", *_seen_rows(view, {".": "U", "*": "X", "F": "F"})]
    return "\n".join([*text, ""]).encode()


# ------------------------------------------------------------------------------------- all formats


def _write_text(entry: Entry) -> bytes:
    return f"{entry.to_text()}\n".encode()


def _begins(*signatures: bytes) -> Callable[[bytes], bool]:
    return lambda data: data.startswith(signatures)


FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {
        "text": Format("text", (".txt",), write=_write_text, in_blocks=True),
        "mbf": Format("MBF", (".mbf", ".abf"), _read_mbf, _write_mbf, _is_mbf),
        "mine": Format(
            "JSMinesweeper",
            (".mine",),
            _read_mine,
            _write_mine,
            lambda data: _MINE.fullmatch(data) is not None,
            in_blocks=True,
        ),
        "ptt": Format(
            "PTT link",
            (".url",),
            _read_link,
            lambda entry: _write_link(_PTT, entry),
            is_link,
            in_blocks=True,
        ),
        "llama": Format(
            "Llama link", (), _read_link, lambda entry: _write_link(_LLAMA, entry), in_blocks=True
        ),
        "board": Format(
            ".board",
            (".board",),
            _read_board,
            _write_board,
            lambda data: data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(_TITLE.encode()),
        ),
        "rawvf": Format(
            "RAWVF",
            (".rawvf",),
            lambda data: read_rawvf(decode(data)),
            lambda entry: _write_replay(entry),
            is_rawvf,
        ),
        "avf": Format("AVF", (".avf",), lambda data: read_replay(data, "avf")),
        "evf": Format("EVF", (".evf",), lambda data: read_replay(data, "evf")),
        "mvf": Format(
            "MVF", (".mvf",), lambda data: read_replay(data, "mvf"), fits=_begins(b"\x11\x4d")
        ),
        "rmv": Format(
            "RMV", (".rmv",), lambda data: read_replay(data, "rmv"), fits=_begins(b"*rmv")
        ),
    }
)
"""All formats by name. Every one that can be read is recognised by its content or its ending."""


def _write_replay(entry: Entry) -> bytes:
    game = _only(Transcript, entry)
    try:
        return write_rawvf(game).encode()
    except ValueError as error:
        raise _Unfit(str(error)) from None
