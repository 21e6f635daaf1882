"""The findings that open a report: one sentence with one number per study, and its small picture.

Each function reads the findings of one study, and returns None if its records do not suffice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from typing import Final

from mineproof.lab.findings import Findings
from mineproof.lab.sentences import agrees, crossing, is_clear, shown, top
from mineproof.lab.study import GUESSES, OPENED, SCORE, WINS, Coordinate, Measure
from mineproof.lab.verdicts import judge, largest, margin_of
from mineproof.statistics import Estimate

__all__ = ["Headline", "headlines"]


@dataclass(frozen=True, slots=True)
class Headline:
    """A finding in one sentence.

    Parameters
    ----------
    study
        The name of its study.
    before, number, after
        The sentence, cut around its number.
    doubt
        The interval and the games, in a few words.
    curve
        What the small picture shows: estimates by place or by name.
    """

    study: str
    before: str
    number: str
    after: str
    doubt: str
    curve: Mapping[Coordinate, Estimate]

    @property
    def sentence(self) -> str:
        """The whole sentence."""
        return f"{self.before}{self.number}{self.after}"


def headlines(findings: Iterable[Findings], most: int = 5) -> tuple[Headline, ...]:
    """Return the findings of studies, the most interesting first."""
    by_name = {found.study.name: found for found in findings if found.arms}
    told: list[Headline] = []
    for name, tell in _TELLERS.items():
        if name in by_name and len(told) < most:
            with suppress(LookupError):  # an arm has no games yet
                headline = tell(by_name[name])
                if headline is not None:
                    told.append(headline)
    for name, found in by_name.items():
        if len(told) < most and name not in _TELLERS:
            told.extend(_first_answer(found))
    return tuple(told[:most])


def _first_answer(findings: Findings) -> Iterator[Headline]:
    """Yield the first answer of a study that has no headline of its own."""
    with suppress(LookupError):
        for sentence in () if findings.study.answer is None else findings.study.answer(findings):
            yield Headline(findings.study.name, sentence, "", "", "", {})
            return


def _doubt(estimate: Estimate, games: int) -> str:
    interval = shown(estimate).partition(" (")[2].rstrip(")")
    return f"95% interval {interval}; {estimate.count or games:,} games"


def _number(estimate: Estimate, unit: str) -> str:
    return f"{estimate.value:.3g}{unit}"


def _strength(findings: Findings) -> Headline | None:
    return _strongest(
        findings,
        "safe",
        "Our strongest agent, {}, wins ",
        " of expert games if the first cell is safe.",
    )


def _levels(findings: Findings) -> Headline | None:
    before = "On expert boards that start with a zero, {} wins "
    return _strongest(findings, "zero", before, " of its games.")


def _strongest(findings: Findings, start: str, before: str, after: str) -> Headline | None:
    wins = findings.curve(WINS, "agent", level="expert", start=start)
    if not wins:
        return None
    best = top(wins)
    games = findings.games_of(agent=best, level="expert", start=start)
    return Headline(
        findings.study.name,
        before.format(best),
        _number(wins[best], "%"),
        after,
        _doubt(wins[best], games),
        findings.curve(WINS, "level", agent=best, start=start),
    )


def _effort(findings: Findings) -> Headline | None:
    before = "On 20×20 boards, half of all games are lost once "
    return _limit(findings, WINS, 50, before, " of the cells are mines.", size="20×20")


def _density(findings: Findings) -> Headline | None:
    before, after = "exact finds nine of ten mines if at most ", " of the cells are mines (10×10)."
    return _limit(findings, SCORE, 90, before, after, agent="exact")


def _limit(
    findings: Findings, measure: Measure, level: float, before: str, after: str, **at: Coordinate
) -> Headline | None:
    """Say at which density a measure falls below a level."""
    curve = findings.curve(measure, "density", **at)
    limit = crossing(curve, level) if curve else None
    if limit is None or not isfinite(limit.width):
        return None
    games = sum(findings.games_of(**at, density=density) for density in curve)
    return Headline(
        findings.study.name,
        before,
        f"{100 * limit.value:.0f}%",
        after,
        f"95% interval {100 * limit.low:.1f} to {100 * limit.high:.1f}; {games:,} games",
        curve,
    )


def _gain(findings: Findings) -> Headline | None:
    at: dict[str, Coordinate] = {"rules": "keep-going", "player": "exact"}
    gains = findings.differences(SCORE, "density", **at, telling=("told", "untold"))
    if not gains:
        return None
    verdicts = judge(gains, margin_of(SCORE))
    clear = [x for x in gains if verdicts[x] == "clear" and gains[x].value > 0]
    place = max(clear or gains, key=lambda place: gains[place].value)
    gain, games = gains[place], findings.games_of(**at, density=place, telling="told")
    if not clear and set(verdicts.values()) != {"small"}:
        return None
    if clear:
        density = f"{100 * float(place):.0f}%"
        return Headline(
            findings.study.name,
            "Told how many mines there are, exact finds ",
            _number(gain, " points"),
            f" more of them if {density} of the cells are mines.",
            _doubt(gain, games),
            gains,
        )
    reach = max(map(largest, gains.values()))
    return Headline(
        findings.study.name,
        "Told how many mines there are or not, exact finds the same share of them within ",
        f"{reach:.0f} points",
        ".",
        f"{games:,} games per density",
        gains,
    )


def _uncertain(findings: Findings) -> Headline | None:
    at: dict[str, Coordinate] = {"play": "classic", "channel": "optimistic"}
    right, wrong = {**at, "agent": "exact"}, {**at, "agent": "exact:naive"}
    gain = findings.difference(OPENED, right, wrong)
    names = {"model": right, "face value": wrong}
    curve: dict[Coordinate, Estimate] = {
        name: findings.estimate(OPENED, **where) for name, where in names.items()
    }
    if not is_clear(gain):
        return None
    return Headline(
        findings.study.name,
        "If clues may be too low, an agent that knows it opens ",
        _number(gain, " more cells"),
        " before the first mine than one that takes them at face value.",
        _doubt(gain, findings.games_of(**right)),
        curve,
    )


def _reports(findings: Findings) -> Headline | None:
    agree: dict[Coordinate, list[bool]] = {}
    for chart in findings.study.charts:
        for point in findings.points(chart):
            theirs = chart.published.get(str(point.line))
            if theirs is not None and point.x in theirs.values:
                ok = agrees(point, theirs)
                agree.setdefault(chart.name.partition("-")[0].upper(), []).append(ok)
    tried = [ok for found in agree.values() for ok in found]
    if not tried:
        return None
    curve = {
        report: Estimate(100 * sum(found) / len(found), 0, 100) for report, found in agree.items()
    }
    return Headline(
        findings.study.name,
        "Of the figures that student reports printed, ",
        f"{sum(tried)} of {len(tried)}",
        " agree with our games of the same agents.",
        f"{findings.games:,} games; figures rest on 5 to 150 games",
        curve,
    )


def _hard(findings: Findings) -> Headline | None:
    guesses = findings.curve(GUESSES, "size", density=0.2)
    if not guesses:
        return None
    *_, largest = guesses
    games = findings.games_of(size=largest, density=0.2)
    return Headline(
        findings.study.name,
        f"On {largest} boards with 20% mines, even perfect deduction leaves ",
        _number(guesses[largest], " guesses"),
        " per game.",
        _doubt(guesses[largest], games),
        guesses,
    )


_TELLERS: Final[Mapping[str, Callable[[Findings], Headline | None]]] = {
    "strength": _strength,
    "effort": _effort,
    "uncertain": _uncertain,
    "total": _gain,
    "reports": _reports,
    "hard": _hard,
    "density": _density,
    "levels": _levels,
}
"""By study, the most interesting first; the first five that have an answer open the report."""
