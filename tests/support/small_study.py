"""A cheap study for tests, with many tasks, with and without probes.

To run it so slowly that it can be killed in its middle:
python tests/support/small_study.py DIR WORKERS
"""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import replace
from pathlib import Path

import polars as pl

from mineproof import Game, GameRecord, Rules, Setup, Topology
from mineproof.lab.archive import Archive
from mineproof.lab.coverage import missing
from mineproof.lab.probes import Probe
from mineproof.lab.record_file import TIMINGS, kind_of
from mineproof.lab.run import run
from mineproof.lab.study import Arm, Study, grid
from mineproof.position.model import Channel

SETUPS = (
    Setup(Topology(6, 6), 6),
    Setup(Topology(8, 8), 12, Rules("any", "continue", cascade=False, given_safe=3)),
    Setup(Topology(7, 7), 8, Rules("any"), Channel.parse("lost:0.2")),
)
STUDY = Study(
    "small",
    title="Small boards",
    question="Who wins on small boards?",
    arms=(
        *grid(["random", "noisy-or"], SETUPS, at=lambda setup: {"mines": setup.mines}),
        *grid(["noisy-or"], SETUPS[:1], at=lambda setup: {}, probe="guesses"),
        *grid(["noisy-or"], SETUPS[:1], at=lambda setup: {}, probe="effort"),
    ),
    games=150,
    quick=20,
    answer=lambda findings: [f"{findings.games} games were played.", "No more is known."],
)
TASKS = tuple(missing(STUDY.tasks(STUDY.games), ()))
"""What a run plays: the games of the plain arm that arms with probes share are played there."""
FILES = len({(kind_of(task.description), task.first) for task in TASKS})
"""How many files there are then: what two probes measure of a game is in one."""


def _fail(game: Game, record: GameRecord) -> dict[str, int]:
    if game.seed == 120:
        raise LookupError("no idea")
    return {}


def _die(game: Game, record: GameRecord) -> dict[str, int]:
    if game.seed == 120:
        os.kill(os.getpid(), signal.SIGKILL)
    return {}


def _fill_memory(game: Game, record: GameRecord) -> dict[str, int]:
    """Keep memory for good, in pieces, until there is none."""
    while game.seed == 120:
        _KEPT.append(bytes(2**24))
    return {}


def _count_threads(game: Game, record: GameRecord) -> dict[str, int]:
    return {"threads": pl.thread_pool_size()}


_KEPT: list[bytes] = []
FAIL = Probe({}, _fail)
FILL_MEMORY = Probe({}, _fill_memory)
DIE = Probe({}, _die)
THREADS = Probe({"threads": pl.Int64}, _count_threads)


def probed(probe: str) -> Study:
    """A study of four tasks, in the third of which a probe goes wrong."""
    arms = (Arm("random", SETUPS[0], probe=f"small_study:{probe}"),)
    return replace(STUDY, arms=arms, games=200)


HUNGRY = replace(probed("FILL_MEMORY"), name="hungry")


def contents(directory: str | Path) -> dict[str, pl.DataFrame]:
    """Return all records of a directory by task, without timings."""
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
    run([STUDY], sys.argv[1], workers=int(sys.argv[2]), progress=lambda state: time.sleep(0.1))
