"""The archive of a study's records: a directory of Parquet files.

A file appears whole or not at all, so that a run can be killed at any moment and continued. Each
game is in one file, so that any program that reads Parquet counts it once.

    DIR/studies.json            which studies were run here, and with how many games
    DIR/records/ID.parquet      consecutive games, one row per game
    DIR/damaged/ID.parquet      what was found damaged
"""

from __future__ import annotations

import errno
import json
import os
import re
import signal
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import groupby
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray
from polars.exceptions import PolarsError

from mineproof.errors import CannotWrite
from mineproof.lab.ranges import Ranges
from mineproof.lab.record_file import COLUMNS, Holding, columns_with, disjoint, kind_of
from mineproof.lab.study import FORMAT, Task
from mineproof.writing import write_whole

try:
    import fcntl
except ImportError:  # not on every system; without it a second run wastes time and does no harm
    fcntl = None  # type: ignore[assignment]

__all__ = ["Archive", "write_kept"]

_Files: TypeAlias = dict[str, Holding]
"""What files say about themselves, by the id of their task."""

_Held: TypeAlias = Holding | Task
"""What a file holds; tasks that were written are known already, and need no more memory."""

_Part: TypeAlias = tuple[str, int, int, bool]
"""A file, the first seed to read of it, the seed after the last, and whether these are all."""

_FILE: Final = re.compile(r"[0-9a-f]{32}\.parquet")
_LEFTOVER: Final = re.compile(r"\.(.+\.)?[0-9a-f]{8}\.unfinished")
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class _Damaged(ValueError):
    """A file that has the name of a record file and cannot be read as one."""


class Archive:
    """A directory of records.

    Parameters
    ----------
    path
        The directory; it is created when something is first written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from mineproof import Game, Setup, agents, play
    >>> from mineproof.arena.bulk import columns_of
    >>> from mineproof.lab.record_file import encode
    >>> task = Task("exact", Setup.level("easy"), first=2, games=1)
    >>> games = [play(Game(task.setup, 2), agents.get("exact"), seed=2)]
    >>> with TemporaryDirectory() as directory:
    ...     archive = Archive(directory)
    ...     with archive.writing() as held:
    ...         archive.write(task, encode(task, columns_of(games)))
    ...     held, archive.scan([task]).collect()["opened"].to_list()
    ({}, [71])
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._left_out: set[str] = set()
        self._kept: dict[str, list[_Held]] = defaultdict(list)
        self._index: tuple[int, Mapping[str, list[Holding]]] | None = None

    @property
    def records(self) -> Path:
        """Where the record files are."""
        return self.path / "records"

    @contextmanager
    def writing(self, tell: Callable[[str], object] = lambda sentence: None) -> Iterator[_Files]:
        """Keep other runs from writing here meanwhile, and yield what `put_in_order` returns.

        Raises
        ------
        ValueError
            If the directory cannot be written to, another run is writing to it, or it holds files
            that do not belong there.
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
            alone = self._lock(lock.fileno())
            if alone:
                # Half-written files of a killed run.
                for file in self.path.rglob(".*.unfinished"):
                    if _LEFTOVER.fullmatch(file.name):
                        file.unlink(missing_ok=True)
            held = self._settle(alone, tell)
            self._kept = defaultdict(list)
            for each in held.values():
                self._kept[kind_of(each.task)].append(each)
            yield held

    def put_in_order(self, tell: Callable[[str], object] = lambda sentence: None) -> _Files:
        """Set damaged files aside, see that each game is in one file, and return what is `held`.

        A file that cannot be set aside, or that someone may still be writing, is left out. So are
        games that an earlier version wrote twice, if another run is writing here.

        Parameters
        ----------
        tell
            Receives a sentence about each damaged file.

        Raises
        ------
        ValueError
            If there are files that do not belong here.
        """
        with self._named():
            held, damaged = self._look()
            if not damaged and not any(_shared(held)):
                return held
            with suppress(OSError), open(self.path / ".lock", "a") as lock:
                alone = False
                with suppress(ValueError):
                    alone = self._lock(lock.fileno())
                if alone:
                    return self._settle(True, tell)
            return self._settle(False, tell)

    def held(self) -> _Files:
        """Read every record file, and return what it says about itself by the id of its task.

        Raises
        ------
        ValueError
            If a file is damaged or no record file.
        """
        held, damaged = self._look()
        for name, reason in damaged.items():
            raise ValueError(
                f"{self.records / name}: {reason}; `mineproof records {self.path}` sets it aside"
            )
        return held

    def _look(self) -> tuple[_Files, dict[str, str]]:
        """Read every record file; return also the names of damaged files, with the reasons."""
        with self._named():
            names = sorted(os.listdir(self.records)) if self.records.is_dir() else []
        held, damaged = {}, {}
        for name in names:
            if _LEFTOVER.fullmatch(name) or name in self._left_out:
                continue
            try:
                held[name.partition(".")[0]] = self._check(name)
            except _Damaged as error:
                damaged[name] = str(error)
        return held, damaged

    def _settle(self, alone: bool, tell: Callable[[str], object]) -> _Files:
        """Put the files in order; only if this is the only run, files may be moved or changed."""
        held, damaged = self._look()
        for name, reason in damaged.items():
            tell(f"{self.records / name}: {reason}{self._set_aside(name, alone)}")
        for files in [*_shared(held)] if alone else ():
            for each in files:
                del held[each.id]
            held.update((each.id, each) for each in self._separate(files))
        return held

    def _set_aside(self, name: str, alone: bool) -> str:
        """Move a damaged file, or leave it out; return what became of it in words."""
        file, aside = self.records / name, self.path / "damaged" / name
        if alone and not _is_being_written(file):
            with suppress(OSError):
                aside.parent.mkdir(exist_ok=True)
                os.replace(file, aside)
                return f"; moved to {aside.parent}, and the same study plays its games again"
        self._left_out.add(name)
        return ", or still being written; left out"

    def _separate(self, files: Iterable[_Held], new: bytes | None = None) -> list[Holding]:
        """Write files anew so that each game is in one of them, and return what they are then."""
        # A file is removed only when its games are in another: in between they are in two.
        paths = [self._file(each.id) for each in files]
        paths.sort(key=lambda path: path.stat().st_mtime_ns)
        data = [path.read_bytes() for path in paths]
        written = {path.stem for path in paths}
        pieces = []
        for holding, piece in disjoint(data if new is None else [*data, new]):
            pieces.append(holding)
            if holding.id not in written:
                self._add(holding.id, piece)
        for name in written - {holding.id for holding in pieces}:
            self._file(name).unlink()
        self._index = None
        return pieces

    def _file(self, task: str) -> Path:
        return self.records / f"{task}.parquet"

    def _add(self, task: str, data: bytes) -> None:
        # What is unfinished stays out of the records, where programs read all files.
        write_kept(self._file(task), data, self.path)
        self._index = None
        self._left_out.discard(f"{task}.parquet")

    def codes(self) -> dict[str, set[str]]:
        """Return the codes that played the records which are here, by agent."""
        found = defaultdict(set)
        for holding in self.held().values():
            found[holding.task["agent"]].add(holding.code)
        return dict(found)

    def write(self, task: Task, data: bytes) -> None:
        """Add the records of a task, all at once.

        Raises
        ------
        ValueError
            If they are not the records of this task.
        CannotWrite
            If the file cannot be written, for example on a full disk.
        """
        holding = Holding.read(data)
        if holding is None or holding.id != task.id:
            raise ValueError(f"task {task.id}: what came back is not its records")
        files = self._kept[kind_of(holding.task)]
        common = [each for each in files if each.first < task.end and task.first < each.end]
        if common:
            files[:] = [each for each in files if each not in common]
            files += self._separate(common, data)
        else:
            self._add(task.id, data)
            files.append(task)

    def scan(self, tasks: Iterable[Task]) -> pl.LazyFrame | None:
        """Return the records of tasks, as far as they are here; None if there are none.

        Raises
        ------
        ValueError
            If a file is damaged.
        """
        wanted = _wanted(tasks)
        parts = {key: [*self._parts(*key, ranges)] for key, ranges in wanted.items()}
        frames = [
            self._scan_parts(some, columns_with(probe))
            for (_, probe, _), some in parts.items()
            if some
        ]
        return pl.concat(frames, how="diagonal") if frames else None

    def files(self, tasks: Iterable[Task]) -> tuple[Holding, ...]:
        """Return what the files say about themselves that `scan` reads.

        Raises
        ------
        ValueError
            If a file is damaged.
        """
        wanted = _wanted(tasks).items()
        names = dict.fromkeys(name for key, some in wanted for name, *_ in self._parts(*key, some))
        held = {each.id: each for kind, *_ in dict(wanted) for each in self._kinds()[kind]}
        return tuple(held[name] for name in names)

    def scan_kind(self, task: Task) -> tuple[pl.LazyFrame, int]:
        """Return all games here that differ from those of a task only in their seeds.

        Each is there once, without the columns of probes; the number says how many there are.

        Raises
        ------
        ValueError
            If a file is damaged.
        """
        parts = [*self._parts(kind_of(task.description))]
        return self._scan_parts(parts, COLUMNS), sum(end - first for _, first, end, _ in parts)

    def read(self, query: pl.LazyFrame) -> pl.DataFrame:
        """Answer a query of records; if a file is damaged, say which.

        Raises
        ------
        ValueError
            If a file is damaged.
        """
        try:
            return query.collect()
        except FileNotFoundError:
            raise ValueError(f"{self.path}: changed while it was read; try again") from None
        except PolarsError as error:
            self.held()
            raise ValueError(f"{self.path}: records cannot be read: {error}") from None

    def count(self, games: pl.LazyFrame) -> int:
        """Return the number of games."""
        return int(self.read(games.select(pl.len())).item())

    def summary(self, games: pl.LazyFrame) -> dict[str, tuple[int, float, float, float]]:
        """Return of each column of numbers: the count, mean, standard deviation and skewness."""
        schema = games.collect_schema()
        columns = [n for n, t in schema.items() if t.is_numeric() or t == pl.Boolean]
        numbers = pl.col(columns).cast(pl.Float64)
        parts = (numbers.count(), numbers.mean(), numbers.std(), numbers.skew())
        named = (part.name.suffix(f" {turn}") for turn, part in enumerate(parts))
        [found] = self.read(games.select(named)).to_dicts()
        return {name: tuple(found[f"{name} {turn}"] for turn in range(4)) for name in columns}

    def changes(
        self, games: pl.LazyFrame, others: pl.LazyFrame, column: str
    ) -> NDArray[np.float64]:
        """Return by how much games exceed others of the same seeds, in the order of seeds."""
        numbers = pl.col(column).cast(pl.Float64)
        one, two = (frame.select("seed", numbers) for frame in (games, others))
        # NumPy sums in the order of the games; Polars would not repeat the last digits.
        pairs = one.join(two, on="seed", suffix=" of others").sort("seed")
        change = pl.col(column) - pl.col(f"{column} of others")
        found: NDArray[np.float64] = self.read(pairs.select(change).drop_nulls())[column].to_numpy()
        return found

    def scan_all(self) -> pl.LazyFrame:
        """Return all games that are here, each once per code, without the columns of probes.

        Raises
        ------
        ValueError
            If there are none, or a file is damaged.
        """
        parts = [part for kind in self._kinds() for part in self._parts(kind)]
        if not parts:
            raise ValueError(f"{self.path}: holds no records")
        return self._scan_parts(parts, COLUMNS)

    def _kinds(self) -> Mapping[str, list[Holding]]:
        """Return what is held by the kind of games, in the order of seeds."""
        # Other processes write here too; that changes the time of the directory.
        changed = self.records.stat().st_mtime_ns if self.records.is_dir() else 0
        if self._index is None or self._index[0] != changed:
            files = _by_kind(self.held()).items()
            kinds = {kind: sorted(some.values(), key=_place) for kind, some in files}
            self._index = changed, defaultdict(list, kinds)
        return self._index[1]

    def _parts(
        self,
        kind: str,
        probe: str | None = None,
        code: str | None = None,
        wanted: Ranges | None = None,
    ) -> Iterator[_Part]:
        """Yield which files to read for games of a kind, so that each game is read once.

        Earlier versions wrote games of several studies more than once.
        """
        read = 0
        for each in self._kinds()[kind]:
            first = max(each.first, read)
            if first < each.end and (probe is None or each.probes.get(probe) == code):
                read = each.end
                spans = [(first, read)] if wanted is None else wanted.within(first, read)
                for span in spans:
                    yield each.id, *span, span == (each.first, each.end)

    def _scan_parts(self, parts: Iterable[_Part], columns: Mapping[str, Any]) -> pl.LazyFrame:
        """Return the games of parts of files, with these columns."""
        frames = [pl.LazyFrame(schema=columns)]
        for whole, some in groupby(parts, key=lambda part: part[-1]):
            if whole:
                frames.append(_scan([self._file(name) for name, *_ in some], columns))
                continue
            for name, first, end, _ in some:
                seeds = pl.lit(first, pl.UInt64), pl.lit(end - 1, pl.UInt64)
                games = _scan([self._file(name)], columns)
                frames.append(games.filter(pl.col("seed").is_between(*seeds)))
        return pl.concat(frames)

    def declared(self) -> dict[str, int]:
        """Return which studies were run here, and the largest number of games asked for.

        Raises
        ------
        ValueError
            If the list is damaged.
        """
        return self._declared()[0]

    def made(self) -> dict[str, str]:
        """Return when, where and by which version games were last played here, if that is noted."""
        return self._declared()[1]

    def _declared(self) -> tuple[dict[str, int], dict[str, str]]:
        try:
            listed = json.loads(self._list.read_text(encoding="utf-8"))
            studies = {str(name): int(games) for name, games in listed["studies"].items()}
            made = {str(what): str(how) for what, how in listed.get("made", {}).items()}
            return studies, made
        except FileNotFoundError:
            return {}, {}
        except OSError as error:
            raise ValueError(f"{self._list}: {_reason(error)}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ValueError(
                f"{self._list}: damaged, or not a list of studies; move it elsewhere, and name the "
                "studies again"
            ) from None

    def declare(self, studies: Mapping[str, int], made: Mapping[str, str] | None = None) -> None:
        """Note which studies are run here, with how many games, and when and where, if given."""
        listed, before = self._declared()
        most = {name: max(games, listed.get(name, 0)) for name, games in studies.items()}
        noted = before if made is None else dict(made)
        if (listed | most, noted) != (listed, before):
            text = json.dumps({"studies": listed | most, "made": noted}, indent=2)
            write_kept(self._list, text)

    @property
    def _list(self) -> Path:
        return self.path / "studies.json"

    def _refuse_strangers(self) -> None:
        """Refuse a directory that holds only other files."""
        if self.path.exists() and not self.path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if not self.path.exists() or self.declared() or any(self.records.glob("*.parquet")):
            return
        names = set(os.listdir(self.path)) - {".lock", "records"}
        strangers = {name for name in names if not _LEFTOVER.fullmatch(name)}
        if strangers:
            raise ValueError(
                f"{self.path}: holds other files, such as {min(strangers)}, and no records; "
                "choose an empty or a new directory"
            )

    def _lock(self, file: int) -> bool:
        """Return whether this is known to be the only run."""
        if fcntl is None:
            return False
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(f"{self.path}: another run is writing to it") from None
        except OSError:
            # Not every file system has locks; without one a second run only wastes time.
            return False
        return True

    def _check(self, name: str) -> Holding:
        """Read a record file, or raise an error that says what is wrong with it."""
        file = self.records / name
        if not _FILE.fullmatch(name):
            raise ValueError(f"{file}: not a record file; move it elsewhere")
        try:
            holding = Holding.read(file.read_bytes())
        except OSError as error:
            raise ValueError(f"{file}: {_reason(error)}") from None
        if holding is None:
            raise _Damaged("damaged, or not a record file")
        if holding.id != file.stem:
            raise _Damaged("holds the records of another task")
        if holding.task["format"] != FORMAT:
            raise ValueError(
                f"{file}: has format {holding.task['format']}, and this version writes {FORMAT}; "
                "choose another directory"
            )
        return holding

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Turn errors of the file system into sentences that name the directory."""
        try:
            yield
        except OSError as error:
            if error.errno in _FULL:
                raise _cannot_write(self.path, error) from None
            raise ValueError(f"{self.path}: {_reason(error)}") from None


def write_kept(file: Path, content: str | bytes, beside: Path | None = None) -> None:
    """Write a file whole, in a folder that may be new.

    Raises
    ------
    CannotWrite
        If the file cannot be written, for example on a full disk; earlier files are kept.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, content, beside)
    except OSError as error:
        raise _cannot_write(file, error) from None


def _is_being_written(file: Path) -> bool:
    """Return whether a process has a file open for writing, where the system can tell."""
    if not hasattr(fcntl, "F_SETLEASE"):
        return False
    try:
        with open(file, "rb") as stream:
            # Who opens the file meanwhile would end this process by another signal.
            fcntl.fcntl(stream, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(stream, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _wanted(tasks: Iterable[Task]) -> dict[tuple[str, str | None, str | None], Ranges]:
    """Return the seeds of tasks by the kind of games, probe and its code."""
    wanted: dict[tuple[str, str | None, str | None], Ranges] = defaultdict(Ranges)
    for task in tasks:
        key = kind_of(task.description), task.probe, task.probe_code
        wanted[key].add(task.first, task.end)
    return wanted


def _by_kind(held: _Files) -> Mapping[str, _Files]:
    kinds: dict[str, _Files] = defaultdict(dict)
    for name, holding in held.items():
        kinds[kind_of(holding.task)][name] = holding
    return kinds


def _place(holding: Holding) -> tuple[int, int]:
    """Files in this order: of those that begin together, the longest comes first."""
    return holding.first, -holding.end


def _shared(held: _Files) -> Iterator[list[Holding]]:
    """Yield files that have games in common."""
    for files in _by_kind(held).values():
        some: list[Holding] = []
        end = 0
        for holding in sorted(files.values(), key=_place):
            if holding.first >= end:
                if len(some) > 1:
                    yield some
                some = []
            some.append(holding)
            end = max(end, holding.end)
        if len(some) > 1:
            yield some


def _scan(files: list[Path], columns: Mapping[str, Any]) -> pl.LazyFrame:
    return pl.scan_parquet(files, schema=columns, extra_columns="ignore", glob=False)


def _cannot_write(place: Path, error: OSError) -> CannotWrite:
    reason = f"{_reason(error)}; what was finished before is kept"
    return CannotWrite(error.errno, reason, str(place))


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
