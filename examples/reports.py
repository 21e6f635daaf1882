"""Put the figures of five student reports beside ours, and write the tables of docs/reports.md.

The reports measured few games; ours are measured under the same conditions, on the same boards for
all agents of a table, and carry 95% intervals.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from os import cpu_count
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from mineproof import RandomBoards, Result, Rules, Setup, compare
from mineproof.board import LEVELS
from mineproof.presets import PRESETS
from mineproof.statistics import Estimate

PAGE = Path(__file__).parents[1] / "docs" / "reports.md"
BEGIN, END = "<!-- tables: begin -->\n", "<!-- tables: end -->\n"

DENSITIES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


@dataclass(frozen=True)
class Line:
    """One agent under a row of conditions, and what its report says of each."""

    agent: str
    reported: tuple[float | None, ...]


@dataclass(frozen=True)
class Table:
    """A table of a report: conditions across, agents down."""

    title: str
    report: str
    columns: tuple[str, ...]
    setups: tuple[Setup, ...]
    lines: tuple[Line, ...]
    measure: str
    games: int
    unit: float = 100.0


def setup(report: str, agent: str, rows: int, cols: int, mines: int, given: int = 0) -> Setup:
    """The conditions of a report on a board."""
    preset = PRESETS[report]
    rules = Rules(
        start=preset.start([agent]),
        on_mine=preset.on_mine,
        cascade=preset.cascade,
        given_safe=given or preset.given_safe(rows * cols),
    )
    return Setup(rows, cols, mines, rules)


def on_ten(report: str, agent: str, densities: Sequence[float]) -> tuple[Setup, ...]:
    """10x10 boards of these densities."""
    return tuple(setup(report, agent, 10, 10, int(100 * density + 1e-9)) for density in densities)


def percent(values: Sequence[float]) -> tuple[str, ...]:
    return tuple(f"{100 * value:.0f}%" for value in values)


def tables(games: int) -> Iterator[Table]:
    """All tables that the reports give figures for, and those they only draw."""
    none = (None,) * len(DENSITIES)
    yield Table(
        "R4: score on 10×10, play goes on after a mine",
        "R4",
        percent(DENSITIES),
        on_ten("R4", "basic", DENSITIES),
        (
            Line("basic:eight", (92.0, 75.5, 58.5, 48.9, 45.2, 42.7, 39.6, 35.7, 24.0)),
            Line("projection:eight", (92.9, 80.8, 68.7, 61.3, 54.5, 51.0, 45.8, 39.2, 26.9)),
            Line(
                "projection:eight+global",
                (92.1, 79.9, 70.3, 61.2, 55.2, 52.7, 47.8, 41.5, 33.1),
            ),
            Line(
                "projection:eight+annealed",
                (91.9, 81.6, 69.3, 61.9, 56.5, 51.4, 46.5, 38.7, 26.5),
            ),
            Line("basic", none),
            Line("projection", none),
            Line("exact:untold", none),
        ),
        "score",
        games,
    )
    easy, medium, hard = LEVELS["easy"], LEVELS["medium"], LEVELS["hard"]
    yield Table(
        "R2: wins of a player that never guesses, safe cells given, no cascade",
        "R2",
        ("easy, 9 given", "medium, 16", "hard, 22", "hard, 53", "hard, 120"),
        (
            setup("R2", "logic", easy.rows, easy.cols, easy.mines),
            setup("R2", "logic", medium.rows, medium.cols, medium.mines),
            setup("R2", "logic", hard.rows, hard.cols, hard.mines),
            setup("R2", "logic", hard.rows, hard.cols, hard.mines, given=53),
            # The report draws with repetition: 120 draws are some 103 cells.
            setup("R2", "logic", hard.rows, hard.cols, hard.mines, given=103),
        ),
        (Line("logic", (96.0, 97.0, 25.0, 40.0, 50.0)),),
        "win_rate",
        max(games // 3, 10),
    )
    yield Table(
        "R1: wins by size and share of mines",
        "R1",
        tuple(f"{side}×{side}, {p}%" for side in (5, 7, 11) for p in (5, 8, 10)),
        tuple(
            setup("R1", "weights", side, side, int(side * side * p / 100 + 1e-9))
            for side in (5, 7, 11)
            for p in (5, 8, 10)
        ),
        (Line("weights", (100, 100, 90, 70, 70, 60, 90, 20, 30)),),
        "win_rate",
        games,
    )
    yield Table(
        "R1: mines found, of 5, 7 and 10",
        "R1",
        ("5×5", "7×7", "10×10"),
        tuple(
            setup("R1", "weights", side, side, mines) for side, mines in ((5, 5), (7, 7), (10, 10))
        ),
        (Line("weights", (88.0, 82.9, 84.0)),),
        "score",
        games,
    )
    few = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3)
    nothing = (None,) * len(few)
    yield Table(
        "R0: score of clue-heap on 10×10 by share of mines (the report draws 90% and more)",
        "R0",
        percent(few),
        on_ten("R0", "clue-heap", few),
        tuple(
            Line(name, nothing)
            for name in (
                "clue-heap",
                "clue-heap:total",
                "clue-heap:nobacktrack",
                "clue-heap:nobacktrack+total",
            )
        ),
        "score",
        games,
    )
    for measure, title in (("hits", "mines hit"), ("steps", "steps")):
        yield Table(
            f"R0: {title} on 10×10 by share of mines (drawn in the report)",
            "R0",
            percent(few),
            on_ten("R0", "components", few),
            tuple(Line(n, nothing) for n in ("components", "components:corners", "noisy-or")),
            measure,
            games,
            unit=1.0,
        )
    wide = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8)
    yield Table(
        "R3: score on 10×10 by share of mines (drawn in the report)",
        "R3",
        percent(wide),
        on_ten("R3", "border", wide),
        tuple(Line(n, (None,) * len(wide)) for n in ("basic", "border", "border:total", "exact")),
        "score",
        games,
    )


def figure(result: Result, table: Table) -> str:
    """One of our figures, with half the width of its interval where there is one."""
    value: float | Estimate = getattr(result, table.measure)
    if not isinstance(value, Estimate):
        return f"{table.unit * value:.1f}"
    half = (value.high - value.low) / 2
    return f"{table.unit * value.value:.1f} ±{table.unit * half:.1f}"


def written(table: Table, workers: int, progress: Callable[[int], object]) -> Iterator[str]:
    """Play the games of a table and write it in Markdown."""
    names = [line.agent for line in table.lines]
    results = [
        compare(names, RandomBoards(setup, count=table.games), workers=workers, progress=progress)
        for setup in table.setups
    ]
    yield f"### {table.title}\n\n{table.games} games a figure.\n\n"
    yield "| agent | " + " | ".join(table.columns) + " |\n"
    yield "|---" * (len(table.columns) + 1) + "|\n"
    for place, line in enumerate(table.lines):
        if any(value is not None for value in line.reported):
            reported = " | ".join(f"{value:g}" for value in line.reported if value is not None)
            yield f"| `{line.agent}`, reported | {reported} |\n"
        ours = " | ".join(figure(by_agent[place], table) for by_agent in results)
        yield f"| `{line.agent}` | {ours} |\n"
    yield "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300, help="games of each figure")
    parser.add_argument("--workers", type=int, default=cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=PAGE, help="the page whose tables to replace")
    options = parser.parse_args()
    every = list(tables(options.games))
    total = sum(table.games * len(table.setups) * len(table.lines) for table in every)
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("games", total=total)
        text = "".join(
            part
            for table in every
            for part in written(table, options.workers, lambda n: bar.advance(task, n))
        )
    page = options.out.read_text(encoding="utf-8")
    before, after = page.split(BEGIN)[0], page.split(END)[1]
    options.out.write_text(before + BEGIN + text + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()
