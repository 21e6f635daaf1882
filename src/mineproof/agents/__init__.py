"""Agents: one idea a file, each under its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final, cast

from mineproof.agents.agent import Action, Agent, Decision

__all__ = ["NAMES", "Action", "Agent", "Decision", "get"]

_CLASSES: Final[Mapping[str, str]] = MappingProxyType(
    {"random": "RandomAgent", "exact": "ExactAgent"}
)

NAMES: Final = tuple(_CLASSES)
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
    ValueError: agent 'lucky': must be one of random, exact
    """
    if name not in _CLASSES:
        raise ValueError(f"agent {name!r}: must be one of {', '.join(NAMES)}")
    module = import_module(f"mineproof.agents.{name}")
    return cast(Callable[[], Agent], getattr(module, _CLASSES[name]))()
