"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE, S_ISREG

from mineproof.errors import CannotWrite

__all__ = ["write_whole"]


def write_whole(file: Path, content: str | bytes, beside: Path | None = None) -> None:
    """Write a file all at once: a reader finds the old file, or none, or the new one.

    A link stays a link, and a file keeps its mode and, if it may, its owner. What is no file but a
    device or a pipe is written to directly.

    Parameters
    ----------
    file
        The file.
    content
        Text is written as UTF-8.
    beside
        Where the file is until it is finished; by default its own folder.

    Raises
    ------
    CannotWrite
        If the file cannot be written, for example on a full disk.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        before = file.stat() if file.exists() else None
        if before is not None and (descriptor := _standard(before)) is not None:
            with open(descriptor, "wb", closefd=False) as stream:
                stream.write(data)
        elif before is not None and not S_ISREG(before.st_mode):
            file.write_bytes(data)
        else:
            _replace(Path(os.path.realpath(file)), before, data, beside)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CannotWrite(error.errno, reason, str(file)) from None


def _standard(file: os.stat_result) -> int | None:
    """Return the descriptor of standard output or error if that is the file."""
    for stream in (sys.stdout, sys.stderr):
        # Tests and notebooks put other objects in their place.
        with suppress(AttributeError, OSError, ValueError):
            if os.path.samestat(file, os.fstat(stream.fileno())):
                stream.flush()
                return stream.fileno()
    return None


def _replace(file: Path, before: os.stat_result | None, data: bytes, beside: Path | None) -> None:
    """Write beside a file and put the result in its place."""
    if before is not None:
        # To replace a file takes no right to write it, which must not matter.
        open(file, "r+b").close()
    unfinished = (beside or file.parent) / f".{secrets.token_hex(4)}.unfinished"
    try:
        with open(unfinished, "xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if before is not None:
            _look_like(before, unfinished)
        os.replace(unfinished, file)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise


def _look_like(before: os.stat_result, file: Path) -> None:
    """Give a file the owner and the mode of another."""
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(file, before.st_uid, before.st_gid)
    with suppress(OSError):
        os.chmod(file, S_IMODE(before.st_mode))
