"""Agents in a worker process: their decisions, their beliefs and their memory."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from mineproof import agents
from mineproof.agents import Beliefs
from mineproof.agents.registry import kind_of, registered
from mineproof.agents.seat import Seat, beliefs_of
from mineproof.draw.looks import Looks
from mineproof.errors import AgentFailed
from mineproof.position import Observation
from mineproof.web.analysis import Progress

__all__ = ["decide", "offered"]

_MOST_REMEMBERED: Final = 64
"""How many agents in the middle of a game are kept."""
_MOST_SENTENCES: Final = 200
"""How many sentences of an agent are shown."""

_remembered: OrderedDict[tuple[str, str], tuple[Any, int, Seat]] = OrderedDict()
"""Agents by game and name: in which past they decided, how often, and their seat."""


def offered(progress: Progress, more: Sequence[str]) -> list[dict[str, Any]]:
    """Describe all agents that may be asked: the registered ones, and more by their references."""
    kinds = {**registered(), **{name: kind_of(name)[0] for name in more}}
    return [
        {
            "name": name,
            "report": kind.report,
            "summary": (kind.__doc__ or "").strip().partition("\n")[0],
            "options": dict(kind.options),
            "told_total": kind.told.total,
        }
        for name, kind in kinds.items()
    ]


def decide(
    progress: Progress,
    game: str,
    name: str,
    seed: int,
    past: Any,
    decisions: int,
    seen: Observation,
    before: Sequence[Observation] | None,
) -> dict[str, Any]:
    """Let an agent decide, and say what it believes.

    Parameters
    ----------
    progress
        Not used.
    game, name
        The id of the game, and the name of the agent.
    seed
        The seed of the agent's randomness.
    past
        Changes when moves are taken back: what the agent remembers is then wrong.
    decisions
        How often the agent has decided in this game.
    seen
        What a player may know who is told everything.
    before
        What it saw at its earlier decisions. None if the agent may still be remembered here: if it
        is not, the answer is ``{"forgotten": True}``.
    """
    key = game, name
    remembered = _remembered.pop(key, None)
    if remembered is not None and remembered[:2] == (past, decisions):
        seat = remembered[2]
    elif before is None and decisions:
        return {"forgotten": True}
    else:
        seat, remembered = None, None
    try:
        if seat is None:
            seat = Seat(agents.get(name))
            seat.begin(seed)
            for earlier in before or ():
                seat.decide(earlier)
        decision = seat.decide(seen)
        beliefs = _beliefs(seen, beliefs_of(seat.agent, seen))
    except AgentFailed as error:
        return {"failed": f"{name} failed: {error.why}"}
    actions = [] if decision is None else [asdict(action) for action in decision.actions]
    if decision is not None:
        _remembered[key] = past, decisions + 1, seat
        while len(_remembered) > _MOST_REMEMBERED:
            _remembered.popitem(last=False)
    reason = "" if decision is None else decision.reason
    return {"actions": actions, "reason": reason, "beliefs": beliefs}


def _beliefs(seen: Observation, beliefs: Beliefs) -> dict[str, Any]:
    numbers = {
        cell: float(number) for cell, number in beliefs.numbers.items() if math.isfinite(number)
    }
    looks = Looks.beliefs(seen, numbers)
    sentences = [str(sentence) for sentence in beliefs.sentences]
    return {
        "numbers": [
            {"cell": cell, "number": number, "label": looks[cell].label}
            for cell, number in numbers.items()
        ],
        "sentences": sentences[:_MOST_SENTENCES],
        "left_out": max(0, len(sentences) - _MOST_SENTENCES),
    }
