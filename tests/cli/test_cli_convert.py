"""`mineproof convert`, and other commands on files in the formats of other programs."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from commands import done, failed

from mineproof import Board, Game, Setup, Topology, Transcript
from mineproof.formats import FORMATS, read_boards, write_entry
from mineproof.formats.formats import Entry

BOARD = Board.random(Setup(Topology(4, 5), 3), seed=2)


def game() -> Transcript:
    played = Game.on(BOARD)
    played.open((0, 0))
    played.flag((0, 2))
    return Transcript.of(played, by="Ada")


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    file = tmp_path / "game.txt"
    file.write_text(game().to_text())
    return file


ENTRIES: dict[str, Entry] = {
    "mbf": BOARD,
    "url": BOARD,
    "board": BOARD,
    "mine": game().observation(),
    "rawvf": game(),
    "txt": game(),
}


@pytest.mark.parametrize("ending", ENTRIES)
@pytest.mark.parametrize("verb", ["solve", "explain", "chains", "watch", "compare", "measure"])
def test_every_command_takes_every_format(
    verb: str, ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = {"url": "ptt", "txt": "text"}.get(ending, ending)
    file = tmp_path / f"file.{ending}"
    file.write_bytes(write_entry(ENTRIES[ending], name))
    words = ["compare", "--agents", "exact", "--boards"] if verb == "compare" else [verb]
    if (verb, ending) == ("measure", "mine"):
        assert failed(capsys, *words, file) == f"{file}: entry 0: a position, not a board"
    else:
        assert done(capsys, *words, file)


def test_there_and_back(saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rawvf, back = tmp_path / "game.rawvf", tmp_path / "back.txt"
    assert done(capsys, "convert", saved, rawvf) == ""
    done(capsys, "convert", rawvf, back)
    assert back.read_text() == saved.read_text() + "\n"
    board = tmp_path / "board.mbf"
    done(capsys, "convert", rawvf, board, "--as", "board")
    assert board.read_bytes() == write_entry(BOARD, "mbf")
    assert done(capsys, "convert", board, "-") == BOARD.to_text() + "\n"
    shown = done(capsys, "convert", saved, "-", "--to", "mine", "--moves", 1)
    assert shown.encode() == write_entry(game().observation(1), "mine")
    link = done(capsys, "convert", board, "-", "--to", "llama").strip()
    assert done(capsys, "convert", link, "-") == BOARD.to_text() + "\n"
    assert "layouts" in done(capsys, "solve", link)


def test_several_entries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, links = tmp_path / "boards.txt", tmp_path / "boards.url"
    file.write_text(f"{BOARD.to_text()}\n\n. . *\n. . .\n")
    done(capsys, "convert", file, links)
    assert links.read_text().count("\n") == 2
    assert done(capsys, "convert", links, "-") == f"{BOARD.to_text()}\n\n3x2x1\n..*\n...\n"
    message = failed(capsys, "convert", file, tmp_path / "x.mbf")
    assert message == "MBF holds one entry, and FILE has 2: choose one with --number"
    done(capsys, "convert", file, tmp_path / "x.mbf", "--number", 1)


def test_what_cannot_be_held_is_refused_and_nothing_is_written(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.mbf"
    message = failed(capsys, "convert", saved, out)
    assert message == "MBF holds boards, not games; --as board keeps a part"
    position = tmp_path / "position.txt"
    position.write_text("2x1x1\n.1\n")
    assert failed(capsys, "convert", position, out) == "MBF holds boards, not positions"
    assert "--as'" in failed(capsys, "convert", position, out, "--as", "board")
    assert "a position has no moves" in failed(capsys, "convert", position, "-", "--moves", 1)
    assert "0 to 2" in failed(capsys, "convert", saved, "-", "--moves", 3)
    refused = failed(capsys, "convert", saved, "-", "--moves", 1, "--as", "board")
    assert refused == "--moves cannot be used with --as board"
    assert "'pdf'" in failed(capsys, "convert", saved, "-", "--to", "pdf")
    message = failed(capsys, "convert", saved, tmp_path / "x.evf")
    assert message == "EVF can be read but not written"
    message = failed(capsys, "convert", saved, tmp_path / "x.board")
    assert message.endswith("; --as board or --as position keeps a part")
    torus = tmp_path / "torus.txt"
    torus.write_text(Transcript.of(Game(Setup(Topology(9, 9, "torus"), 10), seed=1)).to_text())
    message = failed(capsys, "convert", torus, tmp_path / "x.rawvf")
    assert message == "RAWVF holds square boards, not torus"
    assert not out.exists()


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "damaged.mbf"
    file.write_bytes(b"\x09\x09\x00\x0a\x01")
    reason = f"{file}: MBF: 10 mines take 24 bytes, not 5"
    for verb in ("solve", "explain", "chains", "watch", "measure"):
        assert failed(capsys, verb, file) == reason
    assert failed(capsys, "convert", file, "-") == reason
    assert failed(capsys, "compare", "--agents", "exact", "--boards", file) == reason
    message = failed(capsys, "measure", "https://example.org/?b=7&m=0")
    assert message.endswith("PTT link: b=7 is neither 1, 2, 3 nor a width and a height")


def test_standard_input_is_recognised(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = io.BytesIO(write_entry(BOARD, "mbf"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))
    assert "3BV" in done(capsys, "measure", "-")


def test_without_ms_toollib_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("mineproof.formats.replays.find_spec", lambda name: None)
    file = tmp_path / "game.avf"
    file.write_bytes(b"\x00")
    assert failed(capsys, "solve", file) == (
        "ms_toollib is not installed: pip install 'mineproof[replays]'"
    )


def test_the_help_lists_every_ending(capsys: pytest.CaptureFixture[str]) -> None:
    text = done(capsys, "convert", "--help")
    assert "\n  .mbf, .abf     MBF: a board\n" in text
    for each in FORMATS.values():
        assert all(ending in text for ending in each.endings)


def test_an_unknown_ending_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ok.txt"
    file.write_text(BOARD.to_text())
    for out in ("out.xyz", "out.TXT.bak"):
        message = failed(capsys, "convert", file, tmp_path / out)
        ending = out[out.rindex(".") :]
        assert message == (
            f"OUT ends in '{ending}': must be .txt, .mbf, .abf, .mine, .url, .board or .rawvf, "
            "unless --to names the format"
        )
        assert not (tmp_path / out).exists()
    done(capsys, "convert", file, tmp_path / "out.xyz", "--to", "mbf")
    assert read_boards((tmp_path / "out.xyz").read_bytes()) == [BOARD]
    done(capsys, "convert", file, tmp_path / "out")
    assert (tmp_path / "out").read_text() == f"{BOARD.to_text()}\n"
