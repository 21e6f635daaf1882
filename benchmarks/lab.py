"""What the laboratory adds to the play of bulk games, and what a second worker gains."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.report import Report, Target, Track, Value, at_least, at_most
from benchmarks.timing import side_by_side
from mineproof import GameRecord, Setup, agents, lab, play_many
from mineproof.study import Arm, Study

LEVELS = ("easy", "expert")
GAMES = 24_000
WARM = 4_000
"""Games after which all workers have started and tasks are large."""
TURNS = 3


def study(level: str) -> Study:
    """Let exact play a level."""
    arms = (Arm("exact", Setup.level(level)),)
    return Study(f"bulk-{level}", level, "How fast?", arms, games=GAMES, quick=GAMES)


def bare(level: str, games: int) -> list[GameRecord]:
    """Lay the boards and play them, and keep nothing."""
    setup = Setup.level(level)
    laid = (setup.game(seed) for seed in range(games))
    return play_many(laid, agents.get("exact"), seeds=range(games))


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

    def __call__(self, progress: lab.Progress) -> None:
        """Note the time."""
        if progress.games_done >= self.warm and len(progress.running) >= self.workers:
            self.times.append((perf_counter(), progress.games_done))

    @property
    def games_a_second(self) -> float:
        """How many games were finished a second."""
        (started, before), (ended, after) = self.times[0], self.times[-1]
        return (after - before) / max(ended - started, 1e-9)


def in_the_laboratory(level: str, games: int, workers: int = 1, warm: int = 0) -> Pace:
    """Play the same games as a study that is kept in a directory."""
    pace = Pace(workers, warm)
    with TemporaryDirectory() as out:
        lab.run([study(level)], out, games=games, workers=workers, progress=pace)
    return pace


def measure(level: str, games: int, warm: int, turns: int) -> tuple[float, float, float, float]:
    """Return the seconds of bare play and of a study, and games a second of one and two workers."""
    ours, theirs = side_by_side(
        partial(in_the_laboratory, level, games), partial(bare, level, games), turns=turns, calls=1
    )
    paces = [
        [in_the_laboratory(level, games, workers, warm).games_a_second for workers in (1, 2)]
        for _ in range(turns - 1)
    ]
    one, two = map(max, zip(*paces, strict=True))
    return theirs.warm, ours.warm, one, two


def run(track: Track, quick: bool = False) -> Report:
    """Time studies of one level each."""
    games, warm, turns = (200, 100, 2) if quick else (GAMES, WARM, TURNS)
    rows: list[tuple[Value, ...]] = []
    targets: list[Target] = []
    for level in track(LEVELS, "lab"):
        played, kept, one, two = measure(level, games, warm, turns)
        share = 100 * (kept / played - 1)
        rows.append((level, 1e6 * played / games, 1e6 * kept / games, share, one, two, two / one))
        targets += [
            at_most(f"{level}: overhead, % of the play", share, 5, timed=True),
            at_least(f"{level}: throughput of two workers, times one", two / one, 1.8, timed=True),
        ]
    columns = ("games", "bare, µs", "kept, µs", "more, %", "one worker, a second", "two", "times")
    return Report(f"lab: {games:,} games a level by exact", columns, tuple(rows), tuple(targets))
