"""A process that answers the requests of a server: ``python -m mineproof.web.worker``.

It reads requests from standard input, and ends with the server, even while it works. What agents
print goes to standard error.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import struct
import sys
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, BinaryIO, Final

from mineproof.arena.workers import end_with_parent
from mineproof.errors import MineproofError
from mineproof.proofs.words import capital
from mineproof.web import analysis, games, players
from mineproof.web.errors import Refused
from mineproof.web.workers import FRAME, READY

__all__ = ["TASKS", "main"]

TASKS: Final[Mapping[str, Callable[..., Any]]] = {
    "agents": players.offered,
    "decide": players.decide,
    "risks": analysis.risks,
    "advice": analysis.advice,
    "chances": analysis.chances,
    "hint": analysis.hint,
    "why": analysis.why,
    "analyse": analysis.analyse,
    "beginning": analysis.beginning,
    "no_guess": analysis.no_guess,
    "review": analysis.review,
    "notation": games.notation,
}
"""The functions by the names that the server uses.

They take a callback for their progress, and return values for JSON.
"""

_REPORTS: Final = 0.1
"""Seconds between two reports of progress."""


def main() -> None:
    """Answer requests until there are no more."""
    # The server handles interruptions.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(*map(int, sys.argv[1:]))
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    requests = sys.stdin.buffer
    answers.write(READY)
    answers.flush()
    while len(head := requests.read(4)) == 4:
        (length,) = struct.unpack(">I", head)
        task, arguments = pickle.loads(requests.read(length))
        kind, answer = _answer(task, arguments, answers)
        _send(answers, kind, answer)


def _answer(task: str, arguments: tuple[Any, ...], answers: BinaryIO) -> tuple[bytes, Any]:
    last = monotonic()

    def progress(done: int, total: int) -> None:
        nonlocal last
        if monotonic() - last > _REPORTS:
            last = monotonic()
            _send(answers, b"p", [done, total])

    try:
        return b"d", TASKS[task](progress, *arguments)
    except Refused as error:
        return b"r", [error.status, str(error)]
    except (MineproofError, ValueError) as error:
        return b"r", [422, f"{capital(str(error))}."]


def _send(answers: BinaryIO, kind: bytes, value: Any) -> None:
    body = json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
    answers.write(FRAME.pack(kind, len(body)) + body)
    answers.flush()


if __name__ == "__main__":
    main()
