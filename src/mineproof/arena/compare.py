"""Comparing agents on the same boards."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof import statistics
from mineproof.agents import registry
from mineproof.agents.agent import Agent
from mineproof.arena.boards import FixedBoards, Games
from mineproof.arena.bulk import play_games
from mineproof.arena.workers import finish_tasks
from mineproof.arguments import sentence, whole
from mineproof.game.records import GameRecord
from mineproof.position.rules import OnMine
from mineproof.statistics import Estimate

__all__ = ["COLUMNS", "ComparisonStopped", "Result", "compare", "play_batches", "result_of"]

COLUMNS: Final = ("won", "score", "wrong_flags", "hits", "steps", "guesses", "seconds")
"""What `compare` keeps of a record."""

_MOST: Final = 64
"""A batch of this many games is worth a message between processes, and still shows progress."""

_Batch: TypeAlias = tuple[int, range]
"""An agent, by its place, and the numbers of its games."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one of several compared agents.

    Parameters
    ----------
    agent
        Its name.
    on_mine
        Whether a mine ended a game.
    games, wins
        How many games it played, and how many of them it won.
    win_rate, score
        The share of games won and the mean score, with 95% intervals.
    wrong_flags, hits, steps, guesses, ms_per_game
        Means over the games.
    win_rate_difference, score_difference
        How much it exceeds the first agent, board by board; None for the first agent itself.

    Examples
    --------
    >>> from mineproof import RandomBoards, Setup
    >>> [result] = compare(["exact"], RandomBoards(Setup.level("easy"), count=10))
    >>> print(result.win_rate)
    0.8 (0.4902 to 0.9433)
    """

    agent: str
    on_mine: OnMine
    games: int
    wins: int
    win_rate: Estimate
    score: Estimate
    wrong_flags: float
    hits: float
    steps: float
    guesses: float
    ms_per_game: float
    win_rate_difference: Estimate | None = None
    score_difference: Estimate | None = None

    @property
    def difference(self) -> Estimate | None:
        """The difference to look at: of win rates, or of scores if play continues after a mine.

        A game that continues counts as won only if no mine exploded, which is too rare to tell
        agents apart.
        """
        return self.win_rate_difference if self.on_mine == "end" else self.score_difference

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `mineproof compare --json` prints them."""
        difference = self.difference
        return {
            "agent": self.agent,
            "games": self.games,
            "wins": self.wins,
            "win_rate": self.win_rate.value,
            "low": self.win_rate.low,
            "high": self.win_rate.high,
            "score": self.score.value,
            "wrong_flags": self.wrong_flags,
            "hits": self.hits,
            "steps": self.steps,
            "guesses": self.guesses,
            "ms_per_game": self.ms_per_game,
            "difference": None if difference is None else difference.value,
            "difference_low": None if difference is None else difference.low,
            "difference_high": None if difference is None else difference.high,
        }


class ComparisonStopped(KeyboardInterrupt):
    """A comparison was interrupted; `results` are over the games that all agents have finished.

    There are no results if there is no such game.
    """

    def __init__(self, results: Sequence[Result]) -> None:
        super().__init__()
        self.results = list(results)


def compare(
    agents: Sequence[str | type[Agent] | Agent],
    games: Games,
    *,
    workers: int = 1,
    progress: Callable[[int], object] | None = None,
) -> list[Result]:
    """Let all agents play the same games and compare each with the first.

    Parameters
    ----------
    agents
        Names, or agents of your own: their classes, or the agents themselves.
    games
        What they play: `RandomBoards` or `FixedBoards`.
    workers
        How many processes play; 1 plays in this one. The number changes nothing but the time.
    progress
        Receives from time to time how many more games were played.

    Raises
    ------
    AgentFailed
        If an agent raises an error.
    ComparisonStopped
        If Ctrl-C interrupts the comparison; it has the results so far.

    Examples
    --------
    >>> from mineproof import RandomBoards, Setup
    >>> results = compare(["exact", "random"], RandomBoards(Setup.level("easy"), count=100))
    >>> [(result.agent, result.wins) for result in results]
    [('exact', 88), ('random', 0)]
    >>> print(results[1].difference)
    -0.88 (-0.93 to -0.8019)
    """
    if isinstance(agents, str) or not isinstance(agents, Sequence) or not agents:
        raise TypeError(sentence("agents", agents, "a list, such as ['exact', 'random']"))
    players = [registry.make(agent) for agent in agents]
    if not (hasattr(games, "game") and hasattr(games, "__len__")):
        such_as = "RandomBoards(Setup.level('easy'), count=100)"
        must = f"RandomBoards or FixedBoards, such as {such_as}"
        raise TypeError(sentence("games", games, must))
    # Random boards have one topology, given ones may have several.
    shown = games.boards if isinstance(games, FixedBoards) else [games.game(0)]
    for player in players:
        for topology in {each.topology for each in shown}:
            player.check_topology(topology)
    columns = np.full((len(COLUMNS), len(players), len(games)), np.nan)
    try:
        with closing(play_batches(players, games, workers=workers)) as batches:
            for (place, numbers), records in batches:
                for column, name in zip(columns, COLUMNS, strict=True):
                    values = [getattr(record, name) for record in records]
                    column[place, numbers.start : numbers.stop] = values
                if progress is not None:
                    progress(len(records))
    except KeyboardInterrupt:
        finished = ~np.isnan(columns).any(axis=(0, 1))
        results = _results(players, games, columns[:, :, finished]) if finished.any() else []
        raise ComparisonStopped(results) from None
    return _results(players, games, columns)


def _results(players: Sequence[Agent], games: Games, columns: NDArray[np.float64]) -> list[Result]:
    on_mine = games.game(0).rules.on_mine
    return [
        result_of(player.name, on_mine, columns[:, place], columns[:, 0] if place else None)
        for place, player in enumerate(players)
    ]


def play_batches(
    agents: Sequence[Agent], games: Games, *, workers: int = 1, size: int | None = None
) -> Generator[tuple[_Batch, list[GameRecord]], None, None]:
    """Let every agent play every game, and yield batches of records in the order they finish.

    A batch has at most `size` games. It comes as the agent's place, the numbers of its games, and
    their records.
    """
    workers = whole("workers", workers, 1)
    if workers > 1:
        for agent in agents:
            registry.check_importable(agent)
    if size is None:
        # Several batches per worker, so that no worker waits long for the last one.
        size = max(1, min(_MOST, len(games) // (8 * workers)))
    size = whole("size", size, 1)
    batches = (
        (place, range(first, min(first + size, len(games))))
        for first in range(0, len(games), size)
        for place in range(len(agents))
    )
    return finish_tasks(partial(_play_batch, agents, games), batches, workers=workers)


def _play_batch(agents: Sequence[Agent], games: Games, batch: _Batch) -> list[GameRecord]:
    agent, numbers = batch
    return play_games(agents[agent], games, numbers)


def result_of(
    name: str,
    on_mine: OnMine,
    columns: NDArray[np.float64],
    reference: NDArray[np.float64] | None,
) -> Result:
    """Return the result of an agent from its `COLUMNS` by game, and those of another agent."""
    won, score = columns[:2]
    wins, games = int(won.sum()), won.size
    wrong_flags, hits, steps, guesses, seconds = (float(column.mean()) for column in columns[2:])
    win_rate_difference = score_difference = None
    if reference is not None:
        gained, lost = (int((won - reference[0] == change).sum()) for change in (1, -1))
        win_rate_difference = statistics.share_difference(gained, lost, games)
        score_difference = statistics.mean(score - reference[1], bounds=(-1, 1))
    return Result(
        agent=name,
        on_mine=on_mine,
        games=games,
        wins=wins,
        win_rate=statistics.share(wins, games),
        score=statistics.mean(score, bounds=(0, 1)),
        wrong_flags=wrong_flags,
        hits=hits,
        steps=steps,
        guesses=guesses,
        ms_per_game=1000 * seconds,
        win_rate_difference=win_rate_difference,
        score_difference=score_difference,
    )
