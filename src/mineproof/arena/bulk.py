"""Many games on random boards in one call: native threads play, and columns come back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import tee
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

__all__ = ["Columns", "play_games", "play_seeds"]

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
        return _records_in_bulk(games, agent, numbers)
    # One game at a time: all games of a large task would fill a lot of memory.
    started, again = tee(games.game(number) for number in numbers)
    return play_many(started, agent, seeds=(game.seed for game in again), moves=moves)


def _records_in_bulk(games: RandomBoards, agent: Agent, numbers: Sequence[int]) -> list[GameRecord]:
    setup = games.setup
    seeds = [games.seed + number for number in numbers]
    started = perf_counter()
    columns = play_seeds(setup, agent, seeds)
    seconds = (perf_counter() - started) / max(len(seeds), 1)
    conditions = conditions_of(agent, setup)
    values = zip(*(column.tolist() for column in columns.values()), strict=True)
    records = []
    for game in values:
        row = conditions | dict(zip(columns, game, strict=True))
        row["outcome"] = Outcome(row["outcome"])
        row["agent_seed"] = row["seed"]
        row["first_row"], row["first_col"] = setup.first_cell(row["seed"]) or (None, None)
        records.append(GameRecord(**row, seconds=seconds, moves=()))
    return records


def _columns_of_records(setup: Setup, agent: Agent, seeds: Sequence[int]) -> dict[str, Any]:
    records = play_many((Game(setup, seed) for seed in seeds), agent, seeds=seeds)
    names = ("seed", "outcome", "won", *_COUNTS, "score")
    columns = {name: np.array([getattr(record, name) for record in records]) for name in names}
    return {**columns, "seed": np.array(seeds, np.uint64)}
