"""The page: what it says, as values, and how it is laid out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, StrictUndefined, Template

from mineproof.lab.report.figure import Pictures
from mineproof.lab.report.story import Story
from mineproof.lab.report.table import Table
from mineproof.lab.report.theme import FONTS, VARIABLES

__all__ = ["Exhibit", "Headline", "Page", "Section", "render"]


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A chart on the page.

    Parameters
    ----------
    name, title
        What its files are called, and its heading.
    pictures
        The figure; None where no game tells of it yet.
    caption, notes
        What the values are, and what is to be noted of them.
    table
        The values.
    csv
        The values as a file.
    """

    name: str
    title: str
    pictures: Pictures | None
    caption: str
    notes: tuple[str, ...]
    table: Table
    csv: str


@dataclass(frozen=True, slots=True)
class Section:
    """A study on the page.

    Parameters
    ----------
    name, title, question
        What was asked.
    answers
        What the records say, the most important first.
    missing
        What is not there yet; empty where all is.
    charts, stories
        What is shown.
    games, asked
        How many games there are, and how many were asked for.
    played, seeds, code, command
        What it takes to repeat it.
    files, options
        The record files that it rests on with their games, and what Polars has to know of them.
    csv
        The list of these files.
    """

    name: str
    title: str
    question: str
    answers: tuple[str, ...]
    missing: str
    charts: tuple[Exhibit, ...]
    stories: tuple[Story, ...]
    games: int
    asked: int
    played: str
    seeds: str
    code: str
    command: str
    files: Mapping[str, int]
    options: str
    csv: str

    @property
    def headline(self) -> str:
        """The answer in a sentence."""
        if self.answers:
            return self.answers[0]
        return "Shown by its figures." if self.games else "Nothing can be said yet."


@dataclass(frozen=True, slots=True)
class Headline:
    """The table that opens the page.

    Parameters
    ----------
    chart
        Whose table it is.
    section
        Where the rest is.
    """

    chart: Exhibit
    section: Section


@dataclass(frozen=True, slots=True)
class Page:
    """The whole page.

    Parameters
    ----------
    title, summary
        What it is, and how much of it.
    missing
        What is not there yet; empty where all is.
    headline
        The table that opens it, where there is one.
    sections
        The studies.
    """

    title: str
    summary: str
    missing: str
    headline: Headline | None
    sections: tuple[Section, ...]


def render(page: Page) -> str:
    """Lay the page out as HTML that needs no other file to be looked at."""
    light = "".join(f"--{name}:{colour};" for colour, (name, _) in VARIABLES.items())
    dark = "".join(f"--{name}:{colour};" for name, colour in VARIABLES.values())
    css = _text("page.css").replace("FONTS", FONTS)
    return _template().render(page=page, light=light, dark=dark, css=css)


@cache
def _template() -> Template:
    layout = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    return layout.from_string(_text("page.html"))


def _text(file: str) -> str:
    return Path(__file__).with_name(file).read_text(encoding="utf-8")
