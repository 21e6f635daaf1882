"""What a probe is, and how a game is seen again by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import polars as pl

from mineproof.game.game import Game
from mineproof.game.records import GameRecord, MoveRecord
from mineproof.position.observation import Observation

__all__ = ["Probe", "replay"]


@dataclass(frozen=True)
class Probe:
    """More columns for the records of a game.

    Parameters
    ----------
    columns
        Their names and types. What is measured in seconds has a name that ends in it.
    measure
        Returns their values for one game.

    Examples
    --------
    >>> def corners(game, record):
    ...     return {"corners": sum(move.row == move.col == 0 for move in record.moves)}
    >>> probe = Probe({"corners": pl.Int64}, corners)
    """

    columns: Mapping[str, Any]
    measure: Callable[[Game, GameRecord], Mapping[str, Any]]

    def frame(self, games: Sequence[Game], records: Sequence[GameRecord]) -> pl.DataFrame:
        """Measure many games."""
        rows = [self.measure(game, record) for game, record in zip(games, records, strict=True)]
        return pl.DataFrame(rows, schema=dict(self.columns), orient="row")


def replay(game: Game, record: GameRecord) -> Iterator[tuple[Observation, tuple[MoveRecord, ...]]]:
    """Play a record's moves again, and yield what was to be seen before each step, and its moves.

    The agent saw just that, with as much of the total and the channel as it was told. The game
    itself stays as it was.

    Examples
    --------
    >>> from mineproof import agents, play
    >>> record = play(Game.level("easy", seed=2), agents.get("exact"), seed=2)
    >>> steps = [len(moves) for seen, moves in replay(Game.level("easy", seed=2), record)]
    >>> len(steps) == record.steps, sum(steps) == record.actions
    (True, True)
    """
    again = copy(game)
    for _, moves in groupby(record.moves, key=lambda move: move.step):
        made = tuple(moves)
        yield again.observe(total=record.total_told, channel=record.channel_told), made
        for move in made:
            getattr(again, move.kind)((move.row, move.col))
