"""Many games on random boards in one call: native threads play, and columns come back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import repeat, tee
from operator import attrgetter
from time import perf_counter
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof import _core
from mineproof.agents.agent import Agent
from mineproof.agents.seat import native_of
from mineproof.arena.boards import Games, RandomBoards
from mineproof.arena.play import check_agent, conditions_of, play_many
from mineproof.arguments import instance, whole
from mineproof.game.game import Game, Outcome
from mineproof.game.records import GameRecord
from mineproof.position.setup import Setup
from mineproof.random import agent_seed, check_seed

__all__ = ["Columns", "columns_of", "play_columns", "play_games", "play_seeds"]

Columns: TypeAlias = Mapping[str, NDArray[Any]]
"""Values of many games by the names of a record's columns."""

_MOST_THREADS: Final = 1024
_COUNTS: Final = (
    "hits",
    "opened",
    "steps",
    "actions",
    "guesses",
    "certain",
    "identified",
    "wrong_flags",
)
_NAMES: Final = tuple(field.name for field in fields(GameRecord) if field.name != "moves")
_OUTCOMES: Final = MappingProxyType(
    {
        _core.Status.playing.value: Outcome.STUCK.value,
        _core.Status.won.value: Outcome.WON.value,
        _core.Status.lost.value: Outcome.LOST.value,
        _core.Status.finished.value: Outcome.FINISHED.value,
    }
)


def play_seeds(
    setup: Setup, agent: Agent, seeds: Sequence[int], *, threads: int = 1
) -> dict[str, NDArray[Any]]:
    """Play a game on the random board of each seed, and return columns.

    The columns are those of the records of `play_many`, except those that say the same in all
    games, and the agent's time. Each seed is also that of the agent's randomness.

    Parameters
    ----------
    setup
        The conditions of all games.
    agent
        Who plays. An agent without a native player plays in this thread, move by move.
    seeds
        One per game.
    threads
        How many native threads play. The number changes nothing but the time.

    Examples
    --------
    >>> from mineproof import Setup, agents
    >>> games = play_seeds(Setup.level("easy"), agents.get("exact"), range(100), threads=2)
    >>> int(games["won"].sum()), float(games["score"].mean().round(3))
    (88, 0.907)
    """
    instance("setup", setup, Setup, "Setup.level('easy')")
    check_agent(agent)
    threads = whole("threads", threads, 1, _MOST_THREADS)
    words = [check_seed(seed) for seed in seeds]
    native = native_of(agent)
    if native is None:
        return _columns_of_records(setup, agent, words)
    agent.check_topology(setup.topology)
    rows = _core.play_seeds(
        native,
        setup.native,
        agent.told.total,
        agent.told.channel,
        np.array(words, np.uint64),
        np.array([agent_seed(word) for word in words], np.uint64),
        threads,
    ).reshape(len(words), 1 + len(_COUNTS))
    counts = dict(zip(_COUNTS, rows[:, 1:].T, strict=True))
    outcome = np.array([_OUTCOMES[status] for status in rows[:, 0].tolist()], dtype=np.str_)
    faultless = (counts["hits"] == 0) & (counts["wrong_flags"] == 0)
    won = (outcome == Outcome.WON.value) | ((outcome == Outcome.FINISHED.value) & faultless)
    return {
        "seed": np.array(words, np.uint64),
        "outcome": outcome,
        "won": won,
        **counts,
        "score": counts["identified"] / setup.mines if setup.mines else np.ones(len(words)),
    }


def play_games(
    agent: Agent, games: Games, numbers: Sequence[int], *, moves: bool = False
) -> list[GameRecord]:
    """Play some of many games, by their numbers.

    Each game's seed is also that of the agent's randomness. The records are those of `play`, except
    for the agent's time: if games on random boards are played in bulk, each record has the mean.
    """
    if isinstance(games, RandomBoards) and not moves and native_of(agent) is not None:
        return _records(play_columns(agent, games, numbers))
    # One game at a time: all games of a large task would fill a lot of memory.
    started, again = tee(games.game(number) for number in numbers)
    return play_many(started, agent, seeds=(game.seed for game in again), moves=moves)


def play_columns(agent: Agent, games: RandomBoards, numbers: Sequence[int]) -> dict[str, list[Any]]:
    """Play some of many games, and return all that records say of them, except the moves.

    Examples
    --------
    >>> from mineproof import Setup, agents
    >>> games = RandomBoards(Setup.level("easy"), count=100)
    >>> play_columns(agents.get("exact"), games, range(3))["won"]
    [False, False, True]
    """
    if native_of(agent) is None:
        return columns_of(play_games(agent, games, numbers))
    setup = games.setup
    seeds = [games.seed + number for number in numbers]
    started = perf_counter()
    columns = {name: values.tolist() for name, values in play_seeds(setup, agent, seeds).items()}
    seconds = (perf_counter() - started) / max(len(seeds), 1)
    drawn = setup.first == "random"
    firsts = map(setup.first_cell, seeds) if drawn else repeat(setup.first_cell(), len(seeds))
    places = [first or (None, None) for first in firsts]
    same = {**conditions_of(agent, setup), "seconds": seconds}
    return {
        **{name: [value] * len(seeds) for name, value in same.items()},
        **columns,
        "agent_seed": seeds,
        "first_row": [row for row, _ in places],
        "first_col": [col for _, col in places],
    }


def columns_of(records: Sequence[GameRecord]) -> dict[str, list[Any]]:
    """Return all that records say, except the moves, as columns."""
    return {name: [*map(attrgetter(name), records)] for name in _NAMES}


def _records(columns: Mapping[str, list[Any]]) -> list[GameRecord]:
    outcomes = map(Outcome, columns["outcome"])
    games = zip(*{**columns, "outcome": list(outcomes)}.values(), strict=True)
    return [GameRecord(**dict(zip(columns, game, strict=True)), moves=()) for game in games]


def _columns_of_records(setup: Setup, agent: Agent, seeds: Sequence[int]) -> dict[str, Any]:
    records = play_many((Game(setup, seed) for seed in seeds), agent, seeds=seeds)
    names = ("seed", "outcome", "won", *_COUNTS, "score")
    columns = {name: np.array([getattr(record, name) for record in records]) for name in names}
    return {**columns, "seed": np.array(seeds, np.uint64)}
