"""The option `chains` of `exact`: what it changes, and what it does not change."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

from mineproof import (
    Channel,
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
from mineproof.agents.exact import ShortChains
from mineproof.arena.play import Turn, play_many
from mineproof.inference.posterior import TIE

SETUPS = [
    Setup.level("easy"),
    Setup(Topology(8, 8), 14, Rules("zero", "continue", given_safe=3)),
    Setup(Topology(8, 8), 14, Rules("any", cascade=False)),
    Setup(Topology(6, 7), 6, Rules(on_mine="continue"), Channel.lost(0.3)),
    Setup(Topology(5, 5), 5, Rules(), Channel.cautious()),
]


def without_time(record: GameRecord) -> GameRecord:
    return replace(record, seconds=0.0)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_natively_it_plays_the_same(setup: Setup) -> None:
    agent = agents.get("exact:chains")
    for seed in range(12):
        record = play(Game(setup, seed), agent, seed=seed)
        [native] = play_many([Game(setup, seed)], agent, seeds=[seed], moves=True)
        assert without_time(record) == without_time(native)


def test_it_never_takes_a_higher_risk() -> None:
    setup = Setup(Topology(8, 8), 14)
    for seed in range(10):
        for move in play(Game(setup, seed), agents.get("exact:chains"), seed=seed).moves:
            assert not (move.certain and move.hits)
        record = play(Game(setup, seed), agents.get("exact"), seed=seed)
        chains = play(Game(setup, seed), agents.get("exact:chains"), seed=seed)
        first = next((move.risk for move in record.moves if move.is_guess), None)
        other = next((move.risk for move in chains.moves if move.is_guess), None)
        assert first == pytest.approx(other, abs=TIE)


def test_among_equal_risks_it_takes_the_shortest_chain() -> None:
    setup = Setup.level("expert")
    shorter = 0
    for seed in range(12):
        follower = ShortChains()

        def look(step: Turn, follower: ShortChains = follower) -> None:
            nonlocal shorter
            if step.before is None:
                return
            follower.see(step.before)
            posterior = infer(step.before)
            follower.judge(posterior)
            opened = [move.cell for move in step.moves if move.kind == "open"]
            assert opened == sorted(opened, key=lambda cell: follower.order([*opened]).index(cell))
            if any(move.is_guess for move in step.moves):
                lowest = np.nanmin(posterior.risk)
                ties = np.argwhere(posterior.risk <= lowest + TIE).tolist()
                equal = [(row, col) for row, col in ties]
                assert opened == follower.order(equal)[:1]
                shorter += opened != equal[:1]
            follower.opens(opened)

        play(Game(setup, seed), agents.get("exact:chains"), seed=seed, watch=look)
    assert shorter > 0


def test_beyond_the_frontier_chains_are_short() -> None:
    chains = ShortChains()
    seen = Observation.from_text("5x1x1\n0....")
    chains.see(seen)
    chains.judge(infer(seen))
    assert chains.order([(0, 1), (0, 2)]) == [(0, 2), (0, 1)]
    chains.opens([(0, 1)])
    chains.see(Observation.from_text("5x1x1\n01..."))
    # The clue was settled by the zero, so what it speaks of is one link further.
    assert chains.order([(0, 2), (0, 4)]) == [(0, 4), (0, 2)]


def test_games_differ_only_by_equal_risks() -> None:
    setup = Setup.level("expert")
    plain, chains = agents.get("exact"), agents.get("exact:chains")
    differing = 0
    for seed in range(30):
        one = play(Game(setup, seed), plain, seed=seed)
        other = play(Game(setup, seed), chains, seed=seed)
        guesses = [[m for m in r.moves if m.is_guess] for r in (one, other)]
        for here, there in zip(*guesses, strict=False):
            assert here.risk == pytest.approx(there.risk, abs=TIE)
            if here.cell != there.cell:
                differing += 1
                break
    assert differing > 0


def test_a_copy_is_independent() -> None:
    setup = Setup.level("easy")
    game = Game(setup, 3)
    agent = agents.get("exact:chains")
    agent.begin(3)
    game.open((0, 0))
    while game.outcome is None:
        seen = game.observe()
        others = [pickle.loads(pickle.dumps(agent)), copy.deepcopy(agent)]
        decision = agent.decide(seen)
        assert decision is not None
        assert all(other.decide(seen) == decision for other in others)
        for action in decision.actions:
            if game.outcome is None and (action.kind == "flag" or game.code(action.cell) < 0):
                game.make(action.kind, action.cell)
    assert game.won
