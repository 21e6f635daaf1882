"""What the records of a study say: estimates with intervals, read from the files alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache, cached_property
from typing import Any, Final

import polars as pl
from polars.exceptions import PolarsError

from mineproof import statistics
from mineproof.lab.archive import Archive
from mineproof.lab.study import Arm, Chart, Coordinate, Measure, Point, Study
from mineproof.statistics import Estimate

__all__ = ["Findings"]

_SUMMARY: Final = ("count", "mean", "deviation", "skewness")


class Findings:
    """What the records of a study say.

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
        frames = [frame.select(pl.col("code").unique()) for frame in self._frames.values()]
        return tuple(sorted({code for frame in _collect(frames, self) for code in frame["code"]}))

    def games_of(self, **at: Coordinate) -> int:
        """Return how many games the values of the one arm with these coordinates rest on."""
        place = self._place(at)
        arm = self.study.arms[place]
        return self._own[place] if arm.probe else int(self._summaries[place]["games"])

    def records(self, **at: Coordinate) -> pl.LazyFrame:
        """Return the records of the one arm with these coordinates."""
        return self._frames[self._place(at)]

    def columns(self, *names: str, **at: Coordinate) -> list[tuple[Any, ...]]:
        """Return these columns of the one arm with these coordinates, a row per game."""
        [found] = _collect([self.records(**at).select(names)], self)
        return found.rows()

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
        for place in self._frames:
            arm = self.study.arms[place]
            among = (arm.at.get(key) in values for key, values in chart.only.items())
            if not keys <= arm.at.keys() or not all(among):
                continue
            if chart.minus is None:
                estimate = self._estimate(place, chart.measure)
            elif arm.at[chart.lines] == chart.minus:
                continue
            else:
                beside = {key: arm.at[key] for key in (keys | chart.only.keys()) - {chart.lines}}
                other = self._find({**beside, chart.lines: chart.minus})
                if other is None:
                    continue
                try:
                    estimate = self._difference(place, other, chart.measure)
                except LookupError:  # no game in common yet
                    continue
            panel = arm.at[chart.panels] if chart.panels else None
            games = estimate.count or self._own[place]
            yield chart.point(arm.at[chart.lines], arm.at[chart.x], estimate, games, panel)

    @cached_property
    def _summaries(self) -> dict[int, Mapping[str, Any]]:
        """By arm: its games, and a summary of each column of numbers."""
        own = _collect([_summary(frame) for frame in self._frames.values()], self)
        found: dict[int, dict[str, Any]] = {
            place: frame.row(0, named=True) for place, frame in zip(self._frames, own, strict=True)
        }
        for place, frame in self._kinds.items():
            [more] = _collect([_summary(frame)], self)
            found[place] |= more.row(0, named=True)
        return dict(found)

    @cached_property
    def _own(self) -> dict[int, int]:
        """By arm: how many of the requested games have records."""
        counts = [frame.select(pl.len()) for frame in self._frames.values()]
        found = _collect(counts, self)
        return {place: int(f.item()) for place, f in zip(self._frames, found, strict=True)}

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
        known = kind is not None and column in kind.collect_schema()
        return kind if kind is not None and known else self._frames[place]

    @cache  # noqa: B019 - findings live as long as a report
    def _estimate(self, place: int, measure: Measure) -> Estimate:
        summary, column = self._summaries[place], measure.column
        count, mean, deviation, skewness = (summary[f"{column} {what}"] for what in _SUMMARY)
        if measure.share:
            return measure.scaled(statistics.share(round(mean * count), count))
        found = statistics.mean_of(count, mean, deviation, skewness, measure.bounds)
        return measure.scaled(found)

    @cache  # noqa: B019
    def _difference(self, place: int, other: int, measure: Measure) -> Estimate:
        column = measure.column
        one, two = (
            self._widest(arm, column).select("seed", pl.col(column).cast(pl.Float64).alias(name))
            for arm, name in ((place, "one"), (other, "two"))
        )
        # NumPy sums in the order of the games; Polars would not repeat the last digits.
        pairs = one.join(two, on="seed").sort("seed")
        [found] = _collect([pairs.select(pl.col("one") - pl.col("two")).drop_nulls()], self)
        change = found["one"].to_numpy()
        if not change.size:
            raise LookupError("the two arms have no game in common")
        if measure.share:
            gained, lost = int((change > 0).sum()), int((change < 0).sum())
            return measure.scaled(statistics.share_difference(gained, lost, change.size))
        reach = measure.bounds[1] - measure.bounds[0]
        return measure.scaled(statistics.mean(change, (-reach, reach)))

    def _find(self, at: Mapping[str, Coordinate]) -> int | None:
        places = [p for p in self._frames if _matches(self.study.arms[p], at)]
        if len(places) > 1:
            raise LookupError(f"study {self.study.name!r}: {len(places)} arms at {dict(at)}")
        return places[0] if places else None

    def _place(self, at: Mapping[str, Coordinate]) -> int:
        place = self._find(at)
        if place is None:
            raise LookupError(f"study {self.study.name!r}: no records at {dict(at)}")
        return place


def _summary(frame: pl.LazyFrame) -> pl.LazyFrame:
    """Count the games, and summarize each column of numbers."""
    schema = frame.collect_schema()
    columns = [n for n, t in schema.items() if t.is_numeric() or t == pl.Boolean]
    numbers = pl.col(columns).cast(pl.Float64)
    values = (numbers.count(), numbers.mean(), numbers.std(), numbers.skew())
    named = (v.name.suffix(f" {what}") for what, v in zip(_SUMMARY, values, strict=True))
    return frame.select(pl.len().alias("games"), *named)


def _matches(arm: Arm, at: Mapping[str, Coordinate]) -> bool:
    return all(arm.at.get(key) == value for key, value in at.items())


def _collect(queries: list[pl.LazyFrame], findings: Findings) -> list[pl.DataFrame]:
    """Answer queries; if a file is damaged, say which."""
    try:
        # One at a time: all together would open every file of a large archive at once.
        return [query.collect() for query in queries]
    except PolarsError as error:
        findings.archive.held()
        raise ValueError(f"{findings.archive.path}: records cannot be read: {error}") from None
