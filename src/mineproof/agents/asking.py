"""The one way to run the code of agents: what it does wrong becomes one sentence.

The code may raise anything, end the program, or answer with nonsense. Nothing of that may look like
an error of mineproof, and nothing that it prints may mix with what a command prints.
"""

from __future__ import annotations

import importlib
import inspect
import linecache
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import walk_tb
from types import CodeType, TracebackType
from typing import Any, Final, TypeVar

from mineproof.arguments import escaped
from mineproof.cancel import Cancelled
from mineproof.errors import AgentFailed, FailureKind, OptionError
from mineproof.stdout import step_aside, step_back

__all__ = [
    "Ended",
    "ask",
    "choosing",
    "refused",
    "run",
    "told",
]

T = TypeVar("T")

_LONGEST: Final = 300
"""The longest reason, in characters."""
_SHORT: Final = 60
"""The longest line of code that is shown, in characters."""
_MACHINERY: Final = (f"{Path(__file__).parents[1]}{os.sep}", "<frozen ", str(importlib.__file__))
"""How the names of files begin that are between the caller and the code of an agent."""


@contextmanager
def choosing() -> Iterator[None]:
    """Turn errors about values into errors about the options of an agent."""
    try:
        yield
    except ValueError as error:
        raise OptionError(*error.args) from None


class Ended(BaseException):
    """The game of an agent was ended from outside, which is no error of its code."""


_NOT_ITS_FAULT: Final = (MemoryError, Cancelled, AgentFailed, Ended, KeyboardInterrupt)


def run(code: Callable[..., T], *arguments: Any, error: Callable[[BaseException], Exception]) -> T:
    """Call the code of an agent.

    Parameters
    ----------
    code, arguments
        What to call.
    error
        Makes the error to raise from the one that the code raised.
    """
    aside = step_aside()
    try:
        return code(*arguments)
    except _NOT_ITS_FAULT:
        raise
    except BaseException as raised:  # Not all errors of libraries are an Exception.
        raise error(raised) from raised
    finally:
        if aside:
            step_back()


def ask(agent: Any, hook: str, *arguments: Any, check: Callable[[Any], Any] | None = None) -> Any:
    """Call a method of an agent, and raise `AgentFailed` if it fails.

    Parameters
    ----------
    agent
        The agent.
    hook
        The name of the method.
    arguments
        Its arguments.
    check
        Raises an error if the answer is not what it must be; the agent is blamed for it.
    """
    # As `run`, without functions that are made for each call: every decision comes this way.
    aside = step_aside()
    try:
        answer = getattr(agent, hook)(*arguments)
        if check is not None:
            check(answer)
        return answer
    except _NOT_ITS_FAULT:
        raise
    except BaseException as error:
        raise _failure(agent, hook, error) from error
    finally:
        if aside:
            step_back()


def refused(agent: Any, hook: str, reason: str, kind: FailureKind = "illegal") -> AgentFailed:
    """Return the error for an answer of an agent that leads to nothing good."""
    return AgentFailed(agent.name, reason, _defined(type(agent), hook), kind)


def _failure(agent: Any, hook: str, error: BaseException) -> AgentFailed:
    return AgentFailed(agent.name, _said(error), _place_in(type(agent), hook, error))


def told(error: BaseException, source: type | Path | None, hook: str = "") -> str:
    """Say what the code of an agent raised, and where.

    Parameters
    ----------
    error
        What it raised.
    source
        The class of the agent or its file, if it is known.
    hook
        The method of the class that was called.
    """
    if isinstance(source, type):
        place = _place_in(source, hook, error)
    else:
        place = _raised(error, source and source.parent)
    return f"{_said(error)} ({place})" if place else _said(error)


def _place_in(kind: type, hook: str, error: BaseException) -> str:
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return _raised(error, Path(file).parent if file else None) or _defined(kind, hook)


def _said(error: BaseException) -> str:
    """Write an error in one line of printable characters."""
    if isinstance(error, SystemExit):
        return f"it called sys.exit({'' if error.code is None else _plain(repr(error.code))})"
    try:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
    except Exception:  # even this is code of the agent
        text = ""
    name = type(error).__name__
    return _plain(f"{name}: {text}" if text else name)


def _plain(text: str) -> str:
    shown = escaped(" ".join(text.split()))
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 3]}..."


def _raised(error: BaseException, home: Path | None) -> str:
    """Return the place of an error: in the agent's folder, or else not in ours."""
    if isinstance(error, SyntaxError) and error.filename and error.filename[0] != "<":
        return _place(error.filename, error.lineno or 1, "", error.text or "")
    frames = [(frame.f_code, line) for frame, line in walk_tb(_without_run(error.__traceback__))]
    own = [each for each in frames if home and Path(each[0].co_filename).parent == home]
    other = [each for each in frames if not each[0].co_filename.startswith(_MACHINERY)]
    if not (own or other):
        return ""
    code, line = (own or other)[-1]
    linecache.checkcache(code.co_filename)
    text = linecache.getline(code.co_filename, line)
    return _place(code.co_filename, line, _function(code), text)


def _without_run(trace: TracebackType | None) -> TracebackType | None:
    """Leave out the frames of this file."""
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    return trace


def _defined(kind: type, hook: str) -> str:
    """Return the place where a class, or one that it derives from, defines a method."""
    code = getattr(inspect.unwrap(getattr(kind, hook, None) or kind), "__code__", None)
    if code is None:
        return ""
    return _place(code.co_filename, code.co_firstlineno, _function(code), "")


def _function(code: CodeType) -> str:
    """Return the name of the function with this code, or of the named one around it."""
    names = code.co_qualname.split(".<locals>.")
    return next((name for name in reversed(names) if name[0] != "<"), "")


def _place(file: str, line: int, function: str, text: str) -> str:
    inside = f", in {function}" if function else ""
    source = _plain(text)
    shown = f": {source}" if source and len(source) <= _SHORT else ""
    return f"{Path(file).name}, line {line}{inside}{shown}"
