"""`mineproof tournament`: the agents of a folder, ranked on the same boards."""

from __future__ import annotations

import json
import secrets
import webbrowser
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import click
from rich.text import Text

from mineproof import agents
from mineproof.arena.workers import cores
from mineproof.cli import options
from mineproof.cli.completion import agent_names
from mineproof.cli.options import BoardOptions
from mineproof.cli.output import percent_interval, print_columns, right
from mineproof.cli.progress import progress_bar
from mineproof.tournament import (
    Entrant,
    Limits,
    Standing,
    TournamentGames,
    entrants,
    kept_seed,
    play_tournament,
    standings,
    tournament_page,
)
from mineproof.tournament.page import label, places, remarks
from mineproof.writing import write_whole

_DEFAULTS: Final = Limits()


def _names(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        agents.get(name)
    return names


@click.command(cls=options.BoardCommand)
@click.argument("folder", type=options.OUT, metavar="DIR")
@click.option(
    "--games",
    type=options.Whole(1, 1_000_000),
    default=100,
    metavar="N",
    help="How many games each agent plays.",
)
@click.option(
    "--with",
    "references",
    type=_names,
    default="random,exact",
    metavar="A,B,...",
    shell_complete=agent_names,
    help="Agents of mineproof that play along; '' for none.",
)
@options.board
@click.option(
    "--seconds",
    type=options.Number(0.01, 86_400),
    default=_DEFAULTS.seconds,
    metavar="S",
    help="The most time that an agent may take for a game.",
)
@click.option(
    "--memory",
    type=options.Whole(16, 1_000_000),
    default=_DEFAULTS.megabytes,
    metavar="MB",
    help="The most memory that an agent may take, in addition to that of mineproof.",
)
@click.option(
    "--isolate",
    is_flag=True,
    help="Let the system keep each agent from all but its folder and Python (bubblewrap, Linux).",
)
@click.option(
    "--seed",
    type=options.Whole(0, 2**64 - 1),
    metavar="S",
    help="The seed of the tournament. Default: that of the tournament in OUT, or else random. "
    "Agents that know it could know the boards.",
)
@click.option(
    "--out",
    type=options.OUT,
    default=Path("tournament"),
    metavar="OUT",
    help="The folder for the page, index.html, and for what is finished.",
)
@options.workers
@click.option("--open", "open_page", is_flag=True, help="Open the page in the browser.")
@options.as_json
def tournament(
    folder: Path,
    games: int,
    references: list[str],
    board: BoardOptions,
    seconds: float,
    memory: int,
    isolate: bool,
    seed: int | None,
    out: Path,
    workers: int | None,
    open_page: bool,
    as_json: bool,
) -> None:
    """Rank the agents of a folder on the same boards.

    Every file in DIR that ends in .py is an agent, or several, except those that begin with _. Each
    is checked against the contract of agents and plays in a process of its own, which sees nothing
    but observations and has limits on time and memory. An agent that crashes, hangs or cheats loses
    that game; after three such games, or at once if it cheats, it is not ranked, and the reason is
    named. Others are not affected.

    The page has win rates and differences with 95% intervals, and the places that an agent may
    have. What is finished is kept in OUT: the same command goes on from there, and only files that
    changed play again.

    Agents are programs with your rights, and only --isolate keeps them from your files, processes
    and network.

    Exit codes: 2 bad input, 130 stopped by Ctrl-C.
    """
    found = entrants(folder)
    setup = board.setup()
    if seed is None:
        kept = kept_seed(out)
        seed = secrets.randbits(64) if kept is None else kept
    played = TournamentGames(setup, games, seed)
    limits = Limits(seconds, memory, isolate)
    total = games * (len(found) + len(references))
    with progress_bar(total, "games") as advance:
        every = play_tournament(
            found,
            played,
            limits=limits,
            out=out,
            references=references,
            workers=workers or cores(),
            progress=advance,
        )
    ranked = standings(every, played)
    page = out / "index.html"
    write_whole(page, tournament_page(every, ranked, played, limits))
    if as_json:
        print(json.dumps(_entry(every, ranked, played, limits, page)))
    else:
        _show(every, ranked)
        print(f"\nPage: {page}")
    if open_page:
        webbrowser.open(page.resolve().as_uri())


def _show(every: Sequence[Entrant], ranked: Sequence[Standing]) -> None:
    columns = {
        "place": [Text(places(each)) for each in ranked],
        "agent": [Text(label(each.entrant, every)) for each in ranked],
    }
    if ranked:
        print_columns(columns | _figures(ranked), repeated=2)
    for entrant in every:
        if entrant.out:
            print(f"\n{entrant.name} is not ranked: {entrant.out}")
        elif entrant.failures or entrant.broken:
            print(f"\n{entrant.name}:")
            print(*(f"  {line}" for line in remarks(entrant)), sep="\n")


def _figures(ranked: Sequence[Standing]) -> dict[str, list[Text]]:
    results = [each.result for each in ranked]
    score = results[0].on_mine == "continue"
    return {
        f"{'score' if score else 'win rate'} [95%]": [
            percent_interval(each.score if score else each.win_rate, ".1f", "% ")
            for each in results
        ],
        "minus the first [95%]": [
            Text() if each.difference is None else percent_interval(each.difference, "+.1f")
            for each in results
        ],
        "ms per game": [right(f"{each.ms_per_game:.1f}") for each in results],
    }


def _entry(
    every: Sequence[Entrant],
    ranked: Sequence[Standing],
    games: TournamentGames,
    limits: Limits,
    page: Path,
) -> dict[str, Any]:
    def entry(entrant: Entrant) -> dict[str, Any]:
        told = asdict(entrant)
        del told["columns"]
        return told

    found = []
    for standing in ranked:
        result = {**standing.result.to_dict()}
        del result["agent"]
        places = {"first": standing.first, "last": standing.last}
        found.append(entry(standing.entrant) | places | result)
    found += [entry(entrant) for entrant in every if entrant.out]
    return {
        "games": games.count,
        "seed": games.seed,
        "limits": asdict(limits),
        "page": str(page),
        "agents": found,
    }
