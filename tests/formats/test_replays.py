"""Replays: clicks become moves as ms-toollib says, round trips, damaged files."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from replay_files import Clicks, clicks_of, evf, final_boards

from mineproof import Board, Channel, Game, Move, Observation, Rules, Topology, Transcript
from mineproof.formats import replays
from mineproof.formats.files import read_entries
from mineproof.formats.formats import write_entry
from mineproof.formats.replays import read_rawvf, read_replay, write_rawvf
from mineproof.position.cells import CellCode

HEAD = "Width: 3\nHeight: 2\nMines: 1\nBoard:\n00*\n000\nEvents:\n"
LAYOUT = Board.from_cells(2, 3, [(0, 2)])


def moves(events: str, head: str = HEAD) -> list[str]:
    return [f"{move.kind} {move.cell}" for move in read_rawvf(head + events).moves]


def game_on(board: Board, choices: list[tuple[str, int]]) -> Game:
    """Play legal moves by their numbers."""
    rules, first = Rules(start="any"), None
    if board.mines < board.topology.cells:
        first = board.topology.cell(int(np.flatnonzero(~board.layout.ravel())[0]))
        rules = Rules(start="safe")
    game = Game.on(board, rules, first=first)
    if first is not None:
        game.open(first)
    for kind, number in choices:
        codes = game.observation.cells.ravel()
        wanted = {"flag": CellCode.CLOSED, "unflag": CellCode.FLAGGED, "open": CellCode.CLOSED}
        places = np.flatnonzero(codes == wanted[kind] if kind in wanted else codes > 0)
        if game.outcome is None and len(places):
            cell = game.topology.cell(int(places[number % len(places)]))
            try:
                getattr(game, kind)(cell)
            except ValueError:
                assert kind == "chord"
    return game


BOARDS = st.builds(
    lambda rows, cols, bits: Board(
        Topology(rows, cols), np.resize(np.array(bits, np.bool_), (rows, cols))
    ),
    st.integers(1, 9),
    st.integers(1, 9),
    st.lists(st.sampled_from([False, False, False, True]), min_size=1, max_size=81),
)
CHOICES = st.lists(
    st.tuples(st.sampled_from(["open", "flag", "flag", "unflag", "chord"]), st.integers(0, 80)),
    max_size=25,
)


@given(BOARDS, CHOICES)
def test_games_survive_rawvf(board: Board, choices: list[tuple[str, int]]) -> None:
    transcript = Transcript.of(game_on(board, choices), by="Ada")
    [again] = read_entries(write_entry(transcript, "rawvf"))
    assert isinstance(again, Transcript)
    assert again.moves == transcript.moves
    assert (again.board, again.outcome) == (transcript.board, transcript.outcome)
    assert again.observation().cells.tolist() == transcript.observation().cells.tolist()


def test_the_file_that_is_written() -> None:
    game = Game.on(LAYOUT)
    game.open((0, 0))
    game.flag((0, 2))
    transcript = Transcript.of(game, moves=[Move("open", (0, 0)), Move("flag", (0, 2), "Ada")])
    assert write_rawvf(transcript).splitlines() == [
        *("RawVF_Version: Rev6", "Program: mineproof", "Player: Ada", "Level: Custom"),
        *("Width: 3", "Height: 2", "Mines: 1", "Marks: Off", "Time: 1.000", "Mode: Classic"),
        *("Board:", "00*", "000", "Events:"),
        *("0.000 lc 1 1 (8 8)", "0.000 lr 1 1 (8 8)"),
        *("1.000 rc 3 1 (40 8)", "1.000 rr 3 1 (40 8)"),
    ]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ("0.0 lc 1 1\n0.1 lr 1 1", ["open (0, 0)"]),
        ("0.0 lc 1 1 (47 0)\n0.1 lr 1 1 (47 0)", ["open (0, 2)"]),  # pixels decide
        ("0.0 lc 1 1\n0.1 mv 2 1\n0.1 lr 2 1", ["open (0, 1)"]),  # the release decides
        ("0.0 lc 1 1\n0.1 lr 9 9\n0.2 lr 1 1", []),  # released off the board
        ("0.0 rc 3 1\n0.1 rr 3 1\n0.2 lc 3 1\n0.3 lr 3 1", ["flag (0, 2)"]),
        ("0.0 rc 3 1\n0.1 rr 3 1\n0.2 rc 3 1\n0.3 rr 3 1", ["flag (0, 2)", "unflag (0, 2)"]),
        (
            "0.0 start\nCell opened (Number 1) 2 1\n-0.50 lc 2 1\n0.1 lr 2 1\n9.9 won",
            ["open (0, 1)"],
        ),
    ],
)
def test_clicks(events: str, expected: list[str]) -> None:
    assert moves(events) == expected


FLAG = "0.0 lc 2 1\n0.0 lr 2 1\n1.0 rc 3 1\n1.0 rr 3 1\n"
CHORD = ["open (0, 1)", "flag (0, 2)", "chord (0, 1)"]


@pytest.mark.parametrize(
    "events",
    [
        "2.0 mc 2 1\n2.0 mr 2 1",
        "2.0 sc 2 1\n2.0 lr 2 1",
        "2.0 lc 2 1\n2.0 rc 2 1\n2.0 lr 2 1\n2.0 rr 2 1",
        "2.0 rc 2 1\n2.0 lc 2 1\n2.0 rr 2 1\n2.0 lr 1 2",  # the second release opens nothing
    ],
)
def test_chords(events: str) -> None:
    assert moves(FLAG + events) == CHORD
    assert moves("0.0 lc 2 1\n0.0 lr 2 1\n" + events) == CHORD[:1]  # without the flag


def test_super_click_and_question_marks() -> None:
    again = "2.0 lc 2 1\n2.0 lr 2 1"
    assert moves(FLAG + again) == CHORD[:2]
    assert moves(FLAG + again, "SuperClick: On\n" + HEAD) == CHORD
    toggle = "1.0 rc 3 1\n1.0 rr 3 1\n"
    assert len(moves(toggle * 4)) == 4  # flag, unflag, flag, unflag
    assert len(moves(toggle * 4, "Marks: on\n" + HEAD)) == 3  # flag, question, nothing, flag
    assert len(moves("0.5 mt\n" + toggle * 4)) == 3


def test_the_first_cell_is_safe_by_rule_if_it_was() -> None:
    safe = read_rawvf(HEAD + "0.0 lc 2 1\n0.0 lr 2 1")
    assert (safe.rules.start, safe.first) == ("safe", (0, 1))
    hit = read_rawvf(HEAD + "0.0 lc 3 1\n0.0 lr 3 1")
    assert (hit.rules.start, str(hit.outcome)) == ("any", "lost")
    flagged = read_rawvf(HEAD + "0.0 rc 1 1\n0.0 rr 1 1\n0.0 rc 1 1\n0.0 lc 1 1\n1.0 lr 1 1")
    assert flagged.rules.start == "any"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("RawVF_Version: Rev6\nWidth: 3", "RAWVF: there is no line 'Board:'"),
        (HEAD.replace("Width: 3", "Width: -3"), "RAWVF: width: -3, expected a number from 1"),
        (HEAD.replace("Width: 3", "Width: 1000000"), "RAWVF: row 0"),
        (HEAD.replace("Height: 2", "Height: 9999999"), "RAWVF: a board of 3 x 9999999 cells"),
        (HEAD.replace("Mines: 1", "Mines: 2"), "RAWVF: header: 2 mines, but the grid has 1"),
        (HEAD.replace("000", "0?0"), "RAWVF: (1, 1): unknown character '?'"),
        (HEAD.replace("Height: 2", "Height: 9"), "RAWVF: "),
        (HEAD.replace("Mines: 1", "Nono: On"), "RAWVF: nono is on"),
        (HEAD.replace("Mines: 1", "mines"), "RAWVF: line 3: not 'Key: value'"),
        (HEAD + "0.1 lc", "RAWVF: line 8: the click has no place"),
    ],
)
def test_damaged_rawvf_gets_one_sentence(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)) as error:
        read_entries(text, "x.rawvf")
    assert "\n" not in str(error.value)


def test_a_replay_of_too_many_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "_MOST", 10)
    with pytest.raises(ValueError, match="more than 10 moves"):
        read_rawvf(HEAD + "1.0 rc 3 1\n1.0 rr 3 1\n" * 20)


@given(st.text("lcr mv0123456789.()-\n", max_size=120))
def test_any_events_are_read_or_refused(events: str) -> None:
    try:
        assert read_rawvf(HEAD + events).board == LAYOUT
    except ValueError as error:
        assert "\n" not in str(error)  # noqa: PT017


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (Transcript(Topology(1, 2), 1), "needs the board"),
        (Transcript.of(Game.on(LAYOUT, Rules(cascade=False))), "without cascades"),
        (Transcript.of(Game.on(LAYOUT, Rules(on_mine="continue"))), "go on after a mine"),
        (Transcript.of(Game.on(LAYOUT, Rules(given_safe=1))), "given safe cells"),
        (Transcript.of(Game.on(LAYOUT, channel=Channel.parse("lost:0.5"))), "exact clues only"),
        (
            Transcript.of(Game.from_position(Observation.from_text("3x1x1\n1.."))),
            "continue from a position",
        ),
    ],
)
def test_games_that_rawvf_cannot_hold(game: Transcript, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        write_entry(game, "rawvf")


# ------------------------------------------------------------------------------ through ms-toollib


def test_without_ms_toollib_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError) as error:
        read_entries(b"\x04", "x.evf")
    assert error.value.name == "ms_toollib"


SOLVED = Board.from_cells(9, 9, [(0, 0), (3, 4), (5, 5), (8, 8), (2, 7)])


def played(*choices: tuple[str, int]) -> Transcript:
    """Play some moves, and then open all safe cells without a flag, or else a mine."""
    game = game_on(SOLVED, list(choices))
    for cell in sorted(game.observation.closed_cells(), key=lambda cell: bool(SOLVED.layout[cell])):
        if game.outcome is None and game.code(cell) == CellCode.CLOSED:
            game.open(cell)
    return Transcript.of(game, by="Ada")


@pytest.mark.parametrize(
    ("version", "transcript"),
    [
        (3, played()),
        (4, played(("flag", 0), ("chord", 0), ("chord", 1))),
        (4, played(("flag", 0), ("unflag", 0), ("open", 0))),
        (4, played(("open", 1), ("flag", 3))),
    ],
    ids=["open", "chord", "lost", "flag"],
)
def test_evf_survives(version: int, transcript: Transcript) -> None:
    data = evf(SOLVED, clicks_of(transcript), version)
    [again] = read_entries(data, "game.evf")
    assert isinstance(again, Transcript)
    assert again.board == SOLVED
    assert again.moves == transcript.moves
    assert again.outcome == transcript.outcome
    assert again.observation().cells.tolist() == transcript.observation().cells.tolist()


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(CHOICES)
def test_random_games_survive_evf(choices: list[tuple[str, int]]) -> None:
    transcript = played(*choices)
    assume(transcript.outcome is not None)
    again = read_replay(evf(SOLVED, clicks_of(transcript)), "evf")
    assert again.observation().cells.tolist() == transcript.observation().cells.tolist()


GESTURES = ("lc lr", "lc lr", "rc rr", "lc rc lr rr", "rc lc rr lr", "lc rc rr lr")


def gestures(seed: int) -> Clicks:
    """Random clicks after an opening."""
    chance = random.Random(seed)
    made = [("lc lr", (8, 0))]
    made += [
        (chance.choice(GESTURES), (chance.randrange(9), chance.randrange(9))) for _ in range(30)
    ]
    return [(code, cell) for codes, cell in made for code in codes.split()]


def with_second_buttons(clicks: Clicks) -> Clicks:
    """Use the code that ms-toollib has for the second button of a chord."""
    pressed: set[str] = set()
    found = []
    for code, cell in clicks:
        second = code[1] == "c" and bool(pressed)
        pressed = pressed | {code[0]} if code[1] == "c" else pressed - {code[0]}
        found.append(("cc" if second else code, cell))
    return found


def test_clicks_mean_what_they_mean_to_ms_toollib() -> None:
    games = [gestures(seed) for seed in range(200)]
    theirs = final_boards(SOLVED, [with_second_buttons(game) for game in games])
    head = write_rawvf(Transcript.of(Game.on(SOLVED, Rules(start="any")))).rstrip("\n")
    codes: dict[int, int] = {10: CellCode.CLOSED, 11: CellCode.FLAGGED}
    outcomes = []
    for clicks, board in zip(games, theirs, strict=True):
        events = [f"0.0 {code} {col + 1} {row + 1}" for code, (row, col) in clicks]
        ours = read_rawvf("\n".join([head, *events]))
        outcomes.append(str(ours.outcome))
        if ours.outcome is None:
            seen = [[codes.get(code, code) for code in row] for row in board]
            assert ours.observation().cells.tolist() == seen
        else:  # A mine shows more at the end.
            assert any(15 in row for row in board) == (str(ours.outcome) == "lost")
    assert {outcomes.count("None") > 40, outcomes.count("lost") > 40} == {True}


JUNK = {"mvf": b"\x11\x4d", "rmv": b"*rmv"}


@pytest.mark.parametrize("kind", ["avf", "evf", "mvf", "rmv"])
def test_damaged_replays_get_one_sentence(kind: str) -> None:
    """The same adapter reads all four; only EVF can be written, so only EVF is tested further."""
    pytest.importorskip("ms_toollib")
    with pytest.raises(ValueError, match=f"{kind.upper()}: ms-toollib cannot read the replay"):
        read_entries(JUNK.get(kind, b"") + b"\x05junk\x00" * 50, f"x.{kind}")


def test_cut_evf_gets_one_sentence() -> None:
    data = evf(SOLVED, clicks_of(played()))
    with pytest.raises(ValueError, match="EVF: ms-toollib cannot read the replay"):
        read_entries(data[:60], "x.evf")


def test_a_replay_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ms_toollib")

    def forever(command: list[str], **options: Any) -> None:
        assert command[0] == sys.executable
        raise subprocess.TimeoutExpired(command, options["timeout"])

    monkeypatch.setattr(subprocess, "run", forever)
    with pytest.raises(ValueError, match="AVF: not read in 60 seconds"):
        read_entries(b"\x00\x01", "x.avf")
