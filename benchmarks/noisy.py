"""Whole games under noisy clues, with a posterior for every move."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.positions import witnessed
from benchmarks.report import Report, Track, Value, every
from benchmarks.timing import best
from mineproof import Channel, Game, Observation, Rules, Setup, Topology, infer

CHANNELS = ("lost:0.3", "optimistic", "cautious")
MINES = (10, 20, 30)
GAMES = 20
RULES = Rules(on_mine="continue")


def moves(channel: str, mines: int, games: int) -> list[Observation]:
    """Play a few games, and return all that was seen; no mine ends them, so they are long."""
    clues = Channel.parse(channel)
    return [
        seen
        for seed in range(games)
        for seen in witnessed(Game(Setup(Topology(10, 10), mines, RULES, clues), seed=seed))
    ]


def run(track: Track, quick: bool = False) -> Report:
    """Time the posterior of every move."""
    rows: list[tuple[Value, ...]] = []
    exact: list[bool] = []
    settings = [(channel, mines) for channel in CHANNELS for mines in MINES]
    for channel, mines in track(settings[::4] if quick else settings, "noisy"):
        asked = moves(channel, mines, 1 if quick else GAMES)
        answers = [best(partial(infer, seen), 3) for seen in asked]
        milliseconds = [1e3 * answer.warm for answer in answers]
        quantiles: list[float] = np.quantile(milliseconds, (0.5, 0.99, 1)).tolist()
        rows.append((channel, mines, len(answers), *quantiles))
        exact += [answer.result.exact for answer in answers]
    return Report(
        "noisy: whole games on 10×10, milliseconds a posterior",
        ("channel", "mines", "moves", "median", "99%", "worst"),
        tuple(rows),
        (every("moves with an exact posterior", exact),),
    )
