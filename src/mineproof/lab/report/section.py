"""What the page says of one study, worked out from its records."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Final

from mineproof.arguments import counted
from mineproof.lab.findings import Findings
from mineproof.lab.report.figure import draw
from mineproof.lab.report.page import Exhibit, Section
from mineproof.lab.report.plot import Plot
from mineproof.lab.report.story import stories
from mineproof.lab.report.table import Table, csv_text
from mineproof.lab.report.words import capital, described, judged, stated
from mineproof.lab.study import Arm, Chart, Coordinate, Study, Task

__all__ = ["describe"]

_BOARDS, _FEWER = 12, 4
"""How many boards the first game of a study is told with, and how many the others."""

_DIFFERENT_COLUMNS: Final = ', missing_columns="insert", extra_columns="ignore"'
"""What Polars has to know of files of which some measure more than others."""


def describe(findings: Findings, command: str) -> Section:
    """Describe a study.

    Parameters
    ----------
    findings
        What its records say.
    command
        What plays studies by name, if anything does.
    """
    study = findings.study
    files = tuple(_files(findings))
    probes = {arm.probe for arm in study.arms}
    return Section(
        name=study.name,
        title=study.title,
        question=study.question,
        answers=_answers(findings),
        missing=_missing(findings),
        charts=tuple(_exhibit(findings, chart) for chart in study.charts),
        stories=tuple(stories(findings, boards=_BOARDS, fewer=_FEWER)),
        games=findings.games,
        asked=_asked(findings),
        played=_played(findings),
        seeds=_seeds(findings),
        code=", ".join(findings.code),
        command=_again(study, findings.games_asked, command),
        files={f"records/{task.id}.parquet": task.games for task, _ in files},
        options=_DIFFERENT_COLUMNS if len(probes) > 1 else "",
        csv=_list_of_files(files),
    )


def _answers(findings: Findings) -> tuple[str, ...]:
    """Return what the study says of its records, as far as they go."""
    said: list[str] = []
    if findings.study.answer is not None and findings.arms:
        try:
            said.extend(findings.study.answer(findings))
        except LookupError:
            said.append("More can be said when all arms have games.")
    return tuple(said)


def _missing(findings: Findings) -> str:
    if findings.complete:
        return ""
    return (
        f"Only {findings.games:,} of {counted(_asked(findings), 'game')} are there: the run was "
        "stopped or has not finished."
    )


def _asked(findings: Findings) -> int:
    return findings.games_asked * len(findings.study.arms)


def _exhibit(findings: Findings, chart: Chart) -> Exhibit:
    plot = Plot.of(findings, chart)
    table, title, description = Table.of(plot), stated(plot), described(plot)
    return Exhibit(
        name=f"{findings.study.name}-{chart.name}",
        title=title,
        caption=_caption(plot, table, title),
        notes=tuple(_notes(plot)),
        description=description,
        figure=draw(plot, title, description) if plot.points else None,
        board=chart.board,
        table=table,
        csv=csv_text(plot),
    )


def _caption(plot: Plot, table: Table, title: str) -> str:
    what = f"{plot.value_title}{_rests_on(plot, table)}."
    return f"{plot.chart.title}: {what}" if title != plot.chart.title else capital(what)


def _rests_on(plot: Plot, table: Table) -> str:
    if plot.chart.board:
        return ", cell by cell; cells without a number have a mine"
    by = "" if plot.is_flat or f"by {plot.x_title}" in plot.chart.title else f", by {plot.x_title}"
    return f"{by}, with 95% intervals; {table.games} per value"


def _notes(plot: Plot) -> Iterator[str]:
    if plot.chart.minus is not None:
        yield f"Above 0 is more than {plot.chart.minus} on the same boards."
    if plot.is_change and plot.points and "correlation" not in plot.chart.measure.title:
        verdicts = [*judged(plot).values()]
        yield f"{verdicts.count('clear')} of {counted(len(verdicts), 'difference')} are clear."
    unshown = sum(point.estimate.value <= 0 for point in plot.points)
    if plot.is_log and unshown:
        have = "has" if unshown == 1 else "have"
        yield f"{counted(unshown, 'value')} of 0 {have} no place on a logarithmic axis."


def _played(findings: Findings) -> str:
    arms = len(findings.study.arms)
    each = counted(findings.games_asked, "game")
    asked = f"{each} of each of {counted(arms, 'arm')} (an agent under some conditions)"
    return asked if findings.complete else f"{findings.games:,}; asked for were {asked}"


def _seeds(findings: Findings) -> str:
    first, games = findings.study.seed, findings.games_asked
    if games == 1:
        return f"{first}, the same for every arm"
    return f"{first} to {first + games - 1}, the same for every arm"


def _again(study: Study, games: int, command: str) -> str:
    """Return what plays the games again: a command, or what a program has to call."""
    if not command:
        return f'mineproof.lab.run.run([study], "DIR", games={games})'
    size = {study.games: "", study.quick: " --quick"}.get(games, f" --games {games}")
    return f"{command} {study.name}{size} --out DIR"


def _files(findings: Findings) -> Iterator[tuple[Task, Arm]]:
    """Yield the tasks whose records are there."""
    for arm in findings.arms:
        for task in arm.tasks(findings.games_asked, findings.study.seed):
            if (findings.archive.records / f"{task.id}.parquet").exists():
                yield task, arm


def _list_of_files(files: Sequence[tuple[Task, Arm]]) -> str:
    """List record files with the coordinates of their arms."""
    keys = dict.fromkeys(key for _, arm in files for key in arm.at)
    stream = io.StringIO()
    out = csv.writer(stream, lineterminator="\n")
    out.writerow([*keys, "first_seed", "games", "file"])
    for task, arm in files:
        at: list[Coordinate] = [arm.at.get(key, "") for key in keys]
        out.writerow([*at, task.first, task.games, f"records/{task.id}.parquet"])
    return stream.getvalue()
