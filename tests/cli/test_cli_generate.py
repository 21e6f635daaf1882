"""`mineproof generate` and `mineproof measure`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import done, failed

from mineproof import Board, Game, Rules, Setup, Topology, Transcript
from mineproof.cli import main
from mineproof.formats import read_boards
from mineproof.game import difficulty, no_guess_board
from mineproof.position import Start
from mineproof.proofs import Technique


def test_a_random_board(capsys: pytest.CaptureFixture[str]) -> None:
    text = done(capsys, "generate", "--seed", 7)
    assert Board.from_text(text) == Board.random(Setup(Topology(9, 9), 10), seed=7)
    assert text.startswith("9x9x10\n")


def test_a_board_without_a_guess(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--no-guess", "--level", "expert", "--seed", 3, "--technique", "subset")
    assert main(["generate", *map(str, words)]) == 0
    out, err = capsys.readouterr()
    assert Board.from_text(out) == no_guess_board(
        Setup(Topology(16, 30), 99, Rules("zero")), seed=3, technique="subset"
    )
    assert err == "mineproof: open (3, 3) first; then no guess is needed\n"


def test_several_boards(capsys: pytest.CaptureFixture[str]) -> None:
    boards = read_boards(done(capsys, "generate", "--count", 3, "--rows", 4, "--cols", 5,
                              "--density", 0.2, "--start", "zero", "--seed", 1))  # fmt: skip
    assert boards == [
        Board.random(Setup(Topology(4, 5), 4, Rules("zero")), seed=seed) for seed in (1, 2, 3)
    ]


def test_each_board_may_have_a_first_cell_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("generate", "--no-guess", "--count", "2", "--first", "random")
    assert main([*words]) == 0
    assert "mineproof: board 1: open (1, 8) first" in capsys.readouterr().err
    for entry in map(json.loads, done(capsys, *words, "--json").splitlines()):
        board = Board.from_text(entry["board"])
        found = difficulty(board, entry["first"]).technique
        assert found is not None
        assert str(found) == entry["technique"]
        assert entry["bbbv"] >= entry["openings"] + entry["islands"]


def test_what_cannot_be_found_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("generate", "--no-guess", "--rows", 9, "--cols", 9, "--mines", 1)
    sentence = failed(capsys, *words, "--technique", "cases", "--tries", 50, code=4)
    assert sentence == (
        "found no board with 9 rows, 9 columns and 1 mine that needs 'cases' and no guess "
        "in 50 tries"
    )


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--technique", "total"], "--technique needs --no-guess as well"),
        (["--tries", "5"], "--tries needs --no-guess as well"),
        (["--no-guess", "--start", "any"], "--no-guess needs --start safe or --start zero"),
        (["--no-guess", "--first", "9,9"], "Invalid value for '--first': (9, 9): the board has"),
        (["--no-guess", "--technique", "luck"], "Invalid value for '--technique'"),
        (["--seed", str(2**64)], "Invalid value for '--seed'"),
        (["--count", "0"], "Invalid value for '--count'"),
    ],
)
def test_bad_options(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert failed(capsys, "generate", *words).startswith(sentence)


def test_measures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    boards = [
        no_guess_board(Setup(Topology(9, 9), 10, Rules("zero")), seed=1),
        Board.random(Setup(Topology(9, 9), 70), seed=3),
    ]
    file = tmp_path / "boards.txt"
    file.write_text("\n\n".join(board.to_text() for board in boards), encoding="utf-8")
    table = done(capsys, "measure", file).splitlines()
    assert table[0].split()[:7] == ["board", "rows", "cols", "mines", "3BV", "openings", "islands"]
    assert len(table) == 4
    entries = [json.loads(line) for line in done(capsys, "measure", file, "--json").splitlines()]
    assert [entry["mines"] for entry in entries] == [10, 70]
    found = difficulty(boards[0])
    assert entries[0]["first"] == [3, 3]
    assert entries[0]["technique"] == str(found.technique)
    assert entries[0]["settled"] == {
        str(technique): found.settled[technique] for technique in Technique
    }


def test_the_first_cell_of_measures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "board.txt"
    file.write_text("....\n....\n..22\n..**", encoding="utf-8")
    assert "the first cell is a mine" in done(capsys, "measure", file)
    assert "technique" not in json.loads(done(capsys, "measure", file, "--json"))
    assert "given" in done(capsys, "measure", file, "--first", "0,0")
    assert "a guess" in done(capsys, "measure", file, "--first", "2,1")
    for cell in ("3,3", "4,0"):
        assert failed(capsys, "measure", file, "--first", cell).startswith(
            "Invalid value for '--first': "
        )


@pytest.mark.parametrize("start", ["any", "safe", "zero"])
def test_a_game_is_measured_from_its_own_first_cell(
    start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game(Setup(Topology(9, 9), 10, Rules(start=start)), seed=1)
    game.flag((8, 8))
    game.open((0, 8))
    file = tmp_path / "game.txt"
    file.write_text(f"{Transcript.of(game)}\n", encoding="utf-8")
    entry = json.loads(done(capsys, "measure", file, "--json"))
    found = difficulty(game.board, (0, 8))
    assert entry["first"] == [0, 8]
    assert str(entry["technique"]) == str(found.technique)
    assert entry["opened"] == found.opened
    assert json.loads(done(capsys, "measure", file, "--first", "4,4", "--json"))["first"] == [4, 4]


def test_a_bad_file_of_boards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "board.txt"
    file.write_text("*.\n..\n\n*.\nx.", encoding="utf-8")
    assert failed(capsys, "measure", file) == f"{file}: entry 1: (1, 0): unknown character 'x'"
