"""Which code this is: the release, and a digest of the sources that decide what is recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from mineproof import _core

__all__ = ["APART", "__version__", "code_version", "digest", "recording_sources"]

from mineproof import __version__

APART: Final = frozenset(
    {
        *("__init__", "version"),  # name what there is
        *("__main__", "cli", "lab"),  # ask for games and keep them
        *("statistics", "draw"),  # sum them up and show them
    }
)
"""Rooms that no record depends on: a game goes the same whoever asks for it or looks at it.

They are left out, or a new colour in a picture would put all finished studies in doubt.
"""


@cache
def code_version() -> str:
    """Return the release and eight digits that stand for the sources which decide what is recorded.

    Equal code versions play equal games on every machine. They speak of the sources on disk when
    first asked for, of the native ones when they were built, and of no other package: not of its
    agents either.

    Examples
    --------
    >>> release, digits = code_version().split("+")
    >>> release, len(digits)
    ('0.1.0', 8)
    """
    python = recording_sources(Path(__file__).parent)
    return f"{__version__}+{digest({**python, '_core': _core.SOURCES.encode()})[:8]}"


def recording_sources(package: Path) -> dict[str, bytes]:
    """Return the Python sources in a folder by name, but for the rooms set apart."""
    return {name: path.read_bytes() for name, path in _python_files(package)}


def digest(sources: Mapping[str, bytes]) -> str:
    """Return a digest of names and contents: that of what sha256sum prints for the files.

    Examples
    --------
    >>> digest({"a.py": b"1", "b.py": b"2"}) == digest({"b.py": b"2", "a.py": b"1"})
    True
    >>> digest({"a.py": b"1"}) == digest({"b.py": b"1"})
    False
    """
    lines = (f"{sha256(sources[name]).hexdigest()}  {name}\n" for name in sorted(sources))
    return sha256("".join(lines).encode()).hexdigest()


def _python_files(package: Path) -> Iterator[tuple[str, Path]]:
    for path in package.rglob("*.py"):
        name = path.relative_to(package)
        if name.with_suffix("").parts[0] not in APART:
            yield name.as_posix(), path
