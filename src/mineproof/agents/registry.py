"""Agents by name: those of this package, of other installed packages, and of single files."""

from __future__ import annotations

import pickle
import re
import sys
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache, partial
from hashlib import sha256
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from inspect import isabstract
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, ClassVar, Final

from mineproof.agents.agent import Agent, Told
from mineproof.agents.asking import run, told
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
from mineproof.errors import OptionError
from mineproof.position.topology import TOPOLOGIES

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
    return _made(name, kind, *options)


def kind_of(name: str) -> tuple[type[Agent], tuple[str, ...]]:
    """Return the class and the options that the name of an agent stands for."""
    head, _, rest = instance("agent", name, str, "'exact'").partition(":")
    if head in registered():
        return registered()[head], _options(rest)
    if in_file := _IN_FILE.fullmatch(name):
        file, place, options = in_file.groups()
        return _kind_in_file(name, Path(file), place), _options(options)
    place, _, options = rest.partition(":")
    dotted = all(part.isidentifier() for part in head.split("."))
    if dotted and place.isidentifier() and (module := _find_module(name, head)) is not None:
        return _kind_in(name, module, place, head), _options(options)
    if head.endswith(".py"):
        raise ValueError(f"agent {name!r}: must be a file and a class in it, as in {head}:Class")
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
        return _made(agent.__qualname__, agent)
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
    """Raise an error if an agent, or one by its name, cannot play in other processes."""
    kind = kind_of(agent)[0] if isinstance(agent, str) else type(agent)
    if kind.__module__ == "__main__" or "<locals>" in kind.__qualname__:
        raise ValueError(
            f"agent {kind.name!r}: other processes cannot import its class; put it into a file of "
            "its own, or play with one worker"
        )

    def unsendable(error: BaseException) -> ValueError:
        reason = told(error, kind, "__getstate__")
        return ValueError(
            f"agent {kind.name!r}: other processes cannot receive what it keeps: {reason}; set "
            "that up in decide, or play with one worker"
        )

    if isinstance(agent, Agent):
        run(pickle.dumps, agent, error=unsendable)


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
        reason = (error.strerror or str(error)).lower()
        raise ValueError(f"agent {name!r}: cannot read {file}: {reason}") from None
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
            run(spec.loader.exec_module, module, error=partial(_unloadable, name, file))
        except BaseException:
            del sys.modules[module_name]
            raise
    kind = _kind_in(name, module, place, file.name)
    own = {"reference": f"{file}:{place}", "__module__": module_name, "__doc__": kind.__doc__}
    return type(kind.__name__, (_FromFile, kind), own)


def _find_module(name: str, module: str) -> ModuleType | None:
    try:
        return run(import_module, module, error=partial(_unloadable, name, None))
    except ValueError as error:
        missing = error.__cause__
        name_of_it = missing.name if isinstance(missing, ModuleNotFoundError) else None
        if name_of_it is not None and f"{module}.".startswith(f"{name_of_it}."):
            return None
        raise


def _unloadable(name: str, source: Path | None, error: BaseException) -> ValueError:
    return ValueError(f"agent {name!r}: cannot be loaded: {told(error, source)}")


def _kind_in(name: str, module: ModuleType, place: str, source: str) -> type[Agent]:
    """Return a class of a module, or say which agents the module has."""
    absent = object()
    kind = run(getattr, module, place, absent, error=partial(_unloadable, name, None))
    if isinstance(kind, type) and issubclass(kind, Agent):
        return _checked(name, kind, place)
    agents = sorted(each for each, held in vars(module).items() if _is_own_agent(held, module))
    listed = " and ".join(", ".join(agents).rsplit(", ", 1))
    if kind is not absent:
        has = f"; {source} has {listed}" if agents else ""
        raise ValueError(f"agent {name!r}: {place} is not a subclass of Agent{has}")
    lower = {each.lower(): each for each in agents}
    close = [lower[each] for each in get_close_matches(place.lower(), lower, 1)]
    meant = f"; did you mean {close[0]}?" if close else ""
    only = f", only {listed}" if agents else ", and no agents"
    raise ValueError(f"agent {name!r}: {source} has no class {place}{only}{meant}")


def _is_own_agent(held: object, module: ModuleType) -> bool:
    """Whether this is a class of agents that the module, or one of its package, defines."""
    if not (isinstance(held, type) and issubclass(held, Agent)) or isabstract(held):
        return False
    return held.__module__.partition(".")[0] == module.__name__.partition(".")[0]


def _checked(name: str, kind: object, place: str) -> type[Agent]:
    if not (isinstance(kind, type) and issubclass(kind, Agent)):
        raise ValueError(f"agent {name!r}: {place} is not a subclass of Agent")
    if missing := sorted(kind.__abstractmethods__):
        raise ValueError(f"agent {name!r}: {place} has no method {' and '.join(missing)}")
    _check_attributes(name, kind, place)
    return kind


def _made(name: str, kind: type[Agent], *options: str) -> Agent:
    """Return a new agent of a class."""

    def unusable(error: BaseException) -> ValueError:
        if options and isinstance(error, OptionError):
            return ValueError(*error.args)
        reason = told(error, kind, "__init__")
        return ValueError(f"agent {name!r}: cannot be made: {reason}")

    agent = run(kind, *options, error=unusable)
    _check_attributes(name, agent, kind.__name__)
    return agent


def _check_attributes(name: str, thing: Agent | type[Agent], place: str) -> None:
    """Check what everybody relies on, of a class or of an agent whose constructor may change it."""
    if not isinstance(getattr(thing, "name", None), str):
        raise ValueError(f"agent {name!r}: {place} has no name")
    if not thing.name.isprintable():
        raise ValueError(f"agent {name!r}: {place} has name {thing.name!r}: must be printable")
    try:
        instance("report", thing.report, str)
        instance("options", thing.options, Mapping)  # type: ignore[type-abstract]
        instance("told", thing.told, Told, "Told(total=True)")
        for topology in instance("topologies", thing.topologies, tuple):
            choice("topology", topology, TOPOLOGIES)
    except (TypeError, ValueError) as error:
        raise ValueError(f"agent {name!r}: {place} has {error}") from None


def _options(text: str | None) -> tuple[str, ...]:
    return tuple(text.split("+")) if text else ()


def _load(point: EntryPoint) -> type[Agent]:
    def unloadable(error: BaseException) -> ValueError:
        reason = told(error, None)
        return ValueError(f"agent {point.name!r}: {point.value} cannot be loaded: {reason}")

    kind = _checked(point.name, run(point.load, error=unloadable), point.value)
    if kind.name != point.name:
        raise ValueError(f"agent {point.name!r}: {point.value} has a different name")
    return kind
