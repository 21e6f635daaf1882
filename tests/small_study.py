"""A study for tests: cheap, of many tasks, with and without probes; as a program, it is run.

    python tests/small_study.py DIR WORKERS
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

from mineproof import Game, GameRecord, Rules, Setup
from mineproof.archive import TIMINGS, Archive
from mineproof.lab import run
from mineproof.model import Channel
from mineproof.probes import Probe
from mineproof.study import Study, grid

SETUPS = (
    Setup(6, 6, 6),
    Setup(8, 8, 12, Rules("any", "continue", cascade=False, given_safe=3)),
    Setup(7, 7, 8, Rules("any"), Channel.parse("lost:0.2")),
)
STUDY = Study(
    "small",
    title="Small boards",
    question="Who wins on small boards?",
    arms=(
        *grid(["random", "exact"], SETUPS, at=lambda setup: {"mines": setup.mines}),
        *grid(["exact"], SETUPS[:1], at=lambda setup: {}, probe="guesses"),
        *grid(["exact"], SETUPS[:1], at=lambda setup: {}, probe="effort"),
    ),
    games=150,
    quick=20,
)
TASKS = tuple(STUDY.tasks(STUDY.games))


def _threads(game: Game, record: GameRecord) -> dict[str, int]:
    return {"threads": pl.thread_pool_size()}


THREADS = Probe({"threads": pl.Int64}, _threads)


def contents(directory: str | Path) -> dict[str, pl.DataFrame]:
    """All that a directory holds, timings aside, by file."""
    archive = Archive(directory)
    return {
        task: pl.read_parquet(archive.records / f"{task}.parquet").select(pl.exclude(TIMINGS))
        for task in archive.held()
    }


def assert_same(some: dict[str, pl.DataFrame], others: dict[str, pl.DataFrame]) -> None:
    assert some.keys() == others.keys()
    for task, frame in some.items():
        assert frame.equals(others[task]), task


if __name__ == "__main__":
    run([STUDY], sys.argv[1], workers=int(sys.argv[2]))
