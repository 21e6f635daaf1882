"""`mineproof optimal`: the best chance to win a small board."""

from __future__ import annotations

import json
from typing import Literal

import click

from mineproof.arguments import counted, percent
from mineproof.cli import options
from mineproof.cli.output import print_wrapped
from mineproof.position import Rules, Setup, Topology, TopologyKind
from mineproof.search.optimal import optimal as play_optimally


@click.command()
@click.option("--rows", type=options.Whole(1), required=True, help="Rows of the board.")
@click.option("--cols", type=options.Whole(1), required=True, help="Columns of the board.")
@click.option("--mines", type=options.Whole(0), required=True, help="Mines of the board.")
@click.option(
    "--start",
    type=click.Choice(("any", "safe", "zero")),
    default="safe",
    help="What is safe from the start: nothing, the first cell, or also its neighbours.",
)
@click.option(
    "--no-cascade",
    is_flag=True,
    help="A zero does not open its neighbours. This changes no answer: a player who plays "
    "optimally opens them anyway.",
)
@options.topology
@options.as_json
def optimal(
    rows: int,
    cols: int,
    mines: int,
    start: Literal["any", "safe", "zero"],
    no_cascade: bool,
    topology: TopologyKind | None,
    as_json: bool,
) -> None:
    """Compute the best chance to win a small board.

    The answer is exact, as a fraction, with all best first moves. A board may take minutes: 5x5
    with 5 mines is about the largest square one.

    Exit codes: 2 bad input, 4 too large to answer.
    """
    kind = topology or "square"
    setup = Setup(Topology(rows, cols, kind), mines, Rules(start))
    optimum = play_optimally(setup)
    if as_json:
        answer = {
            "rows": rows,
            "cols": cols,
            "topology": kind,
            "mines": mines,
            "start": start,
            "cascade": not no_cascade,
            "win": str(optimum.win),
            "best": optimum.best,
        }
        print(json.dumps(answer))
        return
    print(f"Optimal play wins {optimum.win} = {percent(float(optimum.win), digits=4)} of games.")
    cells = ", ".join(map(str, optimum.best))
    print_wrapped(f"{counted(len(optimum.best), 'best first move')}: {cells}.")
