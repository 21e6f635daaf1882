"""How strong the champion is, and what it costs: writes docs/strength.md and its picture.

Run `python -m benchmarks.strength`, or with `--games 0.01` to see how it goes. Every player plays
the same boards, seeds 0, 1, 2 and so on.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks import peer
from benchmarks.positions import stuck
from benchmarks.timing import best
from mineproof import Agent, Game, Observation, Rules, Setup, Topology, _core, agents, infer
from mineproof.agents.agent import Decision
from mineproof.agents.champion import ChampionAgent
from mineproof.arena import play_seeds
from mineproof.arena.play import carry_out
from mineproof.draw import palette
from mineproof.draw.svg import Block, picture
from mineproof.inference.posterior import core_of
from mineproof.position.rules import Start
from mineproof.search.guesses import best_guess, chances_to_win
from mineproof.search.strength import STRENGTHS, Strength
from mineproof.statistics import share, share_difference

PAGE: Final = Path(__file__).parents[1] / "docs" / "strength.md"
RESULTS: Final = PAGE.with_suffix(".json")
PICTURE: Final = PAGE.parent / "images" / "strength.svg"
LEVELS: Final[Mapping[str, int]] = {
    "easy": 10_000_000,
    "intermediate": 400_000,
    "expert": 200_000,
}
"""The games of the default setting, under each start rule."""
STARTS: Final[tuple[Start, ...]] = ("safe", "zero")
PUBLISHED: Final = {
    ("easy", "safe"): 91.70,
    ("easy", "zero"): 97.17,
    ("intermediate", "safe"): 78.7,
    ("intermediate", "zero"): 89.75,
    ("expert", "safe"): 41.2,
    ("expert", "zero"): 54.8,
}
"""The figures to beat, in percent."""
CHUNK: Final = 100_000
"""Games that are played in one call, to save memory."""
PAIRED: Final = 10_000
"""Expert games of each player that is compared with the default."""
FIRST: Final = {"easy": (2, 2), "intermediate": (2, 2), "expert": (3, 3)}
"""The first cell under `zero`."""
GROWTH: Final = ((50, 0.15), (50, 0.20), (100, 0.15), (100, 0.20))
"""Sides and densities of large boards."""
LARGE: Final = 20
"""Games on each of them."""
FORECASTS: Final[Mapping[str, int]] = {"easy": 1_200, "intermediate": 1_200, "expert": 1_200}
"""Games of each level, with a forecast in those that get to a certain guess."""
LOSSES: Final = 2_000
"""Games of each level and start in which losses are told apart."""
TIMED: Final = {"champion:1": 500, "champion": 500, "champion:max": 200}
"""Expert games of each player in which every guess is timed."""
CHOICES: Final = 600
"""Expert games in which the guesses of `champion:max` are compared with the default ones."""
VALUED: Final = 200
"""Boards on which two different guesses are compared."""
FRESH: Final = 1_000_000
"""Multiples of this are seeds of boards that no player uses."""
LATE: Final = 100
"""A guess is late if at most so many safe cells are closed."""
SAMPLES: Final = 100
BINS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
FEATURES: Final = (
    ("safety of the safest cell", "1.13 ± 0.05", "0.75 ± 0.06"),
    ("safety of the second safest cell", "0.87 ± 0.05", "0.36 ± 0.05"),
    ("logarithm of 1 + number of safe cells", "0.075 ± 0.005", "0.019 ± 0.005"),
    ("safety of the third safest cell", "0.60 ± 0.05", "0.06 ± 0.08"),
    ("chance of progress", "0.100 ± 0.006", "0.01 ± 0.02"),
    ("entropy of the clue", "-0.056 ± 0.006", "0.010 ± 0.006"),
    ("doubt: sum of risk × safety", "-0.047 ± 0.004", "-0.009 ± 0.004"),
    ("cells of risk 1/2", "-0.001 ± 0.002", "-0.002 ± 0.002"),
    ("chance of a zero", "0.015 ± 0.009", "0.00 ± 0.02"),
    ("beyond the frontier", "-0.002 ± 0.005", "0.01 ± 0.01"),
    ("best cells of all components, in logarithms", "", "0.015 ± 0.013"),
    ("safe cells that touch unknown ones", "", "0.007 ± 0.007"),
)
"""What the random guesses showed."""
TRIED: Final = (
    ("the second safest cell and the safe ones (kept)", "expert safe", 40_000, "+0.03", "0.18"),
    ("the same, with 20 candidates instead of 12", "expert safe", 12_500, "+0.09", "0.28"),
    ("40 candidates, down to 0.75 of the safest", "easy safe", 400_000, "-0.001", "0.003"),
    ("40 candidates, down to 0.75 of the safest", "intermediate safe", 200_000, "-0.001", "0.005"),
    ("a third ply: survive this cell and the next two", "expert safe", 20_000, "-0.04", "0.26"),
    ("a network that estimates winning from 16 features", "expert safe", 30_000, "-0.50", "0.29"),
    (
        "an estimate from the three numbers of the look-ahead",
        "expert safe",
        26_600,
        "-0.12",
        "0.28",
    ),
    ("the same with doubt, size and components", "expert safe", 20_000, "-0.12", "0.32"),
    ("endings up to 5,000 layouts", "easy safe", 100_000, "+0.005", "0.006"),
    ("endings up to 20,000 layouts", "easy safe", 100_000, "+0.004", "0.007"),
    ("endings up to 20,000 layouts", "easy zero", 100_000, "-0.001", "0.006"),
    ("endings up to 20,000 layouts", "intermediate safe", 50_000, "+0.002", "0.014"),
    ("endings up to 20,000 layouts", "intermediate zero", 50_000, "+0.008", "0.018"),
    ("a factor for breaking unavoidable 50/50s", "easy safe", 400_000, "+0.001", "0.003"),
    ("a factor for breaking unavoidable 50/50s", "intermediate zero", 40_000, "+0.000", "0.014"),
    ("a factor for breaking unavoidable 50/50s", "expert safe", 60_000, "-0.003", "0.086"),
    ("a cell that the best one makes safe anyway first", "expert safe", 60_000, "+0.003", "0.011"),
    ("a cell that the best one makes safe anyway first", "expert zero", 60_000, "+0.010", "0.012"),
    ("no weight for safe cells", "easy safe", 400_000, "+0.011", "0.012"),
)
"""Experiments whose code is gone."""
DEFAULT: Final = Strength()
PLAYERS: Final[Mapping[str, Strength | str]] = {
    "`exact`: lowest risk": "exact",
    "no look-ahead": replace(DEFAULT, candidates=0),
    "no endings": replace(DEFAULT, ending_layouts=0),
    "only the safest next cell": replace(DEFAULT, second=0.0, certainty=0.0),
    "no weight for safe cells": replace(DEFAULT, certainty=0.0),
    "`champion:1`": "champion:1",
    "`champion`": "champion",
    "endings up to 5,000 layouts": replace(DEFAULT, ending_layouts=5_000, ending_work=10**8),
    "`champion:max`": "champion:max",
}
"""What is compared: agents by name, and other settings of the champion."""
HIDDEN: Final = ("only the safest next cell", "no weight for safe cells")
"""Players that cost and win as much as the default, so that the picture has no room for them."""

ENDING: Final = "few layouts are left: this cell is best in optimal play"
"""The champion's reason for guesses in endings that it has solved."""

Results = dict[str, Any]


class Variant(ChampionAgent):
    """The champion with a setting of its own."""

    def __init__(self, strength: Strength) -> None:
        super().__init__()
        self.strength = strength

    def native(self) -> _core.Player:
        """Return the player of the core."""
        return self.strength.player()


def agent_of(name: str) -> Agent:
    """Return a player by its name in the tables."""
    player = PLAYERS[name]
    return agents.get(player) if isinstance(player, str) else Variant(player)


def play(agent: Agent, level: str, start: Start, number: int) -> tuple[NDArray[np.bool_], float]:
    """Return which games are won, and the milliseconds of a core per game."""
    first = FIRST[level] if start == "zero" else (0, 0)
    setup = Setup.level(level, rules=Rules(start=start), first=first)
    started = process_time()
    won = [
        play_seeds(setup, agent, range(begin, min(begin + CHUNK, number)))["won"]
        for begin in range(0, number, CHUNK)
    ]
    return np.concatenate(won), 1e3 * (process_time() - started) / number


def analysis() -> float:
    """Return the milliseconds of one analysis by ms-toollib, the median of stuck positions."""
    ask = peer.load()
    if ask is None:
        raise SystemExit("costs are measured in analyses by ms-toollib: install the bench extra")
    seen = stuck("expert", "safe", 40, 100)
    times = [best(partial(ask, peer.grid(one), one.mines or 0), 5).warm for one in seen]
    return 1e3 * float(np.median(times))


def percent(won: NDArray[np.bool_]) -> str:
    """Write a share with its interval."""
    found = share(int(won.sum()), won.size)
    return f"{100 * found.value:.2f} ({100 * found.low:.2f} to {100 * found.high:.2f})"


def difference(one: NDArray[np.bool_], other: NDArray[np.bool_]) -> str:
    """Write how much more one wins than the other on the same boards."""
    found = share_difference(int((one & ~other).sum()), int((other & ~one).sum()), one.size)
    return f"{100 * found.value:+.2f} ({100 * found.low:+.2f} to {100 * found.high:+.2f})"


def measure_level(level: str, factor: float) -> list[list[str]]:
    """Play a level with the default setting."""
    rows = []
    number = max(20, round(LEVELS[level] * factor))
    for start in STARTS:
        won, cost = play(agents.get("champion"), level, start, number)
        target = PUBLISHED[level, start]
        beaten = 100 * share(int(won.sum()), won.size).low > target
        row = [level, start, f"{won.size:,}", percent(won), f"{target:.2f}"]
        rows.append([*row, "yes" if beaten else "no", f"{cost:.2f}"])
        print(*rows[-1], sep=" | ", flush=True)
    return rows


def measure_players(factor: float) -> list[dict[str, Any]]:
    """Let every player play the same expert boards."""
    unit = analysis()
    number = max(20, round(PAIRED * factor))
    default, _ = play(agents.get("champion"), "expert", "safe", number)
    rows = []
    for name in PLAYERS:
        won, cost = play(agent_of(name), "expert", "safe", number)
        found = share(int(won.sum()), won.size)
        rows.append(
            {
                "name": name,
                "games": number,
                "won": percent(won),
                "interval": [100 * found.low, 100 * found.value, 100 * found.high],
                "against": "" if name == "`champion`" else difference(won, default),
                "ms": cost,
                "analyses": cost / unit,
            }
        )
        print(*rows[-1].values(), sep=" | ", flush=True)
    return rows


def measure_growth(factor: float) -> list[list[str]]:
    """Play large boards to the end."""
    rows = []
    for side, density in GROWTH:
        setup = Setup(
            Topology(side, side),
            round(density * side * side),
            Rules(start="zero", on_mine="continue"),
            first=(3, 3),
        )
        ended, times, hits = 0, [], 0
        for seed in range(max(2, round(LARGE * factor))):
            started = process_time()
            games = play_seeds(setup, agents.get("champion"), [seed])
            times.append(1e3 * (process_time() - started))
            ended += int((games["outcome"] != "stuck").sum())
            hits += int(games["hits"].sum())
        row = [f"{side}×{side}", f"{100 * density:.0f}%", f"{ended} of {len(times)}"]
        mean = hits / len(times)
        rows.append([*row, f"{mean:.1f}", f"{np.mean(times):.0f}", f"{max(times):.0f}"])
        print(*rows[-1], sep=" | ", flush=True)
    return rows


def decisions(agent: Agent, game: Game) -> Iterator[tuple[Decision, Observation, float]]:
    """Let an agent play a game; yield its guesses, what it saw, and the milliseconds of each."""
    agent.begin(game.seed)
    game.lay_mines()
    assert game.first is not None
    game.open(game.first)
    while game.outcome is None:
        seen = game.observe()
        started = process_time()
        decision = agent.decide(seen)
        took = 1e3 * (process_time() - started)
        assert decision is not None
        if not decision.actions[-1].certain:
            yield decision, seen, took
        carry_out(game, decision, seen)


def measure_losses(factor: float) -> list[list[str]]:
    """Tell which guesses lose games: those of exact endings, or those before."""
    rows = []
    number = max(20, round(LOSSES * factor))
    champion = agents.get("champion")
    for level in LEVELS:
        for start in STARTS:
            first = FIRST[level] if start == "zero" else (0, 0)
            guesses, lost = Counter[bool](), Counter[bool]()
            for seed in range(number):
                game = Game(Setup.level(level, rules=Rules(start=start), first=first), seed=seed)
                ending = False
                for decision, *_ in decisions(champion, game):
                    ending = decision.reason == ENDING
                    guesses[ending] += 1
                lost[ending] += not game.won
            shares = [f"{100 * lost[ending] / number:.1f}" for ending in (False, True)]
            each = [f"{guesses[ending] / number:.2f}" for ending in (False, True)]
            rows.append([level, start, f"{number:,}", each[0], shares[0], each[1], shares[1]])
            print(*rows[-1], sep=" | ", flush=True)
    return rows


def measure_moves(factor: float) -> list[list[str]]:
    """Time every guess of expert games, for each strength."""
    rows = []
    for name, number in TIMED.items():
        games = (Game.level("expert", seed=seed) for seed in range(max(5, round(number * factor))))
        agent = agents.get(name)
        times = [took for game in games for *_, took in decisions(agent, game)]
        shown = (np.median(times), np.quantile(times, 0.99), max(times))
        rows.append([f"`{name}`", f"{len(times):,}", *(f"{time:.1f}" for time in shown)])
        print(*rows[-1], sep=" | ", flush=True)
    return rows


def measure_choices(factor: float) -> list[str]:
    """Compare late guesses of `champion:max` with those of the default, in the same positions.

    Where they differ, both are tried on the same boards, which neither player has seen.
    """
    gains = []
    champion, strongest = agents.get("champion"), agents.get("champion:max")
    for seed in range(max(5, round(CHOICES * factor))):
        game = Game.level("expert", seed=seed)
        strongest.begin(seed)
        for decision, seen, _ in decisions(champion, game):
            if decision.reason == ENDING or len(seen.closed_cells()) - game.mines > LATE:
                continue
            other = strongest.decide(seen)
            assert other is not None
            cells = [one.actions[-1].cell for one in (decision, other)]
            gain = 0.0
            if cells[0] != cells[1]:
                places = [seen.topology.index(cell) for cell in cells]
                chances = _core.rollouts(core_of(infer(seen)), places, VALUED, FRESH * (seed + 1))
                gain = float(np.diff(chances.reshape(VALUED, 2).mean(axis=0))[0])
            gains.append(100 * gain)
    error = 1.96 * float(np.std(gains)) / math.sqrt(len(gains))
    different = f"{100 * np.count_nonzero(gains) / len(gains):.0f}"
    row = [f"{len(gains):,}", different, f"{np.mean(gains):+.2f} ± {error:.2f}"]
    print(*row, sep=" | ", flush=True)
    return row


def measure_forecasts(factor: float) -> list[list[str]]:
    """Estimate the chance to win at one guess of a game, play on, and compare."""
    found = []
    for level, number in FORECASTS.items():
        for seed in range(max(5, round(number * factor))):
            forecast = forecast_of(Game.level(level, seed=seed), skip=seed % 3, seed=seed)
            if forecast is not None:
                found.append(list(forecast))
        print(level, len(found), "forecasts", flush=True)
    return calibration(found)


def forecast_of(game: Game, skip: int, seed: int) -> tuple[float, float] | None:
    """Return an estimate of the chance to win, made at a guess after some others, and the result.

    The seed of a game decides nothing about its board that the estimate could know.
    """
    champion = agents.get("champion:1")
    champion.begin(seed)
    game.lay_mines()
    assert game.first is not None
    game.open(game.first)
    while game.outcome is None:
        seen = game.observe()
        posterior = infer(seen)
        if not posterior.safe:
            if skip == 0:
                cell = best_guess(posterior)
                assert cell is not None
                (chance,) = chances_to_win(posterior, [(cell,)], samples=SAMPLES)
                game.open(cell)
                if game.outcome is None:
                    player = STRENGTHS["1"].player()
                    game.play_out(player, total=True, channel=True, seed=seed)
                return chance.win, float(game.won)
            skip -= 1
        decision = champion.decide(seen)
        assert decision is not None
        carry_out(game, decision, seen)
    return None


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def calibration(forecasts: Sequence[Sequence[float]]) -> list[list[str]]:
    """Compare estimates with results, by the size of the estimate."""
    estimate, won = np.array(forecasts).T
    rows = []
    for low, high in pairwise(BINS):
        inside = (estimate >= low) & ((estimate < high) | (high == 1.0))
        if not inside.any():
            continue
        found = share(int(won[inside].sum()), int(inside.sum()))
        said = f"{100 * found.value:.0f} ({100 * found.low:.0f} to {100 * found.high:.0f})"
        row = [f"{100 * low:.0f} to {100 * high:.0f}", str(int(inside.sum()))]
        rows.append([*row, f"{100 * estimate[inside].mean():.1f}", said])
    return rows


def curve(players: Sequence[Mapping[str, Any]]) -> str:
    """Draw how much each player wins at which cost, as an SVG picture."""
    width, height = 640, 320
    costs: list[float] = [player["analyses"] for player in players]
    low: int = math.floor(min(player["interval"][0] for player in players))
    high: int = math.ceil(max(player["interval"][2] for player in players))
    left, right = math.log10(min(costs) / 1.5), math.log10(max(costs) * 3)

    def x(cost: float) -> float:
        return 40 + width * (math.log10(cost) - left) / (right - left)

    def y(value: float) -> float:
        return height * (high - value) / (high - low)

    def words(at: float, down: float, said: str, more: str = "") -> str:
        return f'<text x="{at:.1f}" y="{down:.1f}" font-size="12" {more}>{said}</text>'

    muted = f'fill="{palette.MUTED}"'
    body = []
    for level in range(low, high + 1):
        line = f'<line x1="40" x2="{width + 40}" y1="{y(level):.1f}" y2="{y(level):.1f}" '
        body.append(f'{line}stroke="{palette.CLOSED}"/>')
        body.append(words(30, y(level) + 4, f"{level}", f'{muted} text-anchor="end"'))
    for cost in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200):
        if left <= math.log10(cost) <= right:
            middle = f'{muted} text-anchor="middle"'
            body.append(words(x(cost), height + 18, f"{cost:g}", middle))
    for player in players:
        name = player["name"].replace("`", "")
        if name in HIDDEN:
            continue
        colour = palette.MARK if name.startswith("champion") else palette.FRAME
        at = x(player["analyses"])
        bottom, value, top = (y(one) for one in player["interval"])
        line = f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{top:.1f}" y2="{bottom:.1f}" '
        body.append(f'{line}stroke="{colour}" stroke-width="2" opacity="0.5"/>')
        body.append(f'<circle cx="{at:.1f}" cy="{value:.1f}" r="4" fill="{colour}"/>')
        ink = f'fill="{palette.INK}"'
        if name.startswith(("no ", "endings ")):
            body.append(words(at + 8, value + 4, name, ink))
        else:
            body.append(words(at, top - 8, name, f'{ink} text-anchor="middle"'))
    axis = f'{muted} text-anchor="middle"'
    body.append(words(40 + width / 2, height + 40, "cost per game, in analyses", axis))
    block = Block(width + 60, height + 46, "\n".join(body))
    return (
        picture(block, margin=16, title="Expert games won, in percent, against their cost") + "\n"
    )


def page(results: Results) -> str:
    """Write the page."""
    levels = table(
        ("level", "start", "games", "won, % (95%)", "to beat", "beaten", "ms per game"),
        [row for level in LEVELS for row in results[level]],
    )
    players = table(
        ("player", "games", "won, % (95%)", "against `champion`", "ms per game", "analyses"),
        [
            [
                row["name"],
                f"{row['games']:,}",
                row["won"],
                row["against"],
                f"{row['ms']:.2f}",
                f"{row['analyses']:.2f}",
            ]
            for row in results["players"]
        ],
    )
    growth = table(
        ("board", "mines", "played to the end", "hits", "ms per game", "ms of the longest game"),
        results["growth"],
    )
    forecasts = table(
        ("estimate, %", "games", "mean estimate, %", "won, % (95%)"),
        results["forecasts"],
    )
    moves = table(
        ("player", "guesses", "median, ms", "99 of 100 within, ms", "longest, ms"),
        results["moves"],
    )
    late, different, gain = results["choices"]
    losses = table(
        (
            "level",
            "start",
            "games",
            "guesses before endings",
            "lost there, %",
            "guesses in endings",
            "lost there, %",
        ),
        results["losses"],
    )
    tried = table(
        ("tried", "boards", "games", "difference in wins, %"),
        [
            [name, boards, f"{games:,}", f"{found} ± {about}"]
            for name, boards, games, found, about in TRIED
        ],
    )
    features = table(("after the guess, on average", "coefficient", "with the others"), FEATURES)
    return f"""# The strength of the champion

`python -m benchmarks.strength` plays these games and writes this page. Boards are those of the
seeds 0, 1, 2 and so on, so anyone can play them again. Under `safe` the first cell is the corner
(0, 0), under `zero` it is {FIRST["expert"]} on expert boards and {FIRST["easy"]} on smaller ones.
Milliseconds are those of one core, laying the boards included.

## The default setting

A figure is beaten if the lower end of the interval is above it.

{levels}

The figures to beat are the best published, or measured for a published player, and for expert
boards somewhat above them. Only those of Tu's PSEQ-D256 rest on very many games: it won 91.695,
78.230 and 40.047% (`safe`) and 97.167, 89.076 and 53.450% (`zero`) of 100 million games each.

## What pays

The same expert boards, start `safe`. Each row leaves something out, or does more. The fourth column
is the difference to `champion`, paired by board, with its 95% interval. An analysis is one call of
ms-toollib on a stuck expert position, timed in the same run.

{players}

![Expert games won against their cost](images/strength.svg)

`exact` opens the cell of the lowest risk. Endings are parts of the board that nothing else can help
with, and positions with at most 1,000 layouts; they are played optimally. Look-ahead tries every
clue that a cell may show, and values the position after it by its safest cell, its second safest
one and the number of cells that are certainly safe.

`champion:max` solves larger endings, and once at most {LATE} safe cells are closed, it tries its
five best cells on 100 boards, which are drawn from the posterior and played on by `champion:1`.
In {CHOICES} expert games of the default, there were {late} such guesses, and {different}% of them
were different. Both cells were then tried on {VALUED} other boards: over all late guesses,
`champion:max` wins {gain} points more per guess. When it also tried earlier guesses
in this way, 43% of 458 were different and won +0.06 ± 0.11 points more: the best cells are too much
alike there.

The time of each guess of expert games:

{moves}

## Where games are lost

Guesses of the default setting per game, and the share of games that they lose.

{losses}

In endings, the champion plays optimally: no player loses less from there on. So little is left to
win on smaller boards. From a zero on intermediate boards, nine of ten losses are in endings, and a
player that never lost a game before them would win about one point more.

## Estimated chances to win

`mineproof solve --advise` estimates the chance to win by playing sampled boards. Here such an
estimate was made at one guess of each game, and the game was played on. {SAMPLES} boards leave a
standard error of up to {100 * 0.5 / math.sqrt(SAMPLES):.0f} points in each estimate.

{forecasts}

## Large boards

A mine does not end these games, so every board is played to its last cell.

{growth}

## How the look-ahead was fitted

In 185,000 expert games, guesses were made at random among the cells that come within 7% of the
best, 320,546 in all. The games never end at a mine: after each guess, the chance to be safe is
multiplied in, and if the cell was a mine, another board that fits is drawn in which it is safe. So
every game gives a chance to win instead of a win or a loss, and a third of the games tell as much.
Then the chance to win after a guess was regressed on what the look-ahead sees, within positions. A
coefficient is the relative change of that chance, with its standard error; the third column is from
fits of several together, for some features only in the opening or only later.
`python -m benchmarks.outlook` repeats the experiment in a simpler form, with wins and losses, so it
needs more games.

{features}

The optimum is flat: the champion's choice wins only 1 to 4% more than the mean of these cells, in
relation to it. Two thirds of the guesses come while more than 400 cells are closed.

## What was tried

Paired with the default of the time by board, with 95% intervals. Only the first was kept: the
random guesses leave no doubt that it helps, but not by how much. The others were deleted. The
factor for 50/50s came from the exact chance that two cells, one of them a mine, are cut off by
mines, so that no clue will ever tell them apart: it favours cells that break such a pair. The
trials with three decimals are on the boards from seed 50,000,000 on.

{tried}

Other first cells win less. Under `zero`, (2, 2), (2, 3) and (3, 3) win 89.10, 89.05 and 88.85% of
100,000 intermediate games, and (3, 4), (4, 4) and (7, 7) win 88.13, 87.70 and 87.66%; of 200,000
easy games, (2, 2), (2, 3) and (3, 3) win 97.14, 97.01 and 96.82%. On expert boards, `champion:1`
wins 54.25% of 20,000 games from (3, 3), 53.94% from (2, 2), 53.34% from (3, 4) and 52.70% from
(4, 4).
"""


MEASURES: Final[Mapping[str, Callable[[float], Any]]] = {
    "players": measure_players,
    "moves": measure_moves,
    "growth": measure_growth,
    **{level: partial(measure_level, level) for level in sorted(LEVELS, reverse=True)},
    "losses": measure_losses,
    "choices": measure_choices,
    "forecasts": measure_forecasts,
}
"""By their names on the command line."""


def kept() -> Results:
    """Return the results of earlier runs."""
    return json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}


def main() -> None:
    """Measure, keep the results and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=float, default=1.0, help="share of the games to play")
    parser.add_argument("--only", choices=MEASURES, action="append", help="measure only this")
    parser.add_argument("--page", action="store_true", help="only write the page again")
    options = parser.parse_args()
    results = kept()
    for name in () if options.page else options.only or MEASURES:
        measured = MEASURES[name](options.games)
        # Another run may have kept its results meanwhile.
        results = {**kept(), name: measured}
        RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    PAGE.write_text(page(results), encoding="utf-8")
    PICTURE.write_text(curve(results["players"]), encoding="utf-8")


if __name__ == "__main__":
    main()
