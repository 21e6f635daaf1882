"""`mineproof report`: the pages of studies, from their records."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from mineproof.archive import Archive

__all__ = ["DirectoryArgument", "open_archive", "rebuild", "report", "show_sentences"]

DirectoryArgument: TypeAlias = Annotated[
    str, typer.Argument(metavar="DIR", help="Where `mineproof study` has put its records.")
]


def report(directory: DirectoryArgument) -> None:
    """Build the report of a directory anew, from its records alone; no game is played.

    It tells of all studies that were run there, as far as they have come, and DIR/index.html needs
    nothing else to be looked at. Exit codes: 1 it cannot be written, 2 bad input.
    """
    rebuild(open_archive(directory))


def open_archive(directory: str) -> Archive:
    """Return the records of a directory that is there."""
    from mineproof.archive import Archive

    archive = Archive(directory)
    if not archive.path.is_dir():
        reason = "not a directory" if archive.path.exists() else "no such directory"
        raise ValueError(f"{directory}: {reason}")
    return archive


def rebuild(archive: Archive) -> None:
    """Write the report of all studies in a directory; print what they answer, and where it is."""
    from mineproof import studies
    from mineproof.findings import Findings
    from mineproof.report import write_report

    if not archive.held():
        raise ValueError(f"{archive.path}: holds no records")
    declared = archive.declared()
    known = [studies.get(name) for name in studies.names() if name in declared]
    others = ", ".join(sorted(declared.keys() - studies.names()))
    if not known:
        raise ValueError(
            f"{archive.path}: holds no study that is known here"
            + (f", only {others}: `mineproof.report` has it in Python" if others else "")
        )
    if others:
        print(f"Left out, for they are not known here: {others}.", file=sys.stderr)
    page = write_report(archive, known)
    answers = {}
    for study in known:
        findings = Findings(study, archive)
        said = () if study.answer is None else study.answer(findings)
        answers[study.name] = next(iter(said), "Nothing can be said yet.")
    show_sentences(answers)
    print(f"Report: {Path(page).resolve()}")


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
