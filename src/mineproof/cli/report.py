"""`mineproof report`: the pages of studies, from their records."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from mineproof.lab.archive import Archive
    from mineproof.lab.findings import Findings
    from mineproof.lab.study import Point

__all__ = ["DirectoryArgument", "open_archive", "rebuild", "report", "show_sentences"]

DirectoryArgument: TypeAlias = Annotated[
    str, typer.Argument(metavar="DIR", help="Where `mineproof study` has put its records.")
]

_OPENING: Final = "levels"
"""The study whose first chart is shown as a table."""


def report(directory: DirectoryArgument) -> None:
    """Build the report of a directory anew, from its records alone; no game is played.

    It tells of all studies that were run there, as far as they have come, and DIR/index.html needs
    nothing else to be looked at. Exit codes: 1 it cannot be written, 2 bad input.
    """
    rebuild(open_archive(directory))


def open_archive(directory: str) -> Archive:
    """Return the records of a directory that is there."""
    from mineproof.lab.archive import Archive

    archive = Archive(directory)
    if not archive.path.is_dir():
        reason = "not a directory" if archive.path.exists() else "no such directory"
        raise ValueError(f"{directory}: {reason}")
    return archive


def rebuild(archive: Archive) -> None:
    """Write the report of all studies in a directory; print what they answer, and where it is."""
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
            + (f", only {others}: `mineproof.lab.report` has it in Python" if others else "")
        )
    if others:
        print(f"Left out, for they are not known here: {others}.", file=sys.stderr)
    findings = [Findings(study, archive) for study in known]
    if not any(found.arms for found in findings):
        raise ValueError(
            f"{archive.path}: all its records were played by another code; "
            f"`mineproof study --out {archive.path}` plays the games again"
        )
    print("Writing the report.", file=sys.stderr)
    page = write_report(archive, known, command="mineproof study")
    for found in findings:
        if found.study.name == _OPENING:
            _show_wins(found)
    show_sentences({found.study.name: _first_answer(found) for found in findings})
    print(f"Report: {page.resolve()}")


def _first_answer(findings: Findings) -> str:
    answer = findings.study.answer
    with suppress(LookupError):  # of an arm that has no games yet
        for sentence in () if answer is None else answer(findings):
            return sentence
    return "Nothing can be said yet."


def _show_wins(findings: Findings) -> None:
    """Print how often everyone wins: what most want to see first."""
    chart = findings.study.charts[0]
    points = findings.points(chart)
    panel = points[0].panel if points else None
    cells = {(point.x, point.line): point for point in points if point.panel == panel}
    levels = tuple(dict.fromkeys(line for _, line in cells))
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column(Text(f"{chart.measure.title}\n{chart.panels} {panel}"))
    for level in levels:
        table.add_column(Text(str(level)), justify="right", no_wrap=True)
    for agent in dict.fromkeys(agent for agent, _ in cells):
        found = (cells.get((agent, level)) for level in levels)
        table.add_row(Text(str(agent)), *(Text(_cell(point)) for point in found))
    Console(highlight=False, soft_wrap=True).print(table)
    wide = any(point.wide for point in cells.values())
    print("95% intervals in brackets" + ", * wider than ten points" * wide + "\n")


def _cell(point: Point | None) -> str:
    if point is None:
        return ""
    estimate = point.estimate
    mark = "*" if point.wide else " "
    return f"{estimate.value:.1f} [{estimate.low:.0f},{estimate.high:.0f}]{mark}"


def show_sentences(sentences: Mapping[str, str]) -> None:
    """Print what is to be said of each of several things."""
    console = Console(highlight=False)
    if not console.is_terminal:
        for name, sentence in sentences.items():
            print(f"{name}: {sentence}")
        return
    table = Table(box=None, show_header=False, padding=(0, 2, 1, 0))
    table.add_column(no_wrap=True, style="bold")
    for name, sentence in sentences.items():
        table.add_row(Text(name), Text(sentence))
    console.print(table)
