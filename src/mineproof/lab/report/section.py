"""A study on the page: its figures, answers and games, computed from the records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from mineproof.arguments import counted
from mineproof.lab.findings import Findings
from mineproof.lab.record_file import Holding
from mineproof.lab.report.chart_words import capital, described, judged, stated
from mineproof.lab.report.figure import Figure, draw
from mineproof.lab.report.plot import Plot
from mineproof.lab.report.story import Story, stories
from mineproof.lab.report.table import Table, csv_text, values
from mineproof.lab.study import Arm, Study

__all__ = ["Exhibit", "Section"]

_BOARDS, _FEWER = 12, 4
"""The first game of a study is told with this many boards, and each of its other games."""


@dataclass(frozen=True)
class Exhibit:
    """A chart on the page, with the name of its files."""

    name: str
    plot: Plot

    @cached_property
    def title(self) -> str:
        """The finding."""
        return stated(self.plot)

    @cached_property
    def description(self) -> str:
        """The content in words."""
        return described(self.plot)

    @cached_property
    def table(self) -> Table:
        """The values."""
        return Table.of(self.plot)

    @property
    def csv(self) -> str:
        """The values to all their digits, as CSV."""
        return csv_text(*values(self.plot))

    @cached_property
    def figure(self) -> Figure | None:
        """The figure; None if there is no game for it yet."""
        return draw(self.plot, self.title, self.description) if self.plot.points else None

    @property
    def caption(self) -> str:
        """The quantity, and how many games it rests on."""
        plot, title = self.plot, self.plot.chart.title
        if plot.chart.board:
            what = f"{plot.value_title}, cell by cell; cells without a number have a mine."
        else:
            known = plot.is_flat or f"by {plot.x_title}" in title
            by = "" if known else f", by {plot.x_title}"
            what = f"{plot.value_title}{by}, with 95% intervals; {plot.games} per value."
        return capital(what) if self.title == title else f"{title}: {what}"

    @property
    def notes(self) -> Iterator[str]:
        """Cautions for the reader."""
        plot = self.plot
        if plot.chart.minus is not None:
            yield f"Above 0 is more than {plot.chart.minus} on the same boards."
        if plot.is_change and plot.points and "correlation" not in plot.chart.measure.title:
            verdicts = [*judged(plot).values()]
            yield f"{verdicts.count('clear')} of {counted(len(verdicts), 'difference')} are clear."
        unshown = sum(point.estimate.value <= 0 for point in plot.points)
        if plot.is_log and unshown:
            have = "has" if unshown == 1 else "have"
            yield f"{counted(unshown, 'value')} of 0 {have} no place on a logarithmic axis."


@dataclass(frozen=True)
class Section:
    """A study on the page.

    Parameters
    ----------
    findings
        What its records say.
    command
        What plays studies by name, if anything does.
    """

    findings: Findings
    command: str

    @property
    def study(self) -> Study:
        """The question."""
        return self.findings.study

    @cached_property
    def answers(self) -> tuple[str, ...]:
        """The sentences of the study about its records so far, the most important first."""
        said: list[str] = []
        if self.study.answer is not None and self.findings.arms:
            try:
                said.extend(self.study.answer(self.findings))
            except LookupError:
                said.append("More can be said when all arms have games.")
        return tuple(said)

    @property
    def headline(self) -> str:
        """The answer in a sentence."""
        if self.answers:
            return self.answers[0]
        return "Shown by its figures." if self.findings.games else "Nothing can be said yet."

    @cached_property
    def exhibits(self) -> tuple[Exhibit, ...]:
        """The charts."""
        return tuple(
            Exhibit(f"{self.study.name}-{chart.name}", Plot.of(self.findings, chart))
            for chart in self.study.charts
        )

    @cached_property
    def stories(self) -> tuple[Story, ...]:
        """The games that are told move by move."""
        return tuple(stories(self.findings, boards=_BOARDS, fewer=_FEWER))

    @property
    def played(self) -> str:
        """How many games there are."""
        games = sorted({self.findings.games_asked * arm.weight for arm in self.study.arms})
        each = counted(games[-1], "game")
        each = f"{games[0]:,} to {each}" if len(games) > 1 else each
        arms = counted(len(self.study.arms), "arm")
        asked = f"{each} of each of {arms} (an agent under some conditions)"
        if self.findings.complete:
            return asked
        return f"{self.findings.games:,}; asked for were {asked}"

    @property
    def seeds(self) -> str:
        """Which seeds were played."""
        weights = {arm.weight for arm in self.study.arms}
        first, games = self.study.seed, self.findings.games_asked * max(weights)
        numbers = f"{first}" if games == 1 else f"{first} to {first + games - 1}"
        fewer = "; arms with fewer games play the first of them"
        return numbers + (", the same for every arm" if len(weights) == 1 else fewer)

    @property
    def again(self) -> str:
        """The command, or the Python call, that plays the games again."""
        games = self.findings.games_asked
        if not self.command:
            return f'mineproof.lab.run.run([study], "DIR", games={games})'
        sizes = {self.study.games: "", self.study.quick: " --quick"}
        size = sizes.get(games, f" --games {games}")
        return f"{self.command} {self.study.name}{size} --out DIR"

    @cached_property
    def files(self) -> tuple[tuple[Holding, Arm, str], ...]:
        """The files of the records, each with its holding and its arm."""
        archive, games = self.findings.archive, self.findings.games_asked
        return tuple(
            (holding, arm, f"records/{holding.id}.parquet")
            for arm in self.findings.arms
            for holding in archive.files(arm.tasks(games, self.study.seed))
        )

    @property
    def list_of_files(self) -> str:
        """The files with the coordinates of their arms, as CSV."""
        keys = dict.fromkeys(key for _, arm, _ in self.files for key in arm.at)
        rows = (
            [*(arm.at.get(key, "") for key in keys), held.first, held.end - held.first, file]
            for held, arm, file in self.files
        )
        return csv_text([*keys, "first_seed", "games", "file"], rows)
