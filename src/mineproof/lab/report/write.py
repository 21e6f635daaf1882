"""Writes the report of studies: a page, figures and tables, from their records alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from mineproof import __version__
from mineproof.arguments import counted
from mineproof.lab.archive import Archive, write_whole
from mineproof.lab.findings import Findings
from mineproof.lab.headlines import headlines
from mineproof.lab.report import glossary
from mineproof.lab.report.figure import spark
from mineproof.lab.report.page import Finding, Group, Page, Section, render
from mineproof.lab.report.section import describe
from mineproof.lab.study import Study

__all__ = ["write_report"]

_GROUPS: Final = {
    "Who wins": ("levels", "strength", "playthrough", "calibration"),
    "How hard boards are": ("density", "mines", "size", "time", "effort", "hard"),
    "What an agent knows": ("total", "given", "uncertain", "deduced", "knowledge"),
    "Chains of influence": ("chains", "starts", "belief", "search", "short"),
    "Student reports": ("reports",),
}
_OTHERS: Final = "More studies"
_STRENGTH: Final = "strength"


def write_report(
    archive: Archive,
    studies: Sequence[Study],
    *,
    command: str = "",
    left_out: Sequence[str] = (),
) -> Path:
    """Write the report of studies into the directory of their records, and return its page.

    No game is played. ``index.html`` needs no other file to be looked at; its figures are also
    written as ``figures/STUDY-CHART.svg``, ``.png`` and ``.json``, their source in Vega-Lite, its
    tables as ``tables/STUDY-CHART.csv``, and ``tables/STUDY.csv`` lists the record files of a
    study. The same records give the same files.

    Parameters
    ----------
    archive
        The directory.
    studies
        What to report, in this order.
    command
        The command that plays these studies by name, such as ``mineproof study``: the page says how
        to repeat them. Without one, it names the function that a program has to call.
    left_out
        The titles of studies that few games cannot answer, and that a quick run does not play.

    Raises
    ------
    ValueError
        If a record file is damaged, or two charts need the same file.
    CannotWrite
        If a file cannot be written, for example on a full disk.

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
    ...     sorted(path.name for path in page.parent.glob("[ft]*/*"))
    ['easy-wins.csv', 'easy-wins.json', 'easy-wins.png', 'easy-wins.svg', 'easy.csv']
    """
    _refuse_equal_names(studies)
    found = [Findings(study, archive) for study in studies]
    sections = []
    for findings in found:
        section = describe(findings, command)
        sections.append(section)
        for chart in section.charts:
            if chart.figure is not None:
                _write(archive.path / "figures" / f"{chart.name}.svg", chart.figure.svg)
                _write(archive.path / "figures" / f"{chart.name}.png", chart.figure.png)
                _write(archive.path / "figures" / f"{chart.name}.json", chart.figure.source)
                _write(archive.path / "tables" / f"{chart.name}.csv", chart.csv)
        if section.files:
            _write(archive.path / "tables" / f"{section.name}.csv", section.csv)
    page = archive.path / "index.html"
    _write(page, render(_page(archive, found, sections, command, left_out)))
    return page


def _refuse_equal_names(studies: Sequence[Study]) -> None:
    names = [study.name for study in studies]
    names += [f"{study.name}-{chart.name}" for study in studies for chart in study.charts]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two studies or charts want to be called {name!r}")


def _page(
    archive: Archive,
    found: Sequence[Findings],
    sections: Sequence[Section],
    command: str,
    left_out: Sequence[str],
) -> Page:
    files = {file: games for section in sections for file, games in section.files.items()}
    unfinished = sum(bool(section.missing) for section in sections)
    missing = (
        f"Games of {unfinished} of {counted(len(sections), 'question')} are missing: the run was "
        "stopped or has not finished."
    )
    small = [findings for findings in found if findings.games_asked < findings.study.games]
    quick = (
        f"{len(small)} of {counted(len(found), 'question')} rest on fewer games than a full run "
        "plays."
    )
    if left_out:
        quick += f" Few games cannot answer these, which are left out: {', '.join(left_out)}."
    stories = [story for section in sections for story in section.stories if story.disputes]
    story = stories[0] if stories else None
    worst = max(story.disputes, key=lambda dispute: dispute.excess) if story else None
    strength = next((s.charts[0] for s in sections if s.name == _STRENGTH and s.charts), None)
    return Page(
        title="Minesweeper laboratory report",
        summary=(
            f"{counted(len(sections), 'question')} about playing Minesweeper, answered by "
            f"{counted(sum(files.values()), 'recorded game')}."
        ),
        missing=missing if unfinished else "",
        quick=quick if small else "",
        longer=f"{command} --all --out {archive.path}" if command else "",
        findings=tuple(
            Finding(h.study, h.before, h.number, h.after, h.doubt, spark(h.curve))
            for h in headlines(found)
        ),
        dispute=worst,
        dispute_of=f"{story.agent} on {story.conditions}" if story else "",
        strength=strength if strength is not None and strength.figure is not None else None,
        groups=tuple(_groups(sections)),
        agents=tuple(glossary.agents()),
        terms=tuple(glossary.terms()),
        methods=glossary.METHODS,
        limits=glossary.LIMITS,
        sources=tuple(glossary.sources(findings.study for findings in found)),
        made=_made(archive),
    )


def _made(archive: Archive) -> str:
    made = archive.made()
    if not made:
        return f"Made by mineproof {__version__}."
    return (
        f"Games last played on {made['date']} by mineproof {made['version']} with Python "
        f"{made['python']}, on {made['machine']}. Page made by mineproof {__version__}."
    )


def _groups(sections: Sequence[Section]) -> Iterator[Group]:
    by_name = {section.name: section for section in sections}
    for title, names in _GROUPS.items():
        some = tuple(by_name.pop(name) for name in names if name in by_name)
        if some:
            yield Group(title, some)
    if by_name:
        yield Group(_OTHERS, tuple(by_name.values()))


def _write(file: Path, content: str | bytes) -> None:
    write_whole(file, content.encode() if isinstance(content, str) else content)
