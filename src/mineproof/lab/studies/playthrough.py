"""A game move by move, with the decisions that one would dispute, and how many agents make."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from mineproof import statistics
from mineproof.arguments import counted
from mineproof.game.game import Rules
from mineproof.game.setup import Setup
from mineproof.lab.studies.wording import lead, listed, shown
from mineproof.lab.study import Chart, Coordinate, Measure, Study, grid
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["STUDY"]

_DISPUTABLE: Final = Measure("disputable", "disputable decisions a game")
_MISSED: Final = Measure("missed_safe", "risky decisions past a safe cell, a game")

# The first arm's first game is the one to tell: it has disputable decisions of all kinds.
_AGENTS: Final = (
    "components",
    "basic",
    "projection",
    "border",
    "clue-heap",
    "noisy-or",
    "weights",
    "exact",
)
_RULES: Final = Rules(on_mine="continue")
_BOARDS: Final = {
    "10×10 with 15 mines": Setup(10, 10, 15, _RULES),
    "easy": Setup.level("easy", rules=_RULES),
}


def _at(setup: Setup) -> dict[str, Coordinate]:
    return {"board": next(name for name, board in _BOARDS.items() if board == setup)}


def _answer(findings: Findings) -> Iterator[str]:
    yield from _first_game(findings)
    for board in findings.values("board"):
        yield from _extremes(findings, board)
    yield from _hits(findings)


def _first_game(findings: Findings) -> Iterator[str]:
    """Tell of the game that a report shows move by move."""
    for arm in findings.arms[:1]:
        columns = "seed", "guesses", "hits", "disputable", "missed_safe"
        game = findings.records(**arm.at).select(columns).sort("seed").first().collect()
        row = game.row(0, named=True)
        yield (
            f"In the game of seed {row['seed']}, {arm.agent} makes "
            f"{counted(row['disputable'], 'disputable decision')}, {row['missed_safe']} of them "
            f"while a cell was certainly safe; it counts {row['guesses']} of its openings as "
            f"guesses and hits {counted(row['hits'], 'mine')}."
        )


def _extremes(findings: Findings, board: Coordinate) -> Iterator[str]:
    """Say whose decisions are disputed least and most."""
    fewest = lead(findings, _DISPUTABLE, "agent", {"board": board}, least=True)
    most = lead(findings, _DISPUTABLE, "agent", {"board": board})
    if fewest is None or most is None:
        return
    who = fewest.sentence("", "")
    yield f"On {board} the fewest disputable decisions a game are those of {who}."
    if most.best != fewest.best:
        missed = findings.estimate(_MISSED, agent=most.best, board=board)
        yield (
            f"The most are those of {most.sentence('', '')}; in {shown(missed)} of them a cell was "
            "certainly safe."
        )


def _hits(findings: Findings) -> Iterator[str]:
    """Say how many of the mines that were hit a better decision might have spared."""
    for board in findings.values("board"):
        shares = {
            agent: share
            for agent in findings.values("agent", board=board)
            if (share := _disputed_hits(findings, agent, board)) is not None
        }
        if shares:
            most_first = sorted(shares, key=lambda agent: -shares[agent].value)
            said = listed(f"{shown(shares[agent], '%')} with {agent}" for agent in most_first)
            yield f"On {board}, of the mines hit, disputable decisions hit {said}."


def _disputed_hits(findings: Findings, agent: Coordinate, board: Coordinate) -> Estimate | None:
    records = findings.records(agent=agent, board=board)
    disputed, hits = records.select("disputed_hits", "hits").sum().collect().row(0)
    if not hits:
        return None
    share = statistics.share(disputed, hits)
    return Estimate(100 * share.value, 100 * share.low, 100 * share.high)


STUDY: Final = Study(
    "playthrough",
    title="Disputable decisions",
    question=(
        "Which decisions of a game would one dispute, and how many of them do agents make? A risky "
        "opening is disputable where, by all that the agent was told, some other cell was "
        "certainly safe or less risky by more than 5 points, or the mine was certain. (The first "
        "cell is safe, and play goes on after a mine.)"
    ),
    arms=grid(_AGENTS, _BOARDS.values(), at=_at, probe="moves"),
    games=200,
    quick=30,
    charts=(
        Chart("disputable", "Disputable decisions", _DISPUTABLE, x="board"),
        Chart("missed", "Risky decisions while a cell was certainly safe", _MISSED, x="board"),
    ),
    answer=_answer,
)
