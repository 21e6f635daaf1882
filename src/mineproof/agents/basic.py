"""Counts around one clue at a time, and otherwise opens a random cell.

After R3 (Cao, Mao, *Homework 2 Mine Sweeper*) and R4 (Yang, *Inference-Informed Action:
MineSweeper*, 2021). Two rules look at a clue and its neighbours: where the mines it still needs are
as many as its closed neighbours, all of those are mines; where the safe cells it still needs are as
many, all of them are safe. Two clues are never read together, so the simplest pattern of two clues
that overlap is a guess to it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import ClassVar

from mineproof.agents.agent import Action, Agent, Beliefs, Decision
from mineproof.agents.clues import Clue, clues, told_safe
from mineproof.arguments import counted
from mineproof.position.observation import Observation
from mineproof.position.topology import MAX_DEGREE
from mineproof.random import Random

__all__ = ["BasicAgent", "guess", "settle"]


class BasicAgent(Agent):
    r"""Settles the neighbours of single clues by two counting rules, else opens a random cell.

    Clues are taken at face value. One that cannot be met sets off no rule.

    Examples
    --------
    >>> decision = BasicAgent().decide(Observation.from_text("1.\n11"))
    >>> decision.actions[0].kind, decision.reason
    ('flag', 'the 1 at row 0, column 0 needs all its closed neighbours to be mines')
    """

    name = "basic"
    report = "R3 Cao and Mao; R4 Yang, 2021"
    options: ClassVar = MappingProxyType(
        {"eight": "takes every cell to have 8 neighbours in the rule for safe cells, as R4 does"}
    )

    def begin(self, seed: int) -> None:
        """Forget the last game."""
        super().begin(seed)
        self._unsettled: list[Clue] = []

    def decide(self, observation: Observation) -> Decision | None:
        """Use the first clue, in row order, that settles its neighbours; else open any cell."""
        self._unsettled = [clue for clue in clues(observation) if clue.unknown]
        given = told_safe(observation)
        if given is not None:
            return given
        around = MAX_DEGREE if "eight" in self.chosen else None
        for clue in self._unsettled:
            decision = settle(clue, around)
            if decision is not None:
                return decision
        return guess(observation, self.random, "no single clue says more")

    def beliefs(self) -> Beliefs:
        """Show what every clue still leaves open."""
        return Beliefs(sentences=tuple(map(_sentence, self._unsettled)))


def settle(clue: Clue, around: int | None = None) -> Decision | None:
    r"""Flag or open all unknown neighbours of a clue, where counting settles them.

    Parameters
    ----------
    clue
        What is seen.
    around
        How many neighbours the rule for safe cells takes the clue to have; all it has, unless told
        otherwise. Told wrongly, the rule fails where it should apply, and applies where it should
        not: a clue at an edge that misses three mines passes for one that is met. What follows from
        a wrong number is never called certain.

    Examples
    --------
    >>> met = clues(Observation.from_text("F1."))[0]
    >>> settle(met).reason
    'the 1 at row 0, column 1 has all its mines'
    >>> settle(met, around=8) is None
    True
    """
    unknown = len(clue.unknown)
    if not unknown:
        return None
    if clue.seen - clue.mines == unknown:
        flags = tuple(Action("flag", cell, certain=True, risk=1.0) for cell in clue.unknown)
        return Decision(flags, f"{clue} needs all its closed neighbours to be mines")
    neighbours = clue.mines + clue.safe + unknown
    if (around or neighbours) - clue.seen - clue.safe == unknown:
        right = around in (None, neighbours)
        risk = 0.0 if right else None
        opens = tuple(Action("open", cell, certain=right, risk=risk) for cell in clue.unknown)
        taken = "" if right else f", if it had {around} neighbours"
        return Decision(opens, f"{clue} has all its mines{taken}")
    return None


def guess(observation: Observation, random: Random, reason: str) -> Decision | None:
    """Open a random closed cell.

    Where all of them are flagged and the game still goes on, clues have lied and a flag is wrong: a
    random one is taken back.

    Examples
    --------
    >>> decision = guess(Observation.from_text("1F"), Random(1), "no cell is left")
    >>> [action.kind for action in decision.actions], decision.reason
    (['unflag', 'open'], 'no cell is left: a flag must be wrong')
    """
    cells = observation.openable_cells()
    if cells:
        return Decision((Action("open", random.pick(cells)),), reason)
    flagged = observation.closed_cells()
    if not flagged:
        return None
    cell = random.pick(flagged)
    actions = (Action("unflag", cell), Action("open", cell))
    return Decision(actions, f"{reason}: a flag must be wrong")


def _sentence(clue: Clue) -> str:
    if clue.left < 0:
        return f"{clue} has too many mines around it"
    among = counted(len(clue.unknown), "closed neighbour")
    return f"{clue} misses {counted(clue.left, 'mine')} among {among}"
