"""Plays one task: what a worker does, wherever it is."""

from __future__ import annotations

from mineproof.agents import registry
from mineproof.arena.batches import play_games
from mineproof.arena.boards import RandomBoards
from mineproof.lab.probes import find_probe
from mineproof.lab.record_files import encode
from mineproof.lab.study import Task
from mineproof.version import code_version

__all__ = ["play_task"]


def play_task(task: Task) -> bytes:
    """Play the games of a task and return their record file.

    Raises
    ------
    AgentFailed
        If the agent raises an error.
    """
    probe = None if task.probe is None else find_probe(task.probe)
    games = RandomBoards(task.setup, task.games, task.first)
    numbers = range(task.games)
    records = play_games(registry.get(task.agent), games, numbers, moves=probe is not None)
    extra = None if probe is None else probe.frame([games.game(n) for n in numbers], records)
    return encode(task, code_version(), records, extra)
