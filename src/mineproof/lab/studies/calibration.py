"""Whether a stated risk can be taken at its word: of guesses called so risky, how many exploded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mineproof import statistics
from mineproof.arguments import counted
from mineproof.game.setup import Setup
from mineproof.lab.studies.conditions import KEEP_GOING
from mineproof.lab.studies.wording import listed, shown
from mineproof.lab.study import Arm, Chart, Coordinate, Measure, Point, Study, is_wide
from mineproof.position.model import Channel
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["STUDY"]

_EXPLODED: Final = Measure("exploded", "guesses that exploded, %", share=True, factor=100.0)

_AGENTS: Final = {
    "exact": ("exact", "exact:untold", "border:total", "border", "noisy-or"),
    "optimistic": ("exact", "exact:naive"),
    "cautious": ("exact", "exact:naive"),
}
"""Those that state a risk for their guesses, by what clues show."""

_MINES: Final = {"exact": 20, "optimistic": 10, "cautious": 10}

_ENOUGH: Final = 10
"""Fewer guesses of a stated risk say nothing of it."""


def _arms() -> Iterator[Arm]:
    for channel, names in _AGENTS.items():
        setup = Setup(10, 10, _MINES[channel], KEEP_GOING, Channel.parse(channel))
        for name in names:
            yield Arm(name, setup, {"clues": channel}, probe="guesses")


def _percent(share: Estimate) -> Estimate:
    return Estimate(100 * share.value, 100 * share.low, 100 * share.high)


@dataclass(frozen=True, slots=True)
class _Guesses:
    """Guesses of about the same stated risk.

    Parameters
    ----------
    stated
        Their mean stated risk, in percent.
    number, exploded
        How many there are, and how many of them exploded.
    games
        How many games they are from.
    """

    stated: float
    number: int
    exploded: int
    games: int

    @property
    def share(self) -> Estimate:
        """The share of them that exploded, in percent."""
        return _percent(statistics.share(self.exploded, self.number))

    @property
    def agrees(self) -> bool:
        """Whether what was stated can be true."""
        return self.share.low <= self.stated <= self.share.high

    @property
    def apart(self) -> float:
        """How far what happened is from what was stated."""
        return abs(self.share.value - self.stated)


def _by_risk(findings: Findings, agent: Coordinate, clues: Coordinate) -> list[_Guesses]:
    """Gather the guesses of an agent around every tenth of stated risk, the least risky first."""
    import polars as pl

    records = findings.records(agent=agent, clues=clues)
    guesses = records.select("seed", "risks", "exploded").explode("risks", "exploded").drop_nulls()
    gathered = guesses.group_by((10 * pl.col("risks")).round().alias("tenth")).agg(
        (100 * pl.col("risks").mean()).alias("stated"),
        pl.len().alias("number"),
        pl.col("exploded").sum(),
        pl.col("seed").n_unique().alias("games"),
    )
    found = gathered.sort("tenth").drop("tenth").collect()
    return [_Guesses(**row) for row in found.iter_rows(named=True)]


def _judged(tenths: Sequence[_Guesses]) -> list[_Guesses]:
    return [tenth for tenth in tenths if tenth.number >= _ENOUGH]


def _together(parts: Sequence[_Guesses]) -> _Guesses:
    number = sum(part.number for part in parts)
    return _Guesses(
        stated=sum(part.number * part.stated for part in parts) / number,
        number=number,
        exploded=sum(part.exploded for part in parts),
        games=max(part.games for part in parts),
    )


def _points(findings: Findings, chart: Chart) -> Iterator[Point]:
    """Yield a point for every tenth of stated risk, at the mean of what was stated."""
    for clues in chart.only["clues"]:
        for agent in findings.values("agent", clues=clues):
            for guesses in _judged(_by_risk(findings, agent, clues)):
                yield Point(
                    line=agent,
                    x=round(guesses.stated, 1),
                    panel=clues if chart.panels else None,
                    estimate=guesses.share,
                    games=guesses.games,
                    wide=is_wide(guesses.share, chart.measure),
                )


def _answer(findings: Findings) -> Iterator[str]:
    apart: dict[str, _Guesses] = {}
    for clues in findings.values("clues"):
        agents = findings.values("agent", clues=clues)
        gathered = {agent: _by_risk(findings, agent, clues) for agent in agents}
        tenths = {agent: guesses for agent, guesses in gathered.items() if guesses}
        if tenths:
            yield f"Under {clues} clues the mean stated risk is {_in_the_mean(tenths)}."
            yield f"By tenths of stated risk it lies in {_by_tenths(tenths)}."
        for agent, guesses in tenths.items():
            for tenth in _judged(guesses):
                if not tenth.agrees:
                    apart[f"{agent} under {clues} clues, {tenth.stated:.0f}% stated"] = tenth
        for agent in agents:
            yield from _wrongly_sure(findings, agent, clues)
    if apart:
        where = max(apart, key=lambda where: apart[where].apart)
        exploded = shown(apart[where].share, "%")
        yield f"Furthest from the truth, beyond its interval, is {where}: {exploded} exploded."
    elif findings.arms:
        yield "Nowhere do stated risk and truth lie apart beyond an interval."


def _in_the_mean(tenths: Mapping[Coordinate, Sequence[_Guesses]]) -> str:
    """Say whose mean stated risk is borne out, too high or too low."""
    groups: dict[str, list[str]] = {"borne out": [], "too high": [], "too low": []}
    for agent, guesses in tenths.items():
        whole = _together(guesses)
        high, low = whole.stated > whole.share.high, whole.stated < whole.share.low
        groups["too high" if high else "too low" if low else "borne out"].append(
            f"{agent} ({whole.stated:.1f}% stated, {shown(whole.share, '%')} exploded)"
        )
    return "; ".join(f"{how} with {listed(said)}" for how, said in groups.items() if said)


def _by_tenths(tenths: Mapping[Coordinate, Sequence[_Guesses]]) -> str:
    said = []
    for agent, guesses in tenths.items():
        judged = _judged(guesses)
        agree = sum(tenth.agrees for tenth in judged)
        said.append(f"{agree} of {counted(len(judged), 'interval')} of {agent}")
    return listed(said)


def _wrongly_sure(findings: Findings, agent: Coordinate, clues: Coordinate) -> Iterator[str]:
    """Tell where an agent was wrong about what it called certain."""
    records = findings.records(agent=agent, clues=clues).select("sure", "sure_exploded")
    sure, exploded = records.sum().collect().row(0)
    if exploded:
        share = _percent(statistics.share(exploded, sure))
        yield f"Of the openings that {agent} calls certain, {shown(share, '%')} explode there."


STUDY: Final = Study(
    "calibration",
    title="Calibration of risks",
    question=(
        "When an agent calls a guess a risk of 20%, does it explode in 20 of 100 cases? (10×10, "
        "any start, play goes on after a mine; 20 mines under exact clues, 10 under others. Of "
        "20 intervals of a risk that is right, one may miss it by chance; tenths of less than "
        f"{_ENOUGH} guesses are left out.)"
    ),
    arms=tuple(_arms()),
    games=10_000,
    quick=100,
    charts=(
        Chart(
            "agents",
            "Guesses that exploded, by the risk that was stated",
            _EXPLODED,
            x="stated",
            x_title="stated risk, %",
            only={"clues": ("exact",)},
            points=_points,
            diagonal=True,
        ),
        Chart(
            "models",
            "The same under uncertain clues, with the right and the wrong model of them",
            _EXPLODED,
            x="stated",
            x_title="stated risk, %",
            panels="clues",
            only={"clues": ("optimistic", "cautious")},
            points=_points,
            diagonal=True,
        ),
    ),
    answer=_answer,
)
