"""The process of one agent: it loads the agent's file, sees observations, and answers.

Everything that leaves the process is JSON, so an agent cannot run code outside of it.
"""

from __future__ import annotations

import gc
import inspect
import json
import os
import pickle
import sys
from contextlib import suppress
from importlib.util import module_from_spec, spec_from_file_location
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from mineproof.agents import Agent, Beliefs, Decision
from mineproof.tournament.guard import forbid

__all__ = ["serve"]

_LONGEST: Final = 300
"""The longest reason or error that is told, in characters."""


def serve(connection: Connection, file: str, memory: int, private: str, core: int | None) -> None:
    """Answer questions until the connection is closed."""
    _isolate(core)
    gc.collect()
    _limit_memory(memory)
    try:
        kinds = _load(Path(file))
    except BaseException as error:  # a file may raise anything
        _send(connection, _fault(error))
        return
    forbid(lambda did: _send(connection, {"cheat": did}), Path(private).resolve())
    agents: dict[str, Agent] = {}
    with suppress(EOFError, BrokenPipeError):
        _send(connection, {"answer": sorted(kinds)})
        while True:
            name, question, argument = pickle.loads(connection.recv_bytes())
            try:
                if name not in agents:
                    agents[name] = kinds[name]()
                answer = {"answer": _answer(agents[name], question, argument)}
            except BaseException as error:  # an agent may raise anything
                answer = _fault(error)
            _send(connection, answer)


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
    return {"actions": actions, "reason": _short(decision.reason)}


def _isolate(core: int | None) -> None:
    """Keep what an agent prints and starts from others: no output, no arguments, one core."""
    silent = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(silent, stream)
    sys.argv = [""]
    if core is not None and hasattr(os, "sched_setaffinity"):
        with suppress(OSError):
            os.sched_setaffinity(0, {core})


def _limit_memory(memory: int) -> None:
    """Let the process have this many bytes more than it has, where the system can limit it."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[5])
        most = pages * resource.getpagesize() + memory
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _load(file: Path) -> dict[str, type[Agent]]:
    """Return the agents of a file by the names of their classes."""
    spec = spec_from_file_location(f"entrant_{file.stem}", file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
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
    if isinstance(error, MemoryError):
        return {"memory": ""}
    if isinstance(error, SystemExit):
        return {"exit": _short(str(error.code))}
    return {"error": _short(f"{type(error).__name__}: {error}")}


def _short(text: str) -> str:
    return " ".join(text.split())[:_LONGEST]


def _send(connection: Connection, value: Any) -> None:
    connection.send_bytes(json.dumps(value).encode())
