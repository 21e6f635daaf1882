"""A directory of records: a Parquet file for every finished task, named by the task's id.

A file appears whole or not at all, and says in its metadata which task it holds, so that a run
can be killed at any moment and continued, and files that do not belong are found out.

    DIR/studies.json            which studies were run here, and with how many games
    DIR/records/ID.parquet      the games of one task, a row each
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import polars as pl
from polars.exceptions import PolarsError

from mineproof.arguments import counted
from mineproof.records import GameRecord
from mineproof.study import Task, task_id

try:
    import fcntl
except ImportError:  # not on every system; a second run is harmless, only wasteful
    fcntl = None  # type: ignore[assignment]

__all__ = ["TIMINGS", "Archive", "CannotWrite", "encode"]

TIMINGS: Final = "^(.*_)?seconds$"
"""The columns, as a pattern, in which two runs of the same task may differ."""

_TASK, _CODE = "mineproof.task", "mineproof.code"
_FILE: Final = re.compile(r"[0-9a-f]{32}\.parquet")
_LEFTOVER: Final = re.compile(r"\.[0-9a-f]{32}\.unfinished")
_TYPES: Final[Mapping[str, Any]] = {
    "str": pl.String,
    "int": pl.Int64,
    "int | None": pl.Int64,
    "float": pl.Float64,
    "bool": pl.Boolean,
}
_COLUMNS: Final = {
    field.name: pl.UInt64 if field.name.endswith("seed") else _TYPES[str(field.type)]
    for field in fields(GameRecord)
    if field.name != "moves"
}


class CannotWrite(RuntimeError):
    """A record could not be written; what was written before is intact."""


def encode(
    task: Task, code: str, records: Sequence[GameRecord], extra: pl.DataFrame | None = None
) -> bytes:
    """Write the games of a task as a Parquet file.

    Parameters
    ----------
    task
        What was played.
    code
        The version of the code that played it.
    records
        The games, in order.
    extra
        The columns of the task's probe, if it has one.

    Examples
    --------
    >>> from mineproof import Setup, agents, play
    >>> task = Task("exact", Setup.level("easy"), first=2, games=1)
    >>> data = encode(task, "1.0", [play(task.setup.game(2), agents.get("exact"), seed=2)])
    >>> pl.read_parquet(data)["outcome"].to_list()
    ['won']
    """
    columns = {name: [getattr(record, name) for record in records] for name in _COLUMNS}
    frame = pl.DataFrame(columns, schema=_COLUMNS).with_columns(code=pl.lit(code))
    if extra is not None:
        frame = frame.hstack(extra)
    buffer = io.BytesIO()
    metadata = {_TASK: json.dumps(task.description), _CODE: code}
    frame.write_parquet(buffer, metadata=metadata, statistics=False)
    return buffer.getvalue()


class Archive:
    """A directory of records.

    Parameters
    ----------
    path
        The directory; it is made when something is first written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from mineproof import Setup, agents, play
    >>> task = Task("exact", Setup.level("easy"), first=2, games=1)
    >>> games = [play(task.setup.game(2), agents.get("exact"), seed=2)]
    >>> with TemporaryDirectory() as directory:
    ...     archive = Archive(directory)
    ...     with archive.writing("1.0") as held:
    ...         archive.write(task, encode(task, "1.0", games))
    ...     held, archive.scan([task]).collect()["opened"].to_list()
    (set(), [71])
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._code: str | None = None

    @property
    def records(self) -> Path:
        """Where the record files are."""
        return self.path / "records"

    @contextmanager
    def writing(self, code: str) -> Iterator[set[str]]:
        """Keep others from writing here meanwhile, and yield the ids of the tasks that are here.

        Parameters
        ----------
        code
            The version of the code that is going to play: its records do not mix with others.

        Raises
        ------
        ValueError
            If the directory cannot be written to, another run is at work in it, or something is
            in it that does not belong there.
        """
        self._refuse_strangers()
        try:
            self.records.mkdir(parents=True, exist_ok=True)
            lock = open(self.path / ".lock", "a")  # noqa: SIM115 - held to the end
        except OSError as error:
            raise ValueError(f"{self.path}: {_reason(error)}") from None
        with lock:
            self._lock(lock.fileno())
            self._sweep()
            held = self.held()
            for played_by in sorted(set(held.values()) - {code}):
                raise ValueError(
                    f"{self.path}: holds records of code {played_by}, and this is {code}; "
                    "choose another directory"
                )
            self._code = code
            yield set(held)

    def held(self) -> dict[str, str]:
        """Return the ids of the tasks whose records are here, and the code that played each.

        Raises
        ------
        ValueError
            If a file is damaged, or is none of records.
        """
        if not self.records.is_dir():
            return {}
        return dict(
            _check(self.records / name)
            for name in sorted(os.listdir(self.records))
            if not _LEFTOVER.fullmatch(name)
        )

    def write(self, task: Task, data: bytes) -> None:
        """Add the records of a task, all at once.

        Raises
        ------
        ValueError
            If they were played by another version of the code.
        CannotWrite
            If the disk is full, for one.
        """
        played_by = pl.read_parquet_metadata(io.BytesIO(data))[_CODE]
        if played_by != self._code:
            raise ValueError(f"workers play with code {played_by}, and this is {self._code}")
        self._write(self.records / f"{task.id}.parquet", data)

    def scan(self, tasks: Iterable[Task]) -> pl.LazyFrame | None:
        """Return the records of those tasks that are here; None where none is."""
        files = [self.records / f"{task.id}.parquet" for task in tasks]
        there = [file for file in files if file.exists()]
        return pl.scan_parquet(there, glob=False) if there else None

    def scan_all(self) -> pl.LazyFrame:
        """Return all records that are here, without what only some tasks measure.

        Raises
        ------
        ValueError
            If there are none.
        """
        files = [self.records / f"{task}.parquet" for task in self.held()]
        if not files:
            raise ValueError(f"{self.path}: holds no records")
        plain = [*_COLUMNS, "code"]
        return pl.concat([pl.scan_parquet(file, glob=False).select(plain) for file in files])

    def declared(self) -> dict[str, int]:
        """Return which studies were run here, and the most games that were asked for.

        Raises
        ------
        ValueError
            If the list is damaged.
        """
        try:
            listed = json.loads(self._list.read_text(encoding="utf-8"))
            return {str(name): int(games) for name, games in listed["studies"].items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise ValueError(f"{self._list}: damaged, or no list of studies") from None

    def declare(self, studies: Mapping[str, int]) -> None:
        """Note which studies are run here, and with how many games."""
        listed = self.declared()
        most = {name: max(games, listed.get(name, 0)) for name, games in studies.items()}
        text = json.dumps({"studies": listed | most}, indent=2)
        self._write(self._list, text.encode())

    @property
    def _list(self) -> Path:
        return self.path / "studies.json"

    def _refuse_strangers(self) -> None:
        """Refuse a directory that is someone else's."""
        if self.path.exists() and not self.path.is_dir():
            raise ValueError(f"{self.path}: not a directory")
        if self.path.is_dir() and not self._list.exists():
            strangers = {*os.listdir(self.path)} - {".lock", ".studies.unfinished", "records"}
            if strangers:
                raise ValueError(
                    f"{self.path}: holds other files, such as {min(strangers)}, and no studies; "
                    "choose an empty or a new directory"
                )

    def _lock(self, file: int) -> None:
        if fcntl is None:
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"{self.path}: another run is at work there") from None
        except OSError:
            # Not every file system has locks, and without them a second run only wastes time.
            return

    def _sweep(self) -> None:
        """Remove what a killed run left half written."""
        for name in os.listdir(self.records):
            if _LEFTOVER.fullmatch(name):
                (self.records / name).unlink(missing_ok=True)

    def _write(self, file: Path, data: bytes) -> None:
        unfinished = file.with_name(f".{file.stem}.unfinished")
        try:
            with open(unfinished, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(unfinished, file)
        except OSError as error:
            with suppress(OSError):
                unfinished.unlink(missing_ok=True)
            raise CannotWrite(
                f"cannot write {file}: {_reason(error)}; what was finished before is kept"
            ) from None


def _check(file: Path) -> tuple[str, str]:
    """Return the task and the code of a record file, or say what is wrong with it."""
    if not _FILE.fullmatch(file.name):
        raise ValueError(f"{file}: no record file; move it elsewhere")
    try:
        metadata = pl.read_parquet_metadata(file)
        described, code = json.loads(metadata[_TASK]), metadata[_CODE]
        rows = pl.scan_parquet(file, glob=False).select(pl.len()).collect().item()
    except (PolarsError, OSError, KeyError, ValueError):
        raise ValueError(
            f"{file}: damaged, or no record file; remove it, and its games are played again"
        ) from None
    if task_id(described) != file.stem:
        raise ValueError(f"{file}: holds the records of another task; remove it")
    if rows != described["games"]:
        held, wanted = counted(rows, "game"), counted(described["games"], "game")
        raise ValueError(f"{file}: holds {held} instead of {wanted}; remove it")
    return file.stem, code


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
