"""The archive of a study's records: a directory with a Parquet file for every finished task.

A file appears whole or not at all, so that a run can be killed at any moment and continued. It
holds the description of its task and a digest of all its bytes, so that a damaged or foreign file
is never read as records.

    DIR/studies.json            which studies were run here, and with how many games
    DIR/records/ID.parquet      the games of one task, one row per game
"""

from __future__ import annotations

import errno
import io
import json
import os
import re
import secrets
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray
from polars.exceptions import PolarsError

from mineproof.arguments import counted
from mineproof.game.records import GameRecord
from mineproof.lab.study import FORMAT, Task, task_id

try:
    import fcntl
except ImportError:  # not on every system; without it a second run wastes time and does no harm
    fcntl = None  # type: ignore[assignment]

__all__ = [
    "TIMINGS",
    "Archive",
    "CannotWrite",
    "Holding",
    "encode",
    "games_of_other_code",
    "write_whole",
]

TIMINGS: Final = "^(.*_)?seconds$"
"""A pattern of the columns in which two runs of the same task may differ."""

_TASK, _DIGEST = "mineproof.task", "mineproof.digest"
_MARK: Final = b"sha256:"
_BLANK: Final = b"0" * 64
"""In the place of a file's digest while that is computed."""

_TYPES: Final[Mapping[str, Any]] = {
    "str": pl.String,
    "int": pl.Int64,
    "int | None": pl.Int64,
    "float": pl.Float64,
    "bool": pl.Boolean,
    "Outcome": pl.String,
}
_LEFT_OUT: Final = ("moves", "topology")
"""What is not kept: studies have square boards only."""
_COLUMNS: Final = {
    field.name: pl.UInt64 if field.name.endswith("seed") else _TYPES[str(field.type)]
    for field in fields(GameRecord)
    if field.name not in _LEFT_OUT
}
_SCHEMA: Final = {**_COLUMNS, "code": pl.String}
"""The columns of every record file."""

_Part: TypeAlias = tuple[str, int | None, int]
"""A file, the first seed to read of it unless all are needed, and the number of games."""

_FILE: Final = re.compile(r"[0-9a-f]{32}\.parquet")
_LEFTOVER: Final = re.compile(r"\..+\.[0-9a-f]{8}\.unfinished")
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def encode(task: Task, records: Sequence[GameRecord], extra: pl.DataFrame | None = None) -> bytes:
    """Write the games of a task as a Parquet file, with the columns of its probe if it has one.

    Examples
    --------
    >>> from mineproof import Setup, agents, play
    >>> task = Task("exact", Setup.level("easy"), first=2, games=1)
    >>> data = encode(task, [play(task.setup.game(2), agents.get("exact"), seed=2)])
    >>> pl.read_parquet(data)["outcome"].to_list()
    ['won']
    """
    if len(records) != task.games:
        raise ValueError(f"{counted(len(records), 'record')} of {counted(task.games, 'game')}")
    columns = zip(_COLUMNS, zip(*map(attrgetter(*_COLUMNS), records), strict=True), strict=True)
    frame = pl.DataFrame(dict(columns), _COLUMNS).with_columns(code=pl.lit(task.code))
    if extra is not None:
        frame = frame.hstack(extra)
    metadata = {_TASK: json.dumps(task.description), _DIGEST: (_MARK + _BLANK).decode()}
    buffer = io.BytesIO()
    frame.write_parquet(buffer, metadata=metadata, statistics=False)
    before, mark, rest = buffer.getvalue().rpartition(_MARK)
    return before + mark + _digest(before, rest) + rest[len(_BLANK) :]


def _digest(before: bytes, rest: bytes) -> bytes:
    """Return the digest of a file as if its place in the file were blank."""
    return sha256(before + _MARK + _BLANK + rest[len(_BLANK) :]).hexdigest().encode()


@dataclass(frozen=True, slots=True)
class Holding:
    """What a record file says about itself.

    Parameters
    ----------
    task
        The description of its task.
    size
        Its number of bytes.
    """

    task: Mapping[str, Any]
    size: int

    @property
    def id(self) -> str:
        """The task's id."""
        return task_id(self.task)

    @property
    def code(self) -> str:
        """The code that played."""
        return str(self.task["code"])

    @property
    def first(self) -> int:
        """The seed of the first game."""
        return int(self.task["first_seed"])

    @property
    def end(self) -> int:
        """The seed after that of the last game."""
        return self.first + int(self.task["games"])

    @classmethod
    def read(cls, data: bytes) -> Holding | None:
        """Read a file; None if it is damaged or no record file.

        Polars checks no checksums and may even panic, so the digest is checked first.
        """
        before, mark, rest = data.rpartition(_MARK)
        if not mark or rest[: len(_BLANK)] != _digest(before, rest):
            return None
        metadata = pl.read_parquet_metadata(io.BytesIO(data))
        return cls(json.loads(metadata[_TASK]), len(data))


def _conditions(description: Mapping[str, Any]) -> str:
    """Return an id that all tasks share whose games differ only in their seeds."""
    return _id_without(description, "first_seed", "games", "probe", "probe_code")


def _id_without(description: Mapping[str, Any], *keys: str) -> str:
    return task_id({key: value for key, value in description.items() if key not in keys})


def games_of_other_code(tasks: Iterable[Task], held: Iterable[Holding]) -> Counter[str]:
    """Count the games of tasks, by agent, that files hold under another code of agent or probe."""
    codes = ("code", "probe_code")
    others = defaultdict(list)
    for holding in held:
        others[_id_without(holding.task, *codes, "games")].append(holding)
    counts: Counter[str] = Counter()
    for task in tasks:
        # Tasks are always cut at the same seeds, so that the largest file has all such games.
        description = task.description
        counts[task.agent] += max(
            (
                min(task.games, int(holding.task["games"]))
                for holding in others[_id_without(description, *codes, "games")]
                if any(holding.task[code] != description[code] for code in codes)
            ),
            default=0,
        )
    return +counts


class CannotWrite(OSError):
    """A file could not be written, for example on a full disk; earlier files are intact."""

    def __str__(self) -> str:
        return f"cannot write {self.filename}: {self.strerror}"


class Archive:
    """A directory of records.

    Parameters
    ----------
    path
        The directory; it is created when something is first written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from mineproof import Setup, agents, play
    >>> task = Task("exact", Setup.level("easy"), first=2, games=1)
    >>> games = [play(task.setup.game(2), agents.get("exact"), seed=2)]
    >>> with TemporaryDirectory() as directory:
    ...     archive = Archive(directory)
    ...     with archive.writing() as held:
    ...         archive.write(task, encode(task, games))
    ...     held, archive.scan([task]).collect()["opened"].to_list()
    ({}, [71])
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._trusted: set[str] = set()
        self._index: tuple[frozenset[str], Mapping[str, list[_Part]]] | None = None

    @property
    def records(self) -> Path:
        """Where the record files are."""
        return self.path / "records"

    @contextmanager
    def writing(self) -> Iterator[dict[str, Holding]]:
        """Keep other runs from writing here meanwhile, and yield what `held` returns.

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
            if self._lock(lock.fileno()):
                # Half-written files of a killed run.
                for file in self.path.rglob(".*.unfinished"):
                    if _LEFTOVER.fullmatch(file.name):
                        file.unlink(missing_ok=True)
            yield self.held()

    def held(self) -> dict[str, Holding]:
        """Read every record file, and return what it says about itself by the id of its task.

        Raises
        ------
        ValueError
            If a file is damaged or no record file.
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
        write_whole(self.records / f"{task.id}.parquet", data)

    def scan(self, tasks: Iterable[Task]) -> pl.LazyFrame | None:
        """Return the records of tasks, as far as they are here; None if there are none.

        Raises
        ------
        ValueError
            If a file is damaged.
        """
        names = [f"{task.id}.parquet" for task in tasks]
        there = [name for name in names if (self.records / name).exists()]
        for name in set(there) - self._trusted:
            self._check(name)
        files = [self.records / name for name in there]
        return pl.scan_parquet(files, glob=False) if there else None

    def scan_kind(self, task: Task) -> tuple[pl.LazyFrame, int]:
        """Return all games here that differ from those of a task only in their seeds.

        Each is there once, without the columns of probes; the number says how many there are.

        Raises
        ------
        ValueError
            If a file is damaged.
        """
        files = self._kinds().get(_conditions(task.description), [])
        return self._scan_once(files), sum(games for *_, games in files)

    def read(self, query: pl.LazyFrame) -> pl.DataFrame:
        """Answer a query of records; if a file is damaged, say which.

        Raises
        ------
        ValueError
            If a file is damaged.
        """
        try:
            return query.collect()
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
        files = [file for some in self._kinds().values() for file in some]
        if not files:
            raise ValueError(f"{self.path}: holds no records")
        return self._scan_once(files)

    def _kinds(self) -> Mapping[str, list[_Part]]:
        """Return the files to read by conditions, so that each game is read once.

        Runs with fewer and with more games, and studies with different probes, have games in
        common.
        """
        names = frozenset(os.listdir(self.records)) if self.records.is_dir() else frozenset()
        if self._index is None or self._index[0] != names:
            kinds: dict[str, list[_Part]] = defaultdict(list)
            read: dict[str, int] = {}
            held = self.held().items()
            for name, holding in sorted(held, key=lambda item: (item[1].first, -item[1].end)):
                kind = _conditions(holding.task)
                first = max(holding.first, read.get(kind, 0))
                if first < holding.end:
                    read[kind] = holding.end
                    part = name, first if first > holding.first else None, holding.end - first
                    kinds[kind].append(part)
            self._index = names, kinds
        return self._index[1]

    def _scan_once(self, files: Iterable[_Part]) -> pl.LazyFrame:
        """Return the games of files, without the columns of probes."""
        whole: list[Path] = []
        frames = [pl.LazyFrame(schema=_SCHEMA)]
        for name, first, _ in files:
            file = self.records / f"{name}.parquet"
            if first is None:
                whole.append(file)
            else:
                frames.append(_scan_plain([file]).filter(pl.col("seed") >= first))
        return pl.concat([*frames, *([_scan_plain(whole)] if whole else [])])

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
            write_whole(self._list, text.encode())

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
            raise ValueError(
                f"{file}: damaged, or not a record file; remove it to play its games again"
            )
        if holding.id != file.stem:
            raise ValueError(f"{file}: holds the records of another task; remove it")
        if holding.task["format"] != FORMAT:
            raise ValueError(
                f"{file}: has format {holding.task['format']}, and this version writes {FORMAT}; "
                "choose another directory"
            )
        self._trusted.add(name)
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


def write_whole(file: Path, data: bytes) -> None:
    """Write a file all at once: a reader finds the old file, or none, or the new one.

    Raises
    ------
    CannotWrite
        If the file cannot be written, for example on a full disk.
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


def _scan_plain(files: list[Path]) -> pl.LazyFrame:
    return pl.scan_parquet(files, schema=_SCHEMA, extra_columns="ignore", glob=False)


def _cannot_write(place: Path, error: OSError) -> CannotWrite:
    reason = f"{_reason(error)}; what was finished before is kept"
    return CannotWrite(error.errno, reason, str(place))


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
