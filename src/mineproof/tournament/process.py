"""An agent in a process of its own, with limits, as a player of games in this process."""

from __future__ import annotations

import json
import math
import pickle
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from threading import Timer
from time import monotonic
from typing import Any, Final

from mineproof.agents import Action, Agent, Beliefs, Decision
from mineproof.agents.agent import Told
from mineproof.position.observation import Observation
from mineproof.tournament.player import serve

__all__ = ["AgentError", "Fault", "Limits", "PlayerProcess", "RemoteAgent"]

_START: Final = 60.0
"""Seconds that a process may take to start and to load its file."""
_LONGEST: Final = 32 * 2**20
"""The longest answer of a process, in bytes: a decision about every cell of a large board."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an agent may use in one game.

    Parameters
    ----------
    seconds
        The time by the clock.
    megabytes
        The memory, in addition to what Python and mineproof take.
    """

    seconds: float = 10.0
    megabytes: int = 512


class AgentError(Exception):
    """An agent raised an error, which is named."""


class Fault(BaseException):
    """An agent left its limits: a kind, and a reason in words. Its process has ended."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind, self.reason = kind, reason


class PlayerProcess:
    """The process of one file; it starts when it is asked, and again after a fault.

    Parameters
    ----------
    file
        The agent's file.
    limits
        What the agent may use.
    private
        A folder that the agent may not read.
    core
        The processor that it runs on.
    """

    def __init__(self, file: Path, limits: Limits, private: Path, core: int | None = None) -> None:
        self._file, self._limits, self._private, self._core = file, limits, private, core
        self._process: Any = None
        self._connection: Any = None
        self._loaded = False

    def classes(self) -> list[str]:
        """Return the names of the agents' classes in the file."""
        self.end()
        return [str(name) for name in self._start(monotonic() + _START)]

    def ready(self) -> None:
        """Start the process and load its file, if there is none."""
        if self._process is None:
            self._start(monotonic() + _START)

    def ask(self, name: str, question: str, argument: Any = None, *, deadline: float) -> Any:
        """Ask an agent something, and return its answer; raise `Fault` for anything else."""
        self.ready()
        with suppress(OSError):  # A process that has ended is noticed below.
            self._connection.send_bytes(pickle.dumps((name, question, argument)))
        return self._receive(deadline)

    @contextmanager
    def watched(self, seconds: float) -> Iterator[None]:
        """End the process after this time, even if it blocks the connection."""
        self.ready()
        timer = Timer(seconds, self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def kill(self) -> None:
        """End the process from another thread; who waits for an answer gets a fault."""
        process = self._process
        if process is not None:
            process.kill()

    def end(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._connection.close()
        self._process = self._connection = None

    def _start(self, deadline: float) -> Any:
        context = get_context("spawn")
        self._connection, other = context.Pipe()
        memory = self._limits.megabytes * 2**20
        arguments = (other, str(self._file), memory, str(self._private), self._core)
        self._process = context.Process(target=serve, args=arguments, daemon=True)
        self._process.start()
        other.close()
        self._loaded = False
        classes = self._receive(deadline)
        self._loaded = True
        return classes

    def _receive(self, deadline: float) -> Any:
        try:
            if not self._connection.poll(max(deadline - monotonic(), 0)):
                raise self._late()
            answer = json.loads(self._connection.recv_bytes(_LONGEST))
        except (EOFError, OSError, ValueError):
            self._process.join(1)
            code = self._process.exitcode
            self.end()
            raise self._late() if monotonic() >= deadline else _ended(code) from None
        except Fault:
            self.end()
            raise
        if "answer" in answer:
            return answer["answer"]
        if "error" in answer and self._loaded:
            raise AgentError(answer["error"])
        self.end()
        kind, reason = next(iter(answer.items()))
        if kind == "memory":
            reason = f"took more than {self._limits.megabytes} MB of memory"
        elif kind == "exit":
            reason = f"ended its process: exit code {reason}"
        raise Fault(str(kind), str(reason))

    def _late(self) -> Fault:
        return Fault("time", f"took more than {self._limits.seconds:g} s")


def _ended(code: int | None) -> Fault:
    if code is not None and code < 0:
        return Fault("crash", f"its process crashed: signal {-code}")
    return Fault("exit", f"ended its process: exit code {code}")


class RemoteAgent(Agent):
    """An agent in another process: it sees observations and nothing else of the game."""

    def __init__(
        self, process: PlayerProcess, place: str, limits: Limits, latest: float = math.inf
    ) -> None:
        self._process, self._place, self._limits = process, place, limits
        self._latest = latest
        told = process.ask(place, "told", deadline=min(monotonic() + _START, latest))
        self.name = str(told["name"])
        self.topologies = tuple(told["topologies"])
        self.told = Told(bool(told["total"]), bool(told["channel"]))
        super().__init__()

    def begin(self, seed: int) -> None:
        """Start a game, and the clock."""
        super().begin(seed)
        self._process.ready()
        self._deadline = min(monotonic() + self._limits.seconds, self._latest)
        self._ask("begin", seed)

    def decide(self, observation: Observation) -> Decision | None:
        """Ask the process."""
        answer = self._ask("decide", observation)
        if answer is None:
            return None
        actions = [
            Action(kind, (row, col), certain, risk)
            for kind, row, col, certain, risk in answer["actions"]
        ]
        return Decision(tuple(actions), str(answer["reason"]))

    def beliefs(self) -> Beliefs:
        """Ask the process for what the agent believes of cells."""
        return Beliefs({(row, col): value for row, col, value in self._ask("beliefs")})

    def _ask(self, question: str, argument: Any = None) -> Any:
        return self._process.ask(self._place, question, argument, deadline=self._deadline)
