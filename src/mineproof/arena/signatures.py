"""Which records may be mixed: a number per agent that changes when its games change.

A signature is a digest of fixed games under several rules and channels, as in Stockfish's bench.
Rewording a comment changes no signature; opening one other cell in one of the games does. `CODES`
keeps the current signatures, and a test plays the games to check them. When a change affects only
games outside the sample, raise the revision of the agent by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from types import MappingProxyType
from typing import Final

from mineproof import agents
from mineproof.arena.play import play
from mineproof.game.board import LEVELS
from mineproof.game.game import Game, Rules
from mineproof.game.records import GameRecord
from mineproof.game.setup import Setup
from mineproof.position.model import Channel

__all__ = ["SIGNATURES", "agent_signature", "boards_signature"]

SIGNATURES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "boards": "187e3c6b",
        "random": "de07f641",
        "basic": "5f808a9a",
        "noisy-or": "67a607f8",
        "components": "de9c3742",
        "clue-heap": "4a9b7677",
        "weights": "4d747ff3",
        "logic": "eed176b9",
        "border": "71a45e1f",
        "projection": "6e7fa0e9",
        "exact": "2d680d42",
    }
)

_KEEP_GOING: Final = Rules("any", "continue")
_CONDITIONS: Final = tuple(
    Setup(rows, cols, mines, rules, Channel.parse(channel), first)
    for rows, cols, mines, rules, channel, first in (
        (9, 9, 10, Rules(), "exact", None),
        (9, 9, 20, Rules(cascade=False), "exact", (4, 4)),
        (8, 8, 10, Rules("zero"), "exact", None),
        (10, 10, 15, _KEEP_GOING, "exact", None),
        (10, 10, 40, Rules("any", "continue", cascade=False), "exact", None),
        (9, 7, 8, Rules("any", cascade=False, given_safe=8), "exact", None),
        (8, 8, 12, Rules("safe", "continue"), "lost:0.4", None),
        (7, 7, 8, _KEEP_GOING, "optimistic", None),
        (7, 7, 8, Rules("zero", "continue"), "cautious", None),
        (6, 6, 5, Rules(), "optimistic", None),
        (6, 6, 5, Rules(), "cautious", None),
        (6, 6, 5, Rules("any"), "lost:0.2", None),
        (1, 9, 2, _KEEP_GOING, "exact", None),
        (4, 5, 0, Rules(), "exact", None),
        (5, 5, 20, Rules(), "exact", None),
        (16, 16, 40, Rules(), "exact", None),
        (16, 30, 99, Rules("zero"), "exact", None),
    )
)
_GAMES: Final = 6


def agent_signature(name: str) -> str:
    """Play the fixed games with an agent and each of its options, and return their digest.

    Examples
    --------
    >>> agent_signature("random") == SIGNATURES["random"]
    True
    """
    return _digest(line for agent in _variants(name) for line in _games(agent))


def boards_signature() -> str:
    """Lay fixed boards, draw their clues, and return their digest."""
    return _digest(_boards())


def _variants(name: str) -> Iterator[str]:
    yield name
    for option in (*agents.registered()[name].options, "total", "untold"):
        yield f"{name}:{option}"


def _games(agent: str) -> Iterator[str]:
    for setup in _CONDITIONS:
        for seed in range(_GAMES):
            yield _line(play(setup.game(seed), agents.get(agent), seed=seed))


def _line(record: GameRecord) -> str:
    """Write all of a record but the agent's time and the wording of its reasons."""
    told = record.total_told, record.channel_told
    counts = record.outcome, record.won, record.hits, record.opened, record.steps, record.actions
    more = record.guesses, record.certain, record.identified, record.wrong_flags, record.score
    moves = (
        f"{move.step}{move.kind}{move.row},{move.col}{move.certain:d}{move.guess:d}"
        f"{'' if move.risk is None else f'{move.risk:.9f}'}{move.opened},{move.hits}"
        for move in record.moves
    )
    return f"{told} {counts} {more} {' '.join(moves)}"


def _boards() -> Iterator[str]:
    levels = [Setup.level(name) for name in LEVELS]
    for setup in (*_CONDITIONS, *levels):
        for seed in range(_GAMES):
            game = setup.game(seed)
            yield str(game.board.mines.tobytes().hex())
            yield game.observation.cells.tobytes().hex()
            yield _opened(setup.game(seed))


def _opened(game: Game) -> str:
    """Open every safe cell, so that all clues are seen."""
    rows, cols = game.board.topology.shape
    for cell in ((row, col) for row in range(rows) for col in range(cols)):
        if game.outcome is None and not game.board.mines[cell] and game.code(cell) < 0:
            game.open(cell)
    return game.observation.cells.tobytes().hex()


def _digest(lines: Iterator[str]) -> str:
    return sha256("\n".join(lines).encode()).hexdigest()[:8]
