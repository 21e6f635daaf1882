"""Which records may be reused: a text per agent that changes when its games change.

A signature is a digest of fixed games under several rules and channels, as in Stockfish's bench.
Rewording a comment changes no signature; opening one other cell in one of the games does.
`SIGNATURES` holds the current ones, and a test plays the games to check them. When a change affects
only games outside the sample, append a number by hand: ``"4d747ff3.1"``, then ``"4d747ff3.2"``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib import import_module, metadata
from pathlib import Path
from types import MappingProxyType
from typing import Final

from mineproof import agents
from mineproof.agents.agent import TELLING
from mineproof.agents.registry import GROUP, kind_of
from mineproof.arena.play import play
from mineproof.game.game import Game
from mineproof.game.move import move_rows
from mineproof.game.records import GameRecord
from mineproof.position.model import Channel
from mineproof.position.rules import Rules
from mineproof.position.setup import LEVELS, Setup
from mineproof.position.topology import Topology

__all__ = [
    "SIGNATURES",
    "agent_signature",
    "boards_signature",
    "code_of",
    "code_of_module",
    "digest",
]

SIGNATURES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "boards": "38976c59",
        "random": "0debdb41",
        "basic": "ced5efa6",
        "noisy-or": "f1c64618",
        "components": "b52c4110",
        "clue-heap": "3c88a083",
        "weights": "97955a85",
        "logic": "b66a943e",
        "border": "47c37370",
        "projection": "48775638",
        "exact": "6a7dcfc4",
        "champion": "98d224f0",
    }
)


def code_of(agent: str) -> str:
    """Return a text that identifies the code which plays when this agent does.

    It holds the signature of boards and clues, and for a built-in agent its own signature. For an
    agent of another package it holds the package's name and version, or a digest of the sources
    if the package is installed in editable mode. For an agent from a file it holds a digest of
    the file.

    Examples
    --------
    >>> code_of("exact"), code_of("exact:untold")
    ('38976c59+6a7dcfc4', '38976c59+6a7dcfc4')
    """
    kind, _ = kind_of(agent)
    name, module = kind.name, kind.__module__
    own = SIGNATURES[name] if module.startswith("mineproof.") else code_of_module(module, name)
    return f"{SIGNATURES['boards']}+{own}"


@cache
def code_of_module(module: str, agent: str = "") -> str:
    """Return the distribution and version that a module comes from, or a digest of its sources.

    The sources are those of the whole top-level package. They are used if the module is in no
    distribution, or in one that is installed in editable mode, which keeps its version when they
    change. The name of an agent finds the distribution that offers it.
    """
    package = module.partition(".")[0]
    points = metadata.entry_points(group=GROUP, name=agent)
    offering = [point.dist for point in points if point.dist is not None]
    names = sorted(set(metadata.packages_distributions().get(package, ())))
    found = offering or [metadata.distribution(name) for name in names]
    if found and not any(map(_is_editable, found)):
        return "+".join(f"{each.name}=={each.version}" for each in found)
    return f"{package}@{digest(_sources(package))}"


def _is_editable(installed: metadata.Distribution) -> bool:
    origin = json.loads(installed.read_text("direct_url.json") or "{}")
    return bool(origin.get("dir_info", {}).get("editable"))


def _sources(package: str) -> Iterator[str]:
    """Yield the name and digest of every source file of a top-level package or module."""
    module = import_module(package)
    folders = [Path(folder) for folder in getattr(module, "__path__", ())]
    files = [(file.relative_to(folder), file) for folder in folders for file in folder.rglob("*")]
    if not folders:
        if getattr(module, "__file__", None) is None:
            raise ValueError(f"module {package!r}: has no source file that identifies its code")
        files = [(Path(package), Path(str(module.__file__)))]
    for name, file in sorted(files):
        if file.suffix in (".py", ".so", ".pyd"):
            yield f"{name.as_posix()} {sha256(file.read_bytes()).hexdigest()}"


def digest(lines: Iterable[str]) -> str:
    """Return eight digits that stand for some lines of text.

    Examples
    --------
    >>> digest(["one", "two"]) == digest(["one two"])
    False
    """
    return sha256("\n".join(lines).encode()).hexdigest()[:8]


_KEEP_GOING: Final = Rules("any", "continue")
_CONDITIONS: Final = tuple(
    (Setup(Topology(rows, cols), mines, rules, Channel.parse(channel), first), games)
    for rows, cols, mines, rules, channel, first, games in (
        (9, 9, 10, Rules(), "exact", None, 6),
        (9, 9, 20, Rules(cascade=False), "exact", (4, 4), 6),
        (8, 8, 10, Rules("zero"), "exact", None, 6),
        (10, 10, 15, _KEEP_GOING, "exact", None, 6),
        (10, 10, 40, Rules("any", "continue", cascade=False), "exact", None, 2),
        (9, 7, 8, Rules("any", cascade=False, given_safe=8), "exact", None, 6),
        (8, 8, 12, Rules("safe", "continue"), "lost:0.4", None, 6),
        (7, 7, 8, _KEEP_GOING, "optimistic", None, 6),
        (7, 7, 8, Rules("zero", "continue"), "cautious", None, 6),
        (6, 6, 5, Rules(), "optimistic", None, 6),
        (6, 6, 5, Rules(), "cautious", None, 6),
        (6, 6, 5, Rules("any"), "lost:0.2", None, 6),
        (8, 8, 10, Rules("zero", "continue"), "late:0.3", None, 6),
        (1, 9, 2, _KEEP_GOING, "exact", None, 6),
        (4, 5, 0, Rules(), "exact", None, 6),
        (5, 5, 20, Rules(), "exact", None, 6),
        (16, 16, 40, Rules(), "exact", None, 2),
        (16, 30, 99, Rules("zero"), "exact", None, 1),
    )
)


def agent_signature(name: str) -> str:
    """Return the digest of the fixed games, played by an agent with each of its options.

    Examples
    --------
    >>> agent_signature("random") == SIGNATURES["random"]
    True
    """
    options = (*agents.registered()[name].options, *TELLING)
    return digest(
        _line(play(Game(setup, seed), agents.get(agent), seed=seed))
        for agent in (name, *(f"{name}:{option}" for option in options))
        for setup, games in _CONDITIONS
        for seed in range(games)
    )


def boards_signature() -> str:
    """Return the digest of fixed boards and their clues."""
    return digest(_boards())


def _line(record: GameRecord) -> str:
    """Write a record without the agent's time and the wording of its reasons."""
    told = record.total_told, record.channel_told
    outcome = record.outcome.value
    counts = outcome, record.won, record.hits, record.opened, record.steps, record.actions
    more = record.guesses, record.certain, record.identified, record.wrong_flags, record.score
    moves = (
        "{step}{kind}{row},{col}{certain:d}{guess:d}".format(**move)
        + ("" if move["risk"] is None else "{risk:.9f}".format(**move))
        + "{opened},{hits}".format(**move)
        for move in move_rows(record.moves)
    )
    return f"{told} {counts} {more} {' '.join(moves)}"


def _boards() -> Iterator[str]:
    levels = [(Setup.level(name), 6) for name in LEVELS]
    for setup, games in (*_CONDITIONS, *levels):
        for seed in range(games):
            game = Game.laid(setup, seed)
            yield game.board.layout.tobytes().hex()
            yield game.observation.cells.tobytes().hex()
            yield _opened(Game.laid(setup, seed))


def _opened(game: Game) -> str:
    """Open every safe cell, so that all clues are seen."""
    for cell in map(game.topology.cell, range(game.topology.cells)):
        if game.outcome is None and not game.board.layout[cell] and game.code(cell) < 0:
            game.open(cell)
    return game.observation.cells.tobytes().hex()
