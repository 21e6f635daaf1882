"""Clues that are lost, too low or too high: which agents cope, and the cost of a wrong model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mineproof.lab.findings import Findings
from mineproof.lab.sentences import amounts, effect, leader, leaders, thresholds, top
from mineproof.lab.study import (
    HITS,
    OPENED,
    SCORE,
    WINS,
    WRONG_FLAGS,
    Arm,
    Chart,
    Coordinate,
    Measure,
    Study,
)
from mineproof.lab.study_boards import KEEP_GOING
from mineproof.position import Channel, Rules, Setup
from mineproof.position.topology import Topology

_WRONG_MODEL: Final = "exact:naive"
_REPORTED: Final = ("border", "weights", "basic", "components")
_OTHERS: Final = ("exact", *_REPORTED)

_PLAYS: Final = {"classic": Rules(), "keep-going": KEEP_GOING}
_LOST: Final = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
_NOISY: Final = ("optimistic", "cautious")
_NAMES: Final = {0.0: "exact clues", 0.5: "half of them lost"}
"""The shares of lost clues that are charted beside noisy clues."""

_BY_DENSITY: Final = {
    "half of them lost": Channel.lost(0.5),
    "optimistic": Channel.optimistic(),
    "cautious": Channel.cautious(),
    "late (0.3)": Channel.late(0.3),
}
"""The channels that are played at several densities, and the agents."""

_WORDS: Final = {"half of them lost": "half of the clues lost", "late (0.3)": "late clues"}
_DENSITIES: Final = (5, 10, 20, 30)
_AGENTS: Final = ("exact", "border", "weights", "components", "clue-heap")


def _channels() -> Iterator[tuple[Channel, dict[str, Coordinate]]]:
    for share in _LOST:
        # Nothing lost is the exact channel, also by name: other studies play the same games.
        channel = Channel.lost(share) if share else Channel.exact()
        yield channel, {"lost": share, **({"channel": _NAMES[share]} if share in _NAMES else {})}
    for name in _NOISY:
        yield Channel.parse(name), {"channel": name}


def _weight(agent: str, channel: Channel) -> int:
    """Return the weight of an arm: arms with fast games play several times as many."""
    if channel.name == "cautious" and agent == "exact":
        return 1
    exact = agent.startswith("exact") or (channel.name, agent) == ("optimistic", "border")
    return 2 if exact else 10


def _answer(findings: Findings) -> Iterator[str]:
    wins = findings.curves(WINS, "lost", play="classic")
    wins.pop(_WRONG_MODEL, None)
    yield from thresholds("Half of the games are won", "up to a share of lost clues of", wins, 50)
    lost = "at a share of lost clues of {}"
    at: dict[str, Coordinate] = {"play": "classic"}
    yield from leaders("With lost clues,", findings, OPENED, "lost", lost, at=at, among=_OTHERS)
    for other, words in (
        ("exact", "If exact takes all clues at face value, the number of cells that it opens"),
        ("basic", f"Compared with basic, the number of cells that {_WRONG_MODEL} opens"),
    ):
        for axis, places, where in (
            ("channel", _NOISY, "under {} clues"),
            ("lost", _LOST[1:], lost),
        ):
            changes = findings.differences(OPENED, axis, **at, agent=(_WRONG_MODEL, other))
            some = {place: change for place, change in changes.items() if place in places}
            yield from effect(words, some, OPENED, where)
    for channel in _NOISY:
        at = {"play": "classic", "channel": channel}
        yield from leader(f"Under {channel} clues,", findings, OPENED, at)
        where = f"Under {channel} clues, of the reports' agents,"
        yield from leader(where, findings, OPENED, at, among=_REPORTED)
    for channel in _NOISY:
        at = {"play": "keep-going", "channel": channel}
        where = f"Under {channel} clues, where play goes on after a mine,"
        yield from leader(where, findings, SCORE, at)
        if scores := findings.curve(SCORE, "agent", **at):
            best = top(scores)
            flags = {best: findings.estimate(WRONG_FLAGS, agent=best, **at)}
            yield from amounts(f"{where} there are", flags, WRONG_FLAGS, "wrong flags with {}")
    yield from _by_density_said(findings)


def _by_density_said(findings: Findings) -> Iterator[str]:
    """Yield sentences about cautious, optimistic and late clues at several densities."""
    at: dict[str, Coordinate] = {"play": "by density"}
    for channel in _BY_DENSITY:
        where = f"With {_WORDS.get(channel, f'{channel} clues')},"
        here = {**at, "channel": channel}
        yield from leaders(where, findings, SCORE, "density", "at a density of {}", at=here)
    for agent in _AGENTS:
        hits = findings.differences(
            HITS, "density", **at, agent=agent, channel=("cautious", "optimistic")
        )
        words = f"With cautious instead of optimistic clues, the number of mines that {agent} hits"
        yield from effect(words, hits, HITS, "at a density of {}")


def _by_lost(name: str, title: str, measure: Measure, play: str = "classic") -> Chart:
    only = {"play": (play,), "agent": _OTHERS}
    title = f"{title} by the share of clues that are lost"
    return Chart(name, title, measure, "lost", "share of clues lost", only=only)


def _by_channel(name: str, title: str, measure: Measure, play: str = "keep-going") -> Chart:
    return Chart(name, title, measure, "channel", "what clues show", only={"play": (play,)})


STUDY: Final = Study(
    "uncertain",
    title="Uncertain clues",
    question=(
        "How do agents fare when clues are lost or late, or show anything from nothing to the "
        "truth (optimistic) or from the truth to all neighbours (cautious), and what does it cost "
        "to take such clues for exact? (10×10, with 10 mines unless another number is given; "
        "border, weights and exact are told how clues come about, and exact:naive, basic and "
        "components take them at face value.)"
    ),
    arms=tuple(
        Arm(
            agent,
            Setup(Topology(10, 10), 10, rules, channel),
            {"play": play, **at},
            weight=_weight(agent, channel),
        )
        for play, rules in _PLAYS.items()
        for channel, at in _channels()
        for agent in ("exact", _WRONG_MODEL, *_REPORTED)
    )
    + tuple(
        Arm(
            agent,
            Setup(Topology(10, 10), mines, KEEP_GOING, channel),
            {"play": "by density", "channel": name, "density": mines / 100},
            weight=_weight(agent, channel),
        )
        for name, channel in _BY_DENSITY.items()
        for mines in _DENSITIES
        for agent in _AGENTS
    ),
    games=1_000,
    quick=100,
    charts=(
        _by_lost("wins", "Games won", WINS),
        _by_lost("opened", "Safe cells opened before a mine,", OPENED),
        _by_lost("score", "Score where play goes on after a mine,", SCORE, "keep-going"),
        _by_channel(
            "channels", "Safe cells opened before a mine, by what clues show", OPENED, "classic"
        ),
        Chart(
            "model",
            "Change if all clues are taken for exact, on the same boards",
            OPENED,
            "channel",
            "what clues show",
            minus="exact",
            only={"play": ("classic",), "agent": ("exact", _WRONG_MODEL)},
        ),
        _by_channel(
            "channels-score", "Score by what clues show, where play goes on after a mine", SCORE
        ),
        _by_channel(
            "channels-flags", "Flags on safe cells, which a score does not count", WRONG_FLAGS
        ),
        Chart("density-score", "Score by density and clues", SCORE, "density", panels="channel"),
        Chart("density-hits", "Mines hit by density and clues", HITS, "density", panels="channel"),
    ),
    answer=_answer,
)
