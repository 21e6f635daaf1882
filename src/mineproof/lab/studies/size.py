"""Score, hits and steps by the size of the board, at a fixed number of mines or density."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from mineproof.lab.findings import Findings
from mineproof.lab.sentences import effect, peaks, top
from mineproof.lab.study import HITS, SCORE, STEPS, Arm, Chart, Study
from mineproof.lab.study_boards import KEEP_GOING
from mineproof.position import Setup
from mineproof.position.setup import mines_at
from mineproof.position.topology import Topology

_AGENTS: Final = ("noisy-or", "components", "clue-heap", "exact")
_SIDES: Final = (6, 8, 10, 12, 15)
_BOARDS: Final[dict[str, Callable[[int], int]]] = {
    "with 15 mines": lambda cells: 15,
    "of density 0.1": partial(mines_at, 0.1),
    "of density 0.15": partial(mines_at, 0.15),
}
"""The number of mines on a number of cells."""

_VALUES: Final = {"score": SCORE, "number of mines hit": HITS, "number of steps": STEPS}


def _answer(findings: Findings) -> Iterator[str]:
    for boards in findings.values("boards"):
        small, *_, large = 2 * findings.values("side", boards=boards)
        if small == large:
            continue
        for value, measure in _VALUES.items():
            changes = findings.differences(measure, "agent", boards=boards, side=(large, small))
            what = f"On boards {boards}, {large}×{large} instead of {small}×{small}, the {value}"
            yield from effect(what, changes, measure, "with {}")
            curves = findings.curves(measure, "side", boards=boards)
            in_between = [a for a, curve in curves.items() if top(curve) not in (small, large)]
            yield from peaks(
                f"On boards {boards}, the {value} is highest in between,",
                findings,
                measure,
                "side",
                "with {} rows and columns",
                lines="agent",
                who="for {}",
                at={"boards": boards},
                among=in_between,
            )


STUDY: Final = Study(
    "size",
    title="Score, hits and steps by the size of the board",
    question=(
        "How do the mines found, the mines hit and the steps of a game change with the size of the "
        "board, with the same number of mines and with the same density? (Square boards, play goes "
        "on after a mine, any start.)"
    ),
    arms=tuple(
        Arm(
            agent,
            Setup(Topology(side, side), mines(side * side), KEEP_GOING),
            {"boards": boards, "side": side},
        )
        for boards, mines in _BOARDS.items()
        for side in _SIDES
        for agent in _AGENTS
    ),
    games=4_000,
    quick=1_000,
    charts=tuple(
        Chart(name, title, measure, x="side", x_title="rows and columns", panels="boards")
        for name, title, measure in (
            ("score", "Mines found by the side of the board", SCORE),
            ("hits", "Mines hit by the side of the board", HITS),
            ("steps", "Steps by the side of the board", STEPS),
        )
    ),
    answer=_answer,
)
