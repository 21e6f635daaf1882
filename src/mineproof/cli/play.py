"""`mineproof play`: the board in the browser, on this machine."""

from __future__ import annotations

from pathlib import Path

import click

from mineproof.cli.serve import make_settings, server_options


@click.command()
@server_options
@click.option("--no-browser", is_flag=True, help="Print the address, but open no browser.")
def play(
    games: Path | None, agent: tuple[str, ...], reports: Path | None, no_browser: bool
) -> None:
    """Play in the browser, with hints and proofs, or with an agent.

    Starts a server that only this machine can reach, at a free port, and opens its page. Games are
    kept: you find them again after a restart.
    """
    from mineproof.web.serving import listen, run

    settings = make_settings(games, agent, reports)
    run(settings, listen("127.0.0.1", 0), browser=not no_browser)
