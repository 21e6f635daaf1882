"""Whether a stated risk is right: how many guesses of about the same stated risk explode."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from mineproof import statistics
from mineproof.arguments import counted
from mineproof.lab.findings import Findings
from mineproof.lab.sentences import amounts, effect, excess, listed
from mineproof.lab.study import Arm, Chart, Coordinate, Measure, Point, Study
from mineproof.lab.study_boards import KEEP_GOING
from mineproof.lab.verdicts import is_clear
from mineproof.position import Channel, Setup
from mineproof.position.topology import Topology
from mineproof.statistics import Estimate

_EXPLODED: Final = Measure("exploded", "guesses that exploded, %", share=True, factor=100.0)

_AGENTS: Final = {
    "exact": (20, ("exact", "exact:untold", "border:total", "border", "noisy-or")),
    "optimistic": (10, ("exact", "exact:naive")),
    "cautious": (10, ("exact", "exact:naive")),
}
"""By channel: the number of mines, and the agents that state the risk of a guess."""

_ENOUGH: Final = 10
"""Fewer guesses of about the same stated risk are not judged."""


_Guess: TypeAlias = tuple[int, float, bool]
"""The seed of the game, the stated risk, and whether it exploded."""


@dataclass(frozen=True, slots=True)
class _Guesses:
    """Guesses of about the same risk: its mean as stated, the share that exploded, and the games.

    The risk and the share are in percent; the gap says how many more points exploded than stated.
    """

    stated: float
    share: Estimate
    gap: Estimate
    games: int

    @classmethod
    def of(cls, guesses: list[_Guess]) -> _Guesses:
        games, risks, exploded = zip(*guesses, strict=True)
        share = _EXPLODED.scaled(statistics.share(sum(exploded), len(guesses)))
        stated = 100 * sum(risks) / len(guesses)
        return cls(stated, share, excess(share, stated), len(set(games)))


def _guesses(findings: Findings, agent: Coordinate, clues: Coordinate) -> list[_Guess]:
    rows = findings.columns("seed", "risks", "exploded", agent=agent, clues=clues)
    return [(seed, *guess) for seed, *lists in rows for guess in zip(*lists, strict=True)]


def _by_tenth(guesses: list[_Guess]) -> list[_Guesses]:
    """Gather guesses around each tenth of stated risk, if they are enough to judge."""
    tenths: dict[int, list[_Guess]] = {}
    for guess in guesses:
        tenths.setdefault(round(10 * guess[1]), []).append(guess)
    return [_Guesses.of(tenths[n]) for n in sorted(tenths) if len(tenths[n]) >= _ENOUGH]


def _points(findings: Findings, chart: Chart) -> Iterator[Point]:
    """Yield a point for every tenth of stated risk, at the mean stated risk."""
    for clues in chart.only["clues"]:
        for agent in findings.values("agent", clues=clues):
            for some in _by_tenth(_guesses(findings, agent, clues)):
                panel = clues if chart.panels else None
                yield chart.point(agent, round(some.stated, 1), some.share, some.games, panel)


def _answer(findings: Findings) -> Iterator[str]:
    apart: dict[str, Estimate] = {}
    for clues in findings.values("clues"):
        agents = findings.values("agent", clues=clues)
        guesses = {a: found for a in agents if (found := _guesses(findings, a, clues))}
        gaps = {agent: _Guesses.of(found).gap for agent, found in guesses.items()}
        what = (
            f"Compared with the stated risk, the share of guesses that explode under {clues} clues"
        )
        yield from effect(what, gaps, _EXPLODED, "with {}")
        right = []
        for agent, found in guesses.items():
            tenths = _by_tenth(found)
            agree = sum(not is_clear(tenth.gap) for tenth in tenths)
            right.append(f"{agree} of {counted(len(tenths), 'tenth')} with {agent}")
            case = f"{agent} under {clues} clues"
            apart |= {f"{case} where it states {tenth.stated:.0f}%": tenth.gap for tenth in tenths}
        if right:
            words = f"Tenth by tenth, guesses under {clues} clues explode as stated in"
            yield f"{words} {listed(right)}."
        sure = {}
        for agent in agents:
            rows = findings.columns("sure", "sure_exploded", agent=agent, clues=clues)
            openings, exploded = (sum(column) for column in zip(*rows, strict=True))
            if exploded:
                sure[agent] = _EXPLODED.scaled(statistics.share(exploded, openings))
        words = f"Under {clues} clues, the share of openings called certain that explode is"
        yield from amounts(words, sure, _EXPLODED)
    if apart:
        most = max(apart, key=lambda case: (is_clear(apart[case]), abs(apart[case].value)))
        what = "In the tenth that is farthest off, the share of guesses that explode"
        yield from effect(what, {most: apart[most]}, _EXPLODED, "with {}")


def _chart(name: str, title: str, clues: tuple[str, ...], panels: str | None = None) -> Chart:
    return Chart(
        name,
        title,
        _EXPLODED,
        x="stated",
        x_title="stated risk, %",
        panels=panels,
        only={"clues": clues},
        points=_points,
        diagonal=True,
    )


STUDY: Final = Study(
    "calibration",
    title="Calibration of risks",
    question=(
        "When an agent calls a guess a risk of 20%, does it explode in 20 of 100 cases? (10×10, "
        "any start, play goes on after a mine; 20 mines under exact clues, 10 under others. If all "
        "stated risks are right, one interval in 20 still misses by chance. Tenths with fewer than "
        f"{_ENOUGH} guesses are left out.)"
    ),
    arms=tuple(
        Arm(agent, setup, {"clues": clues}, probe="guesses")
        for clues, (mines, agents) in _AGENTS.items()
        for setup in [Setup(Topology(10, 10), mines, KEEP_GOING, Channel.parse(clues))]
        for agent in agents
    ),
    games=10_000,
    quick=200,
    charts=(
        _chart("agents", "Guesses that exploded, by the risk that was stated", ("exact",)),
        _chart(
            "models",
            "The same under uncertain clues, with the right and the wrong model",
            ("optimistic", "cautious"),
            "clues",
        ),
    ),
    answer=_answer,
)
