"""`mineproof agents`: who can play."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mineproof.agents import Agent, registered
from mineproof.agents.agent import TELLING
from mineproof.cli.options import JsonOption

__all__ = ["agents"]


def agents(as_json: JsonOption = False) -> None:
    """List all agents: their ideas, where these come from, and their options.

    An option follows the name of an agent and a colon; several are joined by +.
    """
    kinds = registered().values()
    console = Console(highlight=False)
    if as_json:
        print(json.dumps([_description(kind) for kind in kinds]))
    elif console.is_terminal:
        console.print(_table(list(kinds)))
        console.print(_TELLING, markup=False)
    else:
        for kind in kinds:
            print("\n".join(_lines(kind)), end="\n\n")
        print(_TELLING)


_TELLING = "Every agent has the options {}.".format(
    " and ".join(f"{option} ({meaning})" for option, meaning in TELLING.items())
)


def _description(kind: type[Agent]) -> dict[str, Any]:
    return {
        "name": kind.name,
        "summary": _summary(kind),
        "report": kind.report,
        "options": dict(kind.options),
        "told": asdict(kind.told),
    }


def _summary(kind: type[Agent]) -> str:
    """Return the first line of what the class says of itself."""
    lines = (kind.__doc__ or "").strip().splitlines()
    return lines[0] if lines else ""


def _told(kind: type[Agent]) -> str:
    return " and ".join(what for what, told in asdict(kind.told).items() if told)


def _lines(kind: type[Agent]) -> Iterator[str]:
    """Describe an agent where there is no terminal."""
    yield kind.name
    if _summary(kind):
        yield f"    {_summary(kind)}"
    if kind.report:
        yield f"    report: {kind.report}"
    if _told(kind):
        yield f"    told: {_told(kind)}"
    for option, meaning in kind.options.items():
        yield f"    {kind.name}:{option}: {meaning}"


def _table(kinds: list[type[Agent]]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 2, 1, 0))
    table.add_column(no_wrap=True, style="bold")
    for kind in kinds:
        told = f"told {_told(kind)}" if _told(kind) else ""
        words = Text(_summary(kind))
        words.append("\n" + "; ".join(filter(None, (kind.report, told))), "dim italic")
        words.rstrip()
        for option, meaning in kind.options.items():
            words.append(f"\n:{option}", "bold").append(f" {meaning}")
        table.add_row(Text(kind.name), words)
    return table
