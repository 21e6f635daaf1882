"""Play the study `reports`, and write its tables into docs/reports.md."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from os import cpu_count
from pathlib import Path

from rich.console import Console
from rich.progress import Progress as Bar

from mineproof.arena.signatures import SIGNATURES
from mineproof.lab import studies
from mineproof.lab.findings import Findings
from mineproof.lab.run import Progress, run
from mineproof.lab.study import Chart, Study
from mineproof.statistics import Estimate

PAGE = Path(__file__).parents[1] / "docs" / "reports.md"
BEGIN, END = "<!-- tables: begin -->\n", "<!-- tables: end -->\n"


def played_by(study: Study) -> str:
    """Note the code of the agents, so that a test can tell when the tables are stale."""
    names = sorted({arm.agent.partition(":")[0] for arm in study.arms})
    codes = "\n".join(f"{name} {SIGNATURES[name]}" for name in names)
    return f"<!-- played by\n{codes}\n-->\n"


def table(findings: Findings, chart: Chart) -> Iterator[str]:
    """Write a chart in Markdown: a column per place, a row per agent, reported figures first."""
    points = {(str(point.line), point.x): point for point in findings.points(chart)}
    places = list(dict.fromkeys(place for _, place in points))
    games = max(point.games for point in points.values())
    yield f"### {chart.title}\n\n{chart.measure.title}; {games:,} games per figure.\n\n"
    yield row("agent", (f"{place}" for place in places))
    yield "|---" * (len(places) + 1) + "|\n"
    for agent in dict.fromkeys(line for line, _ in points):
        reported = chart.published.get(agent)
        if reported is not None:
            yield row(f"`{agent}`, reported", (f"{reported.values[place]:g}" for place in places))
        yield row(f"`{agent}`", (figure(points[agent, place].estimate) for place in places))
    yield "\n"


def row(heading: str, cells: Iterable[str]) -> str:
    return f"| {heading} | {' | '.join(cells)} |\n"


def figure(estimate: Estimate) -> str:
    """Write a figure with half the width of its interval."""
    return f"{estimate.value:.1f} ±{estimate.width / 2:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, help="games per figure")
    parser.add_argument("--workers", type=int, default=cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=Path("studies"), help="where records are kept")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page whose tables to replace")
    options = parser.parse_args()
    study = studies.get("reports")
    with Bar(console=Console(stderr=True)) as bar:
        games = bar.add_task("games", total=None)

        def show(progress: Progress) -> None:
            bar.update(games, total=progress.games, completed=progress.games_done)

        archive = run(
            [study], options.out, games=options.games, workers=options.workers, progress=show
        )
    findings = Findings(study, archive)
    tables = played_by(study)
    tables += "".join(part for chart in study.charts for part in table(findings, chart))
    page = options.page.read_text(encoding="utf-8")
    before, after = page.split(BEGIN)[0], page.split(END)[1]
    options.page.write_text(before + BEGIN + tables + END + after, encoding="utf-8")


if __name__ == "__main__":
    main()
