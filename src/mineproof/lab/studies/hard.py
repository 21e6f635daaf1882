"""Whether Minesweeper is hard, and whether the hard part is the board or the computing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mineproof import statistics
from mineproof.arguments import counted
from mineproof.lab.findings import Findings
from mineproof.lab.sentences import peaks, shown, top
from mineproof.lab.studies.chains import ARMS, LONGEST, SIZES, by_density, by_side, with_size
from mineproof.lab.studies.effort import WIDTH, WORK, where_it_is_hard
from mineproof.lab.study import GUESSES, MILLISECONDS, WINS, Chart, Measure, Point, Study
from mineproof.statistics import Estimate

_SHARE: Final = Measure(
    "share", "share of the highest value on boards of this size, %", factor=100.0
)
_BEYOND: Final = Measure("", "games with a position beyond the budget, %", factor=100.0)

_ALL: Final = {
    "guesses": (GUESSES, "number of guesses"),
    "width": (WIDTH, "width of components"),
    "work": (WORK, "work of exact inference"),
    "time": (MILLISECONDS, "time of a game"),
    "longest chain": (LONGEST, "longest chain"),
}
"""By line of the first chart: the measure, and its name in a sentence."""

_LONG: Final = 1000.0
"""A player would have to wait for a game that takes more milliseconds than this."""

_VERDICTS: Final = {
    (True, False): "The boards are hard, not the computing",
    (True, True): "Both the boards and the computing are hard",
    (False, True): "The computing is hard, not the boards",
    (False, False): "Neither the boards nor the computing are clearly hard",
}


def _answer(findings: Findings) -> Iterator[str]:
    if not findings.arms:
        return
    yield from _verdict(findings)
    yield from where_it_is_hard(findings, SIZES)
    yield from peaks("Chains are longest", findings, LONGEST, "density", among=SIZES)
    for measure, value in _ALL.values():
        words, base = f"the {value} grows", "the number of cells"
        yield from with_size(findings, words, measure, base, lambda setup: setup.topology.cells)


def _verdict(findings: Findings) -> Iterator[str]:
    """Say whether games are lost, and whether exact inference takes too long or gives up."""
    kinds = {
        f"{arm.at['size']} at a density of {arm.at['density']:g}": arm for arm in findings.arms
    }
    lost = sum(findings.estimate(WINS, **arm.at).high < 50 for arm in kinds.values())
    times = {kind: findings.estimate(MILLISECONDS, **arm.at) for kind, arm in kinds.items()}
    slowest = top(times)
    rows = {k: findings.columns("width", "posteriors", "steps", **a.at) for k, a in kinds.items()}
    beyond = sum(judged < steps for found in rows.values() for _, judged, steps in found)
    share = _BEYOND.scaled(statistics.share(beyond, findings.games))
    widths = {kind: max(width for width, _, _ in found) for kind, found in rows.items()}
    widest = max(widths, key=lambda kind: widths[kind])
    yield (
        f"{_VERDICTS[lost > 0, times[slowest].low > _LONG or share.low > 1]}: on {lost} of "
        f"{counted(len(kinds), 'kind')} of boards clearly less than half of the games are won."
    )
    yield (
        f"The slowest kind, {slowest}, takes {shown(times[slowest], ' ms')} per game, and exact "
        f"inference exceeds its budget in {shown(share, '%')} of all games."
    )
    yield (
        f"In {counted(findings.games, 'game')} no component has more than "
        f"{counted(widths[widest], 'open clue')}; the widest is on {widest}."
    )


def _shares(findings: Findings, chart: Chart) -> Iterator[Point]:
    """Put the measures on one axis: each as a share of its highest value on boards of that size."""
    for size in SIZES:
        for name, (measure, _) in {"games won": (WINS, ""), **_ALL}.items():
            if name == "time":  # differs between runs, and follows the work
                continue
            values = findings.curve(measure, "density", size=size)
            most = max((value.value for value in values.values()), default=0.0)
            for density, value in values.items():
                if most > 0:
                    part = Estimate(*(100 * v / most for v in (value.value, value.low, value.high)))
                    games = findings.games_of(size=size, density=density)
                    yield Point(name, density, size, part, games, wide=False)


STUDY: Final = Study(
    "hard",
    title="Is Minesweeper hard?",
    question=(
        "Where does Minesweeper get hard, and why: because boards force guesses, or because exact "
        "inference takes long? Guesses, effort and chains of the same games, by density and by "
        "size. (exact, told the total, starts at a zero and plays the whole board.)"
    ),
    arms=ARMS,
    games=1_000,
    quick=100,
    charts=(
        Chart(
            "together",
            "Wins, guesses, effort and chains, each as a share of its highest value",
            _SHARE,
            x="density",
            lines="what",
            panels="size",
            points=_shares,
        ),
        by_density("wins", "Games won", WINS),
        by_density("guesses", "Guesses by density", GUESSES),
        by_side("guesses-size", "Guesses by size", GUESSES),
        by_density("width", "How wide components get", WIDTH),
        by_side("width-size", "How wide components get, by size", WIDTH),
        by_density("work", "Work of exact inference", WORK),
        by_side("work-size", "Work of exact inference by size", WORK),
        by_side("time-size", "Time of a game by size", MILLISECONDS),
        by_side("chains-size", "The longest chain by size", LONGEST),
    ),
    answer=_answer,
)
