"""Writes the report of studies: a page, figures and tables, from their records alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from mineproof.arguments import counted
from mineproof.lab.archive import Archive, write_whole
from mineproof.lab.findings import Findings
from mineproof.lab.report.page import Headline, Page, Section, render
from mineproof.lab.report.section import describe
from mineproof.lab.report.theme import Styles
from mineproof.lab.study import Study

__all__ = ["write_report"]

_OPENING: Final = "levels"
"""The study whose first table opens the page: who wins how often is what most come for."""


def write_report(archive: Archive, studies: Sequence[Study], *, command: str = "") -> Path:
    """Write the report of studies into the directory of their records, and return its page.

    No game is played. ``index.html`` needs no other file to be looked at; its figures are also
    written as ``figures/STUDY-CHART.svg`` and ``.png``, its tables as ``tables/STUDY-CHART.csv``,
    and ``tables/STUDY.csv`` lists the record files of a study. The same records give the same
    files.

    Parameters
    ----------
    archive
        The directory.
    studies
        What to tell of, in this order.
    command
        What plays these studies by name, such as ``mineproof study``: the page tells how to repeat
        them. Without one, it names what a program has to call.

    Raises
    ------
    ValueError
        If a record file is damaged, or two charts want the same file.
    CannotWrite
        If the disk is full, for one.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from mineproof import Setup
    >>> from mineproof.lab.run import run
    >>> from mineproof.lab.study import WINS, Chart, grid
    >>> study = Study(
    ...     "easy",
    ...     title="Easy boards",
    ...     question="Who wins on easy boards?",
    ...     arms=grid(["exact", "random"], [Setup.level("easy")], at=lambda setup: {"size": 9}),
    ...     games=100,
    ...     quick=10,
    ...     charts=(Chart("wins", "Games won", WINS, x="size"),),
    ... )
    >>> with TemporaryDirectory() as directory:
    ...     page = write_report(run([study], directory, quick=True), [study])
    ...     page.name, sorted(path.name for path in page.parent.glob("[ft]*/*"))
    ('index.html', ['easy-wins.csv', 'easy-wins.png', 'easy-wins.svg', 'easy.csv'])
    """
    _refuse_equal_names(studies)
    styles = Styles()
    sections = []
    for study in studies:
        section = describe(Findings(study, archive), styles, command)
        sections.append(section)
        for chart in section.charts:
            if chart.pictures is not None:
                _write(archive.path / "figures" / f"{chart.name}.svg", chart.pictures.svg)
                _write(archive.path / "figures" / f"{chart.name}.png", chart.pictures.png)
                _write(archive.path / "tables" / f"{chart.name}.csv", chart.csv)
        if section.files:
            _write(archive.path / "tables" / f"{study.name}.csv", section.csv)
    page = archive.path / "index.html"
    _write(page, render(_page(sections)))
    return page


def _refuse_equal_names(studies: Sequence[Study]) -> None:
    names = [study.name for study in studies]
    names += [f"{study.name}-{chart.name}" for study in studies for chart in study.charts]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two studies or charts want to be called {name!r}")


def _page(sections: Sequence[Section]) -> Page:
    files = {file: games for section in sections for file, games in section.files.items()}
    unfinished = sum(bool(section.missing) for section in sections)
    missing = (
        f"Games of {unfinished} of {counted(len(sections), 'question')} are missing: the run was "
        "stopped, or is not over yet."
    )
    return Page(
        title="Minesweeper laboratory report",
        summary=(
            f"{counted(len(sections), 'question')} about playing Minesweeper, answered by "
            f"{counted(sum(files.values()), 'recorded game')}."
        ),
        missing=missing if unfinished else "",
        headline=next((_headline(s) for s in sections if s.name == _OPENING and s.charts), None),
        sections=tuple(sections),
    )


def _headline(section: Section) -> Headline | None:
    chart = section.charts[0]
    return Headline(chart, section) if chart.pictures is not None else None


def _write(file: Path, content: str | bytes) -> None:
    write_whole(file, content.encode() if isinstance(content, str) else content)
