"""The findings that open a report: one sentence with one number per study, and its small picture.

Each function reads the findings of one study, and returns None if its records do not suffice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from math import isfinite
from statistics import fmean
from typing import Final

from mineproof.lab.findings import Findings
from mineproof.lab.sentences import Curve, agrees, crossing, shown, top
from mineproof.lab.study import GUESSES, OPENED, SCORE, WINS, Coordinate, Measure
from mineproof.lab.verdicts import is_clear, judge, largest
from mineproof.statistics import Estimate

__all__ = ["Headline", "headlines"]


@dataclass(frozen=True, slots=True)
class Headline:
    """A finding in one sentence.

    Parameters
    ----------
    study
        The name of its study.
    words, number
        The sentence, with ``{}`` in the place of its number.
    doubt
        The interval and the games, in a few words.
    curve
        What the small picture shows: estimates by place or by name.
    """

    study: str
    words: str
    number: str = ""
    doubt: str = ""
    curve: Curve = field(default_factory=dict)

    @property
    def parts(self) -> tuple[str, str]:
        """The words before the number, and the words after it."""
        before, _, after = self.words.partition("{}")
        return before, after

    @property
    def sentence(self) -> str:
        """The whole sentence."""
        return self.number.join(self.parts)


def headlines(findings: Iterable[Findings], most: int = 5) -> tuple[Headline, ...]:
    """Return the findings of studies, the most interesting first."""
    by_name = {found.study.name: found for found in findings if found.arms}
    told: list[Headline] = []
    for name in dict.fromkeys([*_TELLERS, *by_name]):
        if name in by_name and len(told) < most:
            with suppress(LookupError):  # an arm has no games yet
                headline = _TELLERS.get(name, _first_answer)(by_name[name])
                told += [] if headline is None else [headline]
    return tuple(told)


def _first_answer(findings: Findings) -> Headline | None:
    """Return the first answer of a study that has no headline of its own."""
    answers = () if findings.study.answer is None else findings.study.answer(findings)
    return next((Headline(findings.study.name, sentence) for sentence in answers), None)


def _doubt(estimate: Estimate, games: int) -> str:
    interval = shown(estimate).partition(" (")[2].rstrip(")")
    return f"95% interval {interval}; {estimate.count or games:,} games"


def _strength(findings: Findings) -> Headline | None:
    words = "Our strongest agent, {}, wins {{}} of expert games if the first cell is safe."
    return _strongest(findings, "safe", words)


def _levels(findings: Findings) -> Headline | None:
    words = "On expert boards that start with a zero, {} wins {{}} of its games."
    return _strongest(findings, "zero", words)


def _strongest(findings: Findings, start: str, words: str) -> Headline | None:
    wins = findings.curve(WINS, "agent", level="expert", start=start)
    if not wins:
        return None
    best = top(wins)
    games = findings.games_of(agent=best, level="expert", start=start)
    curve = findings.curve(WINS, "level", agent=best, start=start)
    number, doubt = f"{wins[best].value:.3g}%", _doubt(wins[best], games)
    return Headline(findings.study.name, words.format(best), number, doubt, curve)


def _effort(findings: Findings) -> Headline | None:
    words = "On 20×20 boards, half of all games are lost once {} of the cells are mines."
    return _limit(findings, words, WINS, 50, size="20×20")


def _density(findings: Findings) -> Headline | None:
    words = "exact finds nine of ten mines if at most {} of the cells are mines (10×10)."
    return _limit(findings, words, SCORE, 90, agent="exact")


def _limit(
    findings: Findings, words: str, measure: Measure, level: float, **at: Coordinate
) -> Headline | None:
    """Say at which density a measure falls below a level."""
    curve = findings.curve(measure, "density", **at)
    limit = crossing(curve, level) if curve else None
    if limit is None or not isfinite(limit.width):
        return None
    games = sum(findings.games_of(**at, density=density) for density in curve)
    doubt = f"95% interval {100 * limit.low:.1f} to {100 * limit.high:.1f}; {games:,} games"
    return Headline(findings.study.name, words, f"{100 * limit.value:.0f}%", doubt, curve)


def _gain(findings: Findings) -> Headline | None:
    at: dict[str, Coordinate] = {"rules": "keep-going", "player": "exact"}
    gains = findings.differences(SCORE, "density", **at, telling=("told", "untold"))
    verdicts = judge(gains, SCORE.margin)
    clear = [x for x in gains if verdicts[x] == "clear" and gains[x].value > 0]
    if clear:
        place = max(clear, key=lambda place: gains[place].value)
        games = findings.games_of(**at, density=place, telling="told")
        words = "Told how many mines there are, exact finds {} more of them if "
        words += f"{100 * float(place):.0f}% of the cells are mines."
        number, doubt = f"{gains[place].value:.3g} points", _doubt(gains[place], games)
    elif set(verdicts.values()) == {"small"}:
        games = findings.games_of(**at, density=top(gains), telling="told")
        words = (
            "Told how many mines there are or not, exact finds the same share of them within {}."
        )
        number, doubt = (
            f"{max(map(largest, gains.values())):.0f} points",
            f"{games:,} games per density",
        )
    else:
        return None
    return Headline(findings.study.name, words, number, doubt, gains)


def _uncertain(findings: Findings) -> Headline | None:
    at: dict[str, Coordinate] = {"play": "classic", "channel": "optimistic"}
    arms = {"model": {**at, "agent": "exact"}, "face value": {**at, "agent": "exact:naive"}}
    gain = findings.difference(OPENED, arms["model"], arms["face value"])
    if not is_clear(gain):
        return None
    words = (
        "If clues may be too low, an agent that knows it opens {} before the first mine than one "
        "that takes them at face value."
    )
    doubt = _doubt(gain, findings.games_of(**arms["model"]))
    curve = {name: findings.estimate(OPENED, **arm) for name, arm in arms.items()}
    return Headline(findings.study.name, words, f"{gain.value:.3g} more cells", doubt, curve)


def _reports(findings: Findings) -> Headline | None:
    agree: dict[Coordinate, list[bool]] = {}
    for chart in findings.study.charts:
        for point in findings.points(chart):
            theirs = chart.published.get(str(point.line))
            if theirs is not None and point.x in theirs.values:
                report = chart.name.partition("-")[0].upper()
                agree.setdefault(report, []).append(agrees(point, theirs))
    tried = [ok for found in agree.values() for ok in found]
    if not tried:
        return None
    words = (
        "Of the figures that student reports printed, {} agree with our games of the same agents."
    )
    doubt = f"{findings.games:,} games; figures rest on 5 to 150 games"
    curve = {report: Estimate(100 * fmean(found), 0, 100) for report, found in agree.items()}
    return Headline(findings.study.name, words, f"{sum(tried)} of {len(tried)}", doubt, curve)


def _hard(findings: Findings) -> Headline | None:
    guesses = findings.curve(GUESSES, "size", density=0.2)
    if not guesses:
        return None
    size, found = [*guesses.items()][-1]
    words = f"On {size} boards with 20% mines, even perfect deduction leaves {{}} per game."
    doubt = _doubt(found, findings.games_of(size=size, density=0.2))
    return Headline(findings.study.name, words, f"{found.value:.3g} guesses", doubt, guesses)


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
