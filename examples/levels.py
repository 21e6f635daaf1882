"""Play a few levels with every agent and print how often each wins.

Every agent plays the same boards. A win rate carries its games, 95% interval and start rule.
"""

from __future__ import annotations

import argparse
from math import sqrt

from rich.console import Console
from rich.table import Table

from mineproof import Game, Rules, agents, play
from mineproof.board import Start

LEVELS = ("beginner", "intermediate", "expert")
STARTS: tuple[Start, ...] = ("safe", "zero")


def wilson(wins: int, games: int, z: float = 1.96) -> tuple[float, float]:
    """Return Wilson's interval for a share, in which it lies 95 times of 100.

    Examples
    --------
    >>> low, high = wilson(8, 10)
    >>> round(low, 3), round(high, 3)
    (0.49, 0.943)
    """
    share = wins / games
    centre = (share + z * z / (2 * games)) / (1 + z * z / games)
    spread = z / (1 + z * z / games) * sqrt(share * (1 - share) / games + (z / games / 2) ** 2)
    return max(0.0, centre - spread), min(1.0, centre + spread)


def row(level: str, start: Start, name: str, games: int) -> tuple[str, ...]:
    records = [
        play(Game.level(level, seed=seed, rules=Rules(start=start)), agents.get(name), seed=seed)
        for seed in range(games)
    ]
    wins = sum(record.won for record in records)
    low, high = wilson(wins, games)
    seconds = sum(record.seconds for record in records) / games
    return (
        level,
        start,
        name,
        f"{games}",
        f"{100 * wins / games:.1f}%",
        f"{100 * low:.1f}–{100 * high:.1f}%",
        f"{1000 * seconds:.1f}",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000, help="games of each line")
    games: int = parser.parse_args().games
    table = Table(title="Wins by level, start rule and agent")
    for heading in ("level", "start", "agent"):
        table.add_column(heading, no_wrap=True)
    for heading in ("games", "wins", "95% interval", "ms a game"):
        table.add_column(heading, justify="right", no_wrap=True)
    for level in LEVELS:
        for start in STARTS:
            for name in agents.names():
                table.add_row(*row(level, start, name, games))
    Console().print(table)


if __name__ == "__main__":
    main()
