"""The program as a process: Ctrl-C, readers that leave, encodings and tracebacks."""

from __future__ import annotations

import errno
import io
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from mineproof import cli

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals and pipes differ")

POSITION = "5x3x3\n.....\n.12F.\n.1?.s"
GAME = """\
mineproof game 1
size 5x3x2
seed 1
start safe
on_mine end
cascade yes
given_safe 0
channel exact
first 0,0
open 0,0 shows 0,0=1
by exact
open 0,2 shows 0,2=*
outcome lost
board
..*..
.*...
.....
"""
PROGRAM = "import sys; from mineproof.cli import main; sys.exit(main())"

INTERRUPTED = """
import importlib.abc, os, signal, sys

# A shell's background jobs are born deaf to interruptions.
signal.signal(signal.SIGINT, signal.default_int_handler)

class Interrupt(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == {module!r}:
            print("reached", flush=True)
            os.kill(os.getpid(), signal.SIGINT)

from mineproof.cli import main
sys.meta_path.insert(0, Interrupt())
sys.modules.pop({module!r}, None)
sys.exit(main())
"""


def program(source: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", source, *words],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **more},
    )


@pytest.mark.parametrize(
    "module",
    [
        *("mineproof.cli.program", "click", "click.core", "mineproof.cli.compare", "numpy"),
        *("mineproof.arena.bulk", "rich.console", "signal"),
    ],
)
def test_interruption_is_quiet_while_modules_are_loaded(module: str) -> None:
    words = ("compare", "--agents", "random", "--games", "1")
    done = program(INTERRUPTED.format(module=module), *words)
    assert (done.returncode, done.stdout, done.stderr) == (130, "reached\n", "")


def test_ctrl_c_works_again_when_the_command_runs() -> None:
    # What a caller of `main` has decided about Ctrl-C stays as it was.
    before = signal.getsignal(signal.SIGINT)
    assert cli.main(["--version"]) == 0
    assert signal.getsignal(signal.SIGINT) is before


class Closed(io.RawIOBase):
    """A stream whose reader has left."""

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


PRINTED = [
    "agents",
    "chains --seed 3",
    "chains BOARD",
    "compare --agents random,basic --games 3 --start any --on-mine continue --given-safe 5",
    "explain FILE",
    "explain FILE --cell 0,0",
    "explain FILE --cell 1,1",
    "explain FILE --hint 2",
    "generate --count 2",
    "measure BOARD",
    "optimal --rows 3 --cols 3 --mines 1",
    "review GAME --all --samples 0",
    "solve FILE --advise",
    "watch --agent exact --explain --beliefs --rows 4 --cols 4 --mines 3",
    "watch --topology torus --agent noisy-or --beliefs --rows 6 --cols 6 --mines 6",
    "watch --agent logic --explain --channel lost:0.2 --on-mine continue --given-safe 5",
    "watch GAME --explain",
]
PIPED = [
    *PRINTED,
    "--help",
    "--version",
    "solve --help",
    "agents --json",
    "solve FILE --json",
    "explain FILE --json",
    "generate --json",
    "measure BOARD --json",
    "convert BOARD -",
    "chains --json",
    "watch --agent random --json",
    "completion bash",
]


def filled(line: str, folder: Path) -> list[str]:
    """Return the words of a line, whose files are made."""
    files = {
        "FILE": ("é–×", POSITION),
        "BOARD": ("board.txt", ".*.\n...\n"),
        "GAME": ("game", GAME),
    }
    for name, text in files.values():
        (folder / name).write_text(text, encoding="utf-8")
    found = {name: str(folder / file) for name, (file, _) in files.items()}
    return [found.get(word, word) for word in line.split()]


def without_progress(told: str) -> str:
    """Leave out the progress that a slow machine shows."""
    return re.sub(r"^\d+ of \d+ games\n", "", told, flags=re.MULTILINE)


@pytest.mark.parametrize("line", PIPED)
def test_a_broken_pipe_ends_every_command_alike(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed, told = io.TextIOWrapper(io.BufferedWriter(Closed())), io.StringIO()
    monkeypatch.setattr(sys, "stdout", closed)
    monkeypatch.setattr(sys, "stderr", told)
    assert cli.main(filled(line, tmp_path)) == 141
    assert without_progress(told.getvalue()) == ""
    with suppress(BrokenPipeError):
        closed.close()


@pytest.mark.parametrize("line", ["--help", "solve FILE"])
def test_a_broken_pipe_of_the_system(line: str, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    words = [sys.executable, "-c", PROGRAM, *filled(line, tmp_path)]
    try:
        done = subprocess.run(words, stdout=writing, stderr=subprocess.PIPE, timeout=60)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("line", PRINTED)
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "utf-8"])
def test_output_is_what_the_stream_can_hold(
    line: str, encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    assert cli.main(filled(line, tmp_path)) == 0
    assert len(stream.buffer.getvalue().decode(encoding)) > 20


@pytest.mark.long
@pytest.mark.parametrize("line", PRINTED)
def test_the_output_of_a_process_is_what_its_stream_can_hold(line: str, tmp_path: Path) -> None:
    words = [sys.executable, "-c", PROGRAM, *filled(line, tmp_path)]
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(words, capture_output=True, timeout=60, env=ascii_only)
    assert (done.returncode, without_progress(done.stderr.decode("ascii"))) == (0, "")
    assert done.stdout.isascii()


@pytest.mark.parametrize("line", PRINTED)
@pytest.mark.parametrize("columns", [None, 60, 80])
def test_every_sentence_fits_the_terminal(
    line: str,
    columns: int | None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns is not None:
        monkeypatch.setenv("COLUMNS", str(columns))
    assert cli.main(filled(line, tmp_path)) == 0
    wide = [each for each in capsys.readouterr().out.splitlines() if len(each) > (columns or 80)]
    assert wide == []


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_what_cannot_be_encoded_gets_a_likeness(encoding: str) -> None:
    source = """
import sys
from mineproof.cli.streams import encodable
with encodable():
    print("4 × 3 – 2 − 1 ≤ 5 …", "\\u4e00", "\\udcff", end="")
"""
    done = subprocess.run(
        [sys.executable, "-c", source],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        check=True,
    )
    written = done.stdout.decode(encoding)
    for plain, own in {"×": "x", "–": "-", "−": "-", "≤": "<=", "…": "..."}.items():
        written = written.replace(plain, own)
    assert written == "4 x 3 - 2 - 1 <= 5 ... \\u4e00 \\udcff"


def test_names_of_files_that_are_not_text_can_be_said(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "solve", os.fsencode(tmp_path) + b"/\xff.txt"],
        capture_output=True,
    )
    assert done.returncode == 2
    assert b"no such file" in done.stderr
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    ("words", "variable"),
    [
        ("solve --traceback nowhere.txt", ""),
        ("--traceback solve nowhere.txt", ""),
        ("solve nowhere.txt --traceback", ""),
        ("solve nowhere.txt", "1"),
    ],
)
def test_a_traceback_is_shown_whole_if_asked_for(words: str, variable: str) -> None:
    done = program(PROGRAM, *words.split(), MINEPROOF_TRACEBACK=variable)
    assert done.returncode == 2
    assert done.stderr.startswith("Traceback (most recent call last):\n")
    # The cause is shown although the sentence hides it.
    assert re.search("^FileNotFoundError: ", done.stderr, re.MULTILINE)
    assert done.stderr.endswith("ValueError: nowhere.txt: no such file or directory\n")
    assert "mineproof: " not in done.stderr


def test_every_command_can_show_tracebacks(capsys: pytest.CaptureFixture[str]) -> None:
    for verb in cli.app.commands:
        assert cli.main([verb, "--traceback", "--no-such-option"]) == 2
        assert "no-such-option" in capsys.readouterr().err
        assert cli.main([verb, "--help"]) == 0
        assert "--traceback" in capsys.readouterr().out


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
@pytest.mark.parametrize(
    "line",
    ["convert position.txt -", "compare --agents random --games 4 --workers 2 --json", "agents"],
)
def test_streams_that_are_closed(closed: tuple[int, ...], line: str, tmp_path: Path) -> None:
    (tmp_path / "position.txt").write_text(POSITION)
    close = "".join(f"os.close({stream}); " for stream in closed)
    run = f"os.execv(sys.executable, [sys.executable, '-c', {PROGRAM!r}, *sys.argv[1:]])"
    words = [sys.executable, "-c", f"import os, sys; {close}{run}", *line.split()]
    ended = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    assert ended.returncode == 0
    assert bool(ended.stdout) == (1 not in closed)
    assert "mineproof: " not in ended.stderr
    assert "Traceback" not in ended.stderr
