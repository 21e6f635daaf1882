"""A file of records: the games of one task, a row each, and what the file says of itself.

It is a Parquet file. Its metadata hold the description of the task, the version of the code and
the digest of all its bytes, so that no damaged file passes for a whole one.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

import polars as pl

from mineproof.arguments import counted
from mineproof.game.records import GameRecord
from mineproof.lab.study import Task, task_id

__all__ = ["SHARED", "Holding", "encode", "scan_plain"]

_TASK, _CODE, _DIGEST = "mineproof.task", "mineproof.code", "mineproof.digest"
_MARK: Final = b"sha256:"
_BLANK: Final = b"0" * 64
"""Stands in the place of a file's digest while that is taken."""

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
_SCHEMA: Final = {**_COLUMNS, "code": pl.String}
"""What all record files have in common."""

SHARED: Final = frozenset(
    {
        *("agent", "total_told", "channel_told"),
        *("rows", "cols", "mines", "start", "on_mine", "cascade", "given_safe", "channel"),
    }
)
"""What all games of a task have in common."""

_DIFFERING: Final = tuple(name for name in _COLUMNS if name not in SHARED)


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
        The games, in order; in their conditions and in who played they are alike.
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
    if len(records) != task.games:
        raise ValueError(f"{counted(len(records), 'record')} of {counted(task.games, 'game')}")
    frame = pl.DataFrame([*_columns(records), _repeated("code", code, len(records))])
    if extra is not None:
        frame = frame.hstack(extra)
    metadata = {
        _TASK: json.dumps(task.description),
        _CODE: code,
        _DIGEST: (_MARK + _BLANK).decode(),
    }
    buffer = io.BytesIO()
    frame.write_parquet(buffer, metadata=metadata, statistics=False)
    before, mark, rest = buffer.getvalue().rpartition(_MARK)
    return before + mark + _digest(before, rest) + rest[len(_BLANK) :]


def _columns(records: Sequence[GameRecord]) -> list[pl.Series]:
    """Return the columns of the games of one task, in their order."""
    differing = zip(*map(attrgetter(*_DIFFERING), records), strict=True)
    columns = dict(zip(_DIFFERING, differing, strict=True))
    return [
        pl.Series(name, columns[name], kind)
        if name in columns
        else _repeated(name, getattr(records[0], name), len(records))
        for name, kind in _COLUMNS.items()
    ]


def _repeated(name: str, value: object, times: int) -> pl.Series:
    return pl.Series(name, [value], _SCHEMA[name]).new_from_index(0, times)


@dataclass(frozen=True, slots=True)
class Holding:
    """What a record file says of itself.

    Parameters
    ----------
    task
        The description of the task that it holds.
    code
        The version of the code that played it.
    size
        How many bytes it has.
    """

    task: Mapping[str, Any]
    code: str
    size: int

    @property
    def id(self) -> str:
        """The task's id."""
        return task_id(self.task)

    @property
    def first(self) -> int:
        """The seed of the first game."""
        return int(self.task["first_seed"])

    @property
    def end(self) -> int:
        """The seed that follows that of the last game."""
        return self.first + int(self.task["games"])

    @property
    def conditions(self) -> str:
        """The same for all tasks whose games differ in their seeds alone."""
        seeds = ("first_seed", "games", "probe")
        return task_id({key: value for key, value in self.task.items() if key not in seeds})

    @classmethod
    def read(cls, data: bytes) -> Holding | None:
        """Read what a file says; None where a byte of it is not as it was, or it is none of ours.

        Polars looks at no checksum, and may even panic, so that it is asked last.
        """
        before, mark, rest = data.rpartition(_MARK)
        if not mark or rest[: len(_BLANK)] != _digest(before, rest):
            return None
        metadata = pl.read_parquet_metadata(io.BytesIO(data))
        return cls(json.loads(metadata[_TASK]), metadata[_CODE], len(data))


def _digest(before: bytes, rest: bytes) -> bytes:
    """Return the digest of a file that is to be marked with it, as if that were left blank."""
    return sha256(before + _MARK + _BLANK + rest[len(_BLANK) :]).hexdigest().encode()


def scan_plain(files: list[Path]) -> pl.LazyFrame:
    """Read what all record files have in common."""
    return pl.scan_parquet(files, schema=_SCHEMA, extra_columns="ignore", glob=False)
