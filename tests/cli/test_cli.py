"""The command line: what it prints, where, and with which exit code."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mineproof import Budget, Observation, cli, infer
from mineproof.cli import solve
from mineproof.draw import board_svg
from mineproof.position.text import MAX_BYTES

POSITION = "5x3x3\n.....\n.12F.\n.1?.s"


@pytest.fixture
def position(tmp_path: Path) -> Path:
    path = tmp_path / "position.txt"
    path.write_text(POSITION)
    return path


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = cli.main([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """Bad input: nothing on standard output, one sentence on standard error, exit code 2."""
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("mineproof: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    return err.removeprefix("mineproof: ").strip()


def test_json(position: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "solve", position, "--json")
    assert (code, err) == (0, "")
    solution = json.loads(out)
    posterior = infer(Observation.from_text(POSITION))
    assert list(solution) == [
        "rows",
        "cols",
        "topology",
        "mines",
        "exact",
        "layouts",
        "standard_error",
        "log10_layouts",
        "risk",
        "safe",
        "mined",
        "trusted",
        "wrong_flags",
        "expected_mines",
        "best",
    ]
    assert (solution["rows"], solution["cols"], solution["mines"]) == (3, 5, 3)
    assert solution["exact"] is True
    assert solution["standard_error"] is None
    assert solution["layouts"] == str(posterior.layouts)
    assert solution["log10_layouts"] == posterior.log10_layouts
    assert solution["risk"] == [
        [None if np.isnan(risk) else risk for risk in row] for row in posterior.risk.tolist()
    ]
    assert solution["risk"][1][1] is None
    assert solution["safe"] == [list(cell) for cell in posterior.safe]
    assert [2, 4] in solution["safe"]
    assert solution["mined"] == [list(cell) for cell in posterior.mined]
    assert solution["expected_mines"] == 3
    assert posterior.best is not None
    assert solution["best"] == {
        "cell": list(posterior.best.cell),
        "risk": posterior.best.risk,
    }


def test_options(position: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def solution(*words: str) -> Any:
        return json.loads(run(capsys, "solve", position, "--json", *words)[1])

    assert solution("--mines", "4")["mines"] == 4
    assert solution("--flags", "trust")["risk"][1][3] == 1
    assert solution("--channel", "optimistic")["layouts"] != solution()["layouts"]
    assert solution("--channel", "lost:0.5")["exact"] is True


def test_unknown_density(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "position.txt"
    path.write_text(".1.")
    solution = json.loads(run(capsys, "solve", path, "--json")[1])
    assert solution["mines"] is None
    assert solution["expected_mines"] == pytest.approx(1)
    assert "Expected mines: 1.00." in run(capsys, "solve", path)[1]


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stream = io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbf3x1x1\r\n.1.\r\n"))
    monkeypatch.setattr(sys, "stdin", stream)
    code, out, _ = run(capsys, "solve", "-", "--json")
    assert code == 0
    assert json.loads(out)["layouts"] == "2"


def test_counts_print_in_full(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "position.txt"
    path.write_text("\n".join(["." * 200] * 200))
    solution = json.loads(run(capsys, "solve", path, "--json", "--mines", 8000)[1])
    assert len(solution["layouts"]) == int(solution["log10_layouts"]) + 1 > 8000
    assert solution["layouts"].isdecimal()
    assert "Some 10^" in run(capsys, "solve", path, "--mines", 8000)[1]


def test_drawing(position: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "solve", position)
    assert (code, err) == (0, "")
    assert "safe" in out
    assert "Best: (" in out
    assert " 0%" not in out
    assert "100%" not in out
    assert "\x1b" not in out


def test_pictures(position: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    svg, html = tmp_path / "out.svg", tmp_path / "out.html"
    code, out, err = run(capsys, "solve", position, "--svg", svg, "--html", html)
    assert (code, err) == (0, "")
    assert out == run(capsys, "solve", position)[1]
    observation = Observation.from_text(POSITION)
    picture = board_svg(observation, infer(observation))
    assert svg.read_text(encoding="utf-8") == picture + "\n"
    page = html.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert picture in page
    assert f"<p>{out.splitlines()[-1]}</p>" in page
    # It needs no other file.
    assert not re.search(r"<(link|script|img)|src=|href=|url\([^#]", page)
    elsewhere = tmp_path / "none" / "out.html"
    code, _, err = run(capsys, "solve", position, "--html", elsewhere)
    assert (code, err) == (1, f"mineproof: cannot write {elsewhere}: no such file or directory\n")


def test_no_closed_cell_is_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "position.txt"
    path.write_text("2x1x0\n00")
    code, out, _ = run(capsys, "solve", path)
    assert code == 0
    assert "No closed cell is left." in out
    solution = json.loads(run(capsys, "solve", path, "--json")[1])
    assert solution["best"] is None
    assert solution["layouts"] == "1"


@pytest.mark.parametrize("words", [(), ("--json",)])
@pytest.mark.parametrize(
    ("text", "cells", "with_total"),
    [
        ("3x1x2\n.1.", ["(0, 1)"], True),
        ("4x1x1\n1.2.", ["(0, 2)"], True),
        ("1.0", ["(0, 0)", "(0, 2)"], False),
    ],
)
def test_contradiction(
    words: tuple[str, ...],
    text: str,
    cells: list[str],
    with_total: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "position.txt"
    path.write_text(text)
    code, out, err = run(capsys, "solve", path, *words)
    assert (code, out) == (3, "")
    assert all(cell in err for cell in cells)
    assert ("total" in err) == with_total
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "no cells: the text is empty"),
        (b"...\n..", "row 1: 2 cells, expected 3"),
        (b"...\n.x.", "(1, 1): unknown character 'x'"),
        (b"3x1x3\n.1.", "3 mines, but room for only 2"),
        (b"...\n.6.", "(1, 1): clue 6, but the cell has 5 neighbours"),
        (b"\x7fELF\x00", "the input is binary, not text: byte 4 is NUL"),
        (b"\xff\xfe.\x00", "the input is binary, not text: byte 3 is NUL"),
        (b"." * (MAX_BYTES + 1), "the input is larger than 16,000,000 bytes"),
    ],
    ids=["empty", "ragged", "character", "mines", "clue", "elf", "utf-16", "huge"],
)
@pytest.mark.parametrize("words", [(), ("--json",)])
def test_bad_files(
    content: bytes,
    sentence: str,
    words: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    assert refused(capsys, "solve", path, *words) == f"{path}: {sentence}"


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "missing.txt"
    assert refused(capsys, "solve", missing) == f"{missing}: no such file or directory"
    assert refused(capsys, "solve", tmp_path) == f"{tmp_path}: is a directory"
    assert refused(capsys, "solve", "") == "Invalid value for 'FILE': the name is empty"
    assert refused(capsys, "solve", "a\nb") == "'a\\nb': no such file or directory"


@pytest.mark.parametrize(
    ("words", "mention"),
    [
        (["--channel", "loud"], "'loud'"),
        (["--channel", "lost:2"], "'lost:2'"),
        (["--channel", "lost:nan"], "'lost:nan'"),
        (["--flags", "maybe"], "Invalid value for '--flags': 'maybe' is not one of "),
        (["--mines", "many"], "Invalid value for '--mines': 'many' is not a valid whole number"),
        (["--mines", "-1"], "Invalid value for '--mines': -1 is not in the range x>=0"),
        (["--mines", "1.5"], "Invalid value for '--mines': '1.5' is not a valid whole number"),
        (["--mines", ""], "Invalid value for '--mines': '' is not a valid whole number"),
        (["--mines", "100"], "100 mines"),
        (["--mines", "9" * 30], "room for only"),
        (["--colour"], "--colour"),
        (["another.txt"], "another.txt"),
    ],
)
def test_bad_options(
    words: list[str], mention: str, position: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mention in refused(capsys, "solve", position, *words)


def test_bad_verbs(capsys: pytest.CaptureFixture[str]) -> None:
    assert "FILE" in refused(capsys, "solve")
    assert "sovle" in refused(capsys, "sovle")


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "solve", "--help")
    assert code == 0
    for word in ("--mines", "--channel", "--flags", "--json", "FILE", "lost:P"):
        assert word in out
    code, out, err = run(capsys, "--help")
    assert "solve" in out
    assert run(capsys) == (code, out, err) == (0, out, "")
    assert run(capsys, "--version") == (0, "0.1.0\n", "")


def test_an_estimate_says_so(
    position: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(3)
    lines = ["".join("1" if roll < 0.3 else "." for roll in rng.random(12)) for _ in range(12)]
    position.write_text("\n".join(lines))
    exact = infer

    def hurried(observation: Observation, **options: Any) -> Any:
        return exact(observation, budget=Budget(nodes=200), **options)

    monkeypatch.setattr(solve, "infer", hurried)
    code, out, err = run(capsys, "solve", position, "--json", "--channel", "optimistic")
    if code == 4:
        assert err.count("\n") == 1
        return
    solution = json.loads(out)
    assert solution["exact"] is False
    assert solution["layouts"] is None
    assert np.shape(solution["standard_error"]) == (12, 12)
    shown = run(capsys, "solve", position, "--channel", "optimistic")[1]
    assert "Estimated, not exact" in shown


# ----------------------------------------------------------------------------- as its own process

PROGRAM = [sys.executable, "-c", "import sys; from mineproof.cli import main; sys.exit(main())"]


def test_a_reader_that_leaves(tmp_path: Path) -> None:
    path = tmp_path / "position.txt"
    path.write_text("\n".join(["." * 300] * 300))
    words = [*PROGRAM, "solve", str(path), "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("words", [(), ("--json",)])
def test_a_full_disk(position: Path, words: tuple[str, ...]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*PROGRAM, "solve", str(position), *words], stdout=full, stderr=subprocess.PIPE
        )
    assert (done.returncode, done.stderr) == (
        1,
        b"mineproof: cannot write: no space left on device\n",
    )


# A program that says when it has begun to wait for its input.
WAITING = """
import signal
import sys
from mineproof.cli import main

class Input:
    def __init__(self, buffer):
        self.buffer, self.inner = self, buffer

    def read(self, *size):
        print("waiting", flush=True)
        return self.inner.read(*size)

# A shell's background jobs are born deaf to interruptions.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.stdin = Input(sys.stdin.buffer)
sys.exit(main())
"""


@pytest.mark.skipif(os.name == "nt", reason="signals differ")
def test_interruption_is_quiet() -> None:
    words = [sys.executable, "-c", WAITING, "solve", "-"]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"waiting\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert (out, err) == (b"", b"")
    assert process.returncode == 130


HUNGRY = """
import resource
from mineproof.agents import Agent

class Hungry(Agent):
    name = "hungry"

    def decide(self, observation):
        raise MemoryError
"""


def test_out_of_memory_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent = tmp_path / "hungry.py"
    agent.write_text(HUNGRY)
    for words in ("compare --games 2 --workers 1 --agents", "watch --agent"):
        assert cli.main([*words.split(), f"{agent}:Hungry"]) == 1
        assert capsys.readouterr().err.splitlines()[-1] == (
            "mineproof: there is not enough memory; what was finished before is kept"
        )


@pytest.mark.skipif(sys.platform != "linux", reason="needs limits of memory")
@pytest.mark.parametrize(
    ("limit", "code", "sentence"),
    [
        (10**9, 2, "a board needs 2.0 GB of memory, and there are 1.0 GB"),
        pytest.param(23 * 10**8, 1, "there is not enough memory", marks=pytest.mark.long),
    ],
)
def test_a_board_beyond_the_memory_is_one_sentence(limit: int, code: int, sentence: str) -> None:
    limited = "import resource; resource.setrlimit(resource.RLIMIT_AS, ({0}, {0})); "
    program = limited + "from mineproof.cli import main; raise SystemExit(main({1!r}))"
    words = ["watch", "--rows", "16000", "--cols", "16000", "--mines", "5", "--agent", "random"]
    done = subprocess.run(
        [sys.executable, "-c", program.format(limit, words)], capture_output=True, text=True
    )
    assert done.returncode == code, done.stderr
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
