"""Positions to measure on, all made from seeds."""

from __future__ import annotations

from itertools import count, islice

import numpy as np

from mineproof import (
    Board,
    CellCode,
    Decision,
    Game,
    Observation,
    Rules,
    Setup,
    Topology,
    infer,
    play,
)
from mineproof.agents.exact import ExactAgent
from mineproof.position.cells import is_closed
from mineproof.position.rules import Start
from mineproof.random import Random


def play_certain(game: Game, cells: int | None = None) -> Observation | None:
    """Open what is certainly safe until nothing is, or until that many cells are open.

    Returns
    -------
    Observation or None
        What is seen then; None where the game is over.
    """
    game.lay_mines()
    if not game.opened and game.first is not None:
        game.open(game.first)
    while game.outcome is None:
        seen = game.observe()
        safe = infer(seen).safe
        for cell in safe:
            if cells is not None and game.opened >= cells:
                return game.observe()
            if game.outcome is None and is_closed(game.code(cell)):
                game.open(cell)
        if not safe:
            return seen
    return None


def stuck(level: str, start: Start, number: int, least: int) -> list[Observation]:
    """Return where certain moves end, of the first seeds that leave enough cells open."""
    games = (Game.level(level, seed=seed, rules=Rules(start=start)) for seed in count())
    found = (seen for game in games if (seen := play_certain(game)) and game.opened >= least)
    return list(islice(found, number))


def scattered(rows: int, cols: int, mines: int, share: float, seed: int) -> Observation:
    """Reveal a share of the cells of a random board, drawn among the safe ones, without cascade."""
    board = Board.random(Setup(Topology(rows, cols), mines, Rules("any")), seed=seed)
    safe = np.flatnonzero(~board.layout).tolist()
    chance = Random(seed)
    drawn = [safe.pop(chance.below(len(safe))) for _ in range(round(share * rows * cols))]
    cells = np.full(rows * cols, CellCode.CLOSED, np.int8)
    cells[drawn] = board.counts.ravel()[drawn]
    return Observation(board.topology, cells.reshape(rows, cols), mines=mines)


class Witness(ExactAgent):
    """Plays like `exact`, and keeps what it was shown."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Observation] = []

    def decide(self, observation: Observation) -> Decision | None:
        """Decide as `exact` does."""
        self.seen.append(observation)
        return super().decide(observation)


def witnessed(game: Game) -> list[Observation]:
    """Let `exact` play a game to its end, and return all that it was shown."""
    witness = Witness()
    play(game, witness)
    return witness.seen
