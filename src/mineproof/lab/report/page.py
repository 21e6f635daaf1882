"""The page: what it says, as values, and how it is laid out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, StrictUndefined, Template

from mineproof.lab.report.figure import Figure, config, library
from mineproof.lab.report.look import FONTS, VARIABLES, themed
from mineproof.lab.report.story import Dispute, Story
from mineproof.lab.report.table import Table

__all__ = ["Exhibit", "Finding", "Group", "Page", "Section", "Term", "render"]


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A chart on the page.

    Parameters
    ----------
    name
        What its files are called.
    title, caption, notes
        What it shows: the finding, the quantity, and what to keep in mind.
    description
        Its content in words.
    figure
        The figure; None if there is no game for it yet.
    board
        Whether it shows boards.
    table, csv
        The values, for the page and as a file.
    """

    name: str
    title: str
    caption: str
    notes: tuple[str, ...]
    description: str
    figure: Figure | None
    board: bool
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
        What is not there yet; empty if nothing is missing.
    charts, stories
        What is shown.
    games, asked
        How many games there are, and how many were asked for.
    played, seeds, code, command
        What it takes to repeat it.
    files, options
        The record files with their games, and what Polars has to know of them.
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
class Finding:
    """One of the findings that open the page: a sentence around a number, and a small picture."""

    study: str
    before: str
    number: str
    after: str
    doubt: str
    picture: str

    @property
    def sentence(self) -> str:
        """The sentence without emphasis."""
        return f"{self.before}{self.number}{self.after}"


@dataclass(frozen=True, slots=True)
class Group:
    """Studies of one subject."""

    title: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Term:
    """An entry of the glossary or of the sources."""

    name: str
    meaning: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """The whole page.

    Parameters
    ----------
    title, summary
        What it is, and how much of it.
    missing
        What is not there yet; empty if nothing is missing.
    quick, longer
        What a quick run leaves out, and the command of a longer run.
    findings, dispute, dispute_of, strength
        The first two screens: findings, a decision of a real game, and the strongest players.
    groups
        The studies.
    agents, terms, methods, limits, sources, made
        What a reader may have to look up.
    """

    title: str
    summary: str
    missing: str
    quick: str
    longer: str
    findings: tuple[Finding, ...]
    dispute: Dispute | None
    dispute_of: str
    strength: Exhibit | None
    groups: tuple[Group, ...]
    agents: tuple[Term, ...]
    terms: tuple[Term, ...]
    methods: tuple[str, ...]
    limits: tuple[str, ...]
    sources: tuple[Term, ...]
    made: str


def render(page: Page) -> str:
    """Lay the page out as HTML that needs no other file to be looked at."""
    return _template().render(
        page=page,
        light="".join(f"--{name}:{colour};" for colour, (name, _) in VARIABLES.items()),
        dark="".join(f"--{name}:{colour};" for name, colour in VARIABLES.values()),
        css=_text("page.css").replace("FONTS", FONTS),
        script=_text("page.js"),
        config=themed(json.dumps(config())),
        library=library(),
    )


@cache
def _template() -> Template:
    layout = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    return layout.from_string(_text("page.html"))


def _text(file: str) -> str:
    return Path(__file__).with_name(file).read_text(encoding="utf-8")
