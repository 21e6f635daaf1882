"""What can be measured of a game beside its record, after it was played.

A probe is a pure function of a game that has not begun and the record of how it went, moves
included; it may play the moves again to see what the agent saw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

import polars as pl

from mineproof.arguments import choice
from mineproof.game.game import Game
from mineproof.game.records import GameRecord, MoveRecord
from mineproof.inference.errors import BudgetExceeded, Contradiction
from mineproof.inference.posterior import TIE, Posterior, Solver
from mineproof.lab.chain_probes import BELIEF, LENGTHS, SEARCH, STARTS
from mineproof.lab.probe import Probe, replay
from mineproof.position.observation import Observation

__all__ = ["MUCH", "PROBES", "Probe", "find_probe", "replay"]

MUCH: Final = 0.05
"""A guess is disputable where another cell was less risky by more than this."""


def _guesses(game: Game, record: GameRecord) -> dict[str, Any]:
    """The risk that the agent saw in every guess, whether it exploded, and what it was sure of."""
    judged = [move for move in record.moves if move.guess and move.risk is not None]
    sure = [move for move in record.moves if move.kind == "open" and move.certain]
    return {
        "risks": [move.risk for move in judged],
        "exploded": [move.hits > 0 for move in judged],
        "sure": len(sure),
        "sure_exploded": sum(move.hits > 0 for move in sure),
    }


def _effort(game: Game, record: GameRecord) -> dict[str, Any]:
    """What exact inference costs at every step, were it asked, and whether it sufficed."""
    efforts = [
        posterior.effort for _, _, posterior in _judged_steps(game, record) if posterior is not None
    ]
    return {
        "unguessed": record.won and record.guesses == 0,
        "posteriors": len(efforts),
        "width": max((effort.width for effort in efforts), default=0),
        "component": max((effort.cells for effort in efforts), default=0),
        "work": sum(effort.work or 0 for effort in efforts),
    }


def _chains(game: Game, record: GameRecord) -> dict[str, Any]:
    """Chains and effort of the same game."""
    return {**_effort(game, record), **LENGTHS.measure(game, record)}


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
        "dispute": pl.String,
    }
)


def _moves(game: Game, record: GameRecord) -> dict[str, Any]:
    """Every move, what was to be seen, how exact inference judges it, and what it disputes.

    It judges by what the agent was told and no more.
    """
    moves = []
    for seen, made, posterior in _judged_steps(game, record):
        text = seen.to_text()
        by_rule = record.first_row is not None and made[0].step == 0
        for move in made:
            judgement = _judge_opening(move, posterior) if move.kind == "open" else {}
            if by_rule:
                judgement["dispute"] = None
            moves.append({**asdict(move), "seen": text, **judgement})
    disputes = {move["step"]: dispute for move in moves if (dispute := move.get("dispute"))}
    return {
        "disputable": len(disputes),
        "missed_safe": sum(dispute == _SAFE_AT_HAND for dispute in disputes.values()),
        "disputed_hits": sum(move["hits"] for move in moves if move.get("dispute")),
        "moves": moves,
    }


_SAFE_AT_HAND: Final = "a cell was certainly safe"
_LOWER_AT_HAND: Final = "a cell was less risky"
_CERTAIN_MINE: Final = "the mine was certain"


def _judge_opening(move: MoveRecord, posterior: Posterior | None) -> dict[str, Any]:
    if posterior is None or posterior.best is None:
        return {}
    (row, col), lowest = posterior.best
    risk = float(posterior.risk[move.row, move.col])
    dispute: str | None = None
    if (move.row, move.col) in posterior.mined:
        dispute = _CERTAIN_MINE
    elif posterior.safe and (move.row, move.col) not in posterior.safe:
        dispute = _SAFE_AT_HAND
    elif risk - lowest > MUCH + TIE:
        dispute = _LOWER_AT_HAND
    return {
        "exact_risk": risk,
        "best_risk": lowest,
        "best_row": row,
        "best_col": col,
        "dispute": dispute,
    }


def _judged_steps(
    game: Game, record: GameRecord
) -> Iterator[tuple[Observation, tuple[MoveRecord, ...], Posterior | None]]:
    """Replay a game, with what exact inference says of every step; None where it cannot tell."""
    solver = Solver(require_exact=True)
    for seen, made in replay(game, record):
        yield seen, made, _judge(solver, seen)


def _judge(solver: Solver, seen: Observation) -> Posterior | None:
    try:
        return solver.infer(seen)
    except (BudgetExceeded, Contradiction):
        return None


_EFFORT: Final = {
    "unguessed": pl.Boolean,
    "posteriors": pl.Int64,
    "width": pl.Int64,
    "component": pl.Int64,
    "work": pl.Int64,
}

PROBES: Final[Mapping[str, Probe]] = MappingProxyType(
    {
        "guesses": Probe(
            {
                "risks": pl.List(pl.Float64),
                "exploded": pl.List(pl.Boolean),
                "sure": pl.Int64,
                "sure_exploded": pl.Int64,
            },
            _guesses,
        ),
        "effort": Probe(_EFFORT, _effort),
        "moves": Probe(
            {
                "disputable": pl.Int64,
                "missed_safe": pl.Int64,
                "disputed_hits": pl.Int64,
                "moves": pl.List(_MOVE),
            },
            _moves,
        ),
        "chains": Probe({**_EFFORT, **LENGTHS.columns}, _chains),
        "starts": STARTS,
        "belief": BELIEF,
        "search": SEARCH,
    }
)
"""The probes that studies can name."""


@cache
def find_probe(name: str) -> Probe:
    """Return a probe: one of ours by name, or another by ``module:name``.

    Examples
    --------
    >>> list(find_probe("guesses").columns)
    ['risks', 'exploded', 'sure', 'sure_exploded']
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
