"""Native players play like the Python agents that define them, move by move."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mineproof import Channel, Game, GameRecord, Rules, Setup, Topology, agents, play, play_many
from mineproof.agents import border, projection
from mineproof.agents.seat import Seat
from mineproof.arena.play import carry_out
from mineproof.game.move import move_rows
from mineproof.random import agent_seed

PLAYERS: Final = (
    "random",
    "basic",
    "basic:eight",
    "noisy-or",
    "noisy-or:0",
    "noisy-or:0.6+total",
    "components",
    "components:corners",
    "weights",
    "weights:untold",
    "weights:subtract",
    "border",
    "border:total",
    "border:nosplit",
    "projection",
    "projection:eight",
    "projection:strict+global",
    "projection:annealed",
    "projection:strict+annealed+away",
    "clue-heap",
    "clue-heap:nobacktrack",
    "clue-heap:total",
    "logic",
    "logic:total",
    "exact",
    "exact:chains",
    "exact:naive",
    "exact:chains+naive",
    "champion:1",
)
CHANNELS: Final = ("exact", "lost:0.2", "optimistic", "cautious", "late:0.4")


@st.composite
def setups(draw: st.DrawFn, topologies: tuple[str, ...]) -> Setup:
    """Small boards of all kinds, most of them playable for a while."""
    rows, cols = draw(st.integers(3, 9)), draw(st.integers(3, 11))
    rules: Any = Rules(
        start=draw(st.sampled_from(("any", "safe", "zero"))),
        on_mine=draw(st.sampled_from(("end", "continue"))),
        cascade=draw(st.booleans()),
        given_safe=draw(st.sampled_from((0, 0, 3))),
    )
    mines = draw(st.integers(0, max(rows * cols // 4 - rules.given_safe, 0)))
    channel = Channel.parse(draw(st.sampled_from(CHANNELS)))
    first: Any = draw(st.sampled_from((None, "random")))
    topology: Any = draw(st.sampled_from(topologies))
    return Setup(Topology(rows, cols, topology), mines, rules, channel, first)


def without_time(record: GameRecord) -> GameRecord:
    return replace(record, seconds=0.0)


def moves_of(record: GameRecord) -> list[tuple[Any, ...]]:
    return [
        (tuple(row.values()), move.shows)
        for row, move in zip(move_rows(record.moves), record.moves, strict=True)
    ]


@pytest.mark.parametrize(
    "games", [pytest.param(60, id="some"), pytest.param(1000, id="many", marks=pytest.mark.long)]
)
@pytest.mark.parametrize("name", PLAYERS)
def test_a_native_player_plays_like_its_agent(name: str, games: int) -> None:
    agent = agents.get(name)

    @settings(max_examples=games, deadline=None)
    @given(setups(agent.topologies), st.integers(0, 2**64 - 1))
    def check(setup: Setup, seed: int) -> None:
        slow = play(Game(setup, seed), agent, seed=seed)
        (fast,) = play_many([Game(setup, seed)], agent, seeds=[seed], moves=True)
        assert moves_of(fast) == moves_of(slow)
        assert without_time(fast) == without_time(slow)

    check()


@pytest.mark.parametrize("name", PLAYERS)
def test_a_native_player_goes_on_with_a_game_like_its_agent(name: str) -> None:
    agent = agents.get(name)

    @settings(max_examples=40, deadline=None)
    @given(setups(agent.topologies), st.integers(0, 2**32), st.integers(1, 12))
    def check(setup: Setup, seed: int, before: int) -> None:
        game = Game(setup, seed)
        seat = Seat(agents.get("random"))
        seat.begin(seed)
        for _ in range(before):
            decision = None if game.outcome else seat.decide(game.observe())
            if decision is not None:
                carry_out(game, decision, None)
        assume(game.outcome is None)
        slow, fast = game.restarted(), game.restarted()
        for kind, cell in game.moves:
            slow.make(kind, cell)
            fast.make(kind, cell)
        play(slow, agent, seed=seed, begun=True)
        player, told = agent.native(), agent.told
        assert player is not None
        fast.play_out(player, total=told.total, channel=told.channel, seed=agent_seed(seed))
        assert fast.moves == slow.moves

    check()


@pytest.mark.parametrize("steps", [0, 12, 40])
@pytest.mark.parametrize("name", ["border", "border:nosplit", "projection:strict+annealed"])
def test_a_native_player_gives_up_its_searches_like_its_agent(
    name: str, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind in (border, projection):
        monkeypatch.setattr(kind, "STEPS", steps)
    setup = Setup(Topology(8, 12), 20, Rules(on_mine="continue"))
    games = [Game(setup, seed) for seed in range(6)]
    fast = play_many(games, agents.get(name), seeds=range(6), moves=True)
    for seed, record in enumerate(fast):
        slow = play(Game(setup, seed), agents.get(name), seed=seed)
        assert moves_of(record) == moves_of(slow)


def test_every_agent_of_the_reports_has_a_native_player() -> None:
    named = {name.partition(":")[0] for name in PLAYERS}
    assert {name for name in agents.names() if agents.get(name).native()} == named


def test_games_are_equal_in_bulk() -> None:
    game = Game.level("expert", seed=5, rules=Rules(on_mine="continue"))
    (record,) = play_many([game], agents.get("basic"), seeds=[5])
    assert record.moves == ()
    assert record.steps > 10
