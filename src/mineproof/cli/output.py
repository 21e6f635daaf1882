"""Printing to standard output: drawings, tables, and sentences about several things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from textwrap import fill

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text


def plain_console() -> tuple[Console, int | None]:
    """Return a console, and its width if it is a terminal."""
    console = Console(highlight=False, soft_wrap=True)
    return console, console.width if console.is_terminal else None


def new_table() -> Table:
    """Return a table with a rule below its headings."""
    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))


def table_width(table: Table) -> int:
    """Return how wide a table is if nothing is cut."""
    return Console(width=100_000).measure(table).maximum


def print_columns(columns: Mapping[str, Sequence[Text]], *, repeated: int = 1) -> None:
    """Print columns by their headings, in several tables if they do not fit side by side.

    Every table begins with the first columns.
    """
    width = Console().width
    headings = list(columns)
    first, rest = headings[:repeated], headings[repeated:]
    tables: list[Table] = []
    shown = first
    for heading in rest:
        wider = _table({name: columns[name] for name in (*shown, heading)})
        if len(shown) > repeated and table_width(wider) > width:
            tables.append(_table({name: columns[name] for name in shown}))
            shown = first
        shown = [*shown, heading]
    tables.append(_table({name: columns[name] for name in shown}))
    for number, table in enumerate(tables):
        if number:
            print()
        print_table(table)


def _table(columns: Mapping[str, Sequence[Text]]) -> Table:
    table = new_table()
    for heading, cells in columns.items():
        right = any(cell.justify == "right" for cell in cells)
        table.add_column(Text(heading), no_wrap=True, justify="right" if right else "left")
    for row in zip(*columns.values(), strict=True):
        table.add_row(*row)
    return table


def print_table(table: Table) -> None:
    """Print a table without cutting anything: a terminal may wrap its lines."""
    width = max(Console().width, table_width(table))
    Console(highlight=False, width=width).print(table)


def print_sentences(sentences: Mapping[str, str]) -> None:
    """Print named sentences: as a table on a terminal, else one per line."""
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


def print_wrapped(text: str, hanging: str = "") -> None:
    """Print a sentence, wrapped at words to the width of the terminal; further lines hang."""
    width = Console().width
    print(fill(text, width, subsequent_indent=hanging, break_on_hyphens=False))


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
