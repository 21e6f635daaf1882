"""Whether it helps to prefer short chains of influence among cells of equal risk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mineproof.game.setup import Setup
from mineproof.lab.studies.chains import LONGEST
from mineproof.lab.studies.changes import differences
from mineproof.lab.studies.wording import is_clear, listed, plain, shown
from mineproof.lab.study import GUESSES, WINS, Chart, Measure, Study, grid

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["STUDY"]

_WITH, _WITHOUT = "exact:chains", "exact"
_BOARDS: Final = {
    "easy": Setup.level("easy"),
    "10×10 with 20 mines": Setup(10, 10, 20),
    "medium": Setup.level("medium"),
    "expert": Setup.level("expert"),
}
_MEAN: Final = Measure("mean_length", "mean chain length of a game")
_MEASURES: Final = {
    "wins": (WINS, "games won", " points"),
    "guesses": (GUESSES, "guesses", ""),
    "longest": (LONGEST, "the longest chain", ""),
    "mean": (_MEAN, "the mean chain", ""),
}


def _answer(findings: Findings) -> Iterator[str]:
    for measure, words, unit in _MEASURES.values():
        changes = differences(findings, measure, "board", {"agent": _WITH}, {"agent": _WITHOUT})
        if not changes:
            continue
        clear = {board: change for board, change in changes.items() if is_clear(change)}
        told = listed(
            f"{shown(change, unit, sign=True)} on {plain(board)}"
            for board, change in (clear or changes).items()
        )
        if clear:
            rest = f", and not clearly on {len(changes) - len(clear)} of {len(changes)} boards"
            more = rest if len(clear) < len(changes) else ""
            yield f"Preferring short chains changes {words} by {told}{more}."
        else:
            yield f"No change of {words} by preferring short chains is clear: {told}."


STUDY: Final = Study(
    "short",
    title="Short chains preferred or not",
    question=(
        "Does it help to open, among cells of equal risk, the one with the shortest chain of "
        "influence? (exact with the option and without, on the same boards; a safe start, and a "
        "mine ends the game. Only guesses between equal risks can differ, for all that is "
        "certainly safe is opened at once. Of 20 intervals around no change at all, one may leave "
        "it out by chance.)"
    ),
    arms=grid(
        (_WITHOUT, _WITH),
        _BOARDS.values(),
        at=lambda setup: {"board": next(n for n, board in _BOARDS.items() if board == setup)},
        probe="chains",
    ),
    games=2000,
    quick=30,
    charts=(
        Chart("wins", "Games won, with the preference and without", WINS, "board"),
        *(
            Chart(
                f"{name}-change",
                f"What the preference changes: {words}",
                measure,
                "board",
                minus=_WITHOUT,
            )
            for name, (measure, words, _) in _MEASURES.items()
        ),
    ),
    answer=_answer,
)
