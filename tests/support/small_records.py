"""Record files for tests, without playing their games."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from mineproof import Game, GameRecord, Setup, agents, play
from mineproof.arena.bulk import columns_of
from mineproof.lab.record_file import encode
from mineproof.lab.study import Task

EASY = Setup.level("easy")
TASK = Task("exact", EASY, first=0, games=2)


@cache
def record() -> GameRecord:
    return replace(play(Game(EASY, 0), agents.get("exact"), seed=0), moves=())


def data(task: Task = TASK) -> bytes:
    """The record file of a task."""
    seeds = range(task.first, task.first + task.games)
    return encode(task, columns_of([replace(record(), seed=seed) for seed in seeds]))
