"""A directory of records: a Parquet file for every finished task, named by the task's id.

A file appears whole or not at all, so that a run can be killed at any moment and continued; and
every file is checked before it is read, so that what is damaged or does not belong is found out.

    DIR/studies.json            which studies were run here, and with how many games
    DIR/records/ID.parquet      the games of one task, a row each
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import polars as pl

from mineproof.lab.record_files import Holding, scan_plain
from mineproof.lab.study import FORMAT, Task

try:
    import fcntl
except ImportError:  # not on every system; a second run is harmless, only wasteful
    fcntl = None  # type: ignore[assignment]

__all__ = ["TIMINGS", "Archive", "CannotWrite", "write_whole"]

TIMINGS: Final = "^(.*_)?seconds$"
"""The columns, as a pattern, in which two runs of the same task may differ."""

_FILE: Final = re.compile(r"[0-9a-f]{32}\.parquet")
_LEFTOVER: Final = re.compile(r"\..+\.[0-9a-f]{8}\.unfinished")
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class CannotWrite(OSError):
    """A file could not be written, as on a full disk; what was written before is intact."""

    def __str__(self) -> str:
        return f"cannot write {self.filename}: {self.strerror}"


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
    >>> from mineproof.lab.record_files import encode
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
        self._trusted: set[str] = set()

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
        CannotWrite
            If the disk is full.
        """
        with self._named():
            self._refuse_strangers()
            self.records.mkdir(parents=True, exist_ok=True)
            for directory in (self.path, self.records):
                if not os.access(directory, os.W_OK):
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            lock = open(self.path / ".lock", "a")  # noqa: SIM115 - held to the end
        with lock:
            if self._lock(lock.fileno()):
                self._sweep()
            held = self.held()
            for played_by in sorted({holding.code for holding in held.values()} - {code}):
                raise ValueError(
                    f"{self.path}: holds records of code {played_by}, and this is {code}; "
                    "choose another directory"
                )
            self._code = code
            yield set(held)

    def held(self) -> dict[str, Holding]:
        """Read every record file, and return what they say of themselves by the ids of their tasks.

        Raises
        ------
        ValueError
            If a file is damaged, or is none of records.
        """
        with self._named():
            if not self.records.is_dir():
                return {}
            names = sorted(os.listdir(self.records))
        return {
            name.partition(".")[0]: self._check(name)
            for name in names
            if not _LEFTOVER.fullmatch(name)
        }

    def write(self, task: Task, data: bytes) -> None:
        """Add the records of a task, all at once.

        Raises
        ------
        ValueError
            If they are none of this task, or were played by another version of the code.
        CannotWrite
            If the disk is full, for one.
        """
        holding = Holding.read(data)
        if holding is None or holding.id != task.id:
            raise ValueError(f"task {task.id}: what came back is not its records")
        if holding.code != self._code:
            raise ValueError(f"workers play with code {holding.code}, and this is {self._code}")
        write_whole(self.records / f"{task.id}.parquet", data)

    def scan(self, tasks: Iterable[Task]) -> pl.LazyFrame | None:
        """Return the records of those tasks that are here; None where none is.

        Raises
        ------
        ValueError
            If a file is damaged.
        """
        names = [f"{task.id}.parquet" for task in tasks]
        there = [name for name in names if (self.records / name).exists()]
        for name in there:
            if name not in self._trusted:
                self._check(name)
        files = [self.records / name for name in there]
        return pl.scan_parquet(files, glob=False) if there else None

    def scan_all(self) -> pl.LazyFrame:
        """Return all games that are here, each once, without what only some tasks measure.

        Raises
        ------
        ValueError
            If there are none, or a file is damaged.
        """
        whole, parts = [], []
        for task, seed in _each_game_once(self.held()):
            file = self.records / f"{task}.parquet"
            if seed is None:
                whole.append(file)
            else:
                parts.append(scan_plain([file]).filter(pl.col("seed") >= seed))
        if not whole:
            raise ValueError(f"{self.path}: holds no records")
        return pl.concat([scan_plain(whole), *parts])

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
        except OSError as error:
            raise ValueError(f"{self._list}: {_reason(error)}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ValueError(
                f"{self._list}: damaged, or no list of studies; move it elsewhere, and name the "
                "studies again"
            ) from None

    def declare(self, studies: Mapping[str, int]) -> None:
        """Note which studies are run here, and with how many games."""
        listed = self.declared()
        most = {name: max(games, listed.get(name, 0)) for name, games in studies.items()}
        if listed | most != listed:
            text = json.dumps({"studies": listed | most}, indent=2)
            write_whole(self._list, text.encode())

    @property
    def _list(self) -> Path:
        return self.path / "studies.json"

    def _refuse_strangers(self) -> None:
        """Refuse a directory that is someone else's."""
        if self.path.exists() and not self.path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if not self.path.exists() or self.declared() or any(self.records.glob("*.parquet")):
            return
        ours = {".lock", "records"}
        strangers = {
            name
            for name in os.listdir(self.path)
            if name not in ours and not _LEFTOVER.fullmatch(name)
        }
        if strangers:
            raise ValueError(
                f"{self.path}: holds other files, such as {min(strangers)}, and no records; "
                "choose an empty or a new directory"
            )

    def _lock(self, file: int) -> bool:
        """Say whether this run is known to be the only one."""
        if fcntl is None:
            return False
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"{self.path}: another run is at work there") from None
        except OSError:
            # Not every file system has locks, and without them a second run only wastes time.
            return False
        return True

    def _sweep(self) -> None:
        """Remove what a killed run left half written."""
        for file in self.path.rglob(".*.unfinished"):
            if _LEFTOVER.fullmatch(file.name):
                file.unlink(missing_ok=True)

    def _check(self, name: str) -> Holding:
        """Read what a record file says of itself, or say what is wrong with it."""
        file = self.records / name
        if not _FILE.fullmatch(name):
            raise ValueError(f"{file}: no record file; move it elsewhere")
        try:
            holding = Holding.read(file.read_bytes())
        except OSError as error:
            raise ValueError(f"{file}: {_reason(error)}") from None
        if holding is None:
            raise ValueError(
                f"{file}: damaged, or no record file; remove it, and its games are played again"
            )
        if holding.id != file.stem:
            raise ValueError(f"{file}: holds the records of another task; remove it")
        if holding.task["format"] != FORMAT:
            raise ValueError(
                f"{file}: is of format {holding.task['format']}, and this is {FORMAT}; choose "
                "another directory"
            )
        self._trusted.add(name)
        return holding

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Let what the file system refuses name the directory."""
        try:
            yield
        except OSError as error:
            if error.errno in _FULL:
                raise _cannot_write(self.path, error) from None
            raise ValueError(f"{self.path}: {_reason(error)}") from None


def write_whole(file: Path, data: bytes) -> None:
    """Write a file all at once: whoever looks sees the old one, or none, or the new one.

    Raises
    ------
    CannotWrite
        If the disk is full, for one.
    """
    unfinished = file.with_name(f".{file.stem}.{secrets.token_hex(4)}.unfinished")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(unfinished, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(unfinished, file)
    except OSError as error:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise _cannot_write(file, error) from None


def _each_game_once(held: Mapping[str, Holding]) -> Iterator[tuple[str, int | None]]:
    """Yield which files to read, and from which seed on where that is not the first.

    Runs with fewer and with more games, and studies with different probes, have games in common.
    """
    read: dict[str, int] = {}
    for task, holding in sorted(held.items(), key=lambda item: (item[1].first, -item[1].end)):
        done = read.get(holding.conditions, 0)
        if done < holding.end:
            read[holding.conditions] = holding.end
            yield task, None if done <= holding.first else done


def _cannot_write(place: Path, error: OSError) -> CannotWrite:
    reason = f"{_reason(error)}; what was finished before is kept"
    return CannotWrite(error.errno, reason, str(place))


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
