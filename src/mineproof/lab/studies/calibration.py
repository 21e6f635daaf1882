"""Whether a stated risk is right: how many guesses of about the same stated risk explode."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mineproof import statistics
from mineproof.arguments import counted
from mineproof.game.setup import Setup
from mineproof.lab.studies.boards import KEEP_GOING
from mineproof.lab.studies.sentences import amounts, effect, excess, is_clear, listed
from mineproof.lab.study import Arm, Chart, Coordinate, Measure, Point, Study
from mineproof.position.model import Channel
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

_EXPLODED: Final = Measure("exploded", "guesses that exploded, %", share=True, factor=100.0)

_AGENTS: Final = {
    "exact": (20, ("exact", "exact:untold", "border:total", "border", "noisy-or")),
    "optimistic": (10, ("exact", "exact:naive")),
    "cautious": (10, ("exact", "exact:naive")),
}
"""By what clues show: the number of mines, and the agents that state the risk of a guess."""

_ENOUGH: Final = 10
"""Fewer guesses of about the same stated risk are not judged."""


@dataclass(frozen=True, slots=True)
class _Guesses:
    """Guesses: their mean stated risk and the share that exploded in percent, and their games."""

    stated: float
    share: Estimate
    number: int
    games: int

    @property
    def gap(self) -> Estimate:
        """By how much more of them exploded than stated, in points."""
        return excess(self.share, self.stated)


def _gathered(guesses: list[tuple[int, float, bool]]) -> _Guesses:
    """Gather guesses: the game, the stated risk, and whether it exploded."""
    number = len(guesses)
    share = statistics.share(sum(exploded for _, _, exploded in guesses), number)
    stated = 100 * sum(risk for _, risk, _ in guesses) / number
    return _Guesses(stated, _EXPLODED.scaled(share), number, len({game for game, _, _ in guesses}))


def _guesses(
    findings: Findings, agent: Coordinate, clues: Coordinate
) -> list[tuple[int, float, bool]]:
    rows = findings.columns("seed", "risks", "exploded", agent=agent, clues=clues)
    return [(seed, *guess) for seed, *lists in rows for guess in zip(*lists, strict=True)]


def _by_tenth(guesses: list[tuple[int, float, bool]]) -> list[_Guesses]:
    """Gather guesses around each tenth of stated risk, if they are enough to judge."""
    tenths: dict[int, list[tuple[int, float, bool]]] = {}
    for guess in guesses:
        tenths.setdefault(round(10 * guess[1]), []).append(guess)
    return [_gathered(tenths[n]) for n in sorted(tenths) if len(tenths[n]) >= _ENOUGH]


def _points(findings: Findings, chart: Chart) -> Iterator[Point]:
    """Yield a point for every tenth of stated risk, at the mean of what was stated."""
    for clues in chart.only["clues"]:
        for agent in findings.values("agent", clues=clues):
            for some in _by_tenth(_guesses(findings, agent, clues)):
                panel = clues if chart.panels else None
                yield chart.point(agent, round(some.stated, 1), some.share, some.games, panel)


def _answer(findings: Findings) -> Iterator[str]:
    apart: dict[Coordinate, Estimate] = {}
    for clues in findings.values("clues"):
        agents = findings.values("agent", clues=clues)
        guesses = {a: found for a in agents if (found := _guesses(findings, a, clues))}
        gaps = {agent: _gathered(found).gap for agent, found in guesses.items()}
        what = f"Under {clues} clues, the share of guesses that explode, compared with that stated,"
        yield from effect(what, gaps, _EXPLODED, "with {}")
        right = []
        for agent, found in guesses.items():
            tenths = _by_tenth(found)
            agree = sum(not is_clear(tenth.gap) for tenth in tenths)
            right.append(f"{agree} of {counted(len(tenths), 'interval')} of {agent}")
            for tenth in tenths:
                apart[f"{agent} under {clues} clues where it states {tenth.stated:.0f}%"] = (
                    tenth.gap
                )
        if right:
            yield f"By tenths, the stated risk under {clues} clues is in {listed(right)}."
        sure = {}
        for agent in agents:
            rows = findings.columns("sure", "sure_exploded", agent=agent, clues=clues)
            openings, exploded = (sum(column) for column in zip(*rows, strict=True))
            if exploded:
                sure[agent] = _EXPLODED.scaled(statistics.share(exploded, openings))
        words = f"Under {clues} clues, the share of openings called certain that explode is"
        yield from amounts(words, sure, _EXPLODED)
    clear = {where: gap for where, gap in apart.items() if is_clear(gap)}
    if clear:
        where = max(clear, key=lambda where: abs(clear[where].value))
        yield from effect(
            "Farthest off, the share that explodes", {where: clear[where]}, _EXPLODED, "for {}"
        )
    elif apart:
        yield "No interval of a tenth of stated risk excludes the stated risk."


STUDY: Final = Study(
    "calibration",
    title="Calibration of risks",
    question=(
        "When an agent calls a guess a risk of 20%, does it explode in 20 of 100 cases? (10×10, "
        "any start, play goes on after a mine; 20 mines under exact clues, 10 under others. Of "
        "20 intervals of a risk that is right, one may miss it by chance; tenths of less than "
        f"{_ENOUGH} guesses are left out.)"
    ),
    arms=tuple(
        Arm(
            agent,
            Setup(10, 10, mines, KEEP_GOING, Channel.parse(clues)),
            {"clues": clues},
            probe="guesses",
        )
        for clues, (mines, agents) in _AGENTS.items()
        for agent in agents
    ),
    games=10_000,
    quick=100,
    charts=tuple(
        Chart(
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
        for name, title, panels, clues in (
            ("agents", "Guesses that exploded, by the risk that was stated", None, ("exact",)),
            (
                "models",
                "The same under uncertain clues, with the right and the wrong model of them",
                "clues",
                ("optimistic", "cautious"),
            ),
        )
    ),
    answer=_answer,
)
