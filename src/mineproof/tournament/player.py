"""The process of one agent: it loads the agent's file, sees observations, and answers.

Everything that leaves the process is JSON, so an agent cannot run code outside of it.
"""

from __future__ import annotations

import errno
import inspect
import json
import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any, Final

from mineproof.agents import Agent, Beliefs, Decision
from mineproof.arena.workers import end_with_parent
from mineproof.tournament import messages
from mineproof.tournament.guard import Guard
from mineproof.tournament.limits import limit_memory

__all__ = ["main"]

_LONGEST: Final = 2**28
"""The longest question, in bytes. It comes from the tournament, which can be trusted."""


def main() -> None:
    """Answer the questions from standard input on standard output."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    end_with_parent(os.dup(2))
    _silence()

    def ask() -> Any:
        return pickle.loads(messages.read(questions, _LONGEST))

    def send(value: bytes) -> None:
        messages.write(answers, value)

    with suppress(EOFError, BrokenPipeError):
        _play(ask, send)


def _play(ask: Callable[[], Any], send: Callable[[bytes], None]) -> None:
    file, limits, private = ask()
    limit_memory(limits)
    guard = Guard(lambda did: send(json.dumps({"cheat": did}).encode()), private)
    kinds: dict[str, type[Agent]] = {}

    def load() -> list[str]:
        kinds.update(_load(Path(file)))
        return sorted(kinds)

    send(_told(load))
    guard.forbid_all()
    agents: dict[str, Agent] = {}

    def answer(name: str, question: str, argument: Any) -> Any:
        if name not in agents:
            agents[name] = kinds[name]()
        return _answer(agents[name], question, argument)

    while True:
        send(_told(partial(answer, *ask())))


def _told(answer: Callable[[], Any]) -> bytes:
    """Return the answer as a message, or what went wrong."""
    try:
        return json.dumps({"answer": answer()}).encode()
    except BaseException as error:  # agents may raise anything
        return json.dumps(_fault(error)).encode()


def _answer(agent: Agent, question: str, argument: Any) -> Any:
    if question == "told":
        told = {"total": agent.told.total, "channel": agent.told.channel}
        return {"name": agent.name, "topologies": [*agent.topologies], **told}
    if question == "begin":
        agent.begin(argument)
        return None
    if question == "beliefs":
        beliefs = agent.beliefs()
        if not isinstance(beliefs, Beliefs):
            raise TypeError(f"beliefs returned {type(beliefs).__name__}, not Beliefs")
        return [[*cell, float(value)] for cell, value in beliefs.numbers.items()]
    decision = agent.decide(argument)
    if decision is None:
        return None
    if not isinstance(decision, Decision):
        raise TypeError(f"decide returned {type(decision).__name__}, not a Decision")
    actions = [
        [action.kind, *action.cell, action.certain, action.risk] for action in decision.actions
    ]
    return {"actions": actions, "reason": messages.shown(decision.reason)}


def _silence() -> None:
    """Keep what an agent prints from others, and what others were told from it."""
    silent = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(silent, stream)
    sys.argv = [""]


def _load(file: Path) -> dict[str, type[Agent]]:
    """Return the agents of a file by the names of their classes."""
    loader = SourceFileLoader(f"entrant_{file.stem}", str(file))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    loader.exec_module(module)
    found = [
        kind
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Agent) and kind.__module__ == spec.name
    ]
    kinds = {
        kind.__name__: kind
        for kind in found
        if not inspect.isabstract(kind) and not any(kind in other.__mro__[1:] for other in found)
    }
    if not kinds:
        raise ValueError("the file has no subclass of Agent with a method decide")
    for place, kind in kinds.items():
        if not isinstance(getattr(kind, "name", None), str):
            raise ValueError(f"{place} has no name")
    return kinds


def _fault(error: BaseException) -> dict[str, str]:
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return {"memory": ""}
    if isinstance(error, SystemExit):
        return {"exit": messages.shown(str(error.code))}
    return {"error": messages.shown(f"{type(error).__name__}: {error}")}
