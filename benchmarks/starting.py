"""Starting: what programs and commands load, against NumPy's own import."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping

from benchmarks.report import Report, Track, Value, at_most
from benchmarks.timing import side_by_side

PROGRAMS: Mapping[str, str] = {
    "import mineproof": "import mineproof",
    "mineproof --help": "from mineproof.cli import main; main(['--help'])",
    "mineproof solve --help": "from mineproof.cli import main; main(['solve', '--help'])",
    "from mineproof import infer": "from mineproof import infer",
}
LIMITED = ("import mineproof", "mineproof --help")
TURNS = 5


def started(program: str) -> Callable[[], None]:
    """Return a call that runs a program in a process of its own."""

    def run() -> None:
        words = [sys.executable, "-c", program]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)

    return run


def run(track: Track, quick: bool = False) -> Report:
    """Start programs and NumPy in turns, and take the start of Python itself off both."""
    turns, rows = 1 if quick else TURNS, list[tuple[Value, ...]]()
    bare, _ = side_by_side(started("pass"), started("pass"), turns=turns, calls=3)
    for name in track([*PROGRAMS], "starting"):
        ours, numpy = side_by_side(
            started(PROGRAMS[name]), started("import numpy"), turns=turns, calls=3
        )
        own, theirs = (max(each.warm - bare.warm, 0.0) for each in (ours, numpy))
        rows.append((name, 1000 * own, 1000 * theirs, own / theirs))
    ratios = {str(name): float(ratio) for name, _, _, ratio in rows if name in LIMITED}
    return Report(
        "starting: milliseconds beyond those of Python itself",
        ("program", "program", "import numpy", "ratio"),
        tuple(rows),
        tuple(at_most(f"{name} against NumPy", ratios[name], 2.0, timed=True) for name in LIMITED),
    )
