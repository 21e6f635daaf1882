"""The tables of five student reports, played again under the reports' own conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mineproof.game.board import LEVELS, mine_total
from mineproof.game.game import Rules
from mineproof.game.presets import PRESETS
from mineproof.game.setup import Setup
from mineproof.lab.studies.changes import differences, effect
from mineproof.lab.studies.published import R1_FOUND, R1_WINS, R2_WINS, R4_SCORES, Published, agrees
from mineproof.lab.studies.wording import plain, shown
from mineproof.lab.study import HITS, SCORE, STEPS, WINS, Arm, Chart, Coordinate, Measure, Study

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["STUDY"]


@dataclass(frozen=True)
class _Table:
    """A table of a report, or two of the same games.

    Parameters
    ----------
    name
        What its arms are told by; the first word is the report.
    charts
        By name: the title and what is measured.
    agents
        Who plays.
    boards
        By place on the axis: rows, columns and mines.
    given
        By place on the axis: safe cells, where they are other than the report's preset says.
    x
        What the axis is of.
    published
        What the report measured, by agent.
    """

    name: str
    charts: Mapping[str, tuple[str, Measure]]
    agents: tuple[str, ...]
    boards: Mapping[Coordinate, tuple[int, int, int]]
    given: Mapping[Coordinate, int] = field(default_factory=dict)
    x: str = "density"
    published: Mapping[str, Published] = field(default_factory=dict)

    def arms(self) -> Iterator[Arm]:
        """Yield what is played under the report's preset."""
        preset = PRESETS[self.name.split()[0]]
        for place, (rows, cols, mines) in self.boards.items():
            rules = Rules(
                start=preset.start(self.agents),
                on_mine=preset.on_mine,
                cascade=preset.cascade,
                given_safe=self.given.get(place, preset.given_safe(rows * cols)),
            )
            setup = Setup(rows, cols, mines, rules)
            for agent in self.agents:
                yield Arm(agent, setup, {"table": self.name, self.x: place})

    def drawn(self) -> Iterator[Chart]:
        """Yield its charts."""
        values = {agent: published.values for agent, published in self.published.items()}
        only = {"table": (self.name,)}
        for name, (title, measure) in self.charts.items():
            yield Chart(name, title, measure, x=self.x, published=values, only=only)


def _by_density(*percents: int) -> dict[Coordinate, tuple[int, int, int]]:
    return {percent / 100: (10, 10, percent) for percent in percents}


def _level(name: str) -> tuple[int, int, int]:
    level = LEVELS[name]
    return level.rows, level.cols, level.mines


_TENTHS: Final = _by_density(10, 20, 30, 40, 50, 60, 70, 80, 90)
_PROJECTIONS: Final = tuple(agent for agent in R4_SCORES if agent.startswith("projection"))

_R2: Final = {
    f"{level}, {cells} given": (level, int(cells), wins)
    for level, published in R2_WINS.items()
    for cells, wins in published.values.items()
}

_TABLES: Final = (
    _Table(
        "R4 basic",
        {"r4-basic": ("R4: score of basic on 10×10, play goes on after a mine", SCORE)},
        ("basic:eight", "basic", "exact:untold"),
        _TENTHS,
        published={"basic:eight": R4_SCORES["basic:eight"]},
    ),
    _Table(
        "R4 projection",
        {"r4-projection": ("R4: score of projection on 10×10, play goes on after a mine", SCORE)},
        (*_PROJECTIONS, "projection"),
        _TENTHS,
        published={agent: R4_SCORES[agent] for agent in _PROJECTIONS},
    ),
    _Table(
        "R2",
        {"r2-wins": ("R2: wins of a player that never guesses, safe cells given", WINS)},
        ("logic",),
        {place: _level(level) for place, (level, _, _) in _R2.items()},
        given={place: cells for place, (_, cells, _) in _R2.items()},
        x="board",
        published={"logic": Published({place: wins for place, (_, _, wins) in _R2.items()}, 100)},
    ),
    _Table(
        "R1",
        {"r1-wins": ("R1: wins by size and share of mines", WINS)},
        ("weights",),
        {
            f"{side}×{side}, {percent}%": (side, side, mine_total(None, percent / 100, side**2))
            for side in (5, 7, 11)
            for percent in (5, 8, 10)
        },
        x="board",
        published={"weights": R1_WINS},
    ),
    _Table(
        "R1 mines",
        {"r1-found": ("R1: mines found, of 5, 7 and 10", SCORE)},
        ("weights",),
        {f"{side}×{side}": (side, side, mines) for side, mines in ((5, 5), (7, 7), (10, 10))},
        x="board",
        published={"weights": R1_FOUND},
    ),
    _Table(
        "R0 clue-heap",
        {"r0-score": ("R0: score of clue-heap on 10×10 (the report draws 90% and more)", SCORE)},
        ("clue-heap", "clue-heap:total", "clue-heap:nobacktrack"),
        _by_density(5, 10, 15, 20, 30),
    ),
    _Table(
        "R0",
        {
            "r0-hits": ("R0: mines hit on 10×10 (drawn in the report)", HITS),
            "r0-steps": ("R0: steps on 10×10 (drawn in the report)", STEPS),
        },
        ("noisy-or", "components", "components:corners"),
        _by_density(5, 10, 15, 20, 30),
    ),
    _Table(
        "R3",
        {"r3-score": ("R3: score on 10×10 (drawn in the report)", SCORE)},
        ("basic", "border", "border:total", "exact"),
        _by_density(5, 10, 15, 20, 30, 60, 80, 90),
    ),
)


def _answer(findings: Findings) -> Iterator[str]:
    for table in _TABLES:
        for chart in table.drawn():
            yield from _fit(findings, table, chart)
    for contrast in _CONTRASTS:
        yield from contrast.said(findings)


def _fit(findings: Findings, table: _Table, chart: Chart) -> Iterator[str]:
    """Say how many of the published figures chance may have put where they are."""
    pairs = [
        (point, published.values[point.x], published.games)
        for point in findings.points(chart)
        if (published := table.published.get(str(point.line))) and point.x in published.values
    ]
    off = [
        (point, theirs)
        for point, theirs, games in pairs
        if not agrees(point.estimate, point.games, theirs, games)
    ]
    if not pairs:
        return
    said = (
        f"{chart.title}: {len(pairs) - len(off)} of {len(pairs)} published figures are within "
        "chance of ours"
    )
    if off:
        point, theirs = max(off, key=lambda item: abs(item[1] - item[0].estimate.value))
        said += (
            f"; the farthest off is {point.line} at {plain(point.x)}, reported {theirs:g}%, "
            f"ours {shown(point.estimate, '%')}"
        )
    yield f"{said}."


@dataclass(frozen=True)
class _Contrast:
    """Two agents of a table, what is compared, and how to begin the sentence."""

    table: str
    agent: str
    minus: str
    measure: Measure
    words: str

    def said(self, findings: Findings) -> Iterator[str]:
        agent, minus = ({"table": self.table, "agent": name} for name in (self.agent, self.minus))
        changes = differences(findings, self.measure, "density", agent, minus)
        if changes:
            unit = " hits" if self.measure is HITS else " points"
            where = effect(changes, unit, "a density of {}") or "nowhere beyond its interval"
            yield f"{self.table.split()[0]}: {self.words} {where}."


_CONTRASTS: Final = (
    _Contrast(
        "R4 basic",
        "basic",
        "basic:eight",
        SCORE,
        "counting neighbours rightly changes the score of basic:eight",
    ),
    _Contrast(
        "R4 projection",
        "projection",
        "projection:eight",
        SCORE,
        "counting them rightly changes the score of projection:eight",
    ),
    _Contrast(
        "R4 projection",
        "projection:eight+global",
        "projection:eight",
        SCORE,
        "the global rule changes the score of projection:eight",
    ),
    _Contrast(
        "R4 projection",
        "projection:eight+annealed",
        "projection:eight",
        SCORE,
        "annealing changes the score of projection:eight",
    ),
    _Contrast(
        "R0 clue-heap",
        "clue-heap",
        "clue-heap:nobacktrack",
        HITS,
        "backtracking changes the mines that clue-heap hits",
    ),
    _Contrast(
        "R0 clue-heap",
        "clue-heap:total",
        "clue-heap",
        SCORE,
        "the mine total changes the score of clue-heap",
    ),
    _Contrast(
        "R0",
        "components:corners",
        "components",
        HITS,
        "opening corners first changes the mines that components hits",
    ),
    _Contrast("R3", "border", "basic", SCORE, "the score of border differs from that of basic"),
    _Contrast("R3", "exact", "border", SCORE, "the score of exact differs from that of border"),
)

STUDY: Final = Study(
    "reports",
    title="The reports' figures beside ours",
    question=(
        "Do the agents of five student reports do here what their reports measured, under the same "
        "conditions? (Published figures rest on 5 to 150 games.)"
    ),
    arms=tuple(arm for table in _TABLES for arm in table.arms()),
    games=2000,
    quick=20,
    charts=tuple(chart for table in _TABLES for chart in table.drawn()),
    answer=_answer,
)
