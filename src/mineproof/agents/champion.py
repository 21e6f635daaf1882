"""Plays to win: certain moves, endings solved exactly, and guesses that look one reply ahead.

Our own. The ideas are known from the strongest published players: D. Hill's solver (exact endings,
parts of the board that can be played apart, the safety of the next move), Tu's PSEQ (exact endings)
and minesolve (survival over several moves). The weights of the look-ahead are fitted to games.
"""

from __future__ import annotations

from math import isnan
from types import MappingProxyType
from typing import Any, ClassVar, Final

from mineproof import _core
from mineproof.agents.agent import Action, Agent, Beliefs, Decision
from mineproof.agents.exact import ExactAgent
from mineproof.errors import BudgetExceeded, Contradiction, OptionError
from mineproof.inference.posterior import infer
from mineproof.position.model import Channel
from mineproof.position.observation import Observation
from mineproof.position.rules import KINDS
from mineproof.search.strength import STRENGTHS, Strength

__all__ = ["ChampionAgent"]

_EXACT: Final = Channel.exact()


class ChampionAgent(Agent):
    r"""Plays to win: the strongest agent.

    It makes all certain moves and flags what it has proved. Otherwise it looks for parts of the
    board that nothing else can help with, or for an ending with few layouts, and plays them
    optimally. Otherwise it looks at every clue that a cell may show: it opens the cell that is most
    likely to be safe and to leave safe next moves. It does the same under noisy channels, where
    there are no endings to solve, and in games that a mine does not end. There it optimises just
    that: a low risk now and for the next move, and with it the number of hits. With the option
    ``max``, late in a game with exact clues, it also tries the best cells on sampled boards.

    Examples
    --------
    >>> seen = Observation.from_text("5x2x2\n.....\n11?11")
    >>> decision = ChampionAgent().decide(seen)
    >>> [(action.kind, action.cell) for action in decision.actions]
    [('open', (0, 2))]
    """

    name = "champion"
    report = "ours"
    options: ClassVar = MappingProxyType(
        {
            "1": "faster: compares fewer cells and solves smaller endings",
            "max": "slower: tries the best cells on sampled boards, and solves larger endings",
        }
    )

    def __init__(self, *options: str) -> None:
        if {"1", "max"} <= set(options):
            raise OptionError("agent champion: cannot be both 1 and max")
        super().__init__(*options)

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self._seed = seed
        self._player = self._new_player()
        self._fallback = ExactAgent()
        self._fallback.begin(seed)
        self._seen: Observation | None = None

    def decide(self, observation: Observation) -> Decision | None:
        self._seen = observation
        channel = observation.channel or _EXACT
        topology = observation.topology
        try:
            chosen, reason = self._player.decide(
                topology.native, observation.cells, observation.mines, channel.native
            )
        except _core.Contradiction:
            return self._fallback.decide(observation)
        actions = tuple(
            Action(KINDS[kind], topology.cell(place), certain, None if isnan(risk) else risk)
            for kind, place, certain, risk in chosen
        )
        return Decision(actions, reason) if actions else None

    def beliefs(self) -> Beliefs:
        """Show the risk of each closed cell."""
        if self._seen is None:
            return Beliefs()
        try:
            risk = infer(self._seen).risk
        except (BudgetExceeded, Contradiction):
            return Beliefs(sentences=("the position could not be judged",))
        return Beliefs({cell: float(risk[cell]) for cell in self._seen.closed_cells()})

    def native(self) -> _core.Player:
        """Return the player of the core."""
        return self._strength().player()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_player"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._player = self._new_player()

    def _new_player(self) -> _core.Player:
        player = self._strength().player()
        player.begin(self._seed)
        return player

    def _strength(self) -> Strength:
        return STRENGTHS[next(iter(self.chosen & {"1", "max"}), "")]
