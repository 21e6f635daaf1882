"""Whole expert games in bulk, against one analysis of a stuck expert position by ms-toollib."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks import peer
from benchmarks.positions import stuck
from benchmarks.report import Report, Target, Track, at_most, skipped
from benchmarks.timing import best, side_by_side
from mineproof import Game, GameRecord, agents, play, play_many

GAMES = 1000
AT_ONCE = 4
"""Games in a call: such a call takes about as long as an analysis, so that whatever else the
machine does disturbs both alike."""
POSITIONS = 60
LEAST_OPEN = 100
"""Cells, of 381 that are safe."""


def in_bulk(seeds: range) -> list[GameRecord]:
    """Lay the boards and play them natively."""
    games = (Game.level("expert", seed=seed) for seed in seeds)
    return play_many(games, agents.get("exact"), seeds=seeds)


def one_by_one(seeds: range) -> list[GameRecord]:
    """Do the same, move by move."""
    agent = agents.get("exact")
    return [play(Game.level("expert", seed=seed), agent, seed=seed) for seed in seeds]


def run(track: Track, quick: bool = False) -> Report:
    """Time games and analyses in turns, laying the boards included."""
    seeds = range(0, AT_ONCE * 2 if quick else GAMES, AT_ONCE)
    positions = stuck("expert", "safe", 2 if quick else POSITIONS, LEAST_OPEN)
    ask = peer.load()
    bulk, single, analysis = [], [], []
    for turn, first in enumerate(track(seeds, "bulk")):
        chunk = range(first, first + AT_ONCE)
        seen = positions[turn % len(positions)]
        if ask is not None:
            analyse = partial(ask, peer.grid(seen), seen.mines or 0)
            ours, theirs = side_by_side(partial(in_bulk, chunk), analyse, turns=2)
            analysis.append(theirs.warm)
        else:
            ours = best(partial(in_bulk, chunk), 5)
        bulk.append(ours.warm / AT_ONCE)
        single.append(best(partial(one_by_one, chunk), 1).warm / AT_ONCE)
    target: Target
    if analysis:
        share = float(np.mean(bulk) / np.median(analysis))
        target = at_most("a game in bulk, in analyses", share, 0.5, timed=True)
    else:
        target = skipped("a game in bulk, in analyses", "ms-toollib is not installed")
    return Report(
        f"bulk: {len(bulk) * AT_ONCE:,} expert games by exact, microseconds",
        ("", "in bulk", "move by move", "ratio", "one analysis by ms-toollib"),
        (
            (
                "a game",
                1e6 * float(np.mean(bulk)),
                1e6 * float(np.mean(single)),
                float(np.mean(single) / np.mean(bulk)),
                1e6 * float(np.median(analysis)) if analysis else float("nan"),
            ),
        ),
        (target,),
    )
