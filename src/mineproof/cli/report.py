"""`mineproof report`: the pages of studies, from their records."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from mineproof.cli import options
from mineproof.cli.output import Console, print_wrapped

if TYPE_CHECKING:
    from mineproof.lab.archive import Archive
    from mineproof.lab.findings import Findings

opening = click.option(
    "--open", "show", is_flag=True, help="Open the report in the browser when it is written."
)


@click.command()
@click.argument("directory", metavar="DIR", type=options.FOLDER)
@opening
def report(directory: str, show: bool) -> None:
    """Rebuild the report of a directory from its records.

    DIR is the directory of `mineproof study`. The report, DIR/index.html, needs no other file. It
    covers all studies that were run there, finished or not; no game is played.

    Exit codes: 1 the report cannot be written, 2 bad input.
    """
    from mineproof.lab.archive import Archive

    rebuild(Archive(directory), show=show)


def rebuild(archive: Archive, *, show: bool = False) -> None:
    """Write the report of all studies in a directory, and print its findings."""
    from mineproof.lab import studies
    from mineproof.lab.findings import Findings
    from mineproof.lab.report import write_report

    if not archive.put_in_order(tell):
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
    unasked = (studies.get(name) for name in studies.names() if name not in declared)
    left_out = [study.title for study in unasked if not study.quick]
    page = write_report(archive, known, command="mineproof study", left_out=left_out).resolve()
    show_findings(findings)
    short = [found.study for found in findings if found.games_asked < found.study.games]
    if short:
        everything = len(known) > 1 and len(short) == len(known)
        names = "--all" if everything else " ".join(study.name for study in short)
        print_wrapped("A full run plays more games: intervals are narrower then.")
        print_wrapped(f"For firm figures: mineproof study {names} --out {archive.path}")
    _print_place(page)
    if show:
        webbrowser.open(page.as_uri())


def tell(sentence: str) -> None:
    """Print a sentence that is no part of the output."""
    print(f"mineproof: {sentence}", file=sys.stderr)


def _print_place(page: Path) -> None:
    """Print where the report is: a link in a terminal, on a line of its own if it is long."""
    console = Console(highlight=False, soft_wrap=True)
    if not console.is_terminal:
        print(f"Report: {page}")
        return
    shown = str(page.relative_to(Path.cwd()) if page.is_relative_to(Path.cwd()) else page)
    gap = " " if len("Report: ") + len(shown) <= console.width else "\n"
    console.print(Text(f"Report:{gap}").append(shown, f"link {page.as_uri()}"))


def show_findings(findings: Sequence[Findings]) -> None:
    """Print what the records of studies say so far: up to five sentences with their intervals."""
    from mineproof.lab.headlines import headlines

    told = headlines(findings)
    for headline in told:
        doubt = f" ({headline.doubt})" if headline.doubt else ""
        print_wrapped(f"- {headline.sentence}{doubt}", hanging="  ")
    if not told:
        print("Nothing can be said yet.")
