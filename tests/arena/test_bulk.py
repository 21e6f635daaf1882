"""Games in bulk: the same as game by game, whatever the number of threads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mineproof import Channel, Game, RandomBoards, Rules, Setup, Topology, agents, play, play_many
from mineproof.arena import play_seeds
from mineproof.arena.bulk import play_columns, play_games

SETUPS = {
    "classic": Setup(Topology(8, 9), 12),
    "zero": Setup(Topology(6, 7), 9, Rules(start="zero")),
    "any": Setup(Topology(5, 6), 6, Rules(start="any")),
    "keep going": Setup(Topology(6, 6), 8, Rules(start="any", on_mine="continue", given_safe=3)),
    "random first": Setup(Topology(6, 6), 7, Rules(start="zero"), first="random"),
    "no cascade": Setup(Topology(5, 5), 4, Rules(cascade=False), first=(2, 2)),
    "lost clues": Setup(Topology(5, 5), 4, channel=Channel.lost(0.2)),
    "late clues": Setup(Topology(5, 5), 4, channel=Channel.late(0.4)),
    "no mines": Setup(Topology(3, 3), 0),
}
GAMES = range(5, 25)


@pytest.mark.parametrize("name", ["exact", "exact:untold", "exact:chains", "basic"])
@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_columns_are_those_of_records(setup: Setup, name: str) -> None:
    agent = agents.get(name)
    columns = play_seeds(setup, agent, GAMES, threads=2)
    records = play_many([Game(setup, seed) for seed in GAMES], agent, seeds=GAMES)
    for column, values in columns.items():
        assert values.tolist() == [getattr(record, column) for record in records], column


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_records_are_those_of_play(setup: Setup) -> None:
    agent = agents.get("exact")
    boards = RandomBoards(setup, count=10, seed=5)
    for number, record in enumerate(play_games(agent, boards, range(10))):
        single = play(boards.game(number), agent, seed=5 + number)
        assert replace(single, seconds=0, moves=()) == replace(record, seconds=0)


@pytest.mark.parametrize("name", ["exact", "basic"])
def test_no_games_are_no_records(name: str) -> None:
    agent, boards = agents.get(name), RandomBoards(SETUPS["classic"], count=1)
    assert play_games(agent, boards, []) == []
    assert not any(play_columns(agent, boards, []).values())


def test_the_number_of_threads_changes_nothing() -> None:
    setup = Setup.level("intermediate")
    one, three = (
        play_seeds(setup, agents.get("exact"), range(60), threads=threads) for threads in (1, 3)
    )
    for column, values in one.items():
        np.testing.assert_array_equal(values, three[column])


def test_no_games_give_empty_columns() -> None:
    columns = play_seeds(Setup.level("easy"), agents.get("exact"), [])
    assert {values.size for values in columns.values()} == {0}


def test_wrong_arguments_are_named() -> None:
    with pytest.raises(ValueError, match="threads"):
        play_seeds(Setup.level("easy"), agents.get("exact"), [1], threads=0)
    with pytest.raises(ValueError, match="seed"):
        play_seeds(Setup.level("easy"), agents.get("exact"), [-1])
