"""`mineproof study` and `report`: what they print, what they refuse, and how they stop."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from commands import done, failed
from small_study import FILES, STUDY, assert_same, contents

from mineproof import cli
from mineproof.arena import signatures
from mineproof.cli import progress
from mineproof.errors import ClusterFailed
from mineproof.lab import studies as registry
from mineproof.lab.archive import Archive
from mineproof.lab.run import run
from mineproof.lab.study import Study

if os.name != "nt":
    from terminal import Terminal

unix = pytest.mark.skipif(os.name == "nt", reason="signals and terminals differ")


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> dict[str, Study]:
    """Studies that are over soon, instead of all there are."""
    known = {"small": STUDY}
    monkeypatch.setattr(registry, "registered", lambda: known)
    return known


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("made")
    run([STUDY], directory, quick=True)
    return directory


@pytest.fixture
def directory(made: Path, tmp_path: Path) -> Path:
    """A directory of records that may be spoilt."""
    for file in made.rglob("*"):
        if file.is_file():
            copy = tmp_path / file.relative_to(made)
            copy.parent.mkdir(exist_ok=True)
            copy.write_bytes(file.read_bytes())
    return tmp_path


def change_code(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Let an agent, or the boards, have changed since records were written."""
    changed = {**signatures.SIGNATURES, name: "01234567"}
    monkeypatch.setattr(signatures, "SIGNATURES", changed)


def files(directory: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in directory.rglob("*.parquet")}


# ------------------------------------------------------------------------------------------ study


def test_a_study_is_played_and_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("study", "small", "small", "--quick", "--workers", "1")
    assert cli.main([*words]) == 0
    out, err = capsys.readouterr()
    page = tmp_path / "studies" / "index.html"
    assert out == (
        "- 160 games were played.\n"
        "A full run plays more games: intervals are narrower then.\n"
        "For firm figures: mineproof study small --out studies\n"
        f"Report: {page}\n"
    )
    assert err.splitlines() == [
        f"Records and report: {tmp_path / 'studies'}",
        "0 of 7 tasks, 0 of 140 games",
        "Writing the report.",
    ]
    assert "160 games were played" in page.read_text()
    # The same command once more only builds the report.
    before = files(tmp_path)
    page.unlink()
    assert done(capsys, *words) == out
    assert page.exists()
    assert files(tmp_path) == before


def test_all_studies_are_played(
    known: dict[str, Study], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known["other"] = replace(STUDY, name="other", arms=STUDY.arms[:2], quick=0)
    out = done(capsys, "study", "--all", "--games", "3", "--workers", "1", "--out", tmp_path)
    assert Archive(tmp_path).declared() == {"small": 3, "other": 3}
    assert out.startswith("- 24 games were played.\n- 6 games were played.\nA full run")
    assert f"For firm figures: mineproof study --all --out {tmp_path}" in " ".join(out.split())


def test_a_quick_run_leaves_out_what_few_games_cannot_answer(
    known: dict[str, Study], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known["other"] = replace(STUDY, name="other", title="Other boards", quick=0)
    assert cli.main(["study", "--quick", "--workers", "1", "--out", str(tmp_path)]) == 0
    err = capsys.readouterr().err
    assert "left out, since few games cannot answer them: other" in err
    assert Archive(tmp_path).declared() == {"small": 20}
    assert "which are left out: Other boards." in (tmp_path / "index.html").read_text()
    said = failed(capsys, "study", "other", "--quick", "--out", tmp_path)
    assert said.startswith("study 'other': cannot answer with few games")


def test_the_report_can_be_opened(
    directory: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr("webbrowser.open", shown.append)
    monkeypatch.setenv("COLUMNS", "40")
    out = done(capsys, "report", directory, "--open")
    assert shown == [(directory / "index.html").as_uri()]
    *lines, path = out.splitlines()
    assert path == f"Report: {directory / 'index.html'}"
    assert all(len(line) <= 40 or str(directory) in line for line in lines)


def test_the_list(known: dict[str, Study], capsys: pytest.CaptureFixture[str]) -> None:
    known["other"] = replace(STUDY, name="other", question="What else?")
    listed = "small: Who wins on small boards?\nother: What else?\n"
    assert done(capsys, "study", "--list") == done(capsys, "study") == listed


def test_a_log_has_signs_of_life(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_PERIOD", 0.05)
    assert cli.main(["study", "small", "--workers", "1", "--out", str(tmp_path)]) == 0
    _, *lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "0 of 21 tasks, 0 of 1,050 games"
    assert len(lines) > 2
    told = next(line for line in lines[1:] if not line.startswith("0 of"))
    assert " of 21 tasks, " in told
    assert " games/s, " in told
    assert " left, at small: " in told
    assert " rows, " in told


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["large"], "study 'large': must be small"),
        (["small", "large"], "study 'large': must be small"),
        (["--games", "0"], "Invalid value for '--games': 0 is not in the range 1<=x<=1000000000"),
        (["--games", "many"], "Invalid value for '--games': 'many' is not a valid whole number"),
        (["--games", "5", "--quick"], "--quick cannot be used with --games"),
        (["--workers", "0"], "Invalid value for '--workers': 0 is not in the range 1<=x<=1000"),
        (
            ["--all", "--workers", "1", "--cluster", "tcp://host:1"],
            "--cluster cannot be used with --w",
        ),
        (["--all", "--cluster", "nowhere://"], "Invalid value for '--cluster': cluster 'nowhere"),
        (["--all", "small"], "--all cannot be used with NAME"),
        ([], "--out needs the names of studies, or --all"),
        (["--games", "5"], "--games needs the names of studies, or --all"),
        (["--colour"], "No such option '--colour'"),
    ],
)
def test_wrong_words(
    words: list[str], sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "none"
    assert failed(capsys, "study", "--out", out, *words).startswith(sentence)
    assert not out.exists()


def test_a_directory_that_cannot_be_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    assert failed(capsys, "study", "--all", "--out", file) == f"{file}: not a directory"
    said = failed(capsys, "study", "--all", "--out", tmp_path)
    assert said.startswith(f"{tmp_path}: holds other files, such as notes.txt, and no records")
    assert os.listdir(tmp_path) == ["notes.txt"]
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    new = tmp_path / "new"
    assert failed(capsys, "study", "--all", "--out", new) == f"{new}: permission denied"


def test_a_second_run(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Archive(directory).writing():
        said = failed(capsys, "study", "--quick", "--out", directory)
    assert said == f"{directory}: another run is writing to it"


def test_records_of_another_code(
    directory: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(directory)
    change_code(monkeypatch, "noisy-or")
    assert "60 games were played" in done(capsys, "report", directory)
    words = ["study", "--quick", "--workers", "1", "--out", str(directory)]
    assert cli.main(words) == 0
    out, err = capsys.readouterr()
    assert out.startswith("- 160 games were played.")
    assert err.splitlines()[1:3] == [
        f"mineproof: {directory}: 80 games of noisy-or were played by another code; the new code "
        "plays them again, and the old records stay",
        "3 of 7 tasks, 60 of 140 games",
    ]
    after = files(directory)
    assert before.items() < after.items()
    assert len(after) == 9
    # Nothing is left to play, so nothing is to be said.
    assert cli.main(words) == 0
    assert "another code" not in capsys.readouterr().err


def test_the_report_of_another_code(
    directory: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    change_code(monkeypatch, "boards")
    assert failed(capsys, "report", directory) == (
        f"{directory}: all its records were played by other code; "
        f"`mineproof study small --out {directory}` plays the games again"
    )


@pytest.mark.parametrize(
    "verb", [("study", "--quick", "--out"), ("report",), ("records",)], ids=lambda verb: verb[0]
)
def test_a_damaged_file_is_set_aside(
    verb: tuple[str, ...], directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(directory)
    damaged = min(files(directory))
    whole = damaged.read_bytes()
    broken = whole[:100] + b"?" + whole[101:]
    damaged.write_bytes(broken)
    assert cli.main([*verb, str(directory)]) == 0
    told = (
        f"mineproof: {damaged}: damaged, or not a record file; moved to {directory / 'damaged'}, "
        "and the same study plays its games again"
    )
    assert told in capsys.readouterr().err.splitlines()
    assert (directory / "damaged" / damaged.name).read_bytes() == broken
    assert damaged.exists() == (verb[0] == "study")
    # Said once; then it is as if the file had never been.
    assert cli.main(["records", str(directory)]) == 0
    assert capsys.readouterr().err == ""
    run([STUDY], directory, quick=True)
    assert_same(contents(directory), before)


def test_a_foreign_file_is_left_alone(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    foreign = directory / "records" / "notes.txt"
    foreign.write_text("mine")
    for verb in (("study", "--quick", "--out"), ("report",), ("records",)):
        assert (
            failed(capsys, *verb, directory) == f"{foreign}: not a record file; move it elsewhere"
        )
    assert foreign.read_text() == "mine"


@pytest.mark.parametrize(
    ("package", "verb", "extra"),
    [
        pytest.param("polars", "study", "lab", marks=pytest.mark.long),
        ("altair", "study", "lab"),
        pytest.param("polars", "report", "lab", marks=pytest.mark.long),
        pytest.param("polars", "records", "lab", marks=pytest.mark.long),
        pytest.param("jinja2", "study", "lab", marks=pytest.mark.long),
    ],
)
def test_an_extra_that_is_not_installed(
    package: str, verb: str, extra: str, tmp_path: Path
) -> None:
    words = {"study": ["study", "density", "--out", "new"]}.get(verb, [verb, str(tmp_path)])
    program = (
        f"import sys; sys.modules['{package}'] = None\n"
        f"from mineproof.cli import main; sys.exit(main({words!r}))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True
    )
    install = f"pip install 'mineproof[{extra}]'"
    assert ended.stderr == f"mineproof: {package} is not installed: {install}\n"
    assert (ended.returncode, ended.stdout) == (2, "")
    assert not os.listdir(tmp_path)


# ---------------------------------------------------------------------------------------- cluster


def test_a_cluster_plays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from mineproof.lab import dask_cluster

    @contextmanager
    def threads(address: str, **words: Any) -> Iterator[Any]:
        assert address == "tcp://host:8786"
        with ThreadPoolExecutor(2) as executor:
            yield executor, lambda: 4

    monkeypatch.setattr(dask_cluster, "cluster", threads)
    words = ("study", "--quick", "--out", tmp_path, "--cluster", "tcp://host:8786")
    assert done(capsys, *words).startswith("- 160 games")

    @contextmanager
    def silent(address: str, **words: Any) -> Iterator[Any]:
        raise ClusterFailed(f"no Dask scheduler answers at {address}")
        yield

    monkeypatch.setattr(dask_cluster, "cluster", silent)
    said = failed(capsys, *words, code=1)
    assert said == "no Dask scheduler answers at tcp://host:8786"


# ----------------------------------------------------------------------------------------- report


def test_the_report_of_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for verb in ("report", "records"):
        assert failed(capsys, verb, tmp_path) == f"{tmp_path}: holds no records"
        none = tmp_path / "none"
        value = "Invalid value for 'DIR': Directory"
        assert failed(capsys, verb, none) == f"{value} '{none}' does not exist"
        assert failed(capsys, verb, __file__) == f"{value} '{__file__}' is a file"
    assert not os.listdir(tmp_path)


def test_the_report_of_studies_that_are_not_known(
    directory: Path, known: dict[str, Study], capsys: pytest.CaptureFixture[str]
) -> None:
    Archive(directory).declare({"mine": 5})
    assert cli.main(["report", str(directory)]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("Left out, since they are not known here: mine.\n")
    assert out.startswith("- 160 games")
    known.clear()
    said = failed(capsys, "report", directory)
    assert said.startswith(f"{directory}: holds no study that is known here, only mine, small")


def test_a_report_that_cannot_be_written(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (directory / "index.html").mkdir()
    said = failed(capsys, "report", directory, code=1)
    assert said.startswith(f"cannot write {directory / 'index.html'}: is a directory")


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    out = " ".join(done(capsys, "study", "--help").split())
    for word in ("--list", "--quick", "--games", "--out", "--workers", "--cluster"):
        assert word in out
    assert "the same command goes on from there" in out
    assert "no game is played" in " ".join(done(capsys, "report", "--help").split())


# --------------------------------------------------------------------------- stopped and full


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """An environment where the small study is installed as another package's."""
    package = tmp_path / "site" / "small-1.0.dist-info"
    package.mkdir(parents=True)
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: small\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text(
        "[mineproof.studies]\nsmall = small_study:STUDY\nhungry = small_study:HUNGRY\n"
    )
    return {
        "PYTHONPATH": os.pathsep.join(
            [str(package.parent), str(Path(__file__).parents[1] / "support")]
        )
    }


def start(words: list[str], installed: dict[str, str], before: str = "") -> subprocess.Popen[str]:
    program = f"{before}\nimport sys\nfrom mineproof.cli import main\nsys.exit(main())"
    return subprocess.Popen(
        [sys.executable, "-c", program, *words],
        env={**os.environ, **installed},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for_files(process: subprocess.Popen[str], directory: Path) -> None:
    while not list(directory.glob("records/*.parquet")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.005)


@unix
@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.long), "2"])
def test_an_interruption_is_quiet_and_keeps_what_is_finished(
    workers: str, tmp_path: Path, installed: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    words = ("study", "small", "--games", "2000", "--out", str(out), "--workers", workers)
    with Terminal(*words, cols=80, rows=24, **installed) as terminal:
        terminal.wait_until(lambda screen: "games/s" in screen.plain)
        [total] = {*re.findall(r" of (\d+) tasks", terminal.plain)}
        assert "left" in terminal.plain
        assert re.search("small: (random|noisy-or), ", terminal.plain)
        assert " mines, start " in terminal.plain
        terminal.press("\x03")
        assert terminal.wait() == 130
        said, _, answers = " ".join(terminal.plain.split("mineproof: ")[-1].split()).partition(
            " - "
        )
    assert "Traceback" not in terminal.plain
    kept = re.fullmatch(
        rf"stopped; {out} keeps the records of (\d+) of {total} tasks, and the same command "
        "goes on from there",
        said,
    )
    assert kept is not None, said
    # What two probes measured of a game is in one file.
    assert 0 < len(Archive(out).held()) <= int(kept[1]) < int(total)
    assert re.fullmatch(r"[1-9]\d* games were played\.", answers)


@unix
def test_a_polite_end(tmp_path: Path, installed: dict[str, str]) -> None:
    out = tmp_path / "out"
    words = ["study", "small", "--games", "5000", "--workers", "1", "--out", str(out)]
    process = start(words, installed)
    wait_for_files(process, out)
    process.send_signal(signal.SIGTERM)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout) == (128 + signal.SIGTERM, "")
    assert stderr.splitlines()[-1].startswith(f"mineproof: stopped; {out} keeps the records of ")
    assert "Traceback" not in stderr
    assert Archive(out).held()


@unix
@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.long)])
def test_a_full_disk(workers: str, tmp_path: Path, installed: dict[str, str]) -> None:
    out = tmp_path / "out"
    run([STUDY], out, quick=True)
    before = files(out)
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))"
    words = ["study", "small", "--workers", workers, "--out", str(out)]
    process = start(words, installed, before=limit)
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (1, "")
    assert stderr.splitlines()[-1].startswith(f"mineproof: cannot write {out / 'records'}")
    assert stderr.endswith(": file too large; what was finished before is kept\n")
    assert "Traceback" not in stderr
    assert files(out) == before
    # With room again, it goes on.
    run([STUDY], out)
    assert set(before) <= set(files(out))
    assert len(files(out)) == FILES + 6


@pytest.mark.skipif(sys.platform != "linux", reason="needs limits of memory")
@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.long)])
def test_records_are_kept_if_memory_runs_out(
    workers: str, tmp_path: Path, installed: dict[str, str]
) -> None:
    out = tmp_path / "out"
    # Address space, of which libraries and threads take some gigabytes.
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (6 * 10**9, 6 * 10**9))"
    words = ["study", "hungry", "--workers", workers, "--out", str(out)]
    process = start(words, installed, before=limit)
    stdout, stderr = process.communicate(timeout=120)
    assert (process.returncode, stdout) == (1, ""), stderr
    assert stderr.splitlines()[-1] == (
        "mineproof: there is not enough memory; what was finished before is kept"
    )
    assert "Traceback" not in stderr
    archive = Archive(out)
    assert archive.scan_all().collect().height == 50 * len(archive.held())
    assert len(archive.held()) >= (2 if workers == "1" else 1)
    assert not list(out.rglob("*.unfinished"))
