"""How long games take native players, by size and density, and the effect of three ideas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mineproof.lab.findings import Findings
from mineproof.lab.sentences import amounts, effect, growth
from mineproof.lab.study import MILLISECONDS, Arm, Chart, Study, grid
from mineproof.lab.study_boards import KEEP_GOING, density, ten_by_ten
from mineproof.position import Rules, Setup
from mineproof.position.setup import mines_at
from mineproof.position.topology import Topology

_AGENTS: Final = (
    *("random", "noisy-or", "weights", "basic", "components", "logic"),
    *("clue-heap", "clue-heap:total", "projection", "border", "border:nosplit", "exact"),
)
_SIDES: Final = (6, 10, 15, 20)
_MINES: Final = (5, 10, 15, 20, 30, 40)
_PAIRS: Final = (
    ("R3", "border:nosplit", "border"),
    ("R0", "clue-heap:total", "clue-heap"),
    ("R4", "projection", "basic"),
)
"""What a report says of time: the agent with its idea, and the one without."""

_R1: Final = {f"{percent}%": mines_at(percent / 100, 49) for percent in (5, 8, 10)}


def _answer(findings: Findings) -> Iterator[str]:
    small, *_, large = _SIDES
    words = f"From {small}×{small} to {large}×{large}, the time of a game grows"
    times = findings.curves(MILLISECONDS, "side")
    ratio = (large / small) ** 2
    yield from growth(words, times, (small, large), ratio, "the number of cells")
    for report, agent, other in _PAIRS:
        changes = findings.differences(MILLISECONDS, "density", agent=(agent, other))
        what = f"{report}: compared with {other}, the time of {agent} per game"
        yield from effect(what, changes, MILLISECONDS, "at a density of {}")
    found = findings.curve(MILLISECONDS, "share", agent="weights")
    yield from amounts("R1: on 7×7, weights takes", found, MILLISECONDS, "with {} mines")


STUDY: Final = Study(
    "time",
    title="Time by size and density",
    question=(
        "How long does a game take each agent's native player, how does that grow with the size "
        "and the density of the board, and do splitting borders (R3), being told the total (R0) "
        "and looking at one clue only (R4) make it faster? (Play goes on after a mine, any start; "
        "R1's boards as R1 played them. The time includes laying the board and making the moves.)"
    ),
    arms=(
        *grid(_AGENTS, ten_by_ten(_MINES), at=density),
        *(
            Arm(agent, Setup(Topology(side, side), mines_at(0.15, side**2), KEEP_GOING), at)
            for side in _SIDES
            for agent in _AGENTS
            for at in ({"side": side},)
        ),
        *(
            Arm("weights", Setup(Topology(7, 7), m, Rules("any")), {"share": s})
            for s, m in _R1.items()
        ),
    ),
    games=2_000,
    quick=1_000,
    charts=(
        Chart("density", "Time by density, 10×10", MILLISECONDS, "density"),
        Chart(
            "size",
            "Time by size, density 0.15",
            MILLISECONDS,
            x="side",
            x_title="rows and columns",
        ),
    ),
    answer=_answer,
)
