"""What is measured of chains of influence: of a game, of its board, and of boards like it."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any, Final

import numpy as np
import polars as pl

from mineproof.chains import (
    Chains,
    Influence,
    chains_of,
    influences,
    kings_moves,
    search_long_chain,
)
from mineproof.game.board import Board
from mineproof.game.game import Game
from mineproof.game.records import GameRecord
from mineproof.inference.errors import BudgetExceeded, Contradiction
from mineproof.lab.probe import Probe, replay
from mineproof.position.observation import Observation, is_closed

__all__ = ["BELIEF", "EVALUATIONS", "LENGTHS", "SEARCH", "SHIFTS", "STARTS"]

SHIFTS: Final = (0.001, 0.01, 0.1)
"""A clue bears on cells whose risks it changes by more than one of these."""

EVALUATIONS: Final = 1000
"""How many boards a search for long chains looks at."""

_BESIDE: Final = 25
"""How many random boards stand beside one that was searched."""


def _lengths(game: Game, record: GameRecord) -> dict[str, Any]:
    """How long the chains of the game are and how far they reach, as it was played."""
    chains = chains_of(game, record)
    return {
        "longest": chains.longest,
        "mean_length": chains.mean,
        "reach": chains.reach,
        "branching": chains.branching,
        "decided": chains.exact,
    }


def _starts(game: Game, record: GameRecord) -> dict[str, Any]:
    """The longest chain of the board from every cell that has no mine, in row order.

    Whatever the game's start rule, the board is solved from each of them.
    """
    rules = replace(game.rules, start="any")
    counts, starts = game.board.counts, []
    for (row, col), mined in np.ndenumerate(game.board.mines):
        if not mined:
            began = Game(game.board, rules, channel=game.channel, seed=game.seed, first=(row, col))
            chains = _solved(began)
            starts.append(
                {
                    "row": row,
                    "col": col,
                    "opens": bool(counts[row, col] == 0),
                    "longest": None if chains is None else chains.longest,
                }
            )
    return {"starts": starts}


def _belief(game: Game, record: GameRecord) -> dict[str, Any]:
    """How far the word of a clue goes, halfway through the game: risks with it and without it.

    Clues next to a closed cell are hidden one at a time. Lists are by distance in king's moves,
    from 1 on: the closed cells that far from a clue, and those of them whose risks change.
    """
    seen = _halfway(game, record)
    far = max(seen.rows, seen.cols) - 1
    closed_cells = seen.closed_cells()
    closed, clues = np.zeros(far, np.int64), 0
    shifted = {shift: np.zeros(far, np.int64) for shift in SHIFTS}
    silent = 0
    for influence in _influences(seen):
        if any(is_closed(seen.code(cell)) for cell in seen.topology.neighbours(influence.clue)):
            clues += 1
            silent += not influence.shifts
            for cell in closed_cells:
                closed[kings_moves(influence.clue, cell) - 1] += 1
            for cell, change in influence.shifts.items():
                for shift in SHIFTS:
                    distance = kings_moves(influence.clue, cell)
                    shifted[shift][distance - 1] += abs(change) > shift
    return {
        "clues": clues,
        "silent": silent,
        "closed": closed.tolist(),
        **{f"shifted_{shift:g}": cells.tolist() for shift, cells in shifted.items()},
    }


def _search(game: Game, record: GameRecord) -> dict[str, Any]:
    """The longest chain that a search finds for the seed, beside those of random boards."""
    board, start = game.board, game.rules.start
    if start == "any":
        return {}
    size = board.rows, board.cols
    beside = []
    for number in range(_BESIDE):
        seed = (_BESIDE * game.seed + number) % 2**64
        drawn = Board.random(*size, mines=board.total, seed=seed, start=start, first=game.first)
        chains = _solved(Game(drawn, replace(game.rules, given_safe=0), first=game.first))
        beside.append(None if chains is None else chains.longest)
    found = search_long_chain(
        *size, board.total, evaluations=EVALUATIONS, seed=game.seed, start=start, first=game.first
    )
    return {"found": None if found is None else found.longest, "beside": beside}


def _solved(game: Game) -> Chains | None:
    try:
        return chains_of(game)
    except (BudgetExceeded, Contradiction):
        return None


def _halfway(game: Game, record: GameRecord) -> Observation:
    """Return what was to be seen when half of the steps had been taken."""
    *_, (seen, _) = islice(replay(game, record), record.steps // 2 + 1)
    return seen


def _influences(seen: Observation) -> tuple[Influence, ...]:
    try:
        return influences(seen, epsilon=min(SHIFTS))
    except (BudgetExceeded, Contradiction):
        return ()


LENGTHS: Final = Probe(
    {
        "longest": pl.Int64,
        "mean_length": pl.Float64,
        "reach": pl.Int64,
        "branching": pl.Float64,
        "decided": pl.Boolean,
    },
    _lengths,
)

STARTS: Final = Probe(
    {
        "starts": pl.List(
            pl.Struct({"row": pl.Int64, "col": pl.Int64, "opens": pl.Boolean, "longest": pl.Int64})
        )
    },
    _starts,
)

BELIEF: Final = Probe(
    {
        "clues": pl.Int64,
        "silent": pl.Int64,
        "closed": pl.List(pl.Int64),
        **{f"shifted_{shift:g}": pl.List(pl.Int64) for shift in SHIFTS},
    },
    _belief,
)

SEARCH: Final = Probe({"found": pl.Int64, "beside": pl.List(pl.Int64)}, _search)
