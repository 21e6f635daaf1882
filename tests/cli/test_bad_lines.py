"""Bad command lines: one sentence that names the place, exit code 2, no output, no traceback."""

from __future__ import annotations

import errno
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.types import FloatRange, IntRange

from mineproof import cli
from mineproof.web import serving

LINES = {
    "agents": "agents",
    "chains": "chains --rows 4 --cols 4 --mines 2",
    "compare": "compare --agents random --games 1 --workers 1",
    "completion": "completion bash",
    "convert": "convert position.txt out.txt",
    "explain": "explain position.txt",
    "generate": "generate",
    "measure": "measure board.txt",
    "optimal": "optimal --rows 2 --cols 2 --mines 1",
    "play": "play position.txt --no-browser",
    "records": "records records",
    "report": "report records",
    "review": "review game.txt --samples 0",
    "serve": "serve --port 0",
    "solve": "solve position.txt",
    "study": "study density --games 1",
    "tournament": "tournament folder",
    "watch": "watch --agent random",
}
"""A line of each command, to which something bad is added."""

GAME = """\
mineproof game 1
size 3x2x1
seed 1
start safe
on_mine end
cascade yes
given_safe 0
channel exact
first 0,0
open 0,0 shows 0,0=1
by exact
"""

FILES = {
    "position.txt": b"5x3x3\n.....\n.12F.\n.1?.s",
    "board.txt": b".*.\n...\n",
    "two.txt": b".*.\n...\n\n*..\n...\n",
    "game.txt": GAME.encode(),
    "empty.txt": b"",
    "blank.txt": b" \n\n \n",
    "bytes.bin": bytes(range(256)),
    "zeros.txt": b"\0\0\0",
    "latin.txt": b"\xe9\xe8\n",
    "ragged.txt": b"...\n..\n",
    "symbols.txt": b"..x\n.z.\n",
    "header.txt": b"3x3x99\n...\n...\n...\n",
    "version.txt": b"mineproof game 9\n",
    "unknown.txt": GAME.replace("channel exact", "channel loud").encode(),
    "outside.txt": GAME.replace("open 0,0", "open 7,7").encode(),
    "replay.avf": b"not a replay",
    "replay.evf": b"",
    "cut.mbf": b"\x03\x03",
    "empty.py": b"",
    "broken.py": b"def (",
    "raises.py": b"1 / 0\n",
    "plain.py": b"class Plain: pass\n",
}
BAD_FILES = [
    *("nowhere.txt", "folder", "nowhere/position.txt", "position.txt/inside", "''"),
    *("empty.txt", "blank.txt", "bytes.bin", "zeros.txt", "latin.txt", "ragged.txt"),
    *("symbols.txt", "header.txt", "version.txt", "unknown.txt", "outside.txt"),
    *("replay.avf", "replay.evf", "cut.mbf", "https://example.org/nothing", "'a\tb.txt'"),
]
READERS = {
    "chains": "chains FILE",
    "compare": "compare --agents random --games 1 --workers 1 --boards FILE",
    "convert": "convert FILE out.txt",
    "explain": "explain FILE",
    "measure": "measure FILE",
    "play": "play FILE --no-browser",
    "review": "review FILE --samples 0",
    "solve": "solve FILE",
    "watch": "watch FILE",
}
AGENTS = [
    *("nobody", "exact:lucky", "Exact", "''", "exact:told:more"),
    *("nowhere.py:Agent", "empty.py:Agent", "broken.py:Agent", "raises.py:Agent"),
    *("plain.py:Plain", "folder.py:Agent", "no.module:Agent", "os:path", "mineproof.agents:Agent"),
]
OTHERS = [
    *("sovle", "--nothing", "-x", "solve", "watch one two", "solve position.txt more", "''"),
    *("convert position.txt", "convert", "optimal", "optimal --rows 2", "compare", "review"),
    *("completion", "completion tcsh", "measure", "tournament", "explain"),
    *("chains --rows 3", "chains --rows 3 --cols 3", "chains --level easy --rows 3"),
    *("chains --rows 3 --cols 3 --mines 10", "chains --rows 3 --cols 3 --mines 1 --density 0.1"),
    *("chains --evaluations 5", "chains --search position.txt", "chains --search --start any"),
    *("chains board.txt --mines 3", "chains board.txt --first 9,9", "chains --first 9,9"),
    *("chains two.txt --svg out.svg", "chains two.txt --number 2", "chains --given-safe 81"),
    *("watch --step", "watch --step --json", "watch position.txt --start any", "watch two.txt"),
    *("watch game.txt --beliefs", "watch game.txt --level easy", "watch board.txt --preset R0"),
    *("watch --agent exact --agent", "watch --topology cube"),
    *("compare --agents random,nobody", "compare --agents ,", "compare --agents random --games 0"),
    *("compare --agents random --boards two.txt --games 3", "compare --agents random --preset R0"),
    *("compare --agents random --boards two.txt --level easy", "compare --agents random --seed -1"),
    "compare --agents exact,clue-heap --preset R0 --mines 9 --games 1",
    *("solve position.txt --moves 2", "solve game.txt --moves 2"),
    *("explain position.txt --cell 9,9", "explain position.txt --cell 0,0 --hint 1"),
    *("explain position.txt --hint 1 --json", "explain two.txt --svg out.svg"),
    *("generate --technique subset", "generate --tries 5", "generate --no-guess --start any"),
    *("generate --rows 3", "generate --count 0", "measure board.txt --first 9,9"),
    *("convert board.txt out.mine", "convert two.txt out.mbf", "convert position.txt out.mbf"),
    *("convert game.txt - --as board --moves 1", "convert position.txt - --as board"),
    *("convert game.txt - --moves 9", "convert two.txt - --number 5"),
    *("review position.txt", "review board.txt", "review two.txt", "review game.txt --number 1"),
    *(
        "study nothing",
        "study density --quick --games 5",
        "study density --workers 1 --cluster x:1",
    ),
    *("records nowhere", "records empty", "records records --sql 'drop table x'", "report empty"),
    *("report nowhere", "tournament nowhere", "tournament empty", "tournament position.txt"),
    *("tournament folder --with nobody", "serve --port 99999", "serve --agent nobody"),
    *("watch --save ''", "convert board.txt ''", "tournament ''", "tournament folder --out ''"),
    *("study density --games 1 --out ''", "solve position.txt --svg ''", "serve --games ''"),
    *("serve --host ''", "watch --agent plain.py", "records ''", "report ''"),
    *("serve --reports nowhere", "play --agent broken.py:Agent", "play two.txt"),
    *("optimal --rows 0 --cols 2 --mines 1", "optimal --rows 2 --cols 2 --mines 9"),
    "optimal --rows 2 --cols 2 --mines 1 --topology torus",
]


def bad_values(option: click.Option) -> list[str]:
    """Return values that an option refuses."""
    kind = option.type
    if isinstance(kind, IntRange):
        return ["many", "1.5", "-1", "''", "1e3", "0x10", "nan"]
    if isinstance(kind, FloatRange):
        return ["many", "nan", "-1", "''", "1e999"]
    if isinstance(kind, click.Choice):
        return ["nothing", "''", "EASY"]
    if option.name in ("channel",):
        return ["loud", "lost:2", "lost:nan", "lost:", "exact:1", "''"]
    if option.name in ("first", "cell"):
        return ["1", "1,", "a,b", "1,2,3", "-1,0", "''", "1.5,2"]
    return []


def option_lines() -> Iterator[tuple[str, str]]:
    """Return lines with a bad value of an option, and what the sentence must name."""
    for verb, line in LINES.items():
        for option in cli.app.commands[verb].params:
            if isinstance(option, click.Option):
                name = max(option.opts, key=len)
                for value in bad_values(option):
                    yield f"{line} {name} {value}", name
                if not option.is_flag:
                    yield f"{line} {name}", name
        yield f"{line} --no-such-option", "--no-such-option"
        yield f"{line} --traceback=yes", "--traceback"


LINES_OF_OPTIONS = dict(option_lines())
LINES_OF_FILES = [line.replace("FILE", file) for line in READERS.values() for file in BAD_FILES]
LINES_OF_AGENTS = [
    *(f"watch --agent {agent}" for agent in AGENTS),
    *(f"compare --games 1 --workers 1 --agents {agent}" for agent in AGENTS),
    *(f"chains --agent {agent}" for agent in AGENTS),
    *(f"tournament folder --with {agent}" for agent in AGENTS if agent != "''"),
    *(f"serve --agent {agent}" for agent in AGENTS),
]


def takes_json(line: str) -> bool:
    command = cli.app.commands.get(line.partition(" ")[0])
    return command is not None and any(each.name == "as_json" for each in command.params)


LINES_WITH_JSON = [
    f"{line} --json"
    for line in [*LINES_OF_FILES, *LINES_OF_AGENTS, *OTHERS]
    if takes_json(line) and "--json" not in line
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in a folder with these files."""
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "agent.py").write_bytes(b"x = 1\n")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)

    def served(*_: object, **__: object) -> None:
        raise AssertionError("a server has started")

    monkeypatch.setattr(serving, "run", served)
    return tmp_path


def refused(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a bad line and return its sentence."""
    assert cli.main(shlex.split(line)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    assert err.startswith("mineproof: ")
    assert err.endswith("\n")
    assert err.count("\n") == 1, err
    assert err.isprintable() or err[:-1].isprintable(), err
    return err


@pytest.mark.parametrize("line", LINES_OF_OPTIONS)
def test_options(line: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert LINES_OF_OPTIONS[line] in refused(line, capsys)


@pytest.mark.parametrize("line", LINES_OF_FILES)
def test_files(line: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(folder.iterdir())
    refused(line, capsys)
    assert sorted(folder.iterdir()) == before


@pytest.mark.parametrize("line", LINES_OF_AGENTS)
def test_agents(line: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(line, capsys)


@pytest.mark.parametrize("line", OTHERS)
def test_other_lines(line: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(line, capsys)


@pytest.mark.parametrize("line", LINES_WITH_JSON)
def test_no_json_follows_an_error(
    line: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused(line, capsys)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("watch --agent exct", "exact"),
        ("watch --agent Champion:untold", "champion"),
        ("compare --agents random,noisyor", "noisy-or"),
        ("tournament folder --with exat", "exact"),
        ("study densty", "density"),
        ("watch --level begginer", "beginner"),
        ("watch --preset r2", "R2"),
        ("generate --no-guess --technique subsets", "subset"),
        ("wacth", "watch"),
    ],
)
def test_a_similar_name_is_offered(
    line: str, name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(line, capsys).lower().endswith(f"did you mean '{name.lower()}'?\n")


@pytest.mark.parametrize("line", ["watch --agent nobody", "study tea", "watch --level x"])
def test_no_name_is_offered_if_none_is_similar(
    line: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "did you mean" not in refused(line, capsys)


def test_a_folder_that_cannot_be_read(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(self: Path) -> Iterator[Path]:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self))

    monkeypatch.setattr(Path, "iterdir", closed)
    sentence = "mineproof: cannot read folder: permission denied\n"
    assert refused("tournament folder", capsys) == sentence


def test_enough_lines_are_tried() -> None:
    assert len({*LINES_OF_OPTIONS, *LINES_OF_FILES, *LINES_OF_AGENTS, *OTHERS}) > 221
    assert len(set(LINES_WITH_JSON)) > 43
    assert LINES.keys() == cli.app.commands.keys()


@pytest.mark.long
@pytest.mark.parametrize("line", [*OTHERS, *LINES_WITH_JSON[::7]])
def test_a_process_refuses_them_too(line: str, folder: Path) -> None:
    words = [sys.executable, "-m", "mineproof", *shlex.split(line)]
    done = subprocess.run(
        words, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("mineproof: ")
    assert done.stderr.count("\n") == 1
