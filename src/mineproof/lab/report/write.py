"""Writes the report of studies: a page, figures and tables, from their records alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, StrictUndefined, Template

from mineproof import __version__
from mineproof.agents import registered
from mineproof.arguments import counted
from mineproof.lab.archive import Archive, write_kept
from mineproof.lab.findings import Findings
from mineproof.lab.headlines import headlines
from mineproof.lab.report.figure import config, library, spark
from mineproof.lab.report.look import FONTS, VARIABLES, themed
from mineproof.lab.report.section import Section
from mineproof.lab.study import Study
from mineproof.position.setup import LEVELS

__all__ = ["write_report"]

_GROUPS: Final = {
    "Who wins": ("levels", "strength", "playthrough", "calibration"),
    "How hard boards are": ("density", "mines", "size", "time", "effort", "hard"),
    "What an agent knows": ("total", "given", "uncertain", "deduced", "knowledge"),
    "Chains of influence": ("chains", "starts", "belief", "search", "short"),
    "Student reports": ("reports",),
}
_OTHERS: Final = "More studies"


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
    sections = [Section(Findings(study, archive), command) for study in studies]
    figures, tables = archive.path / "figures", archive.path / "tables"
    for section in sections:
        for exhibit in section.exhibits:
            if exhibit.figure is not None:
                _write(figures / f"{exhibit.name}.svg", exhibit.figure.svg)
                _write(figures / f"{exhibit.name}.png", exhibit.figure.png)
                _write(figures / f"{exhibit.name}.json", exhibit.figure.source)
                _write(tables / f"{exhibit.name}.csv", exhibit.csv)
        if section.files:
            _write(tables / f"{section.study.name}.csv", section.list_of_files)
    page = archive.path / "index.html"
    _write(page, _layout().render(_content(archive, sections, command, left_out)))
    return page


def _refuse_equal_names(studies: Sequence[Study]) -> None:
    names = [study.name for study in studies]
    names += [f"{study.name}-{chart.name}" for study in studies for chart in study.charts]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two studies or charts want to be called {name!r}")


@cache
def _layout() -> Template:
    layout = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    # These parts are the same on every page.
    layout.globals = {
        "light": "".join(f"--{name}:{colour};" for colour, (name, _) in VARIABLES.items()),
        "dark": "".join(f"--{name}:{colour};" for name, colour in VARIABLES.values()),
        "css": _text("page.css").replace("FONTS", FONTS),
        "script": _text("page.js"),
        "config": themed(json.dumps(config())),
        "library": library(),
        "spark": spark,
        "counted": counted,
    }
    return layout.from_string(_text("page.html"))


def _text(file: str) -> str:
    return Path(__file__).with_name(file).read_text(encoding="utf-8")


def _content(
    archive: Archive, sections: Sequence[Section], command: str, left_out: Sequence[str]
) -> dict[str, Any]:
    """Return the parts of the page about all studies together."""
    found = [section.findings for section in sections]
    held = {file: each for section in sections for each, _, file in section.files}
    stories = (story for section in sections for story in section.stories if story.disputes)
    strength = [s.exhibits[0] for s in sections if s.study.name == "strength" and s.findings.games]
    return {
        "games": sum(each.end - each.first for each in held.values()),
        "unfinished": sum(not findings.complete for findings in found),
        "small": sum(findings.games_asked < findings.study.games for findings in found),
        "left_out": left_out,
        "longer": f"{command} --all --out {archive.path}" if command else "",
        "findings": headlines(found),
        "story": next(stories, None),
        "strength": strength[0] if strength else None,
        "sections": sections,
        "groups": dict(_groups(sections)),
        "agents": _agents(),
        "levels": _levels(),
        "sources": _sources(findings.study for findings in found),
        "made": archive.made(),
        "version": __version__,
    }


def _groups(sections: Sequence[Section]) -> Iterator[tuple[str, list[Section]]]:
    """Yield the studies by subject."""
    by_name = {section.study.name: section for section in sections}
    for title, names in _GROUPS.items():
        if some := [by_name.pop(name) for name in names if name in by_name]:
            yield title, some
    if by_name:
        yield _OTHERS, [*by_name.values()]


def _agents() -> Iterator[tuple[str, str, str]]:
    """Yield the agents with their ideas, options and sources."""
    for kind in registered().values():
        idea = (kind.__doc__ or "").strip().partition("\n")[0]
        options = "; ".join(f":{option} {what}" for option, what in kind.options.items())
        yield kind.name, f"{idea} {options}".strip(), kind.report


def _levels() -> Iterator[tuple[str, str]]:
    """Yield the names of levels with their sizes."""
    sizes: dict[str, list[str]] = {}
    for name, level in LEVELS.items():
        rows, cols = level.topology.shape
        size = f"{rows}×{cols} cells with {level.mines} mines."
        sizes.setdefault(size, []).append(name)
    return ((", ".join(names), size) for size, names in sizes.items())


def _sources(studies: Iterable[Study]) -> Iterable[tuple[str, str]]:
    """Return where the published figures of studies come from."""
    return {
        name: published.source
        for study in studies
        for chart in study.charts
        for name, published in chart.published.items()
        if published.source
    }.items()


def _write(file: Path, content: str | bytes) -> None:
    write_kept(file, content)
