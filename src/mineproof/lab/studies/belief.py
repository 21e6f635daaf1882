"""How far the information of a clue travels: whose risks change when it is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mineproof import statistics
from mineproof.lab.findings import Findings
from mineproof.lab.sentences import amounts, thresholds
from mineproof.lab.study import Arm, Chart, Coordinate, Measure, Point, Study
from mineproof.lab.study_boards import squares
from mineproof.statistics import Estimate

_DENSITIES: Final = (0.1, 0.2, 0.3)
_AGENTS: Final = {"told": "exact", "untold": "exact:untold"}
"""Who plays, by whether the mine total is told."""

_MIDDLE: Final = 0.2
"""The density at which changes of several sizes are shown."""

_SIZES: Final = {"0.001": "0.1 points", "0.01": "1 point", "0.1": "10 points"}
"""By how much a risk has to change, as in the names of columns and in words."""

_POINT: Final = "0.01"
_SHIFTED: Final = Measure("shifted", "closed cells whose risk changes, %", factor=100.0)
_SILENT: Final = Measure("silent", "clues that change no risk by 0.1 points, %", factor=100.0)

_FEW: Final = 5.0
"""Percent of the closed cells: where fewer change, a clue has hardly any influence."""

_FAR: Final = 10
"""King's moves."""


def _share(shares: list[float]) -> Estimate:
    """Estimate the mean share of games in percent.

    A game counts once, because the changes by its clues are not independent.
    """
    return _SHIFTED.scaled(statistics.mean(shares, bounds=(0, 1)))


def _by_distance(
    findings: Findings, telling: Coordinate, density: Coordinate, size: str = _POINT
) -> dict[Coordinate, Estimate]:
    """Estimate, by distance in king's moves, the share of closed cells whose risk changes."""
    shares: dict[Coordinate, list[float]] = {}
    rows = findings.columns("closed", f"shifted_{size}", telling=telling, density=density)
    for closed, shifted in rows:
        for far, (cells, changed) in enumerate(zip(closed, shifted, strict=True), start=1):
            if cells:
                shares.setdefault(far, []).append(changed / cells)
    return {far: _share(shares[far]) for far in sorted(shares, key=float)}


def _silent(findings: Findings, telling: Coordinate) -> dict[Coordinate, Estimate]:
    """Estimate, by density, the share of clues that change nothing."""
    found = {}
    for density in findings.values("density", telling=telling):
        rows = findings.columns("silent", "clues", telling=telling, density=density)
        shares = [silent / clues for silent, clues in rows if clues]
        if shares:
            found[density] = _share(shares)
    return found


def _points(findings: Findings, chart: Chart) -> Iterator[Point]:
    """Yield a value for every distance, by density or by how much a risk has to change."""
    sizes = _SIZES if chart.lines == "change" else {_POINT: _SIZES[_POINT]}
    for arm in findings.arms:
        telling, density = arm.at["telling"], arm.at["density"]
        if density in chart.only["density"]:
            for size, words in sizes.items():
                line = f"more than {words}" if chart.lines == "change" else density
                for far, share in _by_distance(findings, telling, density, size).items():
                    yield chart.point(line, far, share, panel=telling)


def _silences(findings: Findings, chart: Chart) -> Iterator[Point]:
    for telling in findings.values("telling"):
        for density, share in _silent(findings, telling).items():
            yield chart.point(telling, density, share)


def _answer(findings: Findings) -> Iterator[str]:
    place = "at a density of {}"
    for telling in findings.values("telling"):
        where = f"Where the total is {telling},"
        densities = findings.values("density", telling=telling)
        curves = {density: _by_distance(findings, telling, density) for density in densities}
        for far, words in ((1, "next to"), (_FAR, f"{_FAR} king's moves from")):
            shares = {density: c[far] for density, c in curves.items() if far in c}
            what = f"{where} the risk of a closed cell {words} a hidden clue changes by more than"
            yield from amounts(
                f"{what} a point in", shares, _SHIFTED, "of cases at a density of {}"
            )
        words = f"{where} hiding a clue changes the risk of at least {_FEW:g}% of the closed cells"
        yield from thresholds(words, "up to a distance of", curves, _FEW, place)
        words = f"{where} the share of clues that change no risk by even 0.1 points is"
        yield from amounts(words, _silent(findings, telling), _SILENT, place)


def _by_far(name: str, title: str, lines: str, densities: tuple[float, ...]) -> Chart:
    moves, only = "king's moves from the hidden clue", {"density": densities}
    panels, measure = "telling", _SHIFTED
    return Chart(name, title, measure, "distance", moves, lines, panels, only=only, points=_points)


STUDY: Final = Study(
    "belief",
    title="How far belief travels",
    question=(
        "When one clue is hidden, how far away do risks still change? (20×20, start zero; halfway "
        "through a game of exact every clue next to a closed cell is hidden in turn, and the share "
        "of closed cells at each distance is taken game by game. Cells far apart still depend on "
        "each other: through the mines left if the total is told, and otherwise through the "
        "density that the clues suggest.)"
    ),
    arms=tuple(
        Arm(agent, arm.setup, {"density": arm.at["density"], "telling": telling}, arm.probe)
        for telling, agent in _AGENTS.items()
        for arm in squares([20], _DENSITIES, agent, "belief")
    ),
    games=1_000,
    quick=100,
    charts=(
        _by_far(
            "distance",
            "Closed cells whose risk changes by more than a point, by distance",
            "density",
            _DENSITIES,
        ),
        _by_far(
            "change",
            f"The same at a density of {_MIDDLE}, for larger and smaller changes",
            "change",
            (_MIDDLE,),
        ),
        Chart(
            "silent",
            "Clues that add nothing to the others",
            _SILENT,
            x="density",
            lines="telling",
            points=_silences,
        ),
    ),
    answer=_answer,
)
