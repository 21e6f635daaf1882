"""A game move by move, and how many disputable decisions agents make."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mineproof import statistics
from mineproof.arguments import counted
from mineproof.lab.findings import Findings
from mineproof.lab.sentences import amounts, leader, top
from mineproof.lab.study import Arm, Chart, Measure, Study
from mineproof.position import Rules, Setup
from mineproof.position.topology import Topology

_DISPUTABLE: Final = Measure(
    "disputable",
    "disputable decisions per game",
    most="makes the most disputable decisions per game",
)
_MISSED: Final = Measure(
    "missed_safe",
    "risky decisions past a safe cell, per game",
    most="passes the most safe cells",
)
_HITS: Final = Measure("", "mines hit by disputable decisions, %", factor=100.0)

# A report shows the first game of the first arm: it has disputable decisions of all kinds.
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
    "10×10 with 15 mines": Setup(Topology(10, 10), 15, _RULES),
    "easy": Setup.level("easy", rules=_RULES),
}


def _answer(findings: Findings) -> Iterator[str]:
    for arm in findings.arms[:1]:
        names = "seed", "disputable", "missed_safe", "guesses", "hits"
        seed, disputable, missed, guesses, hits = min(findings.columns(*names, **arm.at))
        yield (
            f"In the game of seed {seed}, {arm.agent} makes "
            f"{counted(disputable, 'disputable decision')}, {missed} of them while a cell was "
            f"certainly safe; it counts {guesses} of its openings as guesses and hits "
            f"{counted(hits, 'mine')}."
        )
    for board in findings.values("board"):
        at = {"board": board}
        fewest = "makes the fewest disputable decisions per game"
        yield from leader(f"On {board},", findings, _DISPUTABLE, at, does=fewest, least=True)
        yield from leader(f"On {board},", findings, _DISPUTABLE, at)
        most = top(findings.curve(_DISPUTABLE, "agent", **at))
        missed = {most: findings.estimate(_MISSED, agent=most, **at)}
        words = f"On {board}, the number of disputable decisions while a cell was certainly safe is"
        yield from amounts(words, missed, _MISSED)
        shares = {}
        for agent in findings.values("agent", **at):
            rows = findings.columns("disputed_hits", "hits", agent=agent, **at)
            disputed, hits = (sum(column) for column in zip(*rows, strict=True))
            if hits:
                shares[agent] = _HITS.scaled(statistics.share(disputed, hits))
        most_first = {a: shares[a] for a in sorted(shares, key=lambda agent: -shares[agent].value)}
        words = f"On {board}, the share of hits that come from disputable decisions is"
        yield from amounts(words, most_first, _HITS)


STUDY: Final = Study(
    "playthrough",
    title="Disputable decisions",
    question=(
        "Which decisions of a game are disputable, and how many such decisions do agents make? A "
        "risky opening is disputable if the agent was told enough to know a certainly safe cell, a "
        "cell that is less risky by more than 5 points, or that the mine was certain. (The first "
        "cell is safe, and play goes on after a mine.)"
    ),
    arms=tuple(
        Arm(agent, setup, {"board": board}, probe="moves")
        for board, setup in _BOARDS.items()
        for agent in _AGENTS
    ),
    games=200,
    quick=30,
    charts=(
        Chart("disputable", "Disputable decisions", _DISPUTABLE, x="board"),
        Chart("missed", "Risky decisions made while a cell was certainly safe", _MISSED, x="board"),
    ),
    answer=_answer,
)
