"""Where an agent sits in a game: what it is shown, and what its decisions come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from numbers import Real
from typing import Any

from mineproof import _core
from mineproof.agents.agent import Action, Agent, Beliefs, Decision
from mineproof.agents.asking import ask, refused
from mineproof.arguments import instance, sentence
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

__all__ = ["Seat", "beliefs_of", "native_of"]


class Seat:
    r"""An agent in one game, which shows it no more than it may know, and answers for its faults.

    Flags are marks that anyone can set, so an agent is shown only its own: cells that others have
    flagged look closed to it, and it decides about them as if nobody had. What is certain for it is
    certain without those flags. If it opens such a cell, the flag is taken off first; if it flags
    one, the flag stays and is its own from then on.

    Whatever the agent's code does wrong is an `AgentFailed`.

    Parameters
    ----------
    agent
        The agent.

    Examples
    --------
    >>> from mineproof.agents import get
    >>> seat = Seat(get("basic"))
    >>> seat.begin(seed=0)
    >>> decision = seat.decide(Observation.from_text("0F\n.."))
    >>> [(action.kind, action.cell) for action in decision.actions]
    [('unflag', (0, 1)), ('open', (0, 1)), ('open', (1, 0)), ('open', (1, 1))]
    >>> print(seat.seen.to_text())
    0.
    ..
    """

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.seen: Observation | None = None
        """What the agent saw when it made its last decision."""
        self._own: set[Cell] = set()

    def begin(self, seed: int) -> None:
        """Start a new game, with the seed for all random choices of the agent."""
        self.seen = None
        self._own = set()
        ask(self.agent, "begin", seed)

    def decide(self, observation: Observation) -> Decision | None:
        """Let the agent decide; `observation` holds all that can be seen or told."""
        told = self.agent.told
        flagged = set(observation.flagged_cells())
        self._own &= flagged
        while True:
            foreign = flagged - self._own
            self.seen = observation.without(
                total=not told.total, channel=not told.channel, flags=foreign
            ).since(self.seen)
            decision: Decision | None = ask(self.agent, "decide", self.seen, check=_check_decision)
            if decision is None:
                return None
            for action in decision.actions:
                if action.kind == "flag":
                    self._own.add(action.cell)
            if not foreign:
                return decision
            try:
                actions = tuple(_cleared(decision, foreign, observation))
            except ValueError as error:  # a cell that is not on the board
                raise refused(self.agent, "decide", f"illegal move: {error}") from None
            if actions:
                return Decision(actions, decision.reason)
            # All that it would flag has flags, which are now its own: there is more to decide.


def beliefs_of(agent: Agent, seen: Observation) -> Beliefs:
    """Ask an agent what it believed when it made its last decision, and what it saw then.

    Raises
    ------
    AgentFailed
        If it fails, or believes what nobody can read.
    """

    def check(answer: Any) -> None:
        beliefs = instance("beliefs", answer, Beliefs)
        for cell, number in instance("numbers", beliefs.numbers, Mapping).items():
            seen.topology.index(cell)
            if not isinstance(number, float | Real):
                raise TypeError(sentence(f"belief about {cell}", number, "a number"))
        for each in beliefs.sentences:
            instance("sentence", each, str)

    beliefs: Beliefs = ask(agent, "beliefs", check=check)
    return beliefs


def native_of(agent: Agent) -> _core.Player | None:
    """Ask an agent for its player of the core."""

    def check(answer: Any) -> None:
        if answer is not None:
            instance("native", answer, _core.Player)

    native: _core.Player | None = ask(agent, "native", check=check)
    return native


def _check_decision(answer: object) -> None:
    if answer is not None and not isinstance(answer, Decision):
        must = "a Decision, such as Decision((Action('open', (0, 3)),)), or None"
        raise TypeError(sentence("decision", answer, must))


def _cleared(decision: Decision, foreign: set[Cell], seen: Observation) -> Iterator[Action]:
    """Yield the actions of a decision among flags that its agent does not see."""
    around = seen.topology.neighbours
    in_the_way = {
        cell
        for action in decision.actions
        for cell in (around(action.cell) if action.kind == "chord" else (action.cell,))
        if action.kind in ("open", "chord")
    }
    # At once: with a flag in place of an opening, a later action could end the game.
    yield from (Action("unflag", cell) for cell in sorted(foreign & in_the_way))
    for action in decision.actions:
        if action.kind != "flag" or action.cell not in foreign - in_the_way:
            yield action
