"""All conditions of a game except its seed, as one value."""

from __future__ import annotations

from collections import Counter
from dataclasses import FrozenInstanceError, replace
from pickle import dumps, loads
from typing import Any

import numpy as np
import pytest

from mineproof import LEVELS, Channel, Game, Rules, Topology
from mineproof.position.setup import Setup

ODD = Setup(Topology(4, 6), 5, Rules("zero", "continue", False, 3), Channel.lost(0.25), (1, 2))


def test_a_seed_makes_it_a_game() -> None:
    game = Game(ODD, 7)
    assert game.seed == 7
    assert (game.topology.rows, game.topology.cols, game.mines) == (4, 6, 5)
    assert (game.rules, game.channel, game.first) == (ODD.rules, ODD.channel, (1, 2))
    same = Game(Setup(Topology(4, 6), 5, ODD.rules, ODD.channel, first=(1, 2)), seed=7)
    assert game.board == same.board
    assert game.observation == same.observation
    assert Game(ODD, 8).board != game.board


def test_a_first_cell_is_drawn_by_the_seed() -> None:
    setup = Setup(Topology(4, 6), 5, Rules("zero"), first="random")
    firsts = [Game(setup, seed).first for seed in range(2_000)]
    assert firsts == [Game(setup, seed).first for seed in range(2_000)]
    counts = Counter(firsts)
    assert len(counts) == 24
    # 24 cells with 83 games each on average: five standard deviations.
    assert all(38 < count < 129 for count in counts.values())
    for seed, first in enumerate(firsts[:50]):
        assert first is not None
        assert Game(setup, seed).board == Game(replace(setup, first=first), seed).board
    # The first cell does not depend on where the mines are.
    anywhere = replace(setup, rules=Rules("any"))
    hits = sum(
        bool(game.board.layout[game.first])
        for game in (Game(anywhere, seed) for seed in range(2_000))
    )
    assert abs(hits - 2_000 * 5 / 24) < 5 * (2_000 * 5 / 24 * 19 / 24) ** 0.5
    assert loads(dumps(setup)) == setup


@pytest.mark.parametrize("name", LEVELS)
def test_levels(name: str) -> None:
    setup = Setup.level(name)
    assert setup == LEVELS[name]
    assert (setup.rules, setup.channel, setup.first) == (Rules(), Channel.exact(), None)
    odd = Setup.level(name, rules=ODD.rules, channel=ODD.channel, first=(1, 2))
    assert (odd.rules, odd.channel, odd.first) == (ODD.rules, ODD.channel, (1, 2))


def test_it_is_a_value() -> None:
    assert replace(ODD) == ODD
    assert len({ODD, replace(ODD), replace(ODD, mines=4)}) == 2
    again = loads(dumps(ODD))
    assert again == ODD
    assert Game(again, 5).observation == Game(ODD, 5).observation
    with pytest.raises(FrozenInstanceError):
        ODD.mines = 3  # type: ignore[misc]


def test_numbers_become_plain() -> None:
    rows, cols, mines, *first = np.array([4, 6, 5, 1, 2])
    setup = Setup(Topology(rows, cols), mines, first=(first[0], first[1]))
    assert repr(setup) == repr(Setup(Topology(4, 6), 5, first=(1, 2)))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"topology": (9, 9)}, "topology (9, 9): must be a Topology, such as Topology(9, 9)"),
        ({"mines": -1}, "mines -1: must be a whole number from 0"),
        ({"mines": 24}, "24 mines: the board has room for 0 to 23"),
        ({"first": (4, 0)}, "(4, 0): the board has 4 rows and 6 columns"),
        ({"rules": Rules(given_safe=20)}, "20 given safe cells: the board has 19 safe cells"),
        ({"mines": "many"}, "mines 'many': must be a whole number from 0"),
        ({"rules": "safe"}, "rules 'safe': must be a Rules, such as Rules()"),
        ({"channel": "exact"}, "channel 'exact': must be a Channel, such as"),
        ({"first": 3}, "cell 3: must be a row and a column, such as (0, 3)"),
    ],
)
def test_impossible_setups_are_rejected(changes: Any, sentence: str) -> None:
    with pytest.raises((ValueError, TypeError)) as caught:
        replace(ODD, **changes)
    assert str(caught.value).startswith(sentence)


def test_unknown_levels() -> None:
    with pytest.raises(ValueError, match="level 'brutal': must be easy, beginner"):
        Setup.level("brutal")


def test_every_cell_may_be_mined_where_nothing_is_protected() -> None:
    assert Game(Setup(Topology(3, 3), 9, Rules(start="any")), 1).board.mines == 9
