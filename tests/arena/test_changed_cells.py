"""An agent that looks only at the cells that have changed misses nothing and sees none in vain."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof import (
    Action,
    Agent,
    Channel,
    Decision,
    Game,
    Observation,
    Rules,
    Setup,
    Topology,
    play,
)
from mineproof.agents.agent import Told
from mineproof.agents.seat import Seat
from mineproof.arena.play import carry_out
from mineproof.position.topology import TOPOLOGIES, Cell, TopologyKind
from mineproof.random import Random


class Follower(Agent):
    """Keeps a table by what has changed, and moves in every way that there is."""

    name = "follower"

    def begin(self, seed: int) -> None:
        super().begin(seed)
        self.table: dict[Cell, int] = {}

    def decide(self, observation: Observation) -> Decision | None:
        codes = {cell: observation.code(cell) for cell in observation.changed}
        assert all(self.table.get(cell) != code for cell, code in codes.items())
        self.table |= codes
        cells = observation.topology.each()
        assert self.table == {cell: observation.code(cell) for cell in cells}
        draw = self.random.uniform()
        flagged, closed = observation.flagged_cells(), observation.openable_cells()
        if draw < 0.2 and flagged:
            return Decision((Action("unflag", self.random.pick(flagged)),))
        if draw < 0.4:
            closed = [cell for cell in closed if self.table[cell] == -1]
            return Decision.certain("", mines=closed[:2]) if closed else None
        return Decision.guess(self.random.pick(closed), "") if draw < 0.9 and closed else None


class Untold(Follower):
    """Sees another observation than the game shows."""

    told = Told()


channels = st.sampled_from([Channel.exact(), Channel.lost(0.3), Channel.late(0.3)])
rules = st.builds(
    Rules, st.sampled_from(["any", "zero"]), st.sampled_from(["end", "continue"]), st.booleans()
)


@given(
    kind=st.sampled_from(TOPOLOGIES),
    rules=rules,
    channel=channels,
    follower=st.sampled_from([Follower, Untold]),
    flags=st.floats(0, 0.3),
    seed=st.integers(0, 2**32),
)
def test_a_table_kept_by_what_has_changed_is_the_observation(
    kind: TopologyKind,
    rules: Rules,
    channel: Channel,
    follower: type[Follower],
    flags: float,
    seed: int,
) -> None:
    game = Game(Setup(Topology(5, 6, kind), 5, rules, channel), seed=seed)
    person, seat = Random(seed), Seat(follower())
    seat.begin(seed)
    for _ in range(40):
        for cell in game.observation.closed_cells():
            if game.outcome is None and person.uniform() < flags and game.code(cell) in (-1, -2):
                game.make("flag" if game.code(cell) == -1 else "unflag", cell)
        if game.outcome is not None:
            break
        decision = seat.decide(game.observe(since=seat.seen))
        if decision is not None:
            carry_out(game, decision, seat.seen)
        elif pending := game.observation.pending_cells():
            game.wait(pending[0])


@pytest.mark.parametrize("channel", [Channel.exact(), Channel.late(0.3)], ids=str)
def test_games_that_are_played_and_continued(channel: Channel) -> None:
    agent = Follower()
    for seed in range(20):
        game = Game(Setup(Topology(6, 7), 8, Rules(on_mine="continue"), channel), seed=seed)
        game.open((0, 0))
        play(game, agent, seed=seed, begun=True)
        play(game.restarted(), agent, seed=seed)


def test_a_clue_that_arrives_has_changed() -> None:
    game = Game(Setup(Topology(6, 6), 5, Rules("safe"), Channel.late(0)), seed=1)
    closed = game.observation
    game.open((0, 0))
    opened = game.observe(since=closed)
    game.wait((0, 0))
    assert opened.changed == game.observe(since=opened).changed == [(0, 0)]


def test_it_is_no_part_of_the_value_but_goes_with_it() -> None:
    first, second = (Observation.from_text(text, mines=1) for text in ("...", "1F."))
    later = second.since(first)
    assert later == second
    assert hash(later) == hash(second)
    assert repr(later) == repr(second)
    for copy in (later, pickle.loads(pickle.dumps(later)), later.since(first)):
        assert copy == later
        assert copy.changed == [(0, 0), (0, 1)]
    assert later.since(second).changed == []
    everything = [(0, 0), (0, 1), (0, 2)]
    assert second.changed == later.since(None).changed == everything
    assert later.without(flags=[(0, 1)]).changed == everything
    with pytest.raises(ValueError, match="before: 1x2, expected 1x3"):
        second.since(Observation(Topology(1, 2), np.array([[1, -1]])))
