"""Clues that are lost, too low or too high: who copes, and what a wrong idea of them costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from mineproof.game.game import Rules
from mineproof.game.setup import Setup
from mineproof.lab.studies.conditions import KEEP_GOING
from mineproof.lab.studies.wording import (
    crossing,
    curve,
    difference,
    is_clear,
    lead,
    leaders,
    listed,
    placed,
    shown,
    spans,
)
from mineproof.lab.study import SCORE, WINS, WRONG_FLAGS, Chart, Coordinate, Measure, Study, grid
from mineproof.position.model import Channel
from mineproof.statistics import Estimate

if TYPE_CHECKING:
    from mineproof.lab.findings import Findings

__all__ = ["STUDY"]

_WRONG_MODEL: Final = "exact:naive"
_REPORTED: Final = ("border", "weights", "basic", "components")
_AGENTS: Final = ("exact", _WRONG_MODEL, *_REPORTED)
_OTHERS: Final = ("exact", *_REPORTED)
_MINES: Final = 10

_PLAYS: Final = {"classic": Rules(), "keep-going": KEEP_GOING}
_LOST: Final = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9)
_NOISY: Final = ("optimistic", "cautious")
_CHANNELS: Final = {
    "exact": "exact clues",
    "lost:0.5": "half of them lost",
    "optimistic": "optimistic",
    "cautious": "cautious",
}
"""What stands beside each other in charts, by the name of the channel."""

_OPENED: Final = Measure("opened", "safe cells opened a game")
_CELLS: Final = " safe cells"


def _setups() -> Iterator[Setup]:
    # Nothing lost is the exact channel, also by name: other studies play the same games.
    channels = [Channel.lost(chance) if chance else Channel.exact() for chance in _LOST]
    channels += map(Channel.parse, _NOISY)
    for rules in _PLAYS.values():
        for channel in channels:
            yield Setup(10, 10, _MINES, rules, channel)


def _at(setup: Setup) -> dict[str, Coordinate]:
    at: dict[str, Coordinate] = {}
    at["play"] = next(name for name, rules in _PLAYS.items() if rules == setup.rules)
    for chance in _LOST:
        if setup.channel == Channel.lost(chance):
            at["lost"] = chance
    if setup.channel.name in _CHANNELS:
        at["channel"] = _CHANNELS[setup.channel.name]
    return at


def _answer(findings: Findings) -> Iterator[str]:
    yield from _lost(findings)
    yield from _wrong_model(findings)
    yield from _beside_basic(findings)
    for channel in _NOISY:
        yield from _reported(findings, channel)
    for channel in _NOISY:
        yield from _score(findings, channel)


def _lost(findings: Findings) -> Iterator[str]:
    """Say how much loss agents bear, and who bears it best."""
    reached = []
    for agent in findings.values("agent", play="classic"):
        if agent != _WRONG_MODEL:
            wins = curve(findings, WINS, "lost", {"agent": agent, "play": "classic"})
            half = crossing(wins, 50)
            if half is not None and half.value >= 0:
                reached.append((half, f"{placed(half, wins)} by {agent}"))
    reached.sort(key=lambda item: -item[0].value)
    if reached:
        said = listed(words for _, words in reached)
        yield f"Half of the games are won up to a share of clues lost of {said}."
    best = leaders(findings, _OPENED, "agent", "lost", {"play": "classic"}, among=_OTHERS)
    if best:
        yield f"The most safe cells before a mine are opened by {best} of clues lost."


def _wrong_model(findings: Findings) -> Iterator[str]:
    """Say what it changes for exact to take the clues of a channel for exact ones."""
    places: list[tuple[str, Coordinate, str]] = []
    places += [("channel", channel, f"under {channel} clues") for channel in _NOISY]
    places += [("lost", lost, f"where {lost:g} of them are lost") for lost in _LOST if lost]
    said, same_with, same_at = [], [], []
    for axis, place, words in places:
        change = _opened_more(findings, _WRONG_MODEL, "exact", {axis: place})
        if change is None:
            continue
        if change.value or change.width:
            doubt = "" if is_clear(change) else ", which may be chance,"
            said.append(f"{shown(change, _CELLS, sign=True)}{doubt} {words}")
        elif axis == "channel":
            same_with.append(words)
        else:
            same_at.append(place)
    if said:
        yield f"Taking all clues for exact ones changes what exact opens by {listed(said)}."
    if same_at:
        same_with.append(f"where {spans(same_at, _LOST)} of them are lost")
    if same_with:
        yield f"Taking all clues for exact ones changes no game {listed(same_with)}."


def _beside_basic(findings: Findings) -> Iterator[str]:
    """Say whether sound inference from wrong premises does better than two simple rules."""
    said = []
    for channel in _NOISY:
        change = _opened_more(findings, _WRONG_MODEL, "basic", {"channel": channel})
        if change is not None and is_clear(change):
            said.append(f"{shown(change, _CELLS, sign=True)} under {channel} clues")
    if said:
        yield f"Beyond its interval, the difference of {_WRONG_MODEL} from basic is {listed(said)}."


def _opened_more(
    findings: Findings, agent: str, other: str, place: Mapping[str, Coordinate]
) -> Estimate | None:
    at = {"play": "classic", **place}
    return difference(findings, _OPENED, {**at, "agent": agent}, {**at, "agent": other})


def _reported(findings: Findings, channel: str) -> Iterator[str]:
    here: dict[str, Coordinate] = {"play": "classic", "channel": channel}
    best = lead(findings, _OPENED, "agent", here)
    reported = lead(findings, _OPENED, "agent", here, among=_REPORTED)
    if best is None:
        return
    yield f"Under {channel} clues the most safe cells are opened by {best.sentence('', '')}."
    if reported is not None and reported.best != best.best:
        yield f"Of the reports' agents it is {reported.sentence('', '')}."


def _score(findings: Findings, channel: str) -> Iterator[str]:
    here: dict[str, Coordinate] = {"play": "keep-going", "channel": channel}
    best = lead(findings, SCORE, "agent", here)
    if best is None:
        return
    flags = findings.estimate(WRONG_FLAGS, agent=best.best, **here)
    yield (
        f"Where play goes on after a mine, {channel} clues leave the highest score to "
        f"{best.sentence('%', ' points')}; its wrong flags are {shown(flags)} a game."
    )


STUDY: Final = Study(
    "uncertain",
    title="Uncertain clues",
    question=(
        "How do agents fare when clues are lost, or show anything from nothing to the truth "
        "(optimistic) or from the truth to all neighbours (cautious), and what does it cost to "
        "take such clues for exact ones? (10×10 with 10 mines; border, weights and exact are told "
        "how clues come about, and exact:naive, basic and components take them at face value.)"
    ),
    arms=grid(_AGENTS, _setups(), at=_at),
    games=2000,
    quick=25,
    charts=(
        Chart(
            "wins",
            "Games won by the share of clues that are lost",
            WINS,
            x="lost",
            x_title="share of clues lost",
            only={"play": ("classic",), "agent": _OTHERS},
        ),
        Chart(
            "opened",
            "Safe cells opened before a mine, by the share of clues that are lost",
            _OPENED,
            x="lost",
            x_title="share of clues lost",
            only={"play": ("classic",), "agent": _OTHERS},
        ),
        Chart(
            "score",
            "Score by the share of clues that are lost, where play goes on after a mine",
            SCORE,
            x="lost",
            x_title="share of clues lost",
            only={"play": ("keep-going",), "agent": _OTHERS},
        ),
        Chart(
            "channels",
            "Safe cells opened before a mine, by what clues show",
            _OPENED,
            x="channel",
            x_title="what clues show",
            only={"play": ("classic",)},
        ),
        Chart(
            "model",
            "What taking all clues for exact ones changes, on the same boards",
            _OPENED,
            x="channel",
            x_title="what clues show",
            minus="exact",
            only={"play": ("classic",), "agent": ("exact", _WRONG_MODEL)},
        ),
        Chart(
            "channels-score",
            "Score by what clues show, where play goes on after a mine",
            SCORE,
            x="channel",
            x_title="what clues show",
            only={"play": ("keep-going",)},
        ),
        Chart(
            "channels-flags",
            "Flags on safe cells, which a score does not count",
            WRONG_FLAGS,
            x="channel",
            x_title="what clues show",
            only={"play": ("keep-going",)},
        ),
    ),
    answer=_answer,
)
