"""Printing to standard output: drawings, tables, and sentences about several things."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from html import escape
from itertools import islice
from textwrap import wrap
from typing import Final

from rich import box
from rich import console as rich_console
from rich.table import Table
from rich.text import Text

from mineproof.draw.terminal import unbroken
from mineproof.statistics import Estimate

_CELL_GAP: Final = "\N{NO-BREAK SPACE}"


class Console(rich_console.Console):
    """A console that raises an error at a broken pipe, as `print` does."""

    def on_broken_pipe(self) -> None:
        """Raise the error instead of ending the program."""
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def plain_console() -> tuple[Console, int | None]:
    """Return a console, and its width if it is a terminal."""
    console = Console(highlight=False, soft_wrap=True)
    return console, console.width if console.is_terminal else None


def right(value: object) -> Text:
    """Return a cell of a column that is aligned to the right."""
    return Text(str(value), justify="right")


def percent_interval(estimate: Estimate, form: str, gap: str = " ") -> Text:
    """Write an estimate in percent, in this form and followed by a gap, and its interval."""
    bounds = (estimate.value, estimate.low, estimate.high)
    value, low, high = (format(100 * bound, form) for bound in bounds)
    return right(f"{value}{gap}[{low},{high}]")


def columns_width(columns: Mapping[str, Sequence[Text]]) -> int:
    """Return how wide columns are side by side if nothing is cut."""
    return Console(width=100_000).measure(_table(columns)).maximum


def print_columns(columns: Mapping[str, Sequence[Text]], *, repeated: int = 1) -> None:
    """Print columns by their headings, in several tables if they do not fit side by side.

    Every table begins with the first columns.
    """
    width = Console().width
    first = dict(islice(columns.items(), repeated))
    shown, tables = dict(first), []
    for heading, cells in islice(columns.items(), repeated, None):
        if len(shown) > repeated and columns_width({**shown, heading: cells}) > width:
            tables.append(shown)
            shown = dict(first)
        shown[heading] = cells
    for number, each in enumerate([*tables, shown]):
        if number:
            print()
        # Nothing is cut: a terminal may wrap its lines.
        console = Console(highlight=False, width=max(width, columns_width(each)))
        console.print(_table(each))


def _table(columns: Mapping[str, Sequence[Text]]) -> Table:
    """Return a table with a rule below its headings."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for heading, cells in columns.items():
        right = any(cell.justify == "right" for cell in cells)
        table.add_column(Text(heading), no_wrap=True, justify="right" if right else "left")
    for row in zip(*columns.values(), strict=True):
        table.add_row(*row)
    return table


def print_sentences(sentences: Mapping[str, str]) -> None:
    """Print named sentences: as a table on a terminal, else one per line."""
    console = Console(highlight=False)
    if not console.is_terminal:
        print_wrapped(*(f"{name}: {each}" for name, each in sentences.items()), hanging="    ")
        return
    table = Table(box=None, show_header=False, padding=(0, 2, 1, 0))
    table.add_column(no_wrap=True, style="bold")
    for name, sentence in sentences.items():
        table.add_row(Text(name), Text(sentence))
    console.print(table)


def wrapped(text: str, hanging: str = "") -> list[str]:
    """Break a sentence into lines that fit the terminal, but never inside a cell or a path.

    Further lines hang, in addition to how far the first one is indented.
    """
    indent = text[: len(text) - len(text.lstrip())] + hanging
    lines = wrap(
        unbroken(text),
        Console().width,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return [line.replace(_CELL_GAP, " ") for line in lines] or [""]


def print_wrapped(*sentences: str, hanging: str = "", style: str = "") -> None:
    """Print sentences, each from a line of its own and as wide as the terminal at most."""
    console = Console(highlight=False, soft_wrap=True)
    for sentence in sentences:
        for line in wrapped(sentence, hanging):
            console.print(Text(line, style))


def html_page(title: str, body: str) -> str:
    """Return a page that needs no other file, for light and dark screens of any width."""
    return f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>
body {{ font: 16px/1.5 sans-serif; margin: 2rem auto; max-width: 64rem; padding: 0 1rem }}
h1, h2 {{ line-height: 1.2 }} h2 {{ font-size: 1.1rem; margin-top: 2rem }}
svg {{ max-width: 100%; height: auto; background: #fff; border-radius: 4px }}
</style>
</head>
<body>
{body}
</body>
</html>
"""
