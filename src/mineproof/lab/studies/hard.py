"""Whether Minesweeper is hard, and whether what is hard is the board or the computing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from mineproof import statistics
from mineproof.arguments import counted
from mineproof.lab.studies.chains import LONGEST
from mineproof.lab.studies.changes import peaks, power
from mineproof.lab.studies.conditions import BY_DENSITY, BY_SIDE, chained_squares
from mineproof.lab.studies.effort import DEAREST, UNGUESSED, WIDTH, WORK, half
from mineproof.lab.studies.wording import curve, listed, plain, shown
from mineproof.lab.study import GUESSES, MILLISECONDS, WINS, Chart, Measure, Point, Study
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["STUDY"]

_SHARE: Final = Measure("share", "of the most on boards of this size, %", factor=100.0)

_SIZES: Final = tuple(f"{side}×{side}" for side in BY_DENSITY["side"])

_ALL: Final[Mapping[str, Measure]] = {
    "guesses": GUESSES,
    "width": WIDTH,
    "work": WORK,
    "time": MILLISECONDS,
    "longest chain": LONGEST,
}

_DEAREST: Final = {**DEAREST, LONGEST: ("Chains are longest", "")}

_LONG: Final = 1000.0
"""Milliseconds a game: from here on somebody who plays would have to wait."""


def _answer(findings: Findings) -> Iterator[str]:
    yield from _verdict(findings)
    yield from _widest(findings)
    yield from half(findings, _SIZES, WINS, "won")
    yield from half(findings, _SIZES, UNGUESSED, "won without a guess")
    for measure, (words, unit) in _DEAREST.items():
        if where := peaks(findings, measure, "size", "density", unit, among=_SIZES):
            yield f"{words} at a density of {where}."
    yield from _growth(findings)


def _verdict(findings: Findings) -> Iterator[str]:
    """Say whether boards are lost, to guesses, and whether the computing becomes too dear."""
    kinds = [{"side": arm.at["side"], "density": arm.at["density"]} for arm in findings.arms]
    if not kinds:
        return
    lost = sum(findings.estimate(WINS, **kind).high < 50 for kind in kinds)
    times = [findings.estimate(MILLISECONDS, **kind) for kind in kinds]
    dearest = max(range(len(kinds)), key=lambda number: times[number].value)
    side, density = kinds[dearest].values()
    beyond = _beyond_the_budget(findings)
    dear = times[dearest].low > _LONG or beyond.low > 1
    hard = {
        (True, False): "The boards are hard, not the computing",
        (True, True): "Both the boards and the computing are hard",
        (False, True): "The computing is hard, not the boards",
        (False, False): "Neither the boards nor the computing are clearly hard",
    }
    yield (
        f"{hard[lost > 0, dear]}: on {lost} of {counted(len(kinds), 'kind')} of boards clearly "
        f"less than half of the games are won; the dearest kind, {side}×{side} at a density of "
        f"{plain(density)}, takes {shown(times[dearest], ' ms')} a game, and {shown(beyond, '%')} "
        "of all games meet a position beyond the budget of exact inference."
    )


def _beyond_the_budget(findings: Findings) -> Estimate:
    """Estimate in how many games of a hundred a position could not be judged exactly."""
    import polars as pl

    games = beyond = 0
    for arm in findings.arms:
        unjudged = findings.records(**arm.at).select(pl.col("posteriors") < pl.col("steps"))
        found = unjudged.collect().to_series().to_list()
        games, beyond = games + len(found), beyond + sum(found)
    share = statistics.share(beyond, games)
    return Estimate(100 * share.value, 100 * share.low, 100 * share.high)


def _widest(findings: Findings) -> Iterator[str]:
    """Say how wide a component gets at worst: what exact inference takes is exponential in that."""
    widest = {
        number: max(findings.records(**arm.at).select("width").collect()["width"].to_list())
        for number, arm in enumerate(findings.arms)
    }
    if widest:
        number = max(widest, key=lambda number: widest[number])
        at = findings.arms[number].at
        yield (
            f"In {counted(findings.games, 'game')} no component has more than "
            f"{counted(widest[number], 'open clue')}, met on {at['size']} at a density of "
            f"{plain(at['density'])}."
        )


def _growth(findings: Findings) -> Iterator[str]:
    """Say as which powers of the number of cells things grow."""
    for density in BY_SIDE["density"]:
        said = []
        sides = findings.values("side", density=density)
        small, *_, large = (*sides, *sides) or (0, 0)
        for name, measure in _ALL.items():
            if small != large:
                values = curve(findings, measure, "side", {"density": density})
                times = (float(large) / float(small)) ** 2
                found = power(values[small], values[large], times)
                if found is not None:
                    said.append(f"{name} as the power of {shown(found)}")
        if said:
            yield (
                f"From {small}×{small} to {large}×{large} at a density of {plain(density)}, with "
                f"the number of cells grow {listed(said)}."
            )


def _shares(findings: Findings, chart: Chart) -> Iterator[Point]:
    """Put measures on one axis: each as a share of its most on boards of a size."""
    for size in _SIZES:
        for name, measure in {"games won": WINS, **_ALL}.items():
            if name == "time":  # which does not repeat, and goes with work
                continue
            values = curve(findings, measure, "density", {"size": size})
            most = max((value.value for value in values.values()), default=0.0)
            for density, value in values.items():
                if most > 0:
                    part = Estimate(*(100 * v / most for v in (value.value, value.low, value.high)))
                    games = findings.games_of(size=size, density=density)
                    yield Point(name, density, size, part, games, wide=False)


def _by_density(name: str, title: str, measure: Measure, *, log: bool = False) -> Chart:
    return Chart(name, title, measure, "density", lines="size", only=BY_DENSITY, log=log)


def _by_side(name: str, title: str, measure: Measure, *, log: bool = False) -> Chart:
    words = "rows and columns"
    return Chart(name, title, measure, "side", words, "density", only=BY_SIDE, log=log)


STUDY: Final = Study(
    "hard",
    title="Is Minesweeper hard?",
    question=(
        "Where does Minesweeper get hard, and is what is hard the board, which leaves nothing but "
        "a guess, or the computing? Guesses, effort and chains of the same games, by density and "
        "by size. (exact, told the total, starts at a zero and plays all of the board.)"
    ),
    arms=chained_squares(),
    games=1000,
    quick=10,
    charts=(
        Chart(
            "together",
            "Where what is most: each as a share of its most",
            _SHARE,
            x="density",
            lines="what",
            panels="size",
            points=_shares,
        ),
        _by_density("wins", "Games won", WINS),
        _by_density("guesses", "Guesses by density", GUESSES, log=True),
        _by_side("guesses-size", "Guesses by size", GUESSES, log=True),
        _by_density("width", "How wide components get", WIDTH),
        _by_side("width-size", "How wide components get, by size", WIDTH),
        _by_density("work", "What exact inference takes", WORK, log=True),
        _by_side("work-size", "What exact inference takes, by size", WORK, log=True),
        _by_side("time-size", "Time of a game by size", MILLISECONDS, log=True),
        _by_side("chains-size", "The longest chain by size", LONGEST),
    ),
    answer=_answer,
)
