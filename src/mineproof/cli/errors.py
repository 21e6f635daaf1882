"""Errors of a command: one sentence on standard error, and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from errno import EDQUOT, EFBIG, ENOMEM, ENOSPC, EPIPE
from shutil import get_terminal_size
from textwrap import fill
from traceback import print_exception, walk_tb
from typing import Final

import click

from mineproof.errors import AgentFailed, BudgetExceeded, Contradiction, NoBoardFound

__all__ = ["EXTRAS", "ended"]

EXTRAS: Final[Mapping[str, str]] = {
    "polars": "lab",
    "altair": "lab",
    "vl_convert": "lab",
    "jinja2": "lab",
    "distributed": "cluster",
    "fastapi": "web",
    "pydantic": "web",
    "uvicorn": "web",
    "ms_toollib": "replays",
}
"""Packages that only some commands need, and the extras that install them."""

_NO_MEMORY: Final = "there is not enough memory; what was finished before is kept"
_FULL: Final = {ENOSPC, EDQUOT, EFBIG}
"""What only writing can run into."""
_PATHS: Final = ("pathlib", "pathlib._local")
_WRITERS: Final = {"write_text", "write_bytes", "mkdir", "touch", "rename", "replace", "unlink"}
"""The module of paths, and what it calls writing."""

_INTERRUPTED: Final = 130
_NO_READER: Final = 141
"""The exit codes with which a shell reports Ctrl-C and a broken pipe."""


def ended(error: BaseException, *, traceback: bool) -> int:
    """Say what went wrong, in a sentence or as a traceback, and return the exit code.

    An error that is nobody's fault but ours is raised again.
    """
    if isinstance(error, KeyboardInterrupt):
        return _INTERRUPTED
    if isinstance(error, OSError) and error.errno == EPIPE:
        return _NO_READER
    told = _told(error)
    if told is None:
        raise error
    sentence, code = told
    # Without a standard error there is nobody to tell.
    with suppress(OSError):
        if traceback:
            print_exception(_whole(error))
        else:
            print(_broken(f"mineproof: {sentence}"), file=sys.stderr)
    return code


def _broken(sentence: str) -> str:
    """Break a sentence into lines that fit the terminal, if it is written to one."""
    if sys.stderr is None or not sys.stderr.isatty():
        return sentence
    # Whole words, so that names of files can be copied.
    width = get_terminal_size().columns
    return fill(sentence, width, break_long_words=False, break_on_hyphens=False)


def _told(error: BaseException) -> tuple[str, int] | None:
    """Return the sentence and the exit code of an error; None for a fault of the program."""
    match error:
        case click.ClickException():
            # Click breaks some messages into lines.
            return " ".join(error.format_message().split()).removesuffix("."), 2
        case Contradiction():
            return str(error), 3
        case BudgetExceeded() | NoBoardFound():
            return str(error), 4
        case ValueError():
            return str(error), 2
        case AgentFailed() | BrokenExecutor():
            return str(error), 1
        case MemoryError():
            return _NO_MEMORY, 1
        case OSError() if error.errno == ENOMEM:
            return _NO_MEMORY, 1
        case ModuleNotFoundError(name=str(name)) if (package := name.partition(".")[0]) in EXTRAS:
            return f"{package} is not installed: pip install 'mineproof[{EXTRAS[package]}]'", 2
        case OSError():
            return _failed(error), 1
    return None


def _failed(error: OSError) -> str:
    """Say what could not be done with which file."""
    # An error of our own says it itself.
    if type(error).__str__ is not OSError.__str__:
        return str(error)
    reason = (error.strerror or str(error) or "unusable").lower()
    if error.filename is None:
        return f"cannot write: {reason}" if error.errno in _FULL else reason
    return f"cannot {_deed(error)} {error.filename}: {reason}"


def _deed(error: OSError) -> str:
    """Whether a file was read or written when this error was raised."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    # Files that commands write are written through their paths.
    calls = {each.f_code.co_name for each in frames if each.f_globals["__name__"] in _PATHS}
    return "write" if calls & _WRITERS else "read"


def _whole(error: BaseException) -> BaseException:
    """Let the traceback show what led to the error, even if that is hidden elsewhere."""
    for each in _causes(error):
        each.__suppress_context__ = False
    return error


def _causes(error: BaseException) -> Iterator[BaseException]:
    link: BaseException | None = error
    while link is not None:
        yield link
        link = link.__cause__ or link.__context__
