"""A record file: consecutive games of one kind, and what was measured of them.

It holds the description of its task and a digest of all its bytes, so that a damaged or foreign
file is never read as records.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from hashlib import sha256
from itertools import pairwise
from typing import Any, Final, TypeAlias

import polars as pl

from mineproof.arguments import counted
from mineproof.game.records import GameRecord
from mineproof.lab.probes import code_of_probe, find_probe
from mineproof.lab.study import Task, task_id

__all__ = ["COLUMNS", "TIMINGS", "Holding", "columns_with", "disjoint", "encode", "kind_of"]

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
_OF_GAMES: Final = {
    field.name: pl.UInt64 if field.name.endswith("seed") else _TYPES[str(field.type)]
    for field in fields(GameRecord)
    if field.name not in _LEFT_OUT
}
COLUMNS: Final[Mapping[str, Any]] = {**_OF_GAMES, "code": pl.String}
"""The columns of every record file."""

_Description: TypeAlias = Mapping[str, Any]
_Part: TypeAlias = tuple[_Description, pl.DataFrame]
"""Games and their description."""


def encode(
    task: Task, columns: Mapping[str, Sequence[Any]], extra: pl.DataFrame | None = None
) -> bytes:
    """Write the games of a task as a Parquet file, with the columns of its probe if it has one.

    Examples
    --------
    >>> from mineproof import Game, Setup, agents, play
    >>> from mineproof.arena.bulk import columns_of
    >>> task = Task("exact", Setup.level("easy"), first=2, games=1)
    >>> record = play(Game(task.setup, 2), agents.get("exact"), seed=2)
    >>> data = encode(task, columns_of([record]))
    >>> pl.read_parquet(data)["outcome"].to_list()
    ['won']
    """
    found = len(columns["seed"])
    if found != task.games:
        raise ValueError(f"{counted(found, 'record')} of {counted(task.games, 'game')}")
    frame = pl.DataFrame({name: columns[name] for name in _OF_GAMES}, _OF_GAMES)
    frame = frame.with_columns(code=pl.lit(task.code))
    return _write(task.description, frame if extra is None else frame.hstack(extra))


def _write(description: _Description, frame: pl.DataFrame) -> bytes:
    metadata = {_TASK: json.dumps(description), _DIGEST: (_MARK + _BLANK).decode()}
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
        The description of its task. A file with the columns of several probes has a mapping as its
        ``probe``, which gives each probe its code and columns.
    size
        Its number of bytes.
    """

    task: _Description
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

    @property
    def probes(self) -> dict[str, str]:
        """The probes that measured its games, with their codes."""
        return {name: probe["code"] for name, probe in _probes(self.task, ()).items()}

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


def kind_of(description: _Description, *without: str) -> str:
    """Return an id that all tasks share whose games differ only in their seeds.

    Tasks that differ only in values named in `without` share it too.
    """
    left_out = {"first_seed", "games", "probe", "probe_code", *without}
    return task_id({key: value for key, value in description.items() if key not in left_out})


def columns_with(probe: str | None) -> dict[str, Any]:
    """Return the columns of games that a probe measured, with their types."""
    return {**COLUMNS, **({} if probe is None else find_probe(probe).schema)}


def disjoint(files: Iterable[bytes]) -> Iterator[tuple[Holding, bytes]]:
    """Cut files of one kind so that each game is in one, with all that was measured of it.

    Where two files disagree, the later one is right.

    Raises
    ------
    ValueError
        If two probes disagree.
    """
    parts: list[_Part] = []
    for data in files:
        holding = Holding.read(data)
        if holding is not None:
            parts.append((holding.task, pl.read_parquet(io.BytesIO(data))))
    edges = {edge for task, _ in parts for edge in _ends(task)}
    for first, end in pairwise(sorted(edges)):
        merged: _Part | None = None
        for task, frame in parts:
            low, high = _ends(task)
            if low <= first and end <= high:
                part = {**task, "first_seed": first, "games": end - first}
                games = frame.slice(first - low, end - first)
                merged = (part, games) if merged is None else _merged(merged, (part, games))
        if merged is not None:
            data = _write(*merged)
            yield Holding(merged[0], len(data)), data


def _ends(description: _Description) -> tuple[int, int]:
    first = int(description["first_seed"])
    return first, first + int(description["games"])


def _merged(old: _Part, new: _Part) -> _Part:
    """Return games with what two files know of them."""
    (old_task, old_frame), (new_task, new_frame) = old, new
    probes = _probes(new_task, new_frame.columns)
    others = _probes(old_task, old_frame.columns)
    if not _same(COLUMNS, old_frame, new_frame):
        others = {}
    for name, probe in others.items():
        if name in probes:
            continue
        shared = [column for column in probe["columns"] if column in new_frame.columns]
        if _same(shared, old_frame, new_frame):
            probes[name] = probe
            more = [column for column in probe["columns"] if column not in shared]
            new_frame = new_frame.hstack(old_frame.select(more))
        elif _is_current(name, probe["code"]):
            raise ValueError(
                f"probes {name} and {' and '.join(probes)} measure {' and '.join(shared)} of the "
                "same games differently; give the columns of one other names"
            )
    return {**new_task, **_named(probes)}, _ordered(new_frame, probes)


def _is_current(probe: str, code: str) -> bool:
    """Return whether a probe has this code here."""
    with suppress(Exception):  # code of others is imported
        return code_of_probe(probe) == code
    return False


def _same(columns: Iterable[str], some: pl.DataFrame, others: pl.DataFrame) -> bool:
    """Return whether two frames agree in these columns, apart from timings."""
    timeless = [column for column in columns if not re.fullmatch(TIMINGS, column)]
    return some.select(timeless).equals(others.select(timeless))


def _probes(description: _Description, columns: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return the code and the columns of each probe of a file that has these columns."""
    probe = description["probe"]
    if probe is None:
        return {}
    if isinstance(probe, str):
        own = [column for column in columns if column not in COLUMNS]
        return {probe: {"code": description["probe_code"], "columns": own}}
    return dict(probe)


def _named(probes: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Describe probes; a single one as its task does."""
    if len(probes) > 1:
        return {"probe": dict(sorted(probes.items())), "probe_code": None}
    [(name, probe)] = probes.items() or [(None, {"code": None})]
    return {"probe": name, "probe_code": probe["code"]}


def _ordered(frame: pl.DataFrame, probes: Mapping[str, Mapping[str, Any]]) -> pl.DataFrame:
    """Put columns in an order that does not depend on which probe came first."""
    measured = (column for _, probe in sorted(probes.items()) for column in probe["columns"])
    return frame.select(*dict.fromkeys([*COLUMNS, *measured]))
