"""What the laboratory adds to the play of bulk games, and what a second worker gains."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any
from unittest.mock import patch

from benchmarks.report import Report, Target, Track, Value, at_least, at_most
from benchmarks.timing import timed
from mineproof import Setup
from mineproof.arena.bulk import play_columns
from mineproof.lab.run import Progress
from mineproof.lab.run import run as run_studies
from mineproof.lab.study import Arm, Study

LEVELS = ("easy", "expert")
GAMES = 40_000
WARM = 4_000
"""Games after which all workers have started."""
TURNS = 3


def study(level: str) -> Study:
    """Let exact play a level."""
    arms = (Arm("exact", Setup.level(level)),)
    return Study(f"bulk-{level}", level, "How fast?", arms, games=GAMES, quick=GAMES)


@dataclass
class Stopwatch:
    """A call that adds up the seconds that it takes.

    Examples
    --------
    >>> watch = Stopwatch(max)
    >>> watch(1, 2), watch.seconds > 0
    (2, True)
    """

    call: Callable[..., Any]
    seconds: float = 0.0

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it."""
        seconds, result = timed(lambda: self.call(*args, **kwargs))
        self.seconds += seconds
        return result


@dataclass
class Pace:
    """Hears how a run comes along, and says how fast it was while all workers were at work.

    Examples
    --------
    >>> Pace(workers=1, warm=0, times=[(0.0, 100), (1.5, 150), (2.0, 300)]).games_a_second
    100.0
    """

    workers: int
    warm: int
    times: list[tuple[float, int]] = field(default_factory=list)

    def __call__(self, progress: Progress) -> None:
        """Note the time."""
        if progress.games_done >= self.warm and len(progress.running) >= self.workers:
            self.times.append((perf_counter(), progress.games_done))

    @property
    def games_a_second(self) -> float:
        """How many games were finished a second."""
        (started, before), (ended, after) = self.times[0], self.times[-1]
        return (after - before) / max(ended - started, 1e-9)


def in_and_around_play(level: str, games: int) -> tuple[float, float]:
    """Return the seconds of play in a study, boards and records included, and of all around it.

    Both are of one run: what slows the machine slows both.
    """
    play = Stopwatch(play_columns)
    with TemporaryDirectory() as out, patch("mineproof.lab.run.play_columns", play):
        seconds, _ = timed(lambda: run_studies([study(level)], out, games=games))
    return play.seconds, seconds - play.seconds


def pace(level: str, games: int, workers: int, warm: int) -> float:
    """Return the games a second that some workers play."""
    heard = Pace(workers, warm)
    with TemporaryDirectory() as out:
        run_studies([study(level)], out, games=games, workers=workers, progress=heard)
    return heard.games_a_second


def run(track: Track, quick: bool = False) -> Report:
    """Time studies of one level each."""
    games, warm, turns, levels = (
        (6_000, 0, 1, LEVELS[:1]) if quick else (GAMES, WARM, TURNS, LEVELS)
    )
    rows: list[tuple[Value, ...]] = []
    targets: list[Target] = []
    for level in levels:
        found = [
            (
                in_and_around_play(level, games),
                pace(level, games, 1, warm),
                pace(level, games, 2, warm),
            )
            for _ in track(range(turns), f"lab: {level}")
        ]
        split, one, two = zip(*found, strict=True)
        played, around = min(split, key=lambda seconds: sum(seconds))
        share = 100 * around / played
        times = median(after / before for before, after in zip(one, two, strict=True))
        rows.append(
            (level, 1e6 * played / games, 1e6 * around / games, share, max(one), max(two), times)
        )
        targets += [
            at_most(f"{level}: overhead, % of the play", share, 5, timed=True),
            at_least(f"{level}: throughput of two workers, times one", times, 1.8, timed=True),
        ]
    columns = ("a game", "play, µs", "more, µs", "more, %", "one worker, a second", "two", "times")
    return Report(f"lab: {games:,} games a level by exact", columns, tuple(rows), tuple(targets))
