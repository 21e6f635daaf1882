"""Lets an agent play a game: the only place that sees both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import isnan
from time import perf_counter
from types import MappingProxyType
from typing import Final

from mineproof import _core
from mineproof.agents.agent import Action, Agent, Decision, Kind, NativePlayer
from mineproof.arguments import instance, sentence
from mineproof.game.game import KINDS, Game, Outcome
from mineproof.game.records import GameRecord, MoveRecord
from mineproof.position.observation import Observation, is_closed, is_open
from mineproof.position.topology import Cell
from mineproof.random import check_seed

__all__ = ["Turn", "play", "play_many"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision and what came of it, for those who look on.

    Parameters
    ----------
    moves
        What was done, in order.
    before
        What the agent saw when it decided; None for the first cell by rule, which nobody chose.
    after
        What is to be seen now.
    """

    moves: tuple[MoveRecord, ...]
    before: Observation | None
    after: Observation


def play(
    game: Game, agent: Agent, *, seed: int = 0, watch: Callable[[Turn], None] | None = None
) -> GameRecord:
    """Play a game to its end.

    The first cell, where the game names one, is opened before the agent is asked.

    Parameters
    ----------
    game
        The referee; no move must have been made, flags included.
    agent
        The player; it never sees more than observations.
    seed
        The seed of the agent's randomness.
    watch
        Called after every step, while the agent's `beliefs` are those of that step.

    Examples
    --------
    >>> from mineproof import Game, agents
    >>> def look(step):
    ...     print([(move.kind, move.row, move.col) for move in step.moves])
    >>> record = play(Game.level("easy", seed=2), agents.get("random"), seed=13, watch=look)
    [('open', 0, 0)]
    [('open', 4, 0)]
    >>> record.outcome
    'lost'
    """
    seed = _check(game, agent, seed)
    told = agent.told
    moves = _open_first(game)
    steps = len(moves)
    if watch is not None and moves:
        watch(Turn(tuple(moves), None, game.observe()))
    started = perf_counter()
    agent.begin(seed)
    seconds = perf_counter() - started
    idle = 0
    while game.outcome is None:
        seen = game.observe(total=told.total, channel=told.channel)
        started = perf_counter()
        decision = agent.decide(seen)
        seconds += perf_counter() - started
        if decision is None:
            break
        instance("decision", decision, Decision, "Decision((Action('open', (0, 3)),))")
        made = _carry_out(game, decision, seen, steps)
        moves += made
        steps += 1
        idle = 0 if any(move.opened or move.hits for move in made) else idle + 1
        if idle > 2 * game.board.topology.cells:
            raise RuntimeError(f"agent {agent.name!r}: {idle} decisions without opening a cell")
        if watch is not None:
            watch(Turn(tuple(made), seen, game.observe()))
    counts = _Counts(
        steps=steps,
        actions=len(moves),
        guesses=sum(move.guess for move in moves),
        certain=sum(move.certain for move in moves),
        seconds=seconds,
    )
    return _record(game, agent, seed, counts, moves)


def play_many(
    games: Iterable[Game], agent: Agent, *, seeds: Iterable[int], moves: bool = False
) -> list[GameRecord]:
    """Play many games to their ends, natively where the agent can be.

    The records are those of `play`, the agent's time aside.

    Parameters
    ----------
    games
        The referees.
    agent
        Who plays all of them.
    seeds
        A seed of the agent's randomness for each game.
    moves
        Whether the records hold the moves.

    Examples
    --------
    >>> from mineproof import Game, agents
    >>> games = [Game.level("easy", seed=seed) for seed in range(3)]
    >>> [record.outcome for record in play_many(games, agents.get("exact"), seeds=range(3))]
    ['lost', 'lost', 'won']
    """
    native = agent.native() if isinstance(agent, Agent) else None
    records = []
    for game, seed in zip(games, seeds, strict=True):
        if native is not None:
            records.append(_play_natively(game, agent, native, seed, moves))
        else:
            record = play(game, agent, seed=seed)
            records.append(record if moves else replace(record, moves=()))
    return records


def _play_natively(
    game: Game, agent: Agent, native: NativePlayer, seed: int, with_moves: bool
) -> GameRecord:
    seed = _check(game, agent, seed)
    told = agent.told
    first = _open_first(game)
    started = perf_counter()
    played = game.play_out(native.player, total=told.total, channel=told.channel, seed=seed)
    counts = _Counts(
        steps=len(first) + played.steps,
        actions=len(first) + len(played),
        guesses=sum(move.guess for move in first) + played.guesses,
        certain=sum(move.certain for move in first) + played.certain,
        seconds=perf_counter() - started,
    )
    moves = [*first, *_native_moves(game, played, native, len(first))] if with_moves else []
    return _record(game, agent, seed, counts, moves)


def _native_moves(
    game: Game, played: _core.Playthrough, native: NativePlayer, steps: int
) -> Iterator[MoveRecord]:
    for step, kind, place, certain, risk, reason, opened, hits in played.moves():
        row, col = divmod(place, game.board.cols)
        yield MoveRecord(
            step=steps + step,
            kind=KINDS[kind],
            row=row,
            col=col,
            certain=certain,
            guess=KINDS[kind] == "open" and not certain,
            risk=None if isnan(risk) else risk,
            reason=native.reasons[reason],
            opened=opened,
            hits=hits,
        )


def _check(game: Game, agent: Agent, seed: int) -> int:
    instance("game", game, Game, "Game.level('easy', seed=1)")
    if isinstance(agent, type) or not isinstance(agent, Agent):
        raise TypeError(sentence("agent", agent, "an Agent, such as agents.get('exact')"))
    if game.begun:
        raise ValueError("the game has begun already: a move was made or a flag set")
    return check_seed(seed)


def _open_first(game: Game) -> list[MoveRecord]:
    """Open the cell that the rules name, if they name one."""
    if game.first is None or game.outcome is not None:
        return []
    first = Action("open", game.first, certain=game.rules.start != "any")
    return _carry_out(game, Decision((first,), "the first cell by rule"), None, 0)


@dataclass(frozen=True, slots=True)
class _Counts:
    steps: int
    actions: int
    guesses: int
    certain: int
    seconds: float


def _record(
    game: Game, agent: Agent, seed: int, counts: _Counts, moves: list[MoveRecord]
) -> GameRecord:
    first_row, first_col = game.first or (None, None)
    return GameRecord(
        agent=agent.name,
        agent_seed=seed,
        total_told=agent.told.total,
        channel_told=agent.told.channel,
        seed=game.seed,
        rows=game.board.rows,
        cols=game.board.cols,
        mines=game.board.total,
        start=game.rules.start,
        on_mine=game.rules.on_mine,
        cascade=game.rules.cascade,
        given_safe=game.rules.given_safe,
        channel=game.channel.name,
        first_row=first_row,
        first_col=first_col,
        outcome=(game.outcome or Outcome.STUCK).value,
        won=game.won,
        hits=game.hits,
        opened=game.opened,
        steps=counts.steps,
        actions=counts.actions,
        guesses=counts.guesses,
        certain=counts.certain,
        identified=game.identified,
        wrong_flags=game.wrong_flags,
        score=game.score,
        seconds=counts.seconds,
        moves=tuple(moves),
    )


def _carry_out(
    game: Game, decision: Decision, seen: Observation | None, step: int
) -> list[MoveRecord]:
    """Do the actions of one decision in order, until the game ends; nobody saw before the first."""
    moves: list[MoveRecord] = []
    for action in decision.actions:
        if game.outcome is not None:
            break
        if moves and seen is not None and _is_done(game, action, seen):
            continue
        opened, hits = game.opened, game.hits
        _MOVES[action.kind](game, action.cell)
        row, col = action.cell
        moves.append(
            MoveRecord(
                step=step,
                kind=action.kind,
                row=row,
                col=col,
                certain=action.certain,
                guess=action.kind == "open" and not action.certain,
                risk=action.risk,
                reason=decision.reason,
                opened=game.opened - opened,
                hits=game.hits - hits,
            )
        )
    return moves


_MOVES: Final[Mapping[Kind, Callable[[Game, Cell], None]]] = MappingProxyType(
    {"open": Game.open, "flag": Game.flag, "unflag": Game.unflag, "chord": Game.chord}
)


def _is_done(game: Game, action: Action, seen: Observation) -> bool:
    """Whether earlier actions of the same decision opened all that this one is about."""
    chord = action.kind == "chord"
    cells = game.board.topology.neighbours(action.cell) if chord else (action.cell,)
    before = [cell for cell in cells if is_closed(seen.code(cell))]
    return bool(before) and all(is_open(game.code(cell)) for cell in before)
