"""Probes: columns that are measured on a game after it was played.

A probe is a pure function of a game that has not begun and of its record, moves included. It may
replay the moves to see what the agent saw.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache, partial
from importlib import import_module
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from mineproof.agents import registry
from mineproof.arena.play import Turn, play
from mineproof.arena.signatures import code_of_module
from mineproof.arguments import choice
from mineproof.chains import chains_of, influences, search_long_chain
from mineproof.errors import BudgetExceeded, Contradiction
from mineproof.game.board import Board
from mineproof.game.game import Game
from mineproof.game.measures import difficulty, measure
from mineproof.game.move import Move, decisions, move_rows
from mineproof.game.records import GameRecord
from mineproof.inference.posterior import TIE, Posterior, Solver
from mineproof.position.cells import is_closed
from mineproof.position.model import Channel
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell, Topology

if TYPE_CHECKING:
    import polars as pl

__all__ = ["PROBES", "SHIFTS", "SIGNATURES", "Probe", "code_of_probe", "find_probe", "replay"]

MUCH: Final = 0.05
"""A guess is disputable if another cell was less risky by more than this."""

SHIFTS: Final = (0.001, 0.01, 0.1)
"""A clue influences the cells whose risks it changes by more than one of these."""

EVALUATIONS: Final = 1000
"""How many boards a search for long chains evaluates."""

_PARTS: Final = 10
"""At how many times of a game the probe `knowledge` looks."""

_RANDOM_BOARDS: Final = 25
"""How many random boards the probe `search` compares with the one that it finds."""

SIGNATURES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "board": "a8871fd2.1",
        "guesses": "47842dd4",
        "effort": "f2d00422",
        "moves": "a1986412",
        "deduced": "4bc6209c",
        "knowledge": "c90d6855",
        "chains": "b2647a6f",
        "starts": "93cbe727",
        "belief": "c445c378",
        "search": "4c9000a5",
    }
)
"""Digests of what the probes measure on fixed games, which a test checks.

When a change affects only other games, append a number by hand, as in `mineproof.arena.signatures`.
"""


@dataclass(frozen=True)
class Probe:
    """More columns for the records of games.

    Parameters
    ----------
    columns
        Their names and types: ``int``, ``float``, ``bool`` or ``str``, ``[int]`` for a list,
        ``{"row": int}`` for a struct, or a type of Polars. The name of a column that measures time
        ends in ``seconds``.
    measure
        Returns their values for one game.

    Examples
    --------
    >>> def corners(game, record):
    ...     return {"corners": sum(move.cell == (0, 0) for move in record.moves)}
    >>> probe = Probe({"corners": int}, corners)
    """

    columns: Mapping[str, Any]
    measure: Callable[[Game, GameRecord], Mapping[str, Any]]

    @property
    def schema(self) -> dict[str, Any]:
        """The types of the columns as Polars names them."""
        return {name: _polars_type(kind) for name, kind in self.columns.items()}

    def frame(self, games: Sequence[Game], records: Sequence[GameRecord]) -> pl.DataFrame:
        """Measure many games."""
        import polars as pl

        rows = [self.measure(game, record) for game, record in zip(games, records, strict=True)]
        return pl.DataFrame(rows, schema=self.schema, orient="row")


def _polars_type(kind: Any) -> Any:
    import polars as pl

    if isinstance(kind, list):
        return pl.List(_polars_type(kind[0]))
    if isinstance(kind, dict):
        return pl.Struct({name: _polars_type(inner) for name, inner in kind.items()})
    return {int: pl.Int64, float: pl.Float64, bool: pl.Boolean, str: pl.String}.get(kind, kind)


def replay(game: Game, record: GameRecord) -> Iterator[tuple[Observation, tuple[Move, ...]]]:
    """Yield what the agent saw before each step, and the moves of the step.

    An observation holds the total and the channel only if the agent was told. The game itself does
    not change.

    Examples
    --------
    >>> from mineproof import agents, play
    >>> record = play(Game.level("easy", seed=2), agents.get("exact"), seed=2)
    >>> steps = [len(moves) for seen, moves in replay(Game.level("easy", seed=2), record)]
    >>> len(steps) == record.steps, sum(steps) == record.actions
    (True, True)
    """
    again = copy(game)
    for made in decisions(record.moves):
        if made[0].kind != "wait":
            yield again.observe(total=record.total_told, channel=record.channel_told), made
        for move in made:
            again.make(move.kind, move.cell)


_PosteriorOf: TypeAlias = Callable[[Observation], Posterior | None]


def _posteriors() -> _PosteriorOf:
    """Return a function that infers each position of a game once; None if it cannot."""
    return cache(partial(_infer, Solver(require_exact=True)))


def _infer(solver: Solver, seen: Observation) -> Posterior | None:
    try:
        return solver.infer(seen)
    except (BudgetExceeded, Contradiction):
        return None


_PROBES: Final[dict[str, Probe]] = {}

PROBES: Final[Mapping[str, Probe]] = MappingProxyType(_PROBES)
"""The probes that studies can name."""

_Measure: TypeAlias = Callable[[Game, GameRecord], dict[str, Any]]


def _probe(**columns: Any) -> Callable[[_Measure], _Measure]:
    """Let studies name a function; it measures these columns."""

    def added(measure: _Measure) -> _Measure:
        _PROBES[measure.__name__.removeprefix("_")] = Probe(columns, measure)
        return measure

    return added


# ------------------------------------------------------------------------------ risks and effort

_EFFORT: Final = {"unguessed": bool, "posteriors": int, "width": int, "component": int, "work": int}


@_probe(risks=[float], exploded=[bool], sure=int, sure_exploded=int)
def _guesses(game: Game, record: GameRecord) -> dict[str, Any]:
    """The risk that the agent saw in every guess, whether it exploded, and what it was sure of."""
    judged = [move for move in record.moves if move.is_guess and move.risk is not None]
    sure = [move for move in record.moves if move.kind == "open" and move.certain]
    return {
        "risks": [move.risk for move in judged],
        "exploded": [move.hits > 0 for move in judged],
        "sure": len(sure),
        "sure_exploded": sum(move.hits > 0 for move in sure),
    }


@_probe(**_EFFORT)
def _effort(game: Game, record: GameRecord) -> dict[str, Any]:
    return _effort_of(game, record, _posteriors())


def _effort_of(game: Game, record: GameRecord, posterior_of: _PosteriorOf) -> dict[str, Any]:
    """The cost of exact inference at every step, and whether it was enough to win."""
    found = [posterior_of(seen) for seen, _ in replay(game, record)]
    efforts = [posterior.effort for posterior in found if posterior is not None]
    return {
        "unguessed": record.won and record.guesses == 0,
        "posteriors": len(efforts),
        "width": max((effort.width for effort in efforts), default=0),
        "component": max((effort.cells for effort in efforts), default=0),
        "work": sum(effort.work or 0 for effort in efforts),
    }


_MOVE: Final = {
    "step": int,
    "kind": str,
    "row": int,
    "col": int,
    "certain": bool,
    "guess": bool,
    "risk": float,
    "reason": str,
    "opened": int,
    "hits": int,
    "seen": str,
    "exact_risk": float,
    "best_risk": float,
    "best_row": int,
    "best_col": int,
    "dispute": str,
}
"""A move as it was played, what was seen before it, and how exact inference judges it."""

_SAFE_AT_HAND: Final = "a cell was certainly safe"
_LOWER_AT_HAND: Final = "a cell was less risky"
_CERTAIN_MINE: Final = "the mine was certain"


@_probe(disputable=int, missed_safe=int, disputed_hits=int, moves=[_MOVE])
def _moves(game: Game, record: GameRecord) -> dict[str, Any]:
    """Every move, what the agent saw, and how exact inference judges the move.

    Inference knows no more than the agent was told.
    """
    moves, posterior_of = [], _posteriors()
    rows = (row for row in move_rows(record.moves) if row["kind"] != "wait")
    for step, (seen, made) in enumerate(replay(game, record)):
        text, posterior = seen.to_text(), posterior_of(seen)
        by_rule = record.first_row is not None and step == 0
        for move, row in zip(made, rows, strict=False):
            judgement = _judge_opening(move, posterior) if move.kind == "open" else {}
            if by_rule:
                judgement["dispute"] = None
            moves.append({**row, "seen": text, **judgement})
    disputes = {move["step"]: dispute for move in moves if (dispute := move.get("dispute"))}
    return {
        "disputable": len(disputes),
        "missed_safe": sum(dispute == _SAFE_AT_HAND for dispute in disputes.values()),
        "disputed_hits": sum(move["hits"] for move in moves if move.get("dispute")),
        "moves": moves,
    }


def _judge_opening(move: Move, posterior: Posterior | None) -> dict[str, Any]:
    if posterior is None or posterior.best is None:
        return {}
    (row, col), lowest = posterior.best
    risk = float(posterior.risk[move.cell])
    dispute: str | None = None
    if move.cell in posterior.mined:
        dispute = _CERTAIN_MINE
    elif posterior.safe and move.cell not in posterior.safe:
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


@_probe(chances=int, missed=int, overlooked=bool)
def _deduced(game: Game, record: GameRecord) -> dict[str, Any]:
    """How often a cell was certainly safe, and the agent opened one that was not, or stopped.

    Inference knows no more than the agent was told.
    """
    posterior_of = _posteriors()
    chances = missed = 0
    for step, (seen, made) in enumerate(replay(game, record)):
        opened = [move.cell for move in made if move.kind == "open"]
        by_rule = record.first_row is not None and step == 0
        posterior = None if by_rule or not opened else posterior_of(seen)
        if posterior is not None and posterior.safe:
            chances += 1
            missed += opened[0] not in posterior.safe
    if record.outcome == "stuck":
        end = copy(game)
        for move in record.moves:
            end.make(move.kind, move.cell)
        seen = end.observe(total=record.total_told, channel=record.channel_told)
        posterior = posterior_of(seen)
        stopped = posterior is not None and bool(posterior.safe)
        chances, missed = chances + stopped, missed + stopped
    return {"chances": chances, "missed": missed, "overlooked": missed > 0}


@_probe(entries=[int], bytes=[int], most_entries=int, most_bytes=int, clue_seconds=float)
def _knowledge(game: Game, record: GameRecord) -> dict[str, Any]:
    """How much the agent keeps while it plays, at each tenth of its decisions, and at most.

    Entries are the numbers and sentences that it believes; bytes, the size of its pickled memory.
    """
    agent = registry.get(record.agent)
    entries, sizes = [0], [0]

    def look(turn: Turn) -> None:
        if turn.before is not None:
            beliefs = agent.beliefs()
            entries.append(len(beliefs.numbers) + len(beliefs.sentences))
            # What an agent keeps is in attributes of its own, which have underscores.
            kept = {name: value for name, value in vars(agent).items() if name.startswith("_")}
            sizes.append(len(pickle.dumps(kept, protocol=4)))

    play(copy(game), agent, seed=record.agent_seed, watch=look)
    tenths = [round(part * (len(sizes) - 1) / _PARTS) for part in range(1, _PARTS + 1)]
    return {
        "entries": [entries[place] for place in tenths],
        "bytes": [sizes[place] for place in tenths],
        "most_entries": max(entries),
        "most_bytes": max(sizes),
        "clue_seconds": record.seconds / max(record.opened, 1),
    }


# ---------------------------------------------------------------------------- chains of influence


@_probe(
    **_EFFORT,
    longest=int,
    mean_length=float,
    reach=int,
    branching=float,
    decided=bool,
    largest_cascade=int,
)
def _chains(game: Game, record: GameRecord) -> dict[str, Any]:
    """The effort of the game as it was played, and the length and reach of its chains."""
    posterior_of = _posteriors()
    effort = _effort_of(game, record, posterior_of)
    chains = chains_of(game, record, posterior_of=posterior_of)
    return {
        **effort,
        "longest": chains.longest,
        "mean_length": chains.mean,
        "reach": chains.reach,
        "branching": chains.branching,
        "decided": chains.exact,
        "largest_cascade": max((move.opened for move in record.moves), default=0),
    }


@_probe(starts=[{"row": int, "col": int, "opens": bool, "longest": int}])
def _starts(game: Game, record: GameRecord) -> dict[str, Any]:
    """The longest chain of the board from every cell without a mine, in row order.

    The board is solved from each of these cells, whatever the game's start rule.
    """
    rules = replace(game.rules, start="any")
    counts, starts = game.board.counts, []
    for (row, col), mined in np.ndenumerate(game.board.layout):
        if not mined:
            setup = replace(game.setup, rules=rules, first=(row, col))
            begun = Game(setup, game.seed, board=game.board)
            opens = bool(counts[row, col] == 0)
            starts.append({"row": row, "col": col, "opens": opens, "longest": _longest(begun)})
    return {"starts": starts}


@_probe(clues=int, silent=int, closed=[int], **{f"shifted_{shift:g}": [int] for shift in SHIFTS})
def _belief(game: Game, record: GameRecord) -> dict[str, Any]:
    """How far a clue changes risks, halfway through the game: risks with it and without it.

    Clues next to a closed cell are hidden one at a time. Lists are by distance in king's moves
    from 1 on: the closed cells at that distance from a clue, and those whose risks change.
    """
    *_, (seen, _) = islice(replay(game, record), record.steps // 2 + 1)
    try:
        found = influences(seen, epsilon=min(SHIFTS))
    except (BudgetExceeded, Contradiction):
        found = ()
    near = [
        influence
        for influence in found
        if any(is_closed(seen.code(cell)) for cell in seen.topology.neighbours(influence.clue))
    ]
    cells, far = seen.closed_cells(), max(seen.rows, seen.cols) - 1
    closed = np.zeros(far, np.int64)
    shifted = {shift: np.zeros(far, np.int64) for shift in SHIFTS}
    for influence in near:
        distances = _distances(seen.topology, influence.clue)
        np.add.at(closed, [distances[cell] - 1 for cell in cells], 1)
        for cell, change in influence.shifts.items():
            for shift in SHIFTS:
                shifted[shift][distances[cell] - 1] += abs(change) > shift
    return {
        "clues": len(near),
        "silent": sum(not influence.shifts for influence in near),
        "closed": closed.tolist(),
        **{f"shifted_{shift:g}": cells.tolist() for shift, cells in shifted.items()},
    }


@lru_cache(maxsize=2048)
def _distances(topology: Topology, cell: Cell) -> dict[Cell, int]:
    """Return the distance of each cell from one."""
    here, between = topology.index(cell), topology.native.distance
    return {other: between(here, place) for place, other in enumerate(topology.each())}


@_probe(found=int, beside=[int])
def _search(game: Game, record: GameRecord) -> dict[str, Any]:
    """The longest chain that a search finds for the seed, and those of random boards."""
    if game.rules.start == "any":
        return {}
    rules, exact = replace(game.rules, given_safe=0), Channel.exact()
    setup = replace(game.setup, rules=rules, channel=exact)
    beside = []
    for number in range(_RANDOM_BOARDS):
        seed = (_RANDOM_BOARDS * game.seed + number) % 2**64
        drawn = Board.random(setup, seed)
        beside.append(_longest(Game(setup, board=drawn)))
    found = search_long_chain(setup, evaluations=EVALUATIONS, seed=game.seed)
    return {"found": None if found is None else found.longest, "beside": beside}


def _longest(game: Game) -> int | None:
    """The longest chain of a game that is solved; None if a position is too wide."""
    try:
        return chains_of(game).longest
    except (BudgetExceeded, Contradiction):
        return None


@_probe(bbbv=int, openings=int, islands=int, technique=str)
def _board(game: Game, record: GameRecord) -> dict[str, Any]:
    """How much there is to open on the board, and the hardest technique that it needs.

    It is solved from the first cell of the game; nothing is needed if the agent chose a mine.
    """
    technique = None
    opened = (move.cell for move in record.moves if move.kind == "open")
    first = next(opened, None) if game.first is None else game.first
    if first is not None and not game.board.layout[first]:
        with suppress(BudgetExceeded):
            technique = difficulty(game.board, first).technique
    return {
        **asdict(measure(game.board)),
        "technique": None if technique is None else str(technique),
    }


@cache
def find_probe(name: str) -> Probe:
    """Return a built-in probe by its name, or another one by ``module:name``.

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


def code_of_probe(name: str) -> str:
    """Return a text that identifies the code of a probe, as `mineproof.arena.code_of` does."""
    find_probe(name)
    module, colon, _ = name.partition(":")
    return code_of_module(module) if colon else SIGNATURES[name]
