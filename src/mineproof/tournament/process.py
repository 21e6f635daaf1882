"""An agent in a process of its own, with limits, as a player of games in this process."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, Final, TypeVar

from mineproof.agents import Action, Agent, Beliefs, Decision
from mineproof.agents.agent import Told
from mineproof.agents.asking import Ended
from mineproof.errors import AgentFailed
from mineproof.position.observation import Observation
from mineproof.tournament import messages, sandbox
from mineproof.tournament.limits import Limits

__all__ = ["AgentError", "Deadline", "Fault", "PlayerProcess", "RemoteAgent"]

T = TypeVar("T")

_START: Final = 60.0
"""Seconds that a process may take to start and to load its file."""
_LONGEST: Final = 2**16
"""The longest answer that says nothing of cells, in bytes."""
_LONGEST_OF_CELL: Final = 128
"""How many bytes more an answer may have for each cell of the board."""
_NO_ANSWER: Final = "sent something that is not an answer"
_PROGRAM: Final = "from mineproof.tournament import player; player.main()"


class AgentError(AgentFailed):
    """An agent raised an error, which is named."""


class Fault(Ended):
    """An agent left its limits: a kind, and a reason in words. Its process has ended."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind, self.reason = kind, reason


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment by the clock, and how many seconds there were until then."""

    seconds: float
    moment: float

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """Return the moment in so many seconds."""
        return cls(seconds, monotonic() + seconds)

    def left(self) -> float:
        """Return how many seconds are left, at least 0."""
        return max(self.moment - monotonic(), 0.0)

    def first(self, other: Deadline | None) -> Deadline:
        """Return the earlier one."""
        return self if other is None or self.moment <= other.moment else other


class _Link:
    """Takes questions to a process and answers back, in a thread of its own.

    So nobody waits longer than they want, even if the process reads nothing or half writes.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._questions: SimpleQueue[tuple[bytes, int] | None] = SimpleQueue()
        self._answers: SimpleQueue[bytes | None] = SimpleQueue()
        Thread(target=self._carry, daemon=True).start()

    def tell(self, question: bytes, longest: int) -> None:
        self._questions.put((question, longest))

    def answer(self, deadline: Deadline) -> bytes | None:
        """Return the answer, or None if there can be none; raise `Empty` if it is too late."""
        return self._answers.get(timeout=deadline.left())

    def close(self) -> None:
        self._questions.put(None)

    def _carry(self) -> None:
        questions, answers = self._process.stdin, self._process.stdout
        assert questions is not None
        assert answers is not None
        while (message := self._questions.get()) is not None:
            question, longest = message
            answer = None
            with suppress(OSError, EOFError, ValueError):
                messages.write(questions, question)
                answer = messages.read(answers, longest)
            self._answers.put(answer)
        with suppress(OSError):  # Nobody may read what is left to write.
            questions.close()
        answers.close()


class PlayerProcess:
    """The process of one file; it starts when it is asked, and again after a fault.

    Parameters
    ----------
    file
        The agent's file.
    limits
        What the agent may use.
    private
        Files that the agent may not read.
    """

    def __init__(self, file: Path, limits: Limits, private: Collection[Path] = ()) -> None:
        self._file, self._limits = file.resolve(), limits
        self._private = [path.resolve() for path in private]
        self._process: subprocess.Popen[bytes] | None = None
        self._lifeline = -1

    def classes(self) -> list[str]:
        """Start the process again, and return the names of the agents' classes in the file."""
        self.end()
        return self._start()

    def ready(self) -> None:
        """Start the process and load its file, if there is none."""
        if self._process is None:
            self._start()

    def ask(
        self,
        name: str,
        question: str,
        argument: Any,
        parse: Callable[[Any], T],
        *,
        deadline: Deadline,
        longest: int = _LONGEST,
    ) -> T:
        """Ask an agent something, and return its answer.

        Raises
        ------
        AgentError
            If the agent raised an error.
        Fault
            For everything else that is not an answer.
        """
        self.ready()
        answer = self._exchange((name, question, argument), parse, deadline, longest)
        if isinstance(answer, AgentError):
            raise answer
        return answer

    def kill(self) -> None:
        """End the process from another thread; who waits for an answer gets a fault."""
        if (process := self._process) is not None:
            _kill(process)

    def end(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            _kill(self._process)
            self._process.wait()
            self._link.close()
            os.close(self._lifeline)
        self._process = None

    def _start(self) -> list[str]:
        private = [str(path) for path in self._private]
        reading, self._lifeline = os.pipe()
        try:
            # Whoever holds the other end of what should be its error output is its parent.
            if self._limits.isolated:
                self._process = sandbox.start(_PROGRAM, reading, self._file, self._private)
            else:
                self._process = sandbox.start_openly(_PROGRAM, reading)
        finally:
            os.close(reading)
        self._link = _Link(self._process)
        configuration = (str(self._file), self._limits, private)
        classes = self._exchange(configuration, _names, Deadline.after(_START), _LONGEST)
        if isinstance(classes, AgentError):
            self.end()
            raise Fault("error", classes.reason)
        return classes

    def _exchange(
        self, question: Any, parse: Callable[[Any], T], deadline: Deadline, longest: int
    ) -> T | AgentError:
        self._link.tell(pickle.dumps(question), longest)
        try:
            message = self._link.answer(deadline)
        except Empty:
            raise self._fault("time", f"took more than {deadline.seconds:g} s") from None
        if message is None:
            raise self._ended()
        try:
            [(kind, content)] = json.loads(message).items()
            if kind == "answer":
                return parse(content)
            told = messages.shown(content)
        except Exception:  # It may hold anything at all.
            raise self._fault("illegal", _NO_ANSWER) from None
        match kind:
            case "error":
                return AgentError(self._file.stem, told)
            case "memory":
                told = f"took more than {self._limits.megabytes} MB of memory"
            case "exit":
                told = f"ended its process: exit code {told}"
            case "cheat":
                pass
            case _:
                kind, told = "illegal", _NO_ANSWER
        raise self._fault(kind, told)

    def _fault(self, kind: str, reason: str) -> Fault:
        self.end()
        return Fault(kind, reason)

    def _ended(self) -> Fault:
        """Return how the process ended, which answers no more."""
        assert self._process is not None
        try:
            code = self._process.wait(1)
        except subprocess.TimeoutExpired:  # It closed its output, or sent too much.
            return self._fault("illegal", _NO_ANSWER)
        if self._limits.isolated and code > 128:
            code = 128 - code  # As shells tell of signals.
        if code < 0:
            return self._fault("crash", f"its process crashed: signal {-code}")
        return self._fault("exit", f"ended its process: exit code {code}")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it has started, unless they have left its group."""
    if process.returncode is None and hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


class RemoteAgent(Agent):
    """An agent in another process: it sees observations and nothing else of the game."""

    def __init__(
        self, process: PlayerProcess, place: str, limits: Limits, latest: Deadline | None = None
    ) -> None:
        self._process, self._place, self._limits = process, place, limits
        self._latest = latest
        deadline = Deadline.after(_START).first(latest)
        self.name, self.topologies, self.told = process.ask(
            place, "told", None, _declared, deadline=deadline
        )
        super().__init__()

    def begin(self, seed: int) -> None:
        """Start a game, and the clock."""
        super().begin(seed)
        self._process.ready()
        self._deadline = Deadline.after(self._limits.seconds).first(self._latest)
        self._cells = 0
        self._ask("begin", seed, lambda answer: None)

    def decide(self, observation: Observation) -> Decision | None:
        """Ask the process."""
        self._cells = observation.topology.cells
        return self._ask("decide", observation, _decision)

    def beliefs(self) -> Beliefs:
        """Ask the process for what the agent believes of cells."""
        return self._ask("beliefs", None, _beliefs)

    def _ask(self, question: str, argument: Any, parse: Callable[[Any], T]) -> T:
        return self._process.ask(
            self._place,
            question,
            argument,
            parse,
            deadline=self._deadline,
            longest=_LONGEST + _LONGEST_OF_CELL * self._cells,
        )


# ------------------------------------------------------------ answers, which may be anything at all


def _names(answer: Any) -> list[str]:
    if not isinstance(answer, list) or not answer:
        raise TypeError
    return [_text(name) for name in answer]


def _declared(answer: Any) -> tuple[str, tuple[Any, ...], Told]:
    topologies = tuple(messages.shown(_text(kind)) for kind in answer["topologies"])
    return (
        messages.shown(_text(answer["name"])),
        topologies,
        Told(bool(answer["total"]), bool(answer["channel"])),
    )


def _decision(answer: Any) -> Decision | None:
    if answer is None:
        return None
    actions = tuple(
        Action(kind, (row, col), certain, risk)
        for kind, row, col, certain, risk in answer["actions"]
    )
    return Decision(actions, messages.shown(_text(answer["reason"])))


def _beliefs(answer: Any) -> Beliefs:
    return Beliefs({(int(row), int(col)): float(value) for row, col, value in answer})


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
