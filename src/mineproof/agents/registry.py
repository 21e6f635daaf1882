"""Agents by name: those of this package, of other installed packages, and of single files."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, ClassVar, Final

from mineproof.agents.agent import Agent
from mineproof.agents.basic import BasicAgent
from mineproof.agents.border import BorderAgent
from mineproof.agents.champion import ChampionAgent
from mineproof.agents.clue_heap import ClueHeapAgent
from mineproof.agents.components import ComponentsAgent
from mineproof.agents.exact import ExactAgent
from mineproof.agents.logic import LogicAgent
from mineproof.agents.noisy_or import NoisyOrAgent
from mineproof.agents.projection import ProjectionAgent
from mineproof.agents.random import RandomAgent
from mineproof.agents.weights import WeightsAgent
from mineproof.arguments import choice, instance, sentence

__all__ = [
    "GROUP",
    "check_importable",
    "get",
    "kind_of",
    "make",
    "names",
    "reference",
    "registered",
]

GROUP: Final = "mineproof.agents"
"""The entry-point group for the agents of other packages."""

_OURS: Final[tuple[type[Agent], ...]] = (
    RandomAgent,
    BasicAgent,
    NoisyOrAgent,
    ComponentsAgent,
    ClueHeapAgent,
    WeightsAgent,
    LogicAgent,
    BorderAgent,
    ProjectionAgent,
    ExactAgent,
    ChampionAgent,
)


@cache
def registered() -> Mapping[str, type[Agent]]:
    """Return the classes of all agents by name: ours first, then those of other packages.

    Raises
    ------
    ValueError
        If the agent of another package is not an `Agent`, or its name is already taken.
    """
    kinds = {kind.name: kind for kind in _OURS}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        kind = _load(point)
        if point.name in kinds:
            raise ValueError(f"agent {point.name!r}: {point.value} uses a name that is taken")
        kinds[point.name] = kind
    return MappingProxyType(kinds)


def names() -> tuple[str, ...]:
    """Return the names of all agents, without their options.

    Examples
    --------
    >>> "exact" in names()
    True
    """
    return tuple(registered())


def get(name: str) -> Agent:
    """Return a new agent by name. Options follow a colon and are joined by ``+``.

    An agent that is not registered is named by its file or module and its class, such as
    ``path/to/file.py:Class`` or ``package.module:Class``. A file is loaded by itself; options
    follow a further colon.

    Examples
    --------
    >>> get("exact:untold").told.total
    False
    >>> get("mineproof.agents.exact:ExactAgent:untold").name
    'exact:untold'
    >>> get("exact:lucky")
    Traceback (most recent call last):
    ...
    ValueError: option of exact 'lucky': must be naive, chains, total or untold
    """
    kind, options = kind_of(name)
    return kind(*options)


def kind_of(name: str) -> tuple[type[Agent], tuple[str, ...]]:
    """Return the class and the options that the name of an agent stands for."""
    head, _, rest = instance("agent", name, str, "'exact'").partition(":")
    if head in registered():
        return registered()[head], _options(rest)
    if in_file := _IN_FILE.fullmatch(name):
        file, place, options = in_file.groups()
        return _kind_in_file(name, Path(file), place), _options(options)
    place, _, options = rest.partition(":")
    if place.isidentifier() and (module := _find_module(name, head)) is not None:
        return _checked(name, getattr(module, place, None), place), _options(options)
    choice("agent", head, registered())
    raise AssertionError


def make(agent: str | type[Agent] | Agent) -> Agent:
    """Return an agent from its name or class; an agent is returned as it is.

    Examples
    --------
    >>> make(ExactAgent).name, make("exact:untold").name
    ('exact', 'exact:untold')
    """
    if isinstance(agent, str):
        return get(agent)
    if isinstance(agent, type) and issubclass(agent, Agent):
        return agent()
    if not isinstance(agent, Agent):
        raise TypeError(sentence("agent", agent, "an Agent, its class, or a name such as 'exact'"))
    return agent


def reference(agent: str | type[Agent] | Agent) -> str:
    """Return the name by which `get` makes the same agent, with its options in a fixed order.

    Examples
    --------
    >>> reference(ExactAgent), reference("exact:untold+naive")
    ('exact', 'exact:naive+untold')

    Raises
    ------
    ValueError
        If `get` cannot make it: its class is local to a function, or its constructor takes more
        than options.
    """
    made = make(agent)
    kind = type(made)
    options = made.name.partition(":")[2] if made.chosen else ""
    if isinstance(made, _FromFile):
        place = made.reference
    elif registered().get(made.name.partition(":")[0]) is kind:
        return made.name
    elif "<locals>" in kind.__qualname__ or kind.__init__ is not Agent.__init__:
        raise ValueError(
            f"agent {made.name!r}: to be made again, its class must be at the top of a module and "
            "have no constructor of its own"
        )
    else:
        place = f"{kind.__module__}:{kind.__qualname__}"
    return f"{place}:{options}" if options else place


def check_importable(agent: str | Agent) -> None:
    """Raise an error if other processes cannot import the class of an agent."""
    kind = kind_of(agent)[0] if isinstance(agent, str) else type(agent)
    if kind.__module__ == "__main__" or "<locals>" in kind.__qualname__:
        raise ValueError(
            f"agent {kind.name!r}: other processes cannot import its class; put it into a file of "
            "its own, or play with one worker"
        )


_IN_FILE: Final = re.compile(r"(.+\.py):(\w+)(?::(.*))?", re.DOTALL)
"""A file, a class in it, and options."""


class _FromFile:
    """What the class of an agent from a file has in addition: other processes load the file."""

    reference: ClassVar[str]

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return get, (reference(self),), self.__dict__  # type: ignore[arg-type]


def _kind_in_file(name: str, file: Path, place: str) -> type[Agent]:
    try:
        text = file.read_bytes()
    except OSError as error:
        reason = (error.strerror or "unreadable").lower()
        raise ValueError(f"agent {name!r}: {file}: {reason}") from None
    return _derived_kind(name, file.resolve(), place, sha256(text).hexdigest()[:8])


@cache
def _derived_kind(name: str, file: Path, place: str, digest: str) -> type[Agent]:
    """Load a file, again if it has changed, and derive from its class."""
    module_name = f"{re.sub(r'[^0-9A-Za-z]', '_', file.stem)}_{digest}"
    module = sys.modules.get(module_name)
    if module is None:
        spec = spec_from_file_location(module_name, file)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[module_name] = module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException as error:
            del sys.modules[module_name]
            if not isinstance(error, Exception):
                raise
            raise ValueError(_unloadable(name, error)) from error
    kind = _checked(name, getattr(module, place, None), place)
    own = {"reference": f"{file}:{place}", "__module__": module_name, "__doc__": kind.__doc__}
    return type(kind.__name__, (_FromFile, kind), own)


def _find_module(name: str, module: str) -> ModuleType | None:
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module}.".startswith(f"{error.name}."):
            return None
        raise ValueError(_unloadable(name, error)) from error
    except Exception as error:  # a module may raise anything
        raise ValueError(_unloadable(name, error)) from error


def _unloadable(name: str, error: Exception) -> str:
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    return f"agent {name!r}: cannot be loaded: {reason}"


def _checked(name: str, kind: object, place: str) -> type[Agent]:
    if not (isinstance(kind, type) and issubclass(kind, Agent)):
        raise ValueError(f"agent {name!r}: {place} is not a subclass of Agent")
    if not isinstance(getattr(kind, "name", None), str):
        raise ValueError(f"agent {name!r}: {place} has no name")
    return kind


def _options(text: str | None) -> tuple[str, ...]:
    return tuple(text.split("+")) if text else ()


def _load(point: EntryPoint) -> type[Agent]:
    try:
        kind = point.load()
    except Exception as error:  # other packages may raise anything
        raise ValueError(
            f"agent {point.name!r}: {point.value} cannot be loaded: {error}"
        ) from error
    kind = _checked(point.name, kind, point.value)
    if kind.name != point.name:
        raise ValueError(f"agent {point.name!r}: {point.value} has a different name")
    return kind
