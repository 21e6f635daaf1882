"""The archive and its files: what is written and read, what is refused, what is never lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields, replace
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_records import EASY, TASK, data, record

from mineproof import GameRecord, Outcome, Setup
from mineproof.arena.bulk import columns_of
from mineproof.errors import CannotWrite
from mineproof.lab import probes
from mineproof.lab.archive import Archive
from mineproof.lab.coverage import games_of_other_code, missing
from mineproof.lab.probes import Probe, find_probe
from mineproof.lab.record_file import Holding, encode
from mineproof.lab.study import Task

# --------------------------------------------------------------------------------- one file

_VALUES = {
    "str": st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    "int": st.integers(-(2**63), 2**63 - 1),
    "int | None": st.none() | st.integers(0, 100),
    "float": st.floats(allow_nan=False),
    "bool": st.booleans(),
    "Outcome": st.sampled_from(Outcome),
}
RECORDS = st.builds(
    GameRecord,
    **{
        field.name: st.integers(0, 2**64 - 1)
        if field.name.endswith("seed")
        else _VALUES[str(field.type)]
        for field in fields(GameRecord)
        if field.name != "moves"
    },
    moves=st.just(()),
)


@given(st.lists(RECORDS, min_size=1, max_size=5))
def test_what_is_written_is_read(records: list[GameRecord]) -> None:
    task = replace(TASK, games=len(records))
    file = encode(task, columns_of(records))
    left_out = "moves", "topology"
    columns = [field.name for field in fields(GameRecord) if field.name not in left_out]
    rows = pl.read_parquet(file).to_dicts()
    assert rows == [
        {name: getattr(record, name) for name in columns} | {"code": task.code}
        for record in records
    ]
    assert Holding.read(file) == Holding(task.description, len(file))


def test_the_columns_of_a_probe_come_last() -> None:
    extra = pl.DataFrame({"risks": [[0.1], []]})
    file = encode(TASK, columns_of([record()] * 2), extra)
    assert pl.read_parquet(file)["risks"].to_list() == [[0.1], []]
    assert Holding.read(file) is not None


def test_a_file_holds_all_games_of_its_task() -> None:
    with pytest.raises(ValueError, match="1 record of 2 games"):
        encode(TASK, columns_of([record()]))


def test_no_flipped_bit_passes() -> None:
    whole = data()
    for place in range(len(whole)):
        for bit in range(8):
            damaged = bytearray(whole)
            damaged[place] ^= 1 << bit
            assert Holding.read(bytes(damaged)) is None, (place, bit)


def test_no_part_passes() -> None:
    whole = data()
    for length in range(len(whole)):
        assert Holding.read(whole[:length]) is None, length
        assert Holding.read(whole[length:]) is None or length == 0, length
    assert Holding.read(whole + b"\0") is None
    assert Holding.read(whole + whole) is None


@given(st.binary(max_size=300) | st.binary(max_size=300).map(lambda tail: b"sha256:" + tail))
def test_no_noise_passes(noise: bytes) -> None:
    assert Holding.read(noise) is None


# ------------------------------------------------------------------------------ the archive


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """An archive of two files."""
    archive = Archive(tmp_path / "archive")
    fill(archive, [TASK, replace(TASK, first=2)])
    return archive


def fill(archive: Archive, tasks: Iterable[Task]) -> None:
    with archive.writing():
        archive.declare({"small": 4})
        for task in tasks:
            archive.write(task, data(task))


def file_of(archive: Archive, task: Task = TASK) -> Path:
    return archive.records / f"{task.id}.parquet"


def refusal(archive: Archive) -> str:
    """What is said when a run is to begin; nothing may change by it."""
    before = everything(archive.path)
    with pytest.raises(ValueError, match=r".") as refused, archive.writing():
        pass
    assert everything(archive.path) == before
    assert "\n" not in str(refused.value)
    return str(refused.value)


def everything(path: Path) -> dict[Path, bytes]:
    return {
        file: file.read_bytes()
        for file in path.rglob("*")
        if file.is_file() and file.name != ".lock" and os.access(file, os.R_OK)
    }


def test_what_is_held(archive: Archive) -> None:
    held = archive.held()
    assert held[TASK.id].task == TASK.description
    assert held[TASK.id].code == TASK.code
    assert {holding.size for holding in held.values()} == {
        file.stat().st_size for file in archive.records.iterdir()
    }
    frame = archive.scan([TASK, replace(TASK, first=100)])
    assert frame is not None
    assert frame.collect()["seed"].to_list() == [0, 1]
    assert archive.scan([replace(TASK, first=100)]) is None


def test_only_what_was_asked_for_is_written(archive: Archive) -> None:
    other = replace(TASK, first=50)
    with archive.writing():
        with pytest.raises(ValueError, match="what came back is not its records"):
            archive.write(other, data(TASK))
        with pytest.raises(ValueError, match="what came back is not its records"):
            archive.write(other, data(other)[:-1])
    assert other.id not in archive.held()


def test_most_games_are_remembered(archive: Archive) -> None:
    archive.declare({"small": 2, "large": 7})
    assert archive.declared() == {"small": 4, "large": 7}
    archive.declare({"small": 9})
    assert archive.declared() == {"small": 9, "large": 7}


# -------------------------------------------------------------------------------- each game once

OVERLAPPING = st.lists(
    st.builds(
        Task,
        st.sampled_from(["exact", "basic"]),
        st.just(EASY),
        st.integers(0, 12),
        st.integers(1, 8),
        st.sampled_from([None, "guesses", "effort", "chains"]),
    ),
    min_size=1,
    max_size=6,
)


def probed_data(task: Task) -> bytes:
    """The record file of a task, with columns that depend on the game alone."""
    seeds = range(task.first, task.end)
    games = [replace(record(), agent=task.agent, seed=seed) for seed in seeds]
    if task.probe is None:
        return encode(task, columns_of(games))
    schema = find_probe(task.probe).schema
    numbers = {name: [game.seed for game in games] for name in schema}
    frame = pl.DataFrame(
        {
            name: [[float(n)] for n in numbers[name]]
            if kind == pl.List(pl.Float64)
            else [[n % 2 == 0] for n in numbers[name]]
            if kind == pl.List(pl.Boolean)
            else pl.Series(numbers[name]).cast(kind)
            for name, kind in schema.items()
        },
        schema,
    )
    return encode(task, columns_of(games), frame)


def write_as_once(archive: Archive, tasks: Iterable[Task]) -> None:
    """Write a file per task, as earlier versions did, whatever games they share."""
    archive.records.mkdir(parents=True)
    for task in tasks:
        file_of(archive, task).write_bytes(probed_data(task))


def check_each_game_is_there_once(archive: Archive, tasks: Sequence[Task]) -> None:
    distinct = {(task.agent, seed) for task in tasks for seed in range(task.first, task.end)}
    games = archive.scan_all().select("agent", "seed").collect().rows()
    assert sorted(games) == sorted(distinct)
    for task in tasks:
        found = archive.scan([task])
        assert found is not None
        frame = found.collect()
        assert frame["seed"].to_list() == [*range(task.first, task.end)]
        columns = list(pl.read_parquet(probed_data(task)).columns)
        assert frame.columns == columns
        assert frame.equals(pl.read_parquet(probed_data(task)))


def check_any_reader_counts_each_game_once(archive: Archive) -> None:
    plain = pl.scan_parquet(archive.records, missing_columns="insert", extra_columns="ignore")
    games = plain.select("agent", "seed").collect().rows()
    assert sorted(games) == sorted(archive.scan_all().select("agent", "seed").collect().rows())
    assert sorted(games) == sorted(set(games))


@settings(max_examples=30, deadline=None)
@given(OVERLAPPING)
def test_a_game_that_several_tasks_share_is_in_one_file(tasks: list[Task]) -> None:
    with TemporaryDirectory() as directory:
        archive = Archive(directory)
        with archive.writing():
            for task in tasks:
                archive.write(task, probed_data(task))
        check_each_game_is_there_once(archive, tasks)
        check_any_reader_counts_each_game_once(archive)
        assert missing(tasks, archive.held().values()) == []


@settings(max_examples=30, deadline=None)
@given(OVERLAPPING)
def test_games_that_earlier_versions_wrote_twice_count_once(tasks: list[Task]) -> None:
    with TemporaryDirectory() as directory:
        archive = Archive(Path(directory) / "old")
        write_as_once(archive, tasks)
        check_each_game_is_there_once(archive, tasks)
        assert missing(tasks, archive.held().values()) == []
        Archive(archive.path).put_in_order()
        check_each_game_is_there_once(archive, tasks)
        check_any_reader_counts_each_game_once(archive)
        assert missing(tasks, archive.held().values()) == []


def test_the_columns_of_two_probes_are_in_one_file_whichever_comes_first() -> None:
    probes = ("chains", "effort", "guesses")
    tasks = [replace(TASK, probe=probe) for probe in probes]
    found = []
    for order in permutations(tasks):
        with TemporaryDirectory() as directory:
            archive = Archive(directory)
            with archive.writing():
                for task in order:
                    archive.write(task, probed_data(task))
            [file] = archive.records.iterdir()
            found.append((file.name, file.read_bytes()))
            assert [*archive.held()[file.stem].probes] == [*probes]
    assert len(set(found)) == 1


def test_a_run_that_dies_between_two_files_loses_nothing(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(path: Path) -> None:
        raise KeyboardInterrupt

    probed = replace(TASK, games=1, probe="guesses")
    with monkeypatch.context() as patched, suppress(KeyboardInterrupt), archive.writing():
        patched.setattr(Path, "unlink", die)
        archive.write(probed, probed_data(probed))
    assert len(archive.held()) == 4
    assert archive.scan_all().collect()["seed"].to_list() == [0, 1, 2, 3]
    with archive.writing() as held:
        assert sorted(each.first for each in held.values()) == [0, 1, 2]
    check_any_reader_counts_each_game_once(archive)


def test_probes_that_measure_one_column_differently_are_told_apart(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(probes._PROBES, "other", Probe({"sure": int}, lambda game, played: {}))
    monkeypatch.setattr(probes, "SIGNATURES", {**probes.SIGNATURES, "other": "1"})
    measured = replace(TASK, probe="guesses")
    other = replace(TASK, probe="other")
    games = [replace(record(), seed=seed) for seed in (0, 1)]
    file = encode(other, columns_of(games), pl.DataFrame({"sure": [-1, -1]}))
    fill(archive, [])
    with archive.writing():
        archive.write(measured, probed_data(measured))
        before = everything(archive.path)
        with pytest.raises(ValueError, match=r"guesses and other measure sure of .* differently"):
            archive.write(other, file)
    assert everything(archive.path) == before


def test_games_of_other_conditions_count_apart(archive: Archive) -> None:
    fill(archive, [replace(TASK, agent="basic"), replace(TASK, setup=Setup.level("expert"))])
    assert archive.scan_all().collect().height == 8


def test_nothing_to_read(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "none")
    assert archive.held() == {}
    assert archive.declared() == {}
    with pytest.raises(ValueError, match=r"none: holds no records$"):
        archive.scan_all()


# ------------------------------------------------------------------------------- what is damaged


def put_in_order(archive: Archive) -> list[str]:
    """Return what is said."""
    told: list[str] = []
    archive.put_in_order(told.append)
    return told


def test_a_damaged_file_is_named(archive: Archive) -> None:
    file = file_of(archive)
    file.write_bytes(data()[:-1])
    for read in (archive.held, archive.scan_all, lambda: archive.scan([TASK])):
        with pytest.raises(ValueError, match="damaged") as refused:
            read()
        assert str(refused.value) == (
            f"{file}: damaged, or not a record file; `mineproof records {archive.path}` sets it "
            "aside"
        )


def test_a_damaged_file_is_set_aside_and_its_games_are_missing(archive: Archive) -> None:
    file = file_of(archive)
    file.write_bytes(data()[:-1])
    told: list[str] = []
    with archive.writing(told.append) as held:
        assert held.keys() == {replace(TASK, first=2).id}
        assert missing([TASK], held.values()) == [TASK]
        archive.write(TASK, data())
    assert told == [
        f"{file}: damaged, or not a record file; moved to {archive.path / 'damaged'}, and the same "
        "study plays its games again"
    ]
    assert (archive.path / "damaged" / file.name).read_bytes() == data()[:-1]
    check_any_reader_counts_each_game_once(archive)


def test_a_file_of_polars_alone_is_none_of_ours(archive: Archive) -> None:
    pl.DataFrame({"won": [True]}).write_parquet(file_of(archive))
    [told] = put_in_order(archive)
    assert told.startswith(f"{file_of(archive)}: damaged, or not a record file; moved to ")


def test_a_file_under_a_wrong_name(archive: Archive) -> None:
    other = file_of(archive, replace(TASK, first=100))
    file_of(archive).rename(other)
    [told] = put_in_order(archive)
    assert told.startswith(f"{other}: holds the records of another task; moved to ")


def test_what_another_run_may_be_writing_is_left_out_and_left_alone(archive: Archive) -> None:
    file = file_of(archive)
    file.write_bytes(data()[:-1])
    before = everything(archive.path)
    with open(archive.path / ".lock", "a") as lock:
        assert archive._lock(lock.fileno())
        other = Archive(archive.path)
        assert put_in_order(other) == [
            f"{file}: damaged, or not a record file, or still being written; left out"
        ]
        assert other.scan_all().collect()["seed"].to_list() == [2, 3]
    assert everything(archive.path) == before


@pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel who writes")
def test_what_a_process_is_writing_is_left_alone(archive: Archive) -> None:
    file = file_of(archive)
    whole = data()
    with open(file, "wb") as stream:
        stream.write(whole[:1000])
        stream.flush()
        [told] = put_in_order(Archive(archive.path))
        assert told.endswith("or still being written; left out")
        stream.write(whole[1000:])
    assert put_in_order(Archive(archive.path)) == []
    assert Archive(archive.path).held().keys() == {TASK.id, replace(TASK, first=2).id}


@pytest.mark.skipif(not hasattr(os, "setresuid"), reason="permissions differ")
def test_a_damaged_file_of_others_is_left_out() -> None:
    with TemporaryDirectory() as directory:
        archive = Archive(Path(directory) / "archive")
        fill(archive, [TASK, replace(TASK, first=2)])
        file_of(archive).write_bytes(b"")
        os.chmod(directory, 0o755)
        for folder in (archive.path, archive.records):
            os.chmod(folder, 0o555)
        os.chmod(archive.path / ".lock", 0o444)
        with as_nobody():
            assert put_in_order(archive) == [
                f"{file_of(archive)}: damaged, or not a record file, or still being written; left "
                "out"
            ]
            assert archive.scan_all().collect()["seed"].to_list() == [2, 3]
        for folder in (archive.path, archive.records):
            os.chmod(folder, 0o755)


@pytest.mark.parametrize("name", ["notes.txt", "a.parquet", ".DS_Store", "0" * 32])
def test_a_foreign_file_among_the_records(name: str, archive: Archive) -> None:
    (archive.records / name).write_text("mine")
    assert refusal(archive) == f"{archive.records / name}: not a record file; move it elsewhere"


def test_a_directory_among_the_records(archive: Archive) -> None:
    file_of(archive).unlink()
    file_of(archive).mkdir()
    assert refusal(archive) == f"{file_of(archive)}: is a directory"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"studies": 3}', '{"studies": {"a": "b"}}', "\0"])
def test_a_damaged_list_of_studies(text: str, archive: Archive) -> None:
    file = archive.path / "studies.json"
    file.write_text(text)
    assert refusal(archive).startswith(
        f"{file}: damaged, or not a list of studies; move it elsewhere"
    )
    # As the sentence says: the records are still ours without it.
    file.unlink()
    (archive.path / "index.html").write_text("report")
    with archive.writing() as held:
        archive.declare({"small": 4})
        assert len(held) == 2


# ------------------------------------------------------------------------------- whose directory


def test_another_code_has_its_own_files(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    before = everything(archive.path)
    monkeypatch.setattr("mineproof.lab.study.code_of", lambda agent: "2.0")
    tasks = [replace(TASK), replace(TASK, first=2, games=3), replace(TASK, agent="basic")]
    assert archive.scan(tasks) is None
    assert games_of_other_code(tasks, archive.held().values()) == {"exact": 4}
    fill(archive, tasks[:1])
    assert everything(archive.path).items() > before.items()
    assert archive.codes() == {"exact": {"38976c59+6a7dcfc4", "2.0"}}
    # Each game once per code.
    assert sorted(archive.scan_all().collect()["seed"]) == [0, 0, 1, 1, 2, 3]
    assert sorted(archive.scan_all().collect()["code"].unique()) == ["2.0", "38976c59+6a7dcfc4"]


def test_another_code_of_a_probe_has_its_own_files(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    probed = replace(TASK, probe="guesses")
    fill(archive, [probed])
    monkeypatch.setattr("mineproof.lab.study.code_of_probe", lambda probe: "2.0")
    again = replace(probed)
    assert again.id != probed.id
    held = archive.held()
    assert games_of_other_code([again], held.values()) == {"exact": 2}
    assert games_of_other_code([probed, TASK], held.values()) == {}
    assert again.code == probed.code


def test_another_format(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mineproof.lab.archive.FORMAT", 3)
    first = min(archive.records.iterdir())
    assert refusal(archive) == (
        f"{first}: has format 2, and this version writes 3; choose another directory"
    )


def test_a_second_run_is_refused(archive: Archive) -> None:
    with archive.writing():
        assert refusal(Archive(archive.path)) == f"{archive.path}: another run is writing to it"
    with archive.writing() as held:
        assert len(held) == 2


def test_somebody_elses_directory(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    assert refusal(Archive(tmp_path)) == (
        f"{tmp_path}: holds other files, such as thesis.tex, and no records; choose an empty or a "
        "new directory"
    )
    assert os.listdir(tmp_path) == ["thesis.tex"]


def test_no_directory(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert refusal(Archive(file)) == f"{file}: not a directory"
    assert refusal(Archive(file / "below")) == f"{file / 'below'}: not a directory"


def test_a_directory_that_is_new_or_empty_or_hardly_begun(tmp_path: Path) -> None:
    fill(Archive(tmp_path), [TASK])
    fill(Archive(tmp_path / "new" / "deep"), [TASK])
    begun = Archive(tmp_path / "begun")
    begun.records.mkdir(parents=True)
    (begun.path / ".lock").touch()
    (begun.path / ".studies.01234567.unfinished").write_text("{")
    (begun.records / f".{TASK.id}.89abcdef.unfinished").write_text("PAR1")
    assert begun.held() == {}
    fill(begun, [TASK])
    assert {path.name for path in begun.path.rglob("*")} == {
        *(".lock", "records", "studies.json", f"{TASK.id}.parquet")
    }


# ---------------------------------------------------------------------- what cannot be written

WRITE = """
import json, os, resource, sys
sys.path.insert(0, sys.argv[1])
from dataclasses import replace
from mineproof.lab.archive import Archive
from small_records import TASK, data
archive = Archive(sys.argv[2])
with archive.writing():
    archive.declare({"small": 4})
    archive.write(TASK, data())
    exec(sys.argv[3])
    for first in range(2, 2000, 2):
        task = replace(TASK, first=first)
        archive.write(task, data(task))
"""


def write(directory: Path, before: str = "") -> str:
    """Write, in a process of its own, until it fails; say with what words."""
    words = [
        sys.executable,
        "-c",
        WRITE,
        str(Path(__file__).parents[1] / "support"),
        str(directory),
        before,
    ]
    ended = subprocess.run(words, capture_output=True, text=True)
    assert ended.returncode == 1, ended.stderr
    return ended.stderr.splitlines()[-1]


def check_intact(directory: Path) -> None:
    archive = Archive(directory)
    held = archive.held()
    assert TASK.id in held
    assert archive.scan_all().collect().height == 2 * len(held)
    assert not list(directory.rglob("*.unfinished"))


@pytest.mark.skipif(os.name == "nt", reason="needs limits")
def test_a_file_that_may_not_grow(tmp_path: Path) -> None:
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000))"
    said = write(tmp_path, before=limit)
    assert said.startswith(f"mineproof.errors.CannotWrite: cannot write {tmp_path / 'records'}")
    assert said.endswith(": file too large; what was finished before is kept")
    check_intact(tmp_path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs to mount")
def test_a_full_disk(tmp_path: Path) -> None:
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "mineproof", str(tmp_path)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("mounting is not allowed")
    try:
        said = write(tmp_path)
        assert said.endswith(": no space left on device; what was finished before is kept")
        check_intact(tmp_path)
        held = Archive(tmp_path).held()
        assert len(held) > 10
        # With room again, it goes on.
        (tmp_path / "records" / f"{TASK.id}.parquet").unlink()
        fill(Archive(tmp_path), [TASK])
        assert Archive(tmp_path).held() == held
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


def test_what_cannot_be_written_is_an_error_of_the_system(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(CannotWrite) as failed, archive.writing():
        archive.write(replace(TASK, first=4), data(replace(TASK, first=4)))
    assert failed.value.errno == 28
    assert len(archive.held()) == 2
    assert not list(archive.path.rglob("*.unfinished"))


@contextmanager
def as_nobody() -> Iterator[None]:
    """Be someone whom files forbid something, which root is not."""
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(65534, 65534, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.mark.skipif(not hasattr(os, "setresuid"), reason="permissions differ")
@pytest.mark.parametrize("place", ["", "records", "above"])
def test_an_unwritable_directory(place: str) -> None:
    with TemporaryDirectory() as directory:
        archive = Archive(Path(directory) / "archive")
        fill(archive, [TASK])
        os.chmod(archive.path / ".lock", 0o666)
        modes = {"": 0o555, "records": 0o777, "above": 0o777}
        os.chmod(archive.path, modes[place])
        os.chmod(archive.records, 0o555)
        os.chmod(directory, 0o000 if place == "above" else 0o755)
        with as_nobody():
            with pytest.raises(ValueError, match=r": permission denied$") as refused:
                archive.writing().__enter__()
            assert str(refused.value).startswith(f"{archive.path}: ")
        os.chmod(directory, 0o755)
        os.chmod(archive.path, 0o755)
        os.chmod(archive.records, 0o755)
        assert archive.held().keys() == {TASK.id}


@pytest.mark.skipif(not hasattr(os, "setresuid"), reason="permissions differ")
def test_an_unreadable_file_is_not_called_damaged() -> None:
    with TemporaryDirectory() as directory:
        archive = Archive(directory)
        fill(archive, [TASK])
        os.chmod(directory, 0o755)
        os.chmod(file_of(archive), 0o000)
        with as_nobody(), pytest.raises(ValueError, match=r": permission denied$"):
            archive.held()


def test_the_list_is_plain(archive: Archive) -> None:
    listed = json.loads((archive.path / "studies.json").read_text())
    assert listed == {"studies": {"small": 4}, "made": {}}
