"""Studies: questions that many recorded games answer.

These names declare a study. `mineproof.lab.run` plays it, `mineproof.lab.archive` keeps the
records, `mineproof.lab.findings` reads them, and `mineproof.lab.report` shows the answers.
"""

from mineproof.lab.probes import Probe
from mineproof.lab.study import (
    GUESSES,
    HITS,
    MILLISECONDS,
    SCORE,
    STEPS,
    WINS,
    WRONG_FLAGS,
    Arm,
    Chart,
    Coordinate,
    Measure,
    Point,
    Published,
    Study,
    Task,
    grid,
)

__all__ = [
    "GUESSES",
    "HITS",
    "MILLISECONDS",
    "SCORE",
    "STEPS",
    "WINS",
    "WRONG_FLAGS",
    "Arm",
    "Chart",
    "Coordinate",
    "Measure",
    "Point",
    "Probe",
    "Published",
    "Study",
    "Task",
    "grid",
]
