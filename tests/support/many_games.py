"""Small games under all rules and channels, for tests of single agents."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import get_args

from mineproof import (
    Agent,
    Channel,
    Decision,
    Game,
    GameRecord,
    Observation,
    Rules,
    Setup,
    Topology,
    agents,
    infer,
    play,
)
from mineproof.agents import Beliefs
from mineproof.position import mines_at
from mineproof.position.rules import OnMine, Start

CHANNELS = (Channel.exact(), Channel.lost(0.5), Channel.optimistic(), Channel.cautious())
SHAPES = ((1, 1), (1, 6), (6, 1), (2, 3))


def check_games(name: str) -> None:
    """Play many small games: each must end by its rules, and every certain claim must be true."""
    for seed, game in enumerate(games()):
        agent = agents.get(name)
        watched = Watched(agent) if game.channel.is_exact else agent
        record = play(game, watched, seed=1000 + seed)
        classic = game.rules.on_mine == "end"
        assert record.outcome in (("won", "lost") if classic else ("finished",))
        assert record.actions >= record.steps


def games() -> Iterator[Game]:
    rules = product(get_args(Start), get_args(OnMine), (True, False), (0, 3))
    for seed, (start, on_mine, cascade, given) in enumerate(rules):
        rule = Rules(start, on_mine=on_mine, cascade=cascade, given_safe=given)
        for channel, mines in zip(CHANNELS, (5, 6, 8, 3), strict=True):
            yield Game(Setup(Topology(5, 5), mines, rule, channel), seed=seed)
    for (rows, cols), on_mine, channel in product(SHAPES, get_args(OnMine), CHANNELS):
        rule = Rules("any", on_mine=on_mine)
        for mines in {0, 1, rows * cols // 2, rows * cols}:
            yield Game(Setup(Topology(rows, cols), mines, rule, channel), seed=mines)


def keep_going(name: str, games: int, *, density: float = 0.2) -> list[GameRecord]:
    """Play games with 10 rows and columns that continue after a mine."""
    rules = Rules("any", on_mine="continue")
    boards = (
        Game(Setup(Topology(10, 10), mines_at(density, 100), rules), seed=s) for s in range(games)
    )
    return [play(game, agents.get(name), seed=1000 + game.seed) for game in boards]


class Watched(Agent):
    """Makes the decisions of another agent, and checks that its certain claims are true."""

    def __init__(self, agent: Agent) -> None:
        self.name = agent.name
        self.agent = agent
        super().__init__()
        self.told = agent.told

    def begin(self, seed: int) -> None:
        self.agent.begin(seed)

    def decide(self, observation: Observation) -> Decision | None:
        decision = self.agent.decide(observation)
        actions = decision.actions if decision is not None else ()
        posterior = infer(observation)
        for action in actions:
            if action.certain and action.kind == "open":
                assert action.cell in posterior.safe, (observation.to_text(), decision)
            if action.certain and action.kind == "flag":
                assert action.cell in posterior.mined, (observation.to_text(), decision)
        return decision

    def beliefs(self) -> Beliefs:
        return self.agent.beliefs()
