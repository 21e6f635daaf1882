"""A study of a million games: the memory of the process that runs it, the time of its report."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.memory import ROOT, peak
from benchmarks.report import Report, Track, at_least, at_most
from benchmarks.timing import timed
from mineproof import Setup, Topology
from mineproof.arena.workers import cores
from mineproof.lab.findings import Findings
from mineproof.lab.report.write import write_report
from mineproof.lab.run import Progress
from mineproof.lab.run import run as run_studies
from mineproof.lab.study import WINS, Chart, Study, grid

MINES = (6, 8, 10, 12, 14)
AGENTS = ("exact", "exact:untold")
GAMES = 1_000_000
STUDY = Study(
    "million",
    title="A million games",
    question="What does it cost not to be told the mine total?",
    arms=grid(
        AGENTS,
        [Setup(Topology(9, 9), mines) for mines in MINES],
        at=lambda setup: {"mines": setup.mines},
    ),
    games=GAMES // (len(MINES) * len(AGENTS)),
    quick=50,
    charts=(
        Chart("wins", "Games won by number of mines", WINS, x="mines"),
        Chart("cost", "What is lost untold", WINS, x="mines", minus="exact"),
    ),
)


class Memory:
    """Hears how a run comes along, and notes the most memory held up to a tenth and to the end."""

    def __init__(self) -> None:
        self.tenth = self.end = 0

    def __call__(self, progress: Progress) -> None:
        """Look how much it is."""
        self.end = peak()
        if 10 * progress.games_done <= progress.games:
            self.tenth = self.end


def measure(out: Path, quick: bool) -> dict[str, float]:
    """Run the study, write its report, and return a figure for every column."""
    memory = Memory()
    played, archive = timed(
        lambda: run_studies([STUDY], out, quick=quick, workers=cores(), progress=memory)
    )
    reported, _ = timed(lambda: write_report(archive, [STUDY]))
    sizes = [file.stat().st_size for file in archive.records.iterdir()]
    games = Findings(STUDY, archive).games
    return {
        "games": games,
        "files": len(sizes),
        "bytes a game": sum(sizes) / games,
        "played, s": played,
        "reported, s": reported,
        "MiB at a tenth": memory.tenth / 2**20,
        "MiB at the end": memory.end / 2**20,
    }


def run(track: Track, quick: bool = False) -> Report:
    """Do so in a process of its own, so that nothing else is in its memory."""
    with TemporaryDirectory() as out:
        command = [sys.executable, "-m", "benchmarks.million", out, *["--quick"] * quick]
        (done,) = (
            subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
            for _ in track([None], "million")
        )
    found = json.loads(done.stdout)
    asked = len(STUDY.arms) * (STUDY.quick if quick else STUDY.games)
    growth = found["MiB at the end"] / found["MiB at a tenth"]
    return Report(
        f"million: a study on {cores()} workers, and its report",
        tuple(found),
        (tuple(found.values()),),
        (
            at_least("games in the report", found["games"], asked),
            at_most("memory at the end, times that at a tenth", growth, 1.1, timed=True),
            at_most("seconds that the report takes", found["reported, s"], 60, timed=True),
        ),
    )


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]), "--quick" in sys.argv)))
