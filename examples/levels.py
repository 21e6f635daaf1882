"""Let every agent play a few levels and print how often each wins.

All agents play the same boards. A win rate carries its games, 95% interval and start rule.
"""

from __future__ import annotations

import argparse
from os import cpu_count

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from mineproof import RandomBoards, Rules, Setup, agents, compare
from mineproof.board import Start

LEVELS = ("easy", "medium", "expert")
STARTS: tuple[Start, ...] = ("safe", "zero")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50, help="games of each line")
    games: int = parser.parse_args().games
    table = Table(title="Wins by level, start rule and agent")
    for heading in ("level", "start", "agent"):
        table.add_column(heading, no_wrap=True)
    for heading in ("games", "wins", "95% interval", "ms a game"):
        table.add_column(heading, justify="right", no_wrap=True)
    names = agents.names()
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("games", total=games * len(LEVELS) * len(STARTS) * len(names))
        for level in LEVELS:
            for start in STARTS:
                boards = RandomBoards(Setup.level(level, rules=Rules(start)), count=games)
                for result in compare(
                    names,
                    boards,
                    workers=cpu_count() or 1,
                    progress=lambda played: bar.advance(task, played),
                ):
                    rate = result.win_rate
                    table.add_row(
                        level,
                        start,
                        result.agent,
                        str(games),
                        f"{rate.value:.1%}",
                        f"{rate.low:.1%} to {rate.high:.1%}",
                        f"{result.ms_per_game:.1f}",
                    )
                table.add_section()
    Console().print(table)


if __name__ == "__main__":
    main()
