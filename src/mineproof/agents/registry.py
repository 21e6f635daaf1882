"""Agents by name: those of this package, and those of other installed packages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Final

from mineproof.agents.agent import Agent
from mineproof.agents.basic import BasicAgent
from mineproof.agents.border import BorderAgent
from mineproof.agents.clue_heap import ClueHeapAgent
from mineproof.agents.components import ComponentsAgent
from mineproof.agents.exact import ExactAgent
from mineproof.agents.logic import LogicAgent
from mineproof.agents.noisy_or import NoisyOrAgent
from mineproof.agents.projection import ProjectionAgent
from mineproof.agents.random import RandomAgent
from mineproof.agents.weights import WeightsAgent
from mineproof.arguments import choice, instance

__all__ = ["GROUP", "get", "names", "registered"]

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
            raise ValueError(
                f"agent {point.name!r}: {point.value} uses a name that is already taken"
            )
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

    Examples
    --------
    >>> get("exact:untold").told.total
    False
    >>> get("exact:lucky")
    Traceback (most recent call last):
    ...
    ValueError: option of exact 'lucky': must be naive, chains, total or untold
    """
    kind, _, options = instance("agent", name, str, "'exact'").partition(":")
    choice("agent", kind, registered())
    return registered()[kind](*options.split("+")) if options else registered()[kind]()


def _load(point: EntryPoint) -> type[Agent]:
    try:
        kind = point.load()
    except Exception as error:  # other packages may raise anything
        raise ValueError(
            f"agent {point.name!r}: {point.value} cannot be loaded: {error}"
        ) from error
    if not (isinstance(kind, type) and issubclass(kind, Agent)):
        raise ValueError(f"agent {point.name!r}: {point.value} is not a subclass of Agent")
    if getattr(kind, "name", None) != point.name:
        raise ValueError(f"agent {point.name!r}: {point.value} has a different name")
    return kind
