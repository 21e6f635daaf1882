"""Studies for tests of the report: few cheap games, all kinds of charts, and odd names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mineproof import Rules, Setup, Topology
from mineproof.lab.findings import Findings
from mineproof.lab.study import (
    SCORE,
    STEPS,
    WINS,
    Arm,
    Chart,
    Measure,
    Point,
    Published,
    Study,
    grid,
)
from mineproof.statistics import Estimate

ODD = ('<b onclick="alert(1)">&amp;', "$x^2$ 100% \\alpha", "日本 ▲ 'quoted'")
"""Names that HTML, Vega or fonts could get wrong."""

_GOING_ON = Rules("any", "continue")


def _at(setup: Setup) -> dict[str, float]:
    return {"density": setup.mines / 25, "mines": setup.mines}


def _steps(findings: Findings, chart: Chart) -> Iterator[Point]:
    """Give each line its own positions."""
    for turn, agent in enumerate(findings.values("agent")):
        for x in (10.0, 40.0, 90.0):
            yield Point(agent, x + turn, None, Estimate(x, x - 8, min(x + 8, 100.0)), 6, True)


def _cells(findings: Findings, chart: Chart) -> Iterator[Point]:
    """Give most cells of two boards a number."""
    for mines in findings.values("mines", agent="exact")[:2]:
        for row in range(5):
            for col in range(5):
                if (row + col) % 4:
                    value = 5 * row + col
                    yield Point(row, col, mines, Estimate(value, value, value), 1, False)


CURVES = Study(
    "curves",
    title="Values against numbers",
    question="How do curves look?",
    arms=grid(
        ["exact", "basic", "random"],
        [Setup(Topology(5, 5), mines, _GOING_ON) for mines in (3, 5, 8, 12)],
        at=_at,
    ),
    games=6,
    quick=2,
    charts=(
        Chart(
            "score",
            "Score by density",
            SCORE,
            x="density",
            published={
                "basic": Published({0.12: 92.0, 0.2: 75.5}),
                "nobody else": Published({0.32: 50.0}, games=10, source="Nobody, 2000."),
            },
        ),
        Chart("gain", "More than basic", SCORE, x="density", minus="basic"),
        Chart("hits", "Mines hit", Measure("hits", "mines hit a game"), x="mines"),
        Chart(
            "calibration",
            "Stated and true",
            Measure("won", "true, %", share=True, factor=100.0),
            x="stated",
            points=_steps,
            diagonal=True,
        ),
        Chart(
            "board",
            "Cells of boards",
            Measure("steps", "number of a cell"),
            x="column",
            lines="row",
            panels="mines",
            points=_cells,
            board=True,
        ),
    ),
    answer=lambda findings: [f"{findings.games} games were played & counted.", "No more is known."],
)

NAMES = Study(
    "names",
    title=f"Values by name {ODD[0]}",
    question=f"How do names look, such as {ODD[0]}?",
    arms=tuple(
        Arm(agent, Setup(Topology(4, 5), 4, Rules(start)), {"name": name, "start": start})
        for start in ("safe", "zero")
        for name in ODD
        for agent in ("exact", "random")
    ),
    games=6,
    quick=2,
    charts=(
        Chart("wins", f"Wins {ODD[0]}", WINS, x="name", panels="start"),
        Chart("lines", "Steps", STEPS, x="agent", lines="name", only={"start": ("safe",)}),
        Chart("lead", "Less than exact", WINS, x="name", panels="start", minus="exact"),
    ),
    answer=lambda findings: [f"It is {ODD[0]}."],
)

GAME = Study(
    "game",
    title="A game move by move",
    question="Which decisions would one dispute?",
    arms=grid(
        ["components", "exact"],
        [Setup(Topology(10, 10), 15, replace(_GOING_ON, start="safe"))],
        at=lambda setup: {},
        probe="moves",
    ),
    games=1,
    quick=1,
)

STUDIES = (CURVES, NAMES, GAME)
