"""Agents: one idea a file, each under its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from mineproof.agents.agent import Action, Agent, Decision
from mineproof.agents.exact import ExactAgent
from mineproof.agents.random import RandomAgent
from mineproof.arguments import choice

__all__ = ["NAMES", "Action", "Agent", "Decision", "get"]

_AGENTS: Final[Mapping[str, Callable[[], Agent]]] = MappingProxyType(
    {"random": RandomAgent, "exact": ExactAgent}
)

NAMES: Final = tuple(_AGENTS)
"""The names that `get` knows."""


def get(name: str) -> Agent:
    """Return a new agent by name.

    Examples
    --------
    >>> get("random").name
    'random'
    >>> get("lucky")
    Traceback (most recent call last):
    ...
    ValueError: agent 'lucky': must be random or exact
    """
    choice("agent", name, NAMES)
    return _AGENTS[name]()
