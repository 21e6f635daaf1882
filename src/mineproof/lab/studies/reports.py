"""The tables of five student reports, played again under the reports' own conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from mineproof.game import PRESETS
from mineproof.lab.findings import Findings
from mineproof.lab.sentences import agreement, effect
from mineproof.lab.studies.given import R2_GAMES, R2_WINS
from mineproof.lab.study import (
    HITS,
    SCORE,
    STEPS,
    WINS,
    Arm,
    Chart,
    Coordinate,
    Measure,
    Published,
    Study,
)
from mineproof.position import LEVELS, Rules, Setup, Start
from mineproof.position.setup import FirstCell, mines_at
from mineproof.position.topology import Topology


@dataclass(frozen=True)
class _Table:
    """A table of a report, or two of the same games; its name begins with the report's.

    Charts have a title and a measure; boards have rows, columns and mines by place on the axis,
    and given safe cells if not those of the report's preset. A table with another start draws its
    first cells by the seed. What the report measured is in
    percent, by agent.
    """

    name: str
    charts: Mapping[str, tuple[str, Measure]]
    agents: tuple[str, ...]
    boards: Mapping[Coordinate, tuple[int, int, int]]
    given: Mapping[Coordinate, int] = field(default_factory=dict)
    start: Start | None = None
    x: str = "density"
    published: Mapping[str, Published] = field(default_factory=dict)

    def arms(self) -> Iterator[Arm]:
        preset = PRESETS[self.name[:2]]
        for place, (rows, cols, mines) in self.boards.items():
            rules = Rules(
                start=self.start or preset.start(self.agents),
                on_mine=preset.on_mine,
                cascade=preset.cascade,
                given_safe=self.given.get(place, preset.given_safe(rows * cols)),
            )
            first: FirstCell = None if self.start is None else "random"
            setup = Setup(Topology(rows, cols), mines, rules, first=first)
            for agent in self.agents:
                yield Arm(agent, setup, {"table": self.name, self.x: place})

    def drawn(self) -> Iterator[Chart]:
        only = {"table": (self.name,)}
        for name, (title, measure) in self.charts.items():
            yield Chart(
                name,
                title,
                measure,
                self.x,
                "rows and columns" if self.x == "side" else "",
                published=self.published,
                only=only,
            )


def _by_density(*percents: int) -> dict[Coordinate, tuple[int, int, int]]:
    return {percent / 100: (10, 10, percent) for percent in percents}


def _tenths(*scores: float) -> dict[Coordinate, float]:
    return {percent / 100: score for percent, score in zip(range(10, 100, 10), scores, strict=True)}


_R4_SCORES: Final = {
    "basic:eight": _tenths(92.0, 75.5, 58.5, 48.9, 45.2, 42.7, 39.6, 35.7, 24.0),
    "projection:eight": _tenths(92.9, 80.8, 68.7, 61.3, 54.5, 51.0, 45.8, 39.2, 26.9),
    "projection:eight+global": _tenths(92.1, 79.9, 70.3, 61.2, 55.2, 52.7, 47.8, 41.5, 33.1),
    "projection:eight+annealed": _tenths(91.9, 81.6, 69.3, 61.9, 56.5, 51.4, 46.5, 38.7, 26.5),
}
"""R4's scores on 10×10 by density, of 150 games without an option and 100 with one."""

_R4: Final = {
    agent: Published(scores, games=100 if "+" in agent else 150)
    for agent, scores in _R4_SCORES.items()
}
_R4_BASIC, *_R4_PROJECTIONS = _R4

_R2: Final = [
    (f"{level}, {cells} given", LEVELS[level], int(cells), wins)
    for level, published in R2_WINS.items()
    for cells, wins in published.items()
]

_R1_BOARDS: Final[dict[Coordinate, tuple[int, int, int]]] = {
    f"{side}×{side}, {percent}%": (side, side, mines_at(percent / 100, side**2))
    for side, percents in ((5, (5, 8, 10)), (7, (5, 8, 10, 15)), (11, (5, 8, 10)))
    for percent in percents
}
_R1_WINS: Final = (100.0, 100.0, 90.0, 70.0, 70.0, 60.0, 20.0, 90.0, 20.0, 30.0)
"""R1's wins of 10 games; above 10% of mines it says about 20%."""

_R1_FOUND: Final[dict[Coordinate, float]] = {"5×5": 88.0, "7×7": 82.9, "10×10": 84.0}
_R1_AGENTS: Final = ("weights", "weights:subtract")

_R1_STARTS: Final[tuple[tuple[str, str, Start | None], ...]] = (
    ("", "", None),
    (", from a random zero", "-zero", "zero"),
)
"""R1 says that its first cell is random, but the only one that it prints is a zero."""

_TABLES: Final = (
    _Table(
        "R4 basic",
        {"r4-basic": ("R4: score of basic on 10×10, play goes on after a mine", SCORE)},
        (_R4_BASIC, "basic", "exact:untold"),
        _by_density(*range(10, 100, 10)),
        published={_R4_BASIC: _R4[_R4_BASIC]},
    ),
    _Table(
        "R4 projection",
        {"r4-projection": ("R4: score of projection on 10×10, play goes on after a mine", SCORE)},
        (*_R4_PROJECTIONS, "projection:eight+away", "projection"),
        _by_density(*range(10, 100, 10)),
        published={agent: _R4[agent] for agent in _R4_PROJECTIONS},
    ),
    _Table(
        "R2",
        {"r2-wins": ("R2: wins of a player that never guesses, safe cells given", WINS)},
        ("logic", "logic:total"),
        {place: (*level.topology.shape, level.mines) for place, level, _, _ in _R2},
        given={place: cells for place, _, cells, _ in _R2},
        x="board",
        published={"logic": Published({place: wins for place, _, _, wins in _R2}, R2_GAMES)},
    ),
    *(
        _Table(
            f"R1{where}",
            {f"r1-wins{tag}": (f"R1: wins by size and share of mines{where}", WINS)},
            _R1_AGENTS,
            _R1_BOARDS,
            start=start,
            x="board",
            published={"weights": Published(dict(zip(_R1_BOARDS, _R1_WINS, strict=True)), 10)},
        )
        for where, tag, start in _R1_STARTS
    ),
    *(
        _Table(
            f"R1 mines{where}",
            {f"r1-found{tag}": (f"R1: mines found, of 5, 7 and 10{where}", SCORE)},
            _R1_AGENTS,
            {f"{side}×{side}": (side, side, side) for side in (5, 7, 10)},
            start=start,
            x="board",
            published={"weights": Published(_R1_FOUND, games=5)},
        )
        for where, tag, start in _R1_STARTS
    ),
    _Table(
        "R0 clue-heap",
        {"r0-score": ("R0: score of clue-heap on 10×10 (the report draws 90% and more)", SCORE)},
        ("clue-heap", "clue-heap:total", "clue-heap:nobacktrack"),
        _by_density(5, 10, 15, 20, 30),
    ),
    _Table(
        "R0 size",
        {"r0-size": ("R0: score of clue-heap by rows and columns, density 0.1", SCORE)},
        ("clue-heap", "clue-heap:total"),
        {side: (side, side, side * side // 10) for side in (6, 8, 10, 15, 20)},
        x="side",
    ),
    _Table(
        "R0",
        {
            "r0-hits": ("R0: mines hit on 10×10 (drawn in the report)", HITS),
            "r0-steps": ("R0: steps on 10×10 (the report's level off near 80)", STEPS),
        },
        ("noisy-or", "components", "components:corners"),
        _by_density(5, 10, 15, 20, 30, 40, 50, 60, 70),
    ),
    _Table(
        "R3",
        {"r3-score": ("R3: score on 10×10 (drawn in the report)", SCORE)},
        ("basic", "border", "border:total", "exact"),
        _by_density(5, 10, 15, 20, 30, 60, 80, 90),
    ),
)

_CONTRASTS: Final = (
    ("R4 basic", "basic", "basic:eight", SCORE),
    ("R4 projection", "projection", "projection:eight", SCORE),
    ("R4 projection", "projection:eight+global", "projection:eight", SCORE),
    ("R4 projection", "projection:eight+annealed", "projection:eight", SCORE),
    ("R4 projection", "projection:eight+away", "projection:eight", SCORE),
    ("R0 clue-heap", "clue-heap", "clue-heap:nobacktrack", HITS),
    ("R0 clue-heap", "clue-heap:total", "clue-heap", SCORE),
    ("R0", "components:corners", "components", HITS),
    ("R3", "border", "basic", SCORE),
    ("R3", "exact", "border", SCORE),
)
"""The table, the agent with an idea, the agent without it, and the measure of its effect."""


def _answer(findings: Findings) -> Iterator[str]:
    for table in _TABLES:
        for chart in table.drawn():
            yield from agreement(findings, chart)
    for name, agent, other, measure in _CONTRASTS:
        changes = findings.differences(measure, "density", table=name, agent=(agent, other))
        value = "score" if measure is SCORE else "number of hits"
        what = f"{name.split()[0]}: compared with {other}, the {value} of {agent}"
        yield from effect(what, changes, measure, "at a density of {}")


STUDY: Final = Study(
    "reports",
    title="The reports' figures beside ours",
    question=(
        "Do the agents of five student reports do here what their reports measured, under the same "
        "conditions? (Published figures rest on 5 to 150 games.)"
    ),
    arms=tuple(arm for table in _TABLES for arm in table.arms()),
    games=2_000,
    quick=1_000,
    charts=tuple(chart for table in _TABLES for chart in table.drawn()),
    answer=_answer,
)
