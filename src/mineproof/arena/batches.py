"""Plays many games with several agents, on as many processes as wanted.

Every game is a matter of its own seed, so neither the processes nor the order in which batches
come back change any record but for the agents' time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import tee
from queue import SimpleQueue
from typing import Final, TypeAlias

from mineproof.agents.agent import Agent
from mineproof.arena.boards import Games
from mineproof.arena.play import play_many
from mineproof.arena.processes import process_pool, uninterrupted
from mineproof.arguments import whole
from mineproof.game.records import GameRecord

__all__ = ["AgentFailed", "Batch", "play_batches", "play_games"]

_MOST: Final = 64
"""So many games at once are worth a message between processes, and still show progress."""

_Task: TypeAlias = tuple[int, range]
"""An agent by its place, and the numbers of the games that it is to play."""


class AgentFailed(RuntimeError):
    """An agent raised an error in the middle of a game; the message names it and the seed."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Consecutive games of one agent.

    Parameters
    ----------
    agent
        Which agent, by its place among those that play.
    first
        The number of the first game.
    records
        The games, in order and without their moves.
    """

    agent: int
    first: int
    records: list[GameRecord]


def play_batches(
    agents: Sequence[Agent], games: Games, *, workers: int = 1, size: int | None = None
) -> Iterator[Batch]:
    """Let every agent play every game, a batch at a time; batches come in any order.

    Parameters
    ----------
    agents
        Who plays.
    games
        What they play.
    workers
        How many processes play; 1 plays in this one. Where there are more, a script needs the
        usual ``if __name__ == "__main__":``, and agents must be importable.
    size
        How many games make a batch, at most; chosen by their number where none is given.

    Raises
    ------
    AgentFailed
        If an agent raises an error.
    BrokenProcessPool
        If a worker cannot start or is killed.

    Examples
    --------
    >>> from mineproof import RandomBoards, Setup, agents
    >>> games = RandomBoards(Setup.level("easy"), count=10)
    >>> batches = play_batches([agents.get("exact")], games, size=4)
    >>> [(batch.first, sum(record.won for record in batch.records)) for batch in batches]
    [(0, 2), (4, 4), (8, 2)]
    """
    workers = whole("workers", workers, 1)
    if size is None:
        # Several for every worker, so that none waits long for the last.
        size = max(1, min(_MOST, len(games) // (8 * workers)))
    size = whole("size", size, 1)
    tasks = [
        (agent, range(first, min(first + size, len(games))))
        for first in range(0, len(games), size)
        for agent in range(len(agents))
    ]
    workers = min(workers, len(tasks))
    if workers > 1:
        yield from _play_elsewhere(agents, games, tasks, workers)
    else:
        for agent, numbers in tasks:
            yield Batch(agent, numbers.start, play_games(agents[agent], games, numbers))


def play_games(
    agent: Agent, games: Games, numbers: Sequence[int], *, moves: bool = False
) -> list[GameRecord]:
    """Let an agent play some of many games, in this process.

    Parameters
    ----------
    agent
        Who plays.
    games, numbers
        What, and which of them.
    moves
        Whether the records hold the moves.

    Raises
    ------
    AgentFailed
        If the agent raises an error.
    """
    # One at a time: all games of a large task would fill a lot of memory.
    started, again = tee(games.game(number) for number in numbers)
    try:
        return play_many(started, agent, seeds=(game.seed for game in again), moves=moves)
    except Exception as error:  # whatever an agent raises
        if len(numbers) == 1:
            seed = games.game(numbers[0]).seed
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise AgentFailed(
                f"agent {agent.name!r} failed in the game of seed {seed}: {reason}"
            ) from error
    # One after the other, to learn in which game it fails.
    return [
        record for number in numbers for record in play_games(agent, games, [number], moves=moves)
    ]


def _play_elsewhere(
    agents: Sequence[Agent], games: Games, tasks: Sequence[_Task], workers: int
) -> Iterator[Batch]:
    with process_pool(workers, _prepare, agents, games) as pool:
        # Unlike waiting for futures, waiting at this queue may be interrupted at any moment.
        finished: SimpleQueue[Future[Batch]] = SimpleQueue()
        with uninterrupted():
            for task in tasks:
                pool.submit(_work, task).add_done_callback(finished.put)
        for _ in tasks:
            yield finished.get().result()


# What a worker was prepared with.
_agents: Sequence[Agent] = ()
_games: Games


def _prepare(agents: Sequence[Agent], games: Games) -> None:
    global _agents, _games
    _agents, _games = agents, games


def _work(task: _Task) -> Batch:
    agent, numbers = task
    return Batch(agent, numbers.start, play_games(_agents[agent], _games, numbers))
