"""Whether agents deduce all that can be deduced: certainly safe cells that they did not open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mineproof.lab.findings import Findings
from mineproof.lab.sentences import amounts, peaks
from mineproof.lab.study import Arm, Chart, Measure, Study
from mineproof.lab.study_boards import WHOLE_BOARD, density, ten_by_ten
from mineproof.position import Setup

_MISSED: Final = Measure(
    "missed", "safe cells overlooked per game", most="overlooks the most safe cells"
)
_OVERLOOKED: Final = Measure(
    "overlooked",
    "games with a safe cell overlooked, %",
    share=True,
    factor=100.0,
    most="overlooks safe cells in the most games",
)

_AGENTS: Final = (
    *("exact", "logic", "border", "clue-heap", "components"),
    *("basic", "projection", "noisy-or", "weights", "random"),
)
_LEVELS: Final = ("easy", "medium", "hard")
_MINES: Final = (10, 20, 30, 40)


def _arms() -> Iterator[Arm]:
    for agent in _AGENTS:
        for level in _LEVELS:
            yield Arm(agent, Setup.level(level, rules=WHOLE_BOARD), {"level": level}, "deduced")
        for setup in ten_by_ten(_MINES, WHOLE_BOARD):
            yield Arm(agent, setup, density(setup), "deduced")


def _answer(findings: Findings) -> Iterator[str]:
    for level in findings.values("level"):
        games = findings.curve(_OVERLOOKED, "agent", level=level)
        words = f"On {level}, the share of games in which a certainly safe cell is overlooked is"
        yield from amounts(words, games, _OVERLOOKED)
    words = "Overlooked safe cells are most frequent"
    yield from peaks(words, findings, _MISSED, "density", lines="agent", who="with {}")


STUDY: Final = Study(
    "deduced",
    title="Is everything deduced?",
    question=(
        "How often does an agent overlook a cell that it could prove safe, and open an uncertain "
        "cell or stop instead? (Play goes on after a mine, from a zero.)"
    ),
    arms=tuple(_arms()),
    games=1_000,
    quick=200,
    charts=(
        Chart("levels", "Games with a safe cell overlooked", _OVERLOOKED, "level"),
        Chart("density", "Safe cells overlooked by density", _MISSED, "density"),
    ),
    answer=_answer,
)
