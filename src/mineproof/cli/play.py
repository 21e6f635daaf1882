"""`mineproof play`: the board in the browser, on this machine."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import click

from mineproof.cli import options
from mineproof.cli.positions import number_option, one_entry
from mineproof.cli.serve import make_settings, server_options
from mineproof.formats import Entry
from mineproof.game import Board, Transcript
from mineproof.position import Rules


@click.command()
@click.argument("file", required=False, type=options.FILE)
@number_option
@server_options
@click.option("--no-browser", is_flag=True, help="Print the address, but open no browser.")
def play(
    file: str | None,
    number: int | None,
    games: Path | None,
    agent: tuple[str, ...],
    reports: Path | None,
    no_browser: bool,
) -> None:
    """Play in the browser, with hints and proofs, or with an agent.

    FILE is a game to review, a board to play or a position to analyse, as text or in a format that
    `mineproof convert --help` lists. Without one, the page begins with a new game.

    Starts a server that only this machine can reach, at a free port, and opens its page. Games are
    kept: you find them again after a restart.
    """
    from mineproof.web.serving import listen, run

    view = "" if file is None else _view(one_entry(file, number))
    settings = make_settings(games, agent, reports)
    run(settings, listen("127.0.0.1", 0), browser=not no_browser, view=view)


def _view(entry: Entry) -> str:
    """Return the part of the address that shows an entry on the page."""
    if isinstance(entry, Board):
        rules = Rules(start="any")
        entry = Transcript(entry.topology, entry.mines, rules, board=entry)
    if isinstance(entry, Transcript):
        return f"#game={entry.to_line()}"
    text = quote(entry.to_text().replace("\n", "/"), safe="/?*~")
    exact = entry.channel is None or entry.channel.is_exact
    return f"#position={text}" + ("" if exact else f";channel={entry.channel}")
