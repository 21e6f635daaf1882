"""`mineproof serve`: the board in the browser, for others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from mineproof import agents
from mineproof.cli import options

if TYPE_CHECKING:
    from mineproof.web import Settings

F = TypeVar("F", bound=Callable[..., None])


def server_options(command: F) -> F:
    """Add the options of a server to a command."""
    for option in (
        click.option(
            "--reports",
            type=click.Path(path_type=Path, exists=True, file_okay=False),
            metavar="DIR",
            help="Also show the reports that `mineproof study` wrote into this directory.",
        ),
        click.option(
            "--agent",
            multiple=True,
            metavar="FILE:CLASS",
            help="Also offer an agent of your own, such as path/to/file.py:Class. May be repeated.",
        ),
        click.option(
            "--games",
            type=options.OUT,
            metavar="FILE",
            help="The file that keeps the games. Default: one among your data.",
        ),
    ):
        command = option(command)
    return command


def make_settings(
    games: Path | None,
    agent: tuple[str, ...],
    reports: Path | None,
    hosts: tuple[str, ...] = (),
) -> Settings:
    """Return the settings of a server from its options."""
    from mineproof.web import Settings
    from mineproof.web.serving import games_file

    for name in agent:
        with options.naming("--agent"):
            agents.get(name)
    return Settings(games=games or games_file(), hosts=hosts, agents=agent, reports=reports)


@click.command()
@click.option("--host", default="127.0.0.1", help="The address to listen at.")
@click.option(
    "--port", type=options.Whole(0, 65535), default=8080, help="The port; 0 takes a free one."
)
@click.option(
    "--allow-host",
    multiple=True,
    metavar="NAME",
    help="A name under which the server may be reached, besides its addresses. May be repeated.",
)
@server_options
def serve(
    host: str,
    port: int,
    allow_host: tuple[str, ...],
    games: Path | None,
    agent: tuple[str, ...],
    reports: Path | None,
) -> None:
    """Serve the board and its HTTP API, to other machines if asked.

    Only this machine can reach the server unless --host names another address, such as 0.0.0.0.
    There are no accounts: whoever reaches the server can play. /docs describes the HTTP API.
    """
    from mineproof.web.serving import listen, run

    run(make_settings(games, agent, reports, allow_host), listen(host, port))
