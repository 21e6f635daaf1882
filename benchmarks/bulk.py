"""Whole expert games in bulk, against one analysis of a stuck expert position by ms-toollib."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks import peer
from benchmarks.positions import stuck
from benchmarks.report import Report, Target, Track, at_most, skipped
from benchmarks.timing import best, side_by_side
from mineproof import Game, GameRecord, Setup, agents, play
from mineproof.arena import play_seeds
from mineproof.arena.workers import cores

GAMES = 1000
AT_ONCE = 8
"""Games in a call: such a call takes about as long as an analysis, so that whatever else the
machine does disturbs both alike."""
POSITIONS = 60
LEAST_OPEN = 100
"""Cells, of 381 that are safe."""
EXPERT = Setup.level("expert")


def in_bulk(seeds: range, threads: int) -> int:
    """Lay the boards, play them natively, and return the number of wins."""
    return int(play_seeds(EXPERT, agents.get("exact"), seeds, threads=threads)["won"].sum())


def one_by_one(seeds: range) -> list[GameRecord]:
    """Do the same, move by move."""
    agent = agents.get("exact")
    return [play(Game(EXPERT, seed), agent, seed=seed) for seed in seeds]


def run(track: Track, quick: bool = False) -> Report:
    """Time games and analyses in turns, laying the boards included."""
    at_once = 4 if quick else AT_ONCE
    seeds = range(0, at_once * 2 if quick else GAMES, at_once)
    positions = stuck("expert", "safe", 2 if quick else POSITIONS, LEAST_OPEN)
    ask = peer.load()
    every_core = cores()
    alone, bulk, single, analysis = [], [], [], []
    for turn, first in enumerate(track(seeds, "bulk")):
        chunk = range(first, first + at_once)
        seen = positions[turn % len(positions)]
        together = partial(in_bulk, chunk, every_core)
        if ask is not None:
            analyse = partial(ask, peer.grid(seen), seen.mines or 0)
            ours, theirs = side_by_side(together, analyse, turns=4)
            analysis.append(theirs.warm)
        else:
            ours = best(together, 5)
        bulk.append(ours.warm / at_once)
        alone.append(best(partial(in_bulk, chunk, 1), 5).warm / at_once)
        some = range(first, first + 4)
        single.append(best(partial(one_by_one, some), 1).warm / len(some))
    analyses = float(np.median(analysis)) if analysis else float("nan")
    target: Target
    if analysis:
        share = float(np.mean(bulk) / analyses)
        target = at_most("a game in bulk on all cores, in analyses", share, 0.15, timed=True)
    else:
        target = skipped("a game in bulk on all cores, in analyses", "ms-toollib is not installed")
    return Report(
        f"bulk: {len(bulk) * at_once:,} expert games by exact, microseconds per game",
        ("", "us", "analyses by ms-toollib", "times faster than move by move"),
        tuple(
            (
                name,
                1e6 * float(np.mean(seconds)),
                float(np.mean(seconds)) / analyses,
                float(np.mean(single) / np.mean(seconds)),
            )
            for name, seconds in (
                (f"in bulk, threads: {every_core}", bulk),
                ("in bulk, one thread", alone),
                ("move by move", single),
                ("one analysis", [analyses]),
            )
        ),
        (target,),
    )
