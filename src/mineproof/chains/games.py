"""The chains of influence of a game, as it was played or as it can be solved."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from itertools import groupby

from mineproof import _core
from mineproof.arguments import instance
from mineproof.chains.graph import Chains
from mineproof.errors import BudgetExceeded, Contradiction
from mineproof.game import Game
from mineproof.inference import Budget, Solver
from mineproof.observation import Observation, is_closed
from mineproof.records import GameRecord, MoveRecord
from mineproof.topology import Cell

__all__ = ["chains_of"]


def chains_of(game: Game, record: GameRecord | None = None) -> Chains:
    """Return the chains of influence of a game.

    A cell is settled in the first position in which it is certain, by a smallest set of clues that
    entails it. Without a record the game is solved from its first cell: round after round all that
    is certainly safe is opened, and where nothing is, the least risky of the cells without a mine.

    Parameters
    ----------
    game
        A game that has not begun; it stays as it is.
    record
        How it was played, moves included; what the agent was told decides what is certain.

    Raises
    ------
    BudgetExceeded
        If a position of a game without a record is too wide to be judged exactly. Such positions
        of a game that was played are passed over, and the chains are not `exact`.

    Examples
    --------
    >>> from mineproof import Game, agents, play
    >>> game = Game.level("easy", seed=2)
    >>> solved = chains_of(game)
    >>> solved.longest, solved.path[0], solved.path[-1], solved.guesses
    (9, (0, 2), (6, 2), 1)
    >>> record = play(Game.level("easy", seed=2), agents.get("exact"))
    >>> chains_of(game, record).links == solved.links
    True
    """
    instance("game", game, Game, "Game.level('easy', seed=1)")
    if game.begun:
        raise ValueError("the game has begun already: a move was made or a flag set")
    if record is None:
        return _solved(copy(game))
    instance("record", record, GameRecord, "play(game, agent)")
    if record.actions != len(record.moves):
        raise ValueError("the record does not hold the moves")
    return _played(copy(game), record)


def _solved(game: Game) -> Chains:
    topology, budget = game.board.topology, Budget()
    first = None if game.first is None else topology.index(game.first)
    native = _core.solve(game._native, first, game.channel.native, budget.nodes, budget.bytes)
    return Chains.from_native(native, game.observation, judged=True)


def _played(game: Game, record: GameRecord) -> Chains:
    topology = game.board.topology
    chains = _core.Chains(topology.native, game.channel.is_exact)
    solver = Solver(require_exact=True)
    judged = True
    seen = game.observe(total=record.total_told, channel=record.channel_told)
    for _, step in groupby(record.moves, key=lambda move: move.step):
        moves = tuple(step)
        # Nobody judged what was before the first cell by rule.
        if record.first_row is None or moves[0].step > 0:
            judged &= _settle(chains, solver, seen)
        for move in moves:
            getattr(game, move.kind)((move.row, move.col))
        before, seen = seen, game.observe(total=record.total_told, channel=record.channel_told)
        chains.open([topology.index(cell) for cell in _opened(moves, before, seen)], seen.cells)
    judged &= _settle(chains, solver, seen)
    return Chains.from_native(chains, seen, judged=judged)


def _settle(chains: _core.Chains, solver: Solver, seen: Observation) -> bool:
    """Settle what is certain; say whether that could be told."""
    try:
        chains.settle(solver.infer(seen)._native)
    except (BudgetExceeded, Contradiction):
        return False
    return True


def _opened(
    moves: tuple[MoveRecord, ...], before: Observation, after: Observation
) -> Iterator[Cell]:
    """Yield the cells that a step opened by itself, not by a cascade, in order."""
    for move in moves:
        cell = move.row, move.col
        if move.kind == "open":
            yield cell
        elif move.kind == "chord":
            for other in after.topology.neighbours(cell):
                if is_closed(before.code(other)) and not is_closed(after.code(other)):
                    yield other
