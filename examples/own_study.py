"""A study of your own: does it pay to begin in a corner?"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from mineproof import Setup
from mineproof.lab import WINS, Arm, Chart, Study
from mineproof.lab.findings import Findings
from mineproof.lab.report import write_report
from mineproof.lab.run import run
from mineproof.lab.sentences import effect

FIRST_CELLS = {"corner": (0, 0), "edge": (0, 4), "middle": (4, 4)}


def answer(findings: Findings) -> Iterator[str]:
    gains = {
        place: findings.difference(WINS, {"place": "corner"}, {"place": place})
        for place in ("edge", "middle")
    }
    what = "With the first cell in a corner, the share of games won"
    yield from effect(what, gains, WINS, "compared with the {}")


STUDY = Study(
    "corners",
    title="Where to begin",
    question="Does it pay to begin an easy game in a corner?",
    arms=tuple(
        Arm("exact", Setup.level("easy", first=cell), {"place": place})
        for place, cell in FIRST_CELLS.items()
    ),
    games=2000,
    quick=200,
    charts=(Chart("wins", "Games won by the first cell", WINS, x="place"),),
    answer=answer,
)

if __name__ == "__main__":
    directory = sys.argv[1] if len(sys.argv) > 1 else "corners"
    archive = run([STUDY], directory, quick=True)
    print(*answer(Findings(STUDY, archive)), sep="\n")
    print("The report:", write_report(archive, [STUDY]))
