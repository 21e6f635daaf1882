"""Counts around one clue at a time, and otherwise opens a random cell.

After R3 (Cao, Mao, *Homework 2 Mine Sweeper*) and R4 (Yang, *Inference-Informed Action:
MineSweeper*, 2021). Two rules look at one clue and its neighbours. If the clue needs as many more
mines as it has closed neighbours, all of them are mines. If it needs as many more safe cells, all
of them are safe. The agent never combines two clues, so it has to guess even in the simplest
pattern of two overlapping clues.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import ClassVar

from mineproof import _core
from mineproof.agents.agent import Agent, Beliefs, Decision, Told
from mineproof.agents.clues import Clue, clues, open_known_safe, random_guess, settle_first
from mineproof.arguments import counted
from mineproof.position.observation import Observation
from mineproof.position.topology import MAX_DEGREE

__all__ = ["BasicAgent"]


class BasicAgent(Agent):
    r"""Settles the neighbours of single clues by two counting rules, else opens a random cell.

    It takes clues at face value. A clue that cannot be met triggers no rule.

    Examples
    --------
    >>> decision = BasicAgent().decide(Observation.from_text("1.\n11"))
    >>> decision.actions[0].kind, decision.reason
    ('flag', 'the 1 at (0, 0) needs all its closed neighbours to be mines')
    """

    name = "basic"
    report = "R3 Cao and Mao; R4 Yang, 2021"
    told = Told()
    options: ClassVar = MappingProxyType(
        {"eight": "assumes 8 neighbours for every cell in the rule for safe cells, as R4 does"}
    )

    def __init__(self, *options: str) -> None:
        super().__init__(*options)
        if "eight" in self.chosen:
            self.topologies = "square", "torus"

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self._unsettled: list[Clue] = []

    def decide(self, observation: Observation) -> Decision | None:
        self._unsettled = clues(observation)
        return (
            open_known_safe(observation)
            or settle_first(self._unsettled, MAX_DEGREE if "eight" in self.chosen else None)
            or random_guess(observation, self.random, "no single clue settles a cell")
        )

    def native(self) -> _core.Player:
        """Return the player of the core."""
        return _core.Player.basic("eight" in self.chosen)

    def beliefs(self) -> Beliefs:
        """Say what each clue still needs."""
        return Beliefs(sentences=tuple(map(_sentence, self._unsettled)))


def _sentence(clue: Clue) -> str:
    if clue.left < 0:
        return f"{clue} has too many mines around it"
    among = counted(len(clue.unknown), "closed neighbour")
    return f"{clue} needs {counted(clue.left, 'more mine')} among {among}"
