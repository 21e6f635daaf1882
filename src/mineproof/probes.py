"""What can be measured of a game beside its record, after it was played.

A probe is a pure function of a game that has not begun and the record of how it went, moves
included; it may play the moves again to see what the agent saw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final

import polars as pl

from mineproof.arguments import choice
from mineproof.errors import BudgetExceeded, Contradiction
from mineproof.game import Game
from mineproof.inference import Posterior, infer
from mineproof.observation import Observation
from mineproof.records import GameRecord, MoveRecord

__all__ = ["PROBES", "Probe", "find_probe", "replay"]


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

    Examples
    --------
    >>> from mineproof import agents, play
    >>> record = play(Game.level("easy", seed=2), agents.get("exact"), seed=2)
    >>> steps = [len(moves) for seen, moves in replay(Game.level("easy", seed=2), record)]
    >>> len(steps) == record.steps, sum(steps) == record.actions
    (True, True)
    """
    for _, moves in groupby(record.moves, key=lambda move: move.step):
        made = tuple(moves)
        yield game.observe(total=record.total_told, channel=record.channel_told), made
        for move in made:
            getattr(game, move.kind)((move.row, move.col))


def _guesses(game: Game, record: GameRecord) -> dict[str, Any]:
    """The risk that the agent saw in every guess, and whether it exploded."""
    judged = [move for move in record.moves if move.guess and move.risk is not None]
    return {
        "risks": [move.risk for move in judged],
        "exploded": [move.hits > 0 for move in judged],
    }


def _effort(game: Game, record: GameRecord) -> dict[str, Any]:
    """What exact inference costs at every step, were it asked."""
    efforts = [
        posterior.effort
        for seen, _ in replay(game, record)
        if (posterior := _judge(seen)) is not None
    ]
    return {
        "posteriors": len(efforts),
        "width": max((effort.width for effort in efforts), default=0),
        "component": max((effort.cells for effort in efforts), default=0),
        "work": sum(effort.work for effort in efforts),
    }


_MOVE: Final = pl.Struct(
    {
        "step": pl.Int64,
        "kind": pl.String,
        "row": pl.Int64,
        "col": pl.Int64,
        "certain": pl.Boolean,
        "guess": pl.Boolean,
        "risk": pl.Float64,
        "reason": pl.String,
        "opened": pl.Int64,
        "hits": pl.Int64,
        "seen": pl.String,
        "exact_risk": pl.Float64,
        "best_risk": pl.Float64,
        "best_row": pl.Int64,
        "best_col": pl.Int64,
    }
)


def _judged_moves(game: Game, record: GameRecord) -> dict[str, Any]:
    """Every move, what was to be seen, and how exact inference judges it."""
    moves = []
    for seen, made in replay(game, record):
        posterior = _judge(seen)
        best = None if posterior is None else posterior.best
        for move in made:
            exact = None if posterior is None else float(posterior.risk[move.row, move.col])
            moves.append(
                {name: getattr(move, name) for name in MoveRecord.__slots__}
                | {
                    "seen": seen.to_text(),
                    "exact_risk": exact,
                    "best_risk": None if best is None else best.risk,
                    "best_row": None if best is None else best.cell[0],
                    "best_col": None if best is None else best.cell[1],
                }
            )
    return {"moves": moves}


def _judge(seen: Observation) -> Posterior | None:
    try:
        return infer(seen, require_exact=True)
    except (BudgetExceeded, Contradiction):
        return None


PROBES: Final[Mapping[str, Probe]] = MappingProxyType(
    {
        "guesses": Probe({"risks": pl.List(pl.Float64), "exploded": pl.List(pl.Boolean)}, _guesses),
        "effort": Probe(
            dict.fromkeys(("posteriors", "width", "component", "work"), pl.Int64), _effort
        ),
        "moves": Probe({"moves": pl.List(_MOVE)}, _judged_moves),
    }
)
"""The probes that studies can name."""


@cache
def find_probe(name: str) -> Probe:
    """Return a probe: one of ours by name, or another by ``module:name``.

    Examples
    --------
    >>> list(find_probe("guesses").columns)
    ['risks', 'exploded']
    """
    module, colon, attribute = name.partition(":")
    if not colon:
        choice("probe", name, PROBES)
        return PROBES[name]
    try:
        probe = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"probe {name!r}: {error}") from None
    if not isinstance(probe, Probe):
        raise TypeError(f"probe {name!r}: is no Probe")
    return probe
