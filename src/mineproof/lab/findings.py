"""Estimates with intervals from the records of a study, read from the files alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from mineproof import statistics
from mineproof.lab.study import Arm, Chart, Coordinate, Measure, Point, Study
from mineproof.statistics import Estimate

if TYPE_CHECKING:  # studies name findings, and declaring a study needs no Polars
    import polars as pl

    from mineproof.lab.archive import Archive

__all__ = ["Findings"]


class Findings:
    """The records of a study, to be asked for estimates.

    Arms without records are left out, so that a run can be read before it has finished.

    Parameters
    ----------
    study
        The question.
    archive
        The records.
    games
        How many games of each arm to read. By default this is what the archive says was requested,
        and values also rest on games of the same kind that other studies played: the same games
        give the same value everywhere.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from mineproof import Setup
    >>> from mineproof.lab.run import run
    >>> from mineproof.lab.study import WINS
    >>> arms = (Arm("exact", Setup.level("easy")), Arm("random", Setup.level("easy")))
    >>> study = Study("easy", "Easy boards", "Who wins?", arms, games=100, quick=10)
    >>> with TemporaryDirectory() as directory:
    ...     findings = Findings(study, run([study], directory))
    ...     print(findings.estimate(WINS, agent="exact"))
    ...     print(findings.difference(WINS, {"agent": "random"}, {"agent": "exact"}))
    88 (80.19 to 93)
    -88 (-93 to -80.19)
    """

    def __init__(self, study: Study, archive: Archive, games: int | None = None) -> None:
        self.study, self.archive = study, archive
        self._alone = games is not None
        if games is None:
            games = archive.declared().get(study.name, study.games)
        self.games_asked = games
        self._frames = {
            place: frame
            for place, arm in enumerate(study.arms)
            if (frame := archive.scan(arm.tasks(games, study.seed))) is not None
        }

    @property
    def arms(self) -> tuple[Arm, ...]:
        """The arms that have records."""
        return tuple(self.study.arms[place] for place in self._frames)

    @cached_property
    def games(self) -> int:
        """How many of the requested games have records."""
        return sum(self._own.values())

    @property
    def asked(self) -> int:
        """How many games were requested of all arms."""
        return sum(self.games_asked * arm.weight for arm in self.study.arms)

    @property
    def complete(self) -> bool:
        """Whether every requested game has its record."""
        return self.games == self.asked

    @cached_property
    def code(self) -> tuple[str, ...]:
        """The versions of the code that played."""
        queries = (frame.select("code").unique() for frame in self._frames.values())
        found = (self.archive.read(query)["code"] for query in queries)
        return tuple(sorted({code for codes in found for code in codes}))

    def games_of(self, **at: Coordinate) -> int:
        """Return how many games the values of the one arm with these coordinates rest on."""
        place = self._place(at)
        arm = self.study.arms[place]
        return self._own[place] if arm.probe else self._summaries[place]["seed"][0]

    def records(self, **at: Coordinate) -> pl.LazyFrame:
        """Return the records of the one arm with these coordinates."""
        return self._frames[self._place(at)]

    def columns(self, *names: str, **at: Coordinate) -> list[tuple[Any, ...]]:
        """Return these columns of the one arm with these coordinates, a row per game."""
        return self.archive.read(self.records(**at).select(names)).rows()

    def values(self, coordinate: str, **at: Coordinate) -> tuple[Coordinate, ...]:
        """Return the values of a coordinate among the arms, in their order in the study."""
        matching = (arm.at for arm in self.arms if _matches(arm, at))
        return tuple(dict.fromkeys(at[coordinate] for at in matching if coordinate in at))

    def estimate(self, measure: Measure, **at: Coordinate) -> Estimate:
        """Estimate a measure of the one arm with these coordinates, in its unit.

        Raises LookupError if no arm has them, or more than one.
        """
        return self._estimate(self._place(at), measure)

    def curve(self, measure: Measure, x: str, **at: Coordinate) -> dict[Coordinate, Estimate]:
        """Estimate a measure of the arms along a coordinate, one arm per value."""
        return {place: self.estimate(measure, **{**at, x: place}) for place in self.values(x, **at)}

    def curves(
        self, measure: Measure, x: str, lines: str = "agent", **at: Coordinate
    ) -> dict[Coordinate, dict[Coordinate, Estimate]]:
        """Return the curve of each value of another coordinate."""
        return {n: self.curve(measure, x, **{**at, lines: n}) for n in self.values(lines, **at)}

    def difference(
        self, measure: Measure, at: Mapping[str, Coordinate], minus: Mapping[str, Coordinate]
    ) -> Estimate:
        """Estimate by how much one arm exceeds another, game by game, in the measure's unit."""
        return self._difference(self._place(at), self._place(minus), measure)

    def differences(
        self, measure: Measure, x: str, **at: Coordinate | tuple[Coordinate, Coordinate]
    ) -> dict[Coordinate, Estimate]:
        """Estimate along a coordinate by how much arms exceed others, where they share games.

        The others differ in the coordinate given as a pair: ``start=("zero", "safe")``.
        """
        one, other = (
            {key: value[side] if isinstance(value, tuple) else value for key, value in at.items()}
            for side in (0, 1)
        )
        found = {}
        for place in self.values(x, **one):
            with suppress(LookupError):
                found[place] = self.difference(measure, {**one, x: place}, {**other, x: place})
        return found

    def points(self, chart: Chart) -> tuple[Point, ...]:
        """Return all values of a chart."""
        return tuple(self._points(chart) if chart.points is None else chart.points(self, chart))

    def _points(self, chart: Chart) -> Iterator[Point]:
        keys = {chart.x, chart.lines} | ({chart.panels} if chart.panels else set())
        minus_of = chart.minus_of or chart.lines
        for place in self._frames:
            arm = self.study.arms[place]
            among = (arm.at.get(key) in values for key, values in chart.only.items())
            if not keys <= arm.at.keys() or not all(among):
                continue
            if chart.minus is None:
                estimate = self._estimate(place, chart.measure)
            elif arm.at[minus_of] == chart.minus:
                continue
            else:
                beside = {key: arm.at[key] for key in (keys | chart.only.keys()) - {minus_of}}
                try:
                    other = self._place({**beside, minus_of: chart.minus})
                    estimate = self._difference(place, other, chart.measure)
                except LookupError:  # nothing to subtract, or no game in common yet
                    continue
            panel = arm.at[chart.panels] if chart.panels else None
            yield chart.point(arm.at[chart.lines], arm.at[chart.x], estimate, panel=panel)

    @cached_property
    def _summaries(self) -> dict[int, dict[str, tuple[int, float, float, float]]]:
        """By arm: a summary of each column of numbers."""
        found = {}
        for place, frame in self._frames.items():
            found[place] = self.archive.summary(frame)
            if place in self._kinds:
                found[place] |= self.archive.summary(self._kinds[place])
        return found

    @cached_property
    def _own(self) -> dict[int, int]:
        """By arm: how many of the requested games have records."""
        return {place: self.archive.count(frame) for place, frame in self._frames.items()}

    @cached_property
    def _kinds(self) -> dict[int, pl.LazyFrame]:
        """By arm: all games of its kind, where other studies played more of them."""
        found = {}
        for place in () if self._alone else self._frames:
            task = next(self.study.arms[place].tasks(1, self.study.seed))
            frame, games = self.archive.scan_kind(task)
            if games > self._own[place]:
                found[place] = frame
        return found

    def _widest(self, place: int, column: str) -> pl.LazyFrame:
        """Return the most games of an arm that have a column."""
        kind = self._kinds.get(place)
        if kind is not None and column in kind.collect_schema():
            return kind
        return self._frames[place]

    @cache  # noqa: B019 - findings live as long as a report
    def _estimate(self, place: int, measure: Measure) -> Estimate:
        count, mean, deviation, skewness = self._summaries[place][measure.column]
        if measure.share:
            return measure.scaled(statistics.share(round(mean * count), count))
        found = statistics.mean_of(count, mean, deviation, skewness, measure.bounds)
        return measure.scaled(found)

    @cache  # noqa: B019
    def _difference(self, place: int, other: int, measure: Measure) -> Estimate:
        games, others = (self._widest(arm, measure.column) for arm in (place, other))
        change = self.archive.changes(games, others, measure.column)
        if not change.size:
            raise LookupError("the two arms have no game in common")
        if measure.share:
            gained, lost = int((change > 0).sum()), int((change < 0).sum())
            return measure.scaled(statistics.share_difference(gained, lost, change.size))
        reach = measure.bounds[1] - measure.bounds[0]
        return measure.scaled(statistics.mean(change, (-reach, reach)))

    def _place(self, at: Mapping[str, Coordinate]) -> int:
        places = [p for p in self._frames if _matches(self.study.arms[p], at)]
        if len(places) != 1:
            found = f"{len(places)} arms" if places else "no records"
            raise LookupError(f"study {self.study.name!r}: {found} at {dict(at)}")
        return places[0]


def _matches(arm: Arm, at: Mapping[str, Coordinate]) -> bool:
    return all(arm.at.get(key) == value for key, value in at.items())
