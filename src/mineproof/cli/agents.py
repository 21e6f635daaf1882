"""`mineproof agents`: who can play."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from mineproof.agents import Agent, registered
from mineproof.agents.agent import TELLING
from mineproof.cli import options
from mineproof.cli.output import Console, print_sentences, print_wrapped


@click.command()
@options.as_json
def agents(as_json: bool) -> None:
    """List the agents, their sources and their options.

    Write an option after the name of the agent and a colon, such as exact:untold. Join several
    options with +.

    An agent of your own needs no installation: name its file and class, such as
    path/to/file.py:Class, and its options after a further colon.
    """
    kinds = registered().values()
    if as_json:
        print(json.dumps([_description(kind) for kind in kinds]))
        return
    common = " and ".join(f"{option} ({meaning})" for option, meaning in TELLING.items())
    every = f"Every agent has the options {common}."
    if Console().is_terminal:
        print_sentences({kind.name: "\n".join(_notes(kind)) for kind in kinds})
    else:
        for kind in kinds:
            print(kind.name)
            print_wrapped(*(f"    {note}" for note in _notes(kind)), "", hanging="    ")
    print_wrapped(every)


def _description(kind: type[Agent]) -> dict[str, object]:
    return {
        "name": kind.name,
        "summary": _summary(kind),
        "report": kind.report,
        "options": dict(kind.options),
        "told": asdict(kind.told),
    }


def _summary(kind: type[Agent]) -> str:
    return (kind.__doc__ or "").strip().partition("\n")[0]


def _notes(kind: type[Agent]) -> list[str]:
    told = " and ".join(what for what, is_told in asdict(kind.told).items() if is_told)
    notes = [
        _summary(kind),
        f"report: {kind.report}" if kind.report else "",
        f"told: {told}" if told else "",
        *(f"{kind.name}:{option}: {meaning}" for option, meaning in kind.options.items()),
    ]
    return [note for note in notes if note]
