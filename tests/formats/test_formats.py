"""The formats of other programs: examples from their sources, round trips, damaged files."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mineproof import Board, Game, Observation, Rules, Topology, Transcript
from mineproof.formats import FORMATS, read_boards, read_entries, read_positions, write_entry
from mineproof.formats.formats import format_of, read_foreign
from mineproof.position.cells import CellCode

BOARD_FORMATS = ("mbf", "ptt", "llama", "board", "text")
TRUTH = Board.from_text("02*\n02*")
BOTH = b"""\
# MINESWEEPER-BOARD v0.1
# Render: ascii
# a remark: ignored

author: Ada: Lovelace
rows: 2
columns: 3
mines: 2
game_mode: classic

[real]
02*
02*

[view]
02U
02F
"""


@st.composite
def boards(draw: st.DrawFn) -> Board:
    rows, cols = draw(st.integers(1, 20)), draw(st.integers(1, 20))
    bits = draw(st.binary(min_size=rows * cols, max_size=rows * cols))
    layout = np.frombuffer(bits, np.uint8).reshape(rows, cols) > draw(st.integers(0, 255))
    return Board(Topology(rows, cols), layout)


@st.composite
def positions(draw: st.DrawFn) -> Observation:
    """A position that games with exact clues reach: open and exploded cells, and flags."""
    board = draw(boards())
    game = Game.on(board, Rules(start="any", on_mine="continue"))
    for _ in range(draw(st.integers(0, 8))):
        closed = [c for c in game.observation.closed_cells() if game.code(c) == CellCode.CLOSED]
        if game.outcome is None and closed:
            getattr(game, draw(st.sampled_from(["open", "flag"])))(draw(st.sampled_from(closed)))
    seen = game.observation
    return Observation(seen.topology, seen.cells, seen.mines)


@given(boards())
@example(Board.from_cells(9, 9, [(0, 8), (8, 0)]))
@example(Board.from_cells(16, 30, [(0, 29)]))
@example(Board.from_cells(1, 12, []))
def test_boards_survive(board: Board) -> None:
    for name in BOARD_FORMATS:
        data = write_entry(board, name)
        assert read_boards(data) == [board], name
        if name != "text":
            assert read_foreign(data) == board
            [seen] = read_positions(data)
            assert (seen.mines, bool((seen.cells == CellCode.CLOSED).all())) == (board.mines, True)


@given(positions())
def test_positions_survive(seen: Observation) -> None:
    for name in ("mine", "board", "text"):
        data = write_entry(seen, name)
        file = "" if name == "text" else f"x.{name}"
        assert read_positions(data, file) == [seen], name


@given(positions())
def test_mine_files_with_a_closed_cell_need_no_name(seen: Observation) -> None:
    if (seen.cells == CellCode.CLOSED).any():
        assert read_entries(write_entry(seen, "mine")) == [seen]


def test_the_example_of_the_specification() -> None:
    [entry] = read_entries(BOTH)
    assert isinstance(entry, Transcript)
    assert entry.board == TRUTH
    assert entry.observation().to_text() == "3x2x2\n02.\n02F"
    again = write_entry(entry, "board")
    assert read_entries(again) == [entry]
    assert b"[real]\n02*\n02*\n\n[view]\n02U\n02F\n" in again
    # The board is measured, and the position solved.
    assert read_boards(BOTH) == [TRUTH]


@pytest.mark.parametrize("line_ending", ["\n", "\r\n"])
def test_emoji_and_marks_after_the_end(line_ending: str) -> None:
    text = "# MINESWEEPER-BOARD v0.1\n# Render: emoji\nrows: 3\ncolumns: 7\nmines: 9\n[view]\n"
    text += "⬜⬜⬜2️⃣1️⃣0️⃣0️⃣\n⬜🚩1️⃣💥1️⃣❓⬜\n⬜💣⬜❌1️⃣1️⃣1️⃣\n"
    [seen] = read_positions(text.replace("\n", line_ending).encode())
    assert seen.to_text() == "7x3x9\n...2100\n.F1*1..\n...F111"
    plain = "# MINESWEEPER-BOARD v0.1\nrows: 3\ncolumns: 7\nmines: 9\n[view]\n"
    plain += "UUU2100\nUF1X1?U\nU@U#111\n"
    assert read_positions(plain) == [seen]


def test_links_that_others_published() -> None:
    """The links are in the notes of Llama and in the tests of a solver of chords."""
    [wide] = read_boards(
        "https://pttacgfans.github.io/Minesweeper-ZiNi-Calculator/"
        "?b=4005&m=vvvvvvvv000000010000000194i94i95vvvvvvvv"
    )
    assert (wide.rows, wide.cols, wide.mines) == (5, 40, 96)
    assert wide.layout[0].all()
    link = (
        "https://llamasweeper.com/#/game/board-editor?b=2&"
        "m=0000000000000000220c8014k0pg0i80h30cc01140oo0ii0hh00"
    )
    [square] = read_boards(link + "\n")
    assert (square.rows, square.cols, square.mines) == (16, 16, 39)
    assert write_entry(square, "llama").decode() == link + "\n"
    assert read_boards(f"{link}\n{link}\n\n?b=1\n") == [square, square, Board.from_cells(9, 9, [])]


def test_a_published_mine_file() -> None:
    [seen] = read_entries(b"4x2x2\n0 1 H H\n01F?\n")
    assert isinstance(seen, Observation)
    assert seen.to_text() == "4x2x2\n01..\n01F*"


def test_bytes_of_mbf() -> None:
    board = Board.from_cells(16, 30, [(15, 29), (0, 1)])
    assert write_entry(board, "mbf") == bytes([30, 16, 0, 2, 1, 0, 29, 15])
    assert read_entries(bytes([30, 16, 0, 2, 1, 0, 29, 15])) == [board]


def test_formats_have_endings() -> None:
    assert format_of("a/b.ABF") == "mbf"
    assert format_of("b.board") == "board"
    assert format_of("mbf") is None


@pytest.mark.parametrize(
    ("name", "entry", "reason"),
    [
        ("mbf", Observation.from_text("2x1x1\n.1"), "MBF holds boards, not positions"),
        ("ptt", Observation.from_text("2x1x1\n.1"), "PTT link holds boards, not positions"),
        ("mbf", Transcript(Topology(1, 2), 1), "MBF holds boards, not games"),
        ("mbf", Board.from_cells(3, 3, [], topology="torus"), "MBF holds square boards, not torus"),
        ("mbf", Board.from_cells(1, 256, []), "MBF holds at most 255 rows, 255 columns"),
        ("mine", TRUTH, "JSMinesweeper holds positions, not boards"),
        ("mine", Transcript(Topology(1, 2), 1), "JSMinesweeper holds positions, not games"),
        ("mine", Observation.from_text(".1"), "JSMinesweeper needs the number of mines"),
        ("mine", Observation.from_text("3x1x1\ns1."), "no symbol for 's', which is at (0, 0)"),
        ("board", Observation.from_text("3x1x1\n?1."), ".board has no symbol for '?'"),
        ("board", Transcript(Topology(1, 2), 1), ".board holds boards and positions, not games"),
        ("rawvf", TRUTH, "RAWVF holds games, not boards"),
        ("evf", TRUTH, "EVF can be read but not written"),
        ("pdf", TRUTH, "format 'pdf': must be"),
    ],
)
def test_what_a_format_cannot_hold(
    name: str, entry: Transcript | Board | Observation, reason: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)) as error:
        write_entry(entry, name)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("data", "file", "reason"),
    [
        (b"", "x.mbf", "MBF: 0 bytes, expected at least 4"),
        (b"\x02\x00\x00\x00", "x.mbf", "MBF: a board of 2 x 0 cells"),
        (b"\x02\x02\x00\x02\x00\x00", "x.mbf", "MBF: 2 mines take 8 bytes, not 6"),
        (b"\x02\x02\x00\x01\x02\x00", "x.mbf", "MBF: mine 0: (0, 2) is outside the board"),
        (b"\x02\x02\x00\x02\x01\x01\x01\x01", "x.mbf", "MBF: mine 1: (1, 1) is given twice"),
        (b"\x02\x02\x00\x02\x01\x01\x01\x01", "", "the input is binary"),
        (b"?b=9&m=0", "", "PTT link: b=9 is neither 1, 2, 3 nor a width and a height"),
        (b"?b=999999999999&m=0", "", "PTT link: a board of 999999 x 999999 cells"),
        (b"?b=0000&m=0", "", "PTT link: a board of 0 x 0 cells"),
        (b"?b=0203&m=00z", "", "PTT link: m has 3, but 2 x 3 cells take 2 characters"),
        (b"?b=0203&m=0z", "", "PTT link: m: unknown character 'z'"),
        (b"?b=0203&m=0v", "", "PTT link: m has mines beyond the last cell"),
        (b"3x1x1\nH1", "", "JSMinesweeper: row 0: 2 cells, expected 3"),
        (b"3x1x1\nH1*", "x.mine", "JSMinesweeper: unknown character '*'"),
        (b"H1H", "x.mine", "JSMinesweeper: the first line is not COLSxROWSxMINES"),
        (b"# MINESWEEPER-BOARD v7", "", ".board: begins with '# MINESWEEPER-BOARD v7'"),
        (b"", "x.board", ".board: begins with ''"),
        (BOTH.replace(b"mines: 2", b""), "", ".board: mines: missing"),
        (BOTH.replace(b"mines: 2", b"mines: 3"), "", ".board: header: 3 mines"),
        (BOTH.replace(b"rows: 2", b"rows: x"), "", ".board: rows: x, expected a number"),
        (BOTH.replace(b"rows: 2", b"rows: 99999999"), "", ".board: header: '3x99999999x2'"),
        (BOTH.replace(b"02U", b"0zU"), "", ".board: (0, 1): unknown character 'z'"),
        (BOTH.replace(b"02U", b"01U"), "", ".board: position: "),
        (BOTH.replace(b"02U", b"0XU"), "", ".board: position: "),
        (BOTH.partition(b"[real]")[0], "", ".board: neither [real] nor [view]"),
        (BOTH + b"[view]\n", "", ".board: line 18: [view] is given twice"),
        (BOTH.replace(b"mines: 2", b"mines"), "", ".board: line 8: neither 'key: value'"),
        (b".\n\n" * 100_001, "", "100,001 entries, but at most 100,000 are read"),
        (b"\x00" * 17_000_000, "x.mbf", "the input is larger than 16,000,000 bytes"),
    ],
)
def test_damaged_files_get_one_sentence(data: bytes, file: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)) as error:
        read_entries(data, file)
    assert "\n" not in str(error.value)


def read_or_refused(data: bytes, file: str) -> bool:
    try:
        return bool(read_entries(data, file))
    except ValueError as error:
        return "\n" not in str(error)


@given(st.binary(max_size=200), st.sampled_from(["", *(f"x.{name}" for name in FORMATS)][:8]))
def test_any_bytes_are_read_or_refused(data: bytes, file: str) -> None:
    assert read_or_refused(data, file)


@given(st.data(), st.sampled_from(["mbf", "mine", "ptt", "board"]))
def test_files_cut_anywhere_are_read_or_refused(data: st.DataObject, name: str) -> None:
    entry = TRUTH if name in ("mbf", "ptt") else Observation.from_text("4x3x2\n..1*\n00F1\n0111")
    whole = write_entry(entry, name)
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    assert read_or_refused(cut, f"x.{name}")


def test_multi_board_files_with_and_without_spaces() -> None:
    text = "3x2x2\n. . *\n0 . *\n\n..*\n02*\n\n4x1x1\n1H1H\n"
    first, second, third = read_entries(text.encode())
    assert first == second == TRUTH
    assert isinstance(third, Observation)
