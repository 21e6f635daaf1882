"""Plays many games with several agents, on as many processes as wanted.

Every game is a matter of its own seed, so neither the processes nor the order in which batches
come back change any record but for the agents' time.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import active_children, get_context
from typing import Final, TypeAlias

from mineproof.agents.agent import Agent
from mineproof.arguments import whole
from mineproof.games import Games
from mineproof.play import play_many
from mineproof.records import GameRecord

__all__ = ["AgentFailed", "Batch", "cores", "play_batches"]

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


def cores() -> int:
    """Return how many processors this process may use.

    Examples
    --------
    >>> cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
            yield Batch(agent, numbers.start, _play(agents[agent], games, numbers))


def _play(agent: Agent, games: Games, numbers: Sequence[int]) -> list[GameRecord]:
    started = [games.game(number) for number in numbers]
    try:
        return play_many(started, agent, seeds=[game.seed for game in started])
    except Exception as error:  # whatever an agent raises
        if len(numbers) == 1:
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise AgentFailed(
                f"agent {agent.name!r} failed in the game of seed {started[0].seed}: {reason}"
            ) from error
    # One after the other, to learn in which game it fails.
    return [record for number in numbers for record in _play(agent, games, [number])]


def _play_elsewhere(
    agents: Sequence[Agent], games: Games, tasks: Sequence[_Task], workers: int
) -> Iterator[Batch]:
    with _pool(workers, agents, games) as pool:
        # Workers inherit the silence: an interruption is for this process to handle.
        with _uninterrupted():
            finished = as_completed([pool.submit(_work, task) for task in tasks])
        for future in finished:
            yield future.result()


@contextmanager
def _pool(workers: int, agents: Sequence[Agent], games: Games) -> Iterator[ProcessPoolExecutor]:
    """Start workers that hold the agents and the games; whatever goes wrong ends them at once."""
    others = set(active_children())
    # Forking a process that has threads is not safe.
    spawn = get_context("spawn")
    pool = ProcessPoolExecutor(workers, spawn, initializer=_prepare, initargs=(agents, games))
    try:
        yield pool
    except BaseException as error:
        for process in set(active_children()) - others:
            process.terminate()
        if isinstance(error, BrokenProcessPool):
            raise BrokenProcessPool(
                "a worker process could not start or was killed; agents of your own have to be "
                "importable, and a script with workers needs if __name__ == '__main__'"
            ) from error
        raise
    finally:
        pool.shutdown(cancel_futures=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let an interruption wait."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# What a worker was prepared with.
_agents: Sequence[Agent] = ()
_games: Games


def _prepare(agents: Sequence[Agent], games: Games) -> None:
    global _agents, _games
    _agents, _games = agents, games
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _work(task: _Task) -> Batch:
    agent, numbers = task
    return Batch(agent, numbers.start, _play(_agents[agent], _games, numbers))
