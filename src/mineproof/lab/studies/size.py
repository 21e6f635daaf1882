"""Score, hits and steps by the size of the board, at a fixed number of mines or density."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mineproof.game import Setup
from mineproof.game.board import mine_total
from mineproof.lab.findings import Findings
from mineproof.lab.sentences import effect, peaks, top
from mineproof.lab.study import HITS, SCORE, STEPS, Arm, Chart, Study
from mineproof.lab.study_boards import KEEP_GOING

_AGENTS: Final = ("noisy-or", "components", "clue-heap", "exact")
_SIDES: Final = (6, 8, 10, 12, 15)
_BOARDS: Final[dict[str, tuple[int | None, float | None]]] = {
    "with 15 mines": (15, None),
    "of density 0.1": (None, 0.1),
    "of density 0.15": (None, 0.15),
}
"""The number of mines, or their share of the cells."""

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
            Setup(side, side, mine_total(mines, density, side * side), KEEP_GOING),
            {"boards": boards, "side": side},
        )
        for boards, (mines, density) in _BOARDS.items()
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
