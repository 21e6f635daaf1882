"""Games a second on one core, by agent and level: the native players, and the agents in Python."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import nan
from time import process_time
from typing import TypeAlias

from benchmarks.report import Report, Target, Track, Value, at_least
from mineproof import Game, Rules, Setup, Topology, agents, play
from mineproof.agents import Agent, Decision
from mineproof.arena import play_seeds
from mineproof.position.observation import Observation

SETUPS = {
    "easy": Setup.level("easy"),
    "expert": Setup.level("expert"),
    "10×10": Setup(Topology(10, 10), 20, Rules(on_mine="continue")),
}
TURNS = 10
GAMES = 20
"""Games of a turn."""
AGAIN = 10
"""How often a native player plays them, so that it plays for some milliseconds."""
COMPARED = ("expert", "10×10")
"""The levels on which no agent should be much slower than ``exact``."""
SHARE = 0.1


class Own(Agent):
    """An agent as a user writes it, without a native player."""

    name = "own"

    def decide(self, observation: Observation) -> Decision | None:
        """Open any closed cell."""
        return Decision.guess(self.random.pick(observation.openable_cells()), "any cell")


class Pace:
    """How many games or steps there were, and the processor time that they took."""

    def __init__(self) -> None:
        self.count = 0
        self.seconds = 0.0

    def add(self, call: Callable[[], int]) -> None:
        """Time a call that returns how many there were."""
        started = process_time()
        self.count += call()
        self.seconds += process_time() - started

    @property
    def rate(self) -> float:
        """How many there were in a second."""
        return self.count / self.seconds


Paces: TypeAlias = defaultdict[tuple[str, str], Pace]


def natively(setup: Setup, name: str, seeds: Sequence[int]) -> int:
    """Lay boards, let the native player of an agent play them, and count the games."""
    return len(play_seeds(setup, agents.get(name), seeds)["won"])


def in_python(setup: Setup, name: str, seeds: Sequence[int]) -> int:
    """Do the same with the agent itself, move by move."""
    return len([play(Game(setup, seed), agents.get(name), seed=seed) for seed in seeds])


def steps(setup: Setup, seeds: Sequence[int]) -> int:
    """Count the steps of an agent of one's own."""
    return sum(play(Game(setup, seed), Own(), seed=seed).steps for seed in seeds)


def run(track: Track, quick: bool = False) -> Report:
    """Let all agents play the same games in turns, natively and in Python."""
    turns, games, again = (1, 1, 1) if quick else (TURNS, GAMES, AGAIN)
    native, python = Paces(Pace), Paces(Pace)
    for turn, level in track([(turn, level) for turn in range(turns) for level in SETUPS], "rates"):
        setup = SETUPS[level]
        seeds = list(range(turn * games, turn * games + games))
        for name in agents.names():
            native[name, level].add(partial(natively, setup, name, seeds * again))
            python[name, level].add(partial(in_python, setup, name, seeds))
        python[Own.name, level].add(partial(steps, setup, seeds * again))
    rows: list[tuple[Value, ...]] = [
        (name, *(paces[name, level].rate for level in SETUPS for paces in (native, python)))
        for name in agents.names()
    ]
    own = (rate for level in SETUPS for rate in (nan, python[Own.name, level].rate))
    rows.append(("own agent, steps", *own))
    columns = ("", *(heading for level in SETUPS for heading in (level, "in Python")))
    targets = tuple(slowest(native, level) for level in COMPARED)
    return Report("rates: games a second on one core", columns, tuple(rows), targets)


def slowest(native: Mapping[tuple[str, str], Pace], level: str) -> Target:
    """Compare the slowest agent of the reports with ``exact``."""
    exact = native["exact", level].rate
    shares = {name: native[name, level].rate / exact for name in agents.names()}
    del shares["champion"]
    name = min(shares, key=lambda name: shares[name])
    return at_least(f"{level}: {name}, of the speed of exact", shares[name], SHARE, timed=True)
