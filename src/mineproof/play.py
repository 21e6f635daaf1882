"""Lets an agent play a game: the only place that sees both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from time import perf_counter
from types import MappingProxyType
from typing import Final

from mineproof.agents.agent import Action, Agent, Decision, Kind
from mineproof.arguments import instance, sentence
from mineproof.game import Game, Outcome
from mineproof.observation import Observation, is_closed, is_open
from mineproof.random import check_seed
from mineproof.records import GameRecord, MoveRecord
from mineproof.topology import Cell

__all__ = ["play", "play_many"]


def play(game: Game, agent: Agent, *, seed: int = 0) -> GameRecord:
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

    Examples
    --------
    >>> from mineproof import Game, agents
    >>> record = play(Game.level("easy", seed=1), agents.get("random"), seed=2)
    >>> record.outcome
    'lost'
    """
    instance("game", game, Game, "Game.level('easy', seed=1)")
    if isinstance(agent, type) or not isinstance(agent, Agent):
        raise TypeError(sentence("agent", agent, "an Agent, such as agents.get('exact')"))
    seed = check_seed(seed)
    if game.begun:
        raise ValueError("the game has begun already: a move was made or a flag set")
    told = agent.told
    moves: list[MoveRecord] = []
    steps = 0
    if game.first is not None and game.outcome is None:
        first = Action("open", game.first, certain=game.rules.start != "any")
        start = Decision((first,), "the first cell by rule")
        moves += _carry_out(game, start, game.observe(), steps)
        steps += 1
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
    first_row, first_col = game.first or (None, None)
    return GameRecord(
        agent=agent.name,
        agent_seed=seed,
        total_told=told.total,
        channel_told=told.channel,
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
        steps=steps,
        actions=len(moves),
        guesses=sum(move.guess for move in moves),
        certain=sum(move.certain for move in moves),
        identified=game.identified,
        wrong_flags=game.wrong_flags,
        score=game.score,
        seconds=seconds,
        moves=tuple(moves),
    )


def play_many(games: Iterable[Game], agent: Agent, *, seeds: Iterable[int]) -> list[GameRecord]:
    """Play many games to their ends, with a seed for each; records leave out the moves.

    Examples
    --------
    >>> from mineproof import Game, agents
    >>> games = [Game.level("easy", seed=seed) for seed in range(3)]
    >>> [record.outcome for record in play_many(games, agents.get("exact"), seeds=range(3))]
    ['lost', 'lost', 'won']
    """
    return [
        replace(play(game, agent, seed=seed), moves=())
        for game, seed in zip(games, seeds, strict=True)
    ]


def _carry_out(game: Game, decision: Decision, seen: Observation, step: int) -> list[MoveRecord]:
    """Do the actions of one decision in order, until the game ends."""
    moves: list[MoveRecord] = []
    for action in decision.actions:
        if game.outcome is not None:
            break
        if moves and _is_done(game, action, seen):
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
