"""How strong the champion is, and what it costs: writes docs/strength.md.

Run `python -m benchmarks.strength`, or with `--games 0.01` to see how it goes. Every player plays
the same boards, seeds 0, 1, 2 and so on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import process_time
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks import peer
from benchmarks.positions import stuck
from benchmarks.timing import best
from mineproof import Game, Rules, _core, agents
from mineproof.game import Start
from mineproof.search.strength import Strength
from mineproof.statistics import share, share_difference

PAGE: Final = Path(__file__).parents[1] / "docs" / "strength.md"
RESULTS: Final = PAGE.with_suffix(".json")
LEVELS: Final[Mapping[str, int]] = {"easy": 200_000, "intermediate": 100_000, "expert": 100_000}
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
"""The figures to beat, in percent: the best published, or measured by us for a published player."""
PAIRED: Final = 20_000
"""Expert games of each player that is compared with the default."""
FIRST: Final = {"easy": (2, 2), "intermediate": (2, 2), "expert": (3, 3)}
"""The first cell under `zero`."""
TRIED: Final = (
    ("a third ply: survive this cell and the next two", "-0.04 ± 0.26", "20,000"),
    ("a network that estimates winning from 16 features", "-0.50 ± 0.29", "30,000"),
    ("an estimate from the two safest cells and the number of safe ones", "-0.12 ± 0.28", "26,600"),
    ("the same with doubt, size and components of the frontier", "-0.12 ± 0.32", "20,000"),
)
"""Experiments whose code is gone: estimates were fitted to the outcomes of 60,000 games."""
DEFAULT: Final = Strength()
PLAYERS: Final[Mapping[str, Strength | None]] = {
    "`exact`: lowest risk": None,
    "only endings": replace(DEFAULT, candidates=0),
    "only look-ahead": replace(DEFAULT, ending_layouts=0),
    "`champion:1`": None,
    "`champion`": None,
    "endings up to 5,000 layouts": replace(DEFAULT, ending_layouts=5_000, ending_work=10**8),
    "`champion:max`": None,
}
"""What is compared: agents by name, and other settings of the champion."""


def player_of(name: str) -> _core.Player:
    """Return a fresh native player."""
    strength = PLAYERS[name]
    if strength is not None:
        return strength.player()
    native = agents.get(name.split("`")[1]).native()
    assert native is not None
    return native.player


def games(level: str, start: Start, seeds: range) -> Iterator[Game]:
    """Yield games whose first cell is open."""
    for seed in seeds:
        first = FIRST[level] if start == "zero" else (0, 0)
        game = Game.level(level, seed=seed, rules=Rules(start=start), first=first)
        game.lay_mines()
        assert game.first is not None
        game.open(game.first)
        yield game


def play(name: str, level: str, start: Start, number: int) -> tuple[NDArray[np.bool_], float]:
    """Return which games are won, and the milliseconds of a core per game."""
    player = player_of(name)
    won: list[bool] = []
    started = process_time()
    for seed, game in enumerate(games(level, start, range(number))):
        if game.outcome is None:
            game.play_out(player, total=True, channel=True, seed=seed)
        won.append(game.won)
    return np.array(won), 1e3 * (process_time() - started) / number


def analysis() -> float | None:
    """Return the milliseconds of one analysis by ms-toollib, the median of stuck positions."""
    ask = peer.load()
    if ask is None:
        return None
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


def measure(factor: float) -> dict[str, list[list[str]]]:
    """Play everything and return the rows of both tables."""
    unit = analysis()
    levels: list[list[str]] = []
    for level, number in LEVELS.items():
        for start in STARTS:
            won, cost = play("`champion`", level, start, max(20, round(number * factor)))
            target = PUBLISHED[level, start]
            beaten = 100 * share(int(won.sum()), won.size).low > target
            row = [level, start, f"{won.size:,}", percent(won), f"{target:.2f}"]
            levels.append([*row, "yes" if beaten else "no", f"{cost:.2f}"])
            print(*levels[-1], sep=" | ", flush=True)
    number = max(20, round(PAIRED * factor))
    default, _ = play("`champion`", "expert", "safe", number)
    players: list[list[str]] = []
    for name in PLAYERS:
        won, cost = play(name, "expert", "safe", number)
        paired = "" if name == "`champion`" else difference(won, default)
        analyses = "" if unit is None else f"{cost / unit:.2f}"
        players.append([name, percent(won), paired, f"{cost:.2f}", analyses])
        print(*players[-1], sep=" | ", flush=True)
    return {"levels": levels, "players": players, "paired": [[f"{number:,}"]]}


def table(head: tuple[str, ...], rows: list[list[str]]) -> str:
    """Write a table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def page(results: dict[str, list[list[str]]]) -> str:
    """Write the page."""
    levels = table(
        ("level", "start", "games", "won, % (95%)", "to beat", "beaten", "ms per game"),
        results["levels"],
    )
    players = table(
        ("player", "won, % (95%)", "against `champion`", "ms per game", "analyses per game"),
        results["players"],
    )
    return f"""# The strength of the champion

`python -m benchmarks.strength` plays these games and writes this page. Boards are those of the
seeds 0, 1, 2 and so on, so anyone can play them again. Under `safe` the first cell is the corner
(0, 0), under `zero` it is {FIRST["expert"]} on expert boards and {FIRST["easy"]} on smaller ones.
Milliseconds are those of one core, laying the boards included.

## The default setting

A figure is beaten if the lower end of the interval is above it.

{levels}

## What pays

The same {results["paired"][0][0]} expert boards, start `safe`. The third column is the difference
to `champion`, paired by board, with its 95% interval. An analysis is one call of ms-toollib on a
stuck expert position, timed in the same run.

{players}

`exact` opens the cell of the lowest risk. With endings alone, parts of the board that nothing else
can help with, and positions with at most 1,000 layouts, are played optimally. With look-ahead
alone, the champion opens the cell with the best chance to survive that cell and the best one after
its clue.

Larger endings and more candidates, as in `champion:max`, cost much and win no more that can be
measured.

## What was tried and did not pay

On expert boards with start `safe`, paired with the default by board, with 95% intervals. What did
not pay was deleted.

{table(("tried", "difference in wins, %", "games"), [list(row) for row in TRIED])}
"""


def main() -> None:
    """Measure, keep the results and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=float, default=1.0, help="share of the games to play")
    parser.add_argument("--page", action="store_true", help="only write the page again")
    options = parser.parse_args()
    if not options.page:
        RESULTS.write_text(json.dumps(measure(options.games), indent=1, ensure_ascii=False) + "\n")
    PAGE.write_text(page(json.loads(RESULTS.read_text(encoding="utf-8"))), encoding="utf-8")


if __name__ == "__main__":
    main()
