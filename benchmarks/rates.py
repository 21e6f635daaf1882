"""Games a second on one core, by agent and level, records and all."""

from __future__ import annotations

from time import process_time

from benchmarks.report import Report, Track, Value
from mineproof import Setup, agents
from mineproof.lab.run import play_task
from mineproof.lab.study import Task

LEVELS = ("easy", "intermediate", "expert")
FEW, MANY = 50, 1_000
ENOUGH = 0.5
"""Seconds: where a few games take less, many are played."""


def rate(agent: str, level: str, few: int, many: int) -> float:
    """Return the games that are played and written down in a second of a core."""
    for games in (few, many):
        started = process_time()
        play_task(Task(agent, Setup.level(level), 0, games))
        seconds = process_time() - started
        if seconds > ENOUGH:
            break
    return games / seconds


def run(track: Track, quick: bool = False) -> Report:
    """Let every agent play tasks of every level."""
    few, many = (1, 1) if quick else (FEW, MANY)
    rows: list[tuple[Value, ...]] = [
        (name, *(rate(name, level, few, many) for level in LEVELS))
        for name in track(agents.names(), "rates")
    ]
    return Report("rates: games a second on one core", ("", *LEVELS), tuple(rows))
