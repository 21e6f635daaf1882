"""Files that commands write: whole or not at all, whatever the file is."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mineproof import Board, Game, Rules, Transcript, cli
from mineproof.errors import CannotWrite
from mineproof.writing import write_whole

resource = pytest.importorskip("resource", reason="needs limits")

BOARD = Board.from_text("*1.\n11.\n...")


@contextmanager
def full_disk() -> Iterator[None]:
    """Let no file grow beyond ten bytes."""
    before, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, hard))


@pytest.fixture
def game(tmp_path: Path) -> Path:
    played = Game.on(BOARD, Rules(start="any"))
    played.open((0, 2))
    file = tmp_path / "game.txt"
    file.write_text(Transcript.of(played).to_text())
    return file


COMMANDS = [
    *("watch {game} --save {out}", "solve {game} --svg {out}", "solve {game} --html {out}"),
    *("explain {game} --moves 1 --svg {out}", "review {game} --samples 0 --html {out}"),
    *("chains {game} --svg {out}", "convert {game} {out}"),
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_leaves_what_was_there(
    command: str, game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "kept.txt"
    words = command.format(game=game, out=out).split()
    for old in (None, "what was there before\n"):
        if old is not None:
            out.write_text(old)
        with full_disk():
            assert cli.main(words) == 1
        assert capsys.readouterr().err == f"mineproof: cannot write {out}: file too large\n"
        assert (out.read_text() if out.exists() else None) == old
        assert {file.name for file in tmp_path.iterdir()} <= {"game.txt", "kept.txt"}
    assert cli.main(words) == 0
    assert len(out.read_bytes()) > 30


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_device_is_named(
    command: str, game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(command.format(game=game, out="/dev/full").split()) == 1
    assert capsys.readouterr().err == "mineproof: cannot write /dev/full: no space left on device\n"


def test_a_file_that_fails_at_the_end_is_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    out = tmp_path / "out.txt"
    write_whole(out, "old")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(CannotWrite, match=rf"^cannot write {out}: no space left on device$"):
        write_whole(out, "new")
    assert out.read_text() == "old"
    assert list(tmp_path.iterdir()) == [out]


def test_a_file_keeps_its_mode_and_a_link_stays_one(tmp_path: Path) -> None:
    file, link = tmp_path / "file.txt", tmp_path / "link.txt"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to("file.txt")
    write_whole(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_a_new_file_has_the_mode_that_any_file_gets(tmp_path: Path) -> None:
    usual, file, link = tmp_path / "usual", tmp_path / "file", tmp_path / "link"
    usual.write_text("")
    link.symlink_to("file")
    write_whole(link, b"new")
    assert file.read_bytes() == b"new"
    assert file.stat().st_mode == usual.stat().st_mode


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=write_whole, args=(pipe, "text"))
    writer.start()
    assert pipe.read_text() == "text"
    writer.join(10)
    assert pipe.is_fifo()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    out.write_text("old")
    out.chmod(0o444)
    with pytest.raises(CannotWrite, match="permission denied"):
        write_whole(out, "new")
    assert out.read_text() == "old"


@pytest.mark.parametrize("name", ["no/folder/out.txt", "folder"])
def test_what_is_no_place_for_a_file_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(CannotWrite, match=rf"^cannot write {tmp_path / name}: "):
        write_whole(tmp_path / name, "text")


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
def test_standard_output_takes_a_file_between_what_is_printed(tmp_path: Path) -> None:
    code = "from pathlib import Path; from mineproof.writing import write_whole\n"
    code += "print('before'); write_whole(Path('/dev/stdout'), 'file\\n'); print('after')"
    out = tmp_path / "out.txt"
    out.write_text("earlier\n")
    with out.open("a") as stream:
        subprocess.run([sys.executable, "-c", code], stdout=stream, check=True)
    assert out.read_text() == "earlier\nbefore\nfile\nafter\n"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == b"before\nfile\nafter\n"
