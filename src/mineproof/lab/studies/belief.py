"""How far the word of a clue goes: whose risks change when it is hidden."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from mineproof import statistics
from mineproof.lab.studies.conditions import squares
from mineproof.lab.studies.wording import crossing, listed, placed, plain, shown
from mineproof.lab.study import Arm, Chart, Coordinate, Measure, Point, Study, is_wide
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["STUDY"]

_SIDE: Final = 20
_DENSITIES: Final = (0.1, 0.2, 0.3)
_TELLING: Final = {"told": "exact", "untold": "exact:untold"}
"""Whether the player knows the mine total, and who plays."""

_MIDDLE: Final = 0.2
"""The density at which changes of several sizes are shown."""

_SIZES: Final = {"0.001": "0.1 points", "0.01": "1 point", "0.1": "10 points"}
"""How much a risk has to change, as the columns have it, and in words."""

_POINT: Final = "0.01"
_SHIFTED: Final = Measure("shifted", "closed cells whose risk changes, %", factor=100.0)
_SILENT: Final = Measure("silent", "clues that change no risk by 0.1 points, %", factor=100.0)

_FEW: Final = 5.0
"""Percent of the closed cells: where fewer change, the word of a clue has died away."""

_AWAY: Final = 10
"""King's moves, which is far."""


def _arms() -> Iterator[Arm]:
    for telling, agent in _TELLING.items():
        for arm in squares([_SIDE], _DENSITIES, agent, "belief"):
            at = {"density": arm.at["density"], "telling": telling}
            yield Arm(agent, arm.setup, at, arm.probe)


def _by_distance(
    findings: Findings, telling: Coordinate, density: Coordinate, size: str = _POINT
) -> dict[Coordinate, tuple[Estimate, int]]:
    """By distance in king's moves: the share of closed cells that change, and in how many games.

    A game counts with its own share, for what its clues change is not independent.
    """
    import polars as pl

    records = findings.records(telling=telling, density=density)
    shifted = f"shifted_{size}"
    far = pl.int_ranges(1, pl.col("closed").list.len() + 1).alias("far")
    cells = records.select("closed", shifted, far).explode("closed", shifted, "far")
    share = pl.col(shifted) / pl.col("closed")
    shares = cells.filter(pl.col("closed") > 0).select("far", share=share)
    found = shares.group_by("far", maintain_order=True).agg("share").sort("far").collect()
    return {
        distance: (_percent(statistics.mean(values)), len(values))
        for distance, values in found.iter_rows()
    }


def _silent(
    findings: Findings, telling: Coordinate, density: Coordinate
) -> tuple[Estimate, int] | None:
    """Estimate the share of clues that change nothing, and from how many games."""
    import polars as pl

    records = findings.records(telling=telling, density=density).filter(pl.col("clues") > 0)
    shares = records.select(pl.col("silent") / pl.col("clues")).collect().to_series().to_list()
    return (_percent(statistics.mean(shares)), len(shares)) if shares else None


def _percent(share: Estimate) -> Estimate:
    """Return a share in percent, its interval between 0 and 100."""
    return Estimate(100 * share.value, max(100 * share.low, 0.0), min(100 * share.high, 100.0))


def _points(findings: Findings, chart: Chart) -> Iterator[Point]:
    """Yield a value for every distance, by density or by how much a risk has to change."""
    sizes = _SIZES if chart.lines == "change" else {_POINT: _SIZES[_POINT]}
    for arm in findings.arms:
        telling, density = arm.at["telling"], arm.at["density"]
        if density in chart.only["density"]:
            for size, words in sizes.items():
                line = f"more than {words}" if chart.lines == "change" else density
                for far, (share, games) in _by_distance(findings, telling, density, size).items():
                    yield Point(line, far, telling, share, games, is_wide(share, chart.measure))


def _silences(findings: Findings, chart: Chart) -> Iterator[Point]:
    for arm in findings.arms:
        telling, density = arm.at["telling"], arm.at["density"]
        found = _silent(findings, telling, density)
        if found is not None:
            share, games = found
            yield Point(telling, density, None, share, games, is_wide(share, chart.measure))


def _answer(findings: Findings) -> Iterator[str]:
    for telling in findings.values("telling"):
        by_density = {
            density: {far: share for far, (share, _) in found.items()}
            for density in findings.values("density", telling=telling)
            if (found := _by_distance(findings, telling, density))
        }
        if by_density:
            yield f"Where the total is {telling}, {_near_and_far(by_density)}."
            yield f"Where the total is {telling}, {_dies_away(by_density)}."
    yield from _how_many_are_silent(findings)


def _near_and_far(by_density: Mapping[Coordinate, Mapping[Coordinate, Estimate]]) -> str:
    """Say how many cells a clue bears on, next to it and farther away."""
    said = []
    for density, shares in by_density.items():
        near, *_, last = (*shares, *shares)
        far = _AWAY if _AWAY in shares else last
        said.append(
            f"{shown(shares[near], '%')} of those next to it and {shown(shares[far], '%')} of "
            f"those {far} king's moves away at a density of {plain(density)}"
        )
    words = "hiding a clue changes by more than a point the risks of so many closed cells"
    return f"{words}: {'; '.join(said)}"


def _dies_away(by_density: Mapping[Coordinate, Mapping[Coordinate, Estimate]]) -> str:
    """Say up to which distance a clue bears on more than a few cells."""
    said = []
    for density, shares in by_density.items():
        found = crossing(shares, _FEW)
        if found is not None:
            said.append(f"{placed(found, shares)} at a density of {plain(density)}")
    return f"it changes at least {_FEW:g}% of them up to a distance of {listed(said)}"


def _how_many_are_silent(findings: Findings) -> Iterator[str]:
    for telling in findings.values("telling"):
        said = []
        for density in findings.values("density", telling=telling):
            found = _silent(findings, telling, density)
            if found is not None:
                said.append(f"{shown(found[0], '%')} at a density of {plain(density)}")
        if said:
            yield (
                f"Where the total is {telling}, so many of the clues next to a closed cell say "
                f"nothing that the others do not, to 0.1 points of every risk: {listed(said)}."
            )


STUDY: Final = Study(
    "belief",
    title="How far belief travels",
    question=(
        "When one clue is hidden, how far away do risks still change? (20×20, start zero; halfway "
        "through a game of exact every clue next to a closed cell is hidden in turn, and the share "
        "of closed cells at each distance is taken game by game. Cells that share no clue still "
        "share the mines that are left, where the total is told, or what clues let one expect of "
        "them, where it is not.)"
    ),
    arms=tuple(_arms()),
    games=1000,
    quick=20,
    charts=(
        Chart(
            "distance",
            "Closed cells whose risk changes by more than a point, by distance",
            _SHIFTED,
            x="distance",
            x_title="king's moves from the hidden clue",
            lines="density",
            panels="telling",
            only={"density": _DENSITIES},
            points=_points,
        ),
        Chart(
            "change",
            f"The same at a density of {_MIDDLE}, by how much a risk has to change",
            _SHIFTED,
            x="distance",
            x_title="king's moves from the hidden clue",
            lines="change",
            panels="telling",
            only={"density": (_MIDDLE,)},
            points=_points,
        ),
        Chart(
            "silent",
            "Clues that say nothing which the others do not",
            _SILENT,
            x="density",
            lines="telling",
            points=_silences,
        ),
    ),
    answer=_answer,
)
