"""`mineproof report`: the pages of studies, from their records."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import click
from rich.text import Text

from mineproof.cli.completion import directories
from mineproof.cli.output import print_columns, print_sentences

if TYPE_CHECKING:
    from mineproof.lab.archive import Archive
    from mineproof.lab.findings import Findings
    from mineproof.lab.study import Point


_OPENING: Final = "levels"
"""The study whose first chart is printed as a table."""


@click.command()
@click.argument("directory", metavar="DIR", shell_complete=directories)
def report(directory: str) -> None:
    """Rebuild the report of a directory from its records.

    DIR is the directory of `mineproof study`. The report, DIR/index.html, needs no other file. It
    covers all studies that were run there, finished or not; no game is played.

    Exit codes: 1 the report cannot be written, 2 bad input.
    """
    rebuild(open_archive(directory))


def open_archive(directory: str) -> Archive:
    """Return the records of an existing directory."""
    from mineproof.lab.archive import Archive

    archive = Archive(directory)
    if not archive.path.is_dir():
        reason = "not a directory" if archive.path.exists() else "no such directory"
        raise ValueError(f"{directory}: {reason}")
    return archive


def rebuild(archive: Archive) -> None:
    """Write the report of all studies in a directory, and print their answers."""
    from mineproof.lab import studies
    from mineproof.lab.findings import Findings
    from mineproof.lab.report import write_report

    if not archive.held():
        raise ValueError(f"{archive.path}: holds no records")
    declared = archive.declared()
    known = [studies.get(name) for name in studies.names() if name in declared]
    others = ", ".join(sorted(declared.keys() - studies.names()))
    if not known:
        raise ValueError(
            f"{archive.path}: holds no study that is known here"
            + (f", only {others}: build their report with mineproof.lab.report" if others else "")
        )
    if others:
        print(f"Left out, since they are not known here: {others}.", file=sys.stderr)
    findings = [Findings(study, archive) for study in known]
    if not any(found.arms for found in findings):
        names = " ".join(study.name for study in known)
        raise ValueError(
            f"{archive.path}: all its records were played by other code; "
            f"`mineproof study {names} --out {archive.path}` plays the games again"
        )
    print("Writing the report.", file=sys.stderr)
    page = write_report(archive, known, command="mineproof study")
    show_answers(findings)
    print(f"Report: {page.resolve()}")


def show_answers(findings: Sequence[Findings]) -> None:
    """Print what the records of studies say so far."""
    for found in findings:
        if found.study.name == _OPENING and found.arms:
            _show_wins(found)
    print_sentences({found.study.name: _first_answer(found) for found in findings})


def _first_answer(findings: Findings) -> str:
    answer = findings.study.answer
    with suppress(LookupError):  # an arm has no games yet
        for sentence in () if answer is None else answer(findings):
            return sentence
    return "Nothing can be said yet."


def _show_wins(findings: Findings) -> None:
    """Print how often each agent wins, which most readers want to see first."""
    chart = findings.study.charts[0]
    points = findings.points(chart)
    panel = points[0].panel if points else None
    cells = {(point.x, point.line): point for point in points if point.panel == panel}
    agents = tuple(dict.fromkeys(agent for agent, _ in cells))
    columns = {"agent": [Text(str(agent)) for agent in agents]}
    for level in dict.fromkeys(line for _, line in cells):
        found = (cells.get((agent, level)) for agent in agents)
        columns[str(level)] = [Text(_cell(point), justify="right") for point in found]
    print(f"{chart.measure.title}, {chart.panels} {panel}\n")
    print_columns(columns)
    wide = any(point.wide for point in cells.values())
    print("95% intervals in brackets" + ", * wider than ten points" * wide + "\n")


def _cell(point: Point | None) -> str:
    if point is None:
        return ""
    estimate, mark = point.estimate, "*" if point.wide else " "
    return f"{estimate.value:.1f} [{estimate.low:.0f},{estimate.high:.0f}]{mark}"
