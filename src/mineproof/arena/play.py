"""Games played by agents: asking them, carrying out their decisions, recording the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from math import isnan
from time import perf_counter
from typing import Any, Final

from mineproof import _core
from mineproof.agents.agent import Action, Agent, Decision
from mineproof.agents.asking import refused
from mineproof.agents.seat import Seat, native_of
from mineproof.arguments import counted, instance, sentence
from mineproof.errors import AgentFailed
from mineproof.game.game import Game, Outcome
from mineproof.game.move import Claim, Move, check_player
from mineproof.game.records import GameRecord
from mineproof.position.cells import is_closed, is_open
from mineproof.position.observation import Observation
from mineproof.position.rules import KINDS, Kind
from mineproof.position.setup import Setup
from mineproof.position.topology import Cell
from mineproof.random import agent_seed, check_seed

__all__ = ["AgentFailed", "Turn", "carry_out", "check_agent", "conditions_of", "play", "play_many"]

_WAITED: Final = "there is no decision, so all pending clues arrive"


@dataclass(frozen=True, slots=True)
class Turn:
    """One decision of a game, as a watcher sees it.

    Parameters
    ----------
    step
        The number of the decision.
    moves
        What was done, in order.
    before
        What the agent saw when it decided; None for the first cell by rule, which nobody chose.
    after
        What can be seen now.
    """

    step: int
    moves: tuple[Move, ...]
    before: Observation | None
    after: Observation


def play(
    game: Game,
    agent: Agent,
    *,
    seed: int = 0,
    watch: Callable[[Turn], None] | None = None,
    begun: bool = False,
) -> GameRecord:
    """Play a game to its end.

    If the game or its start rule names a first cell, that is opened before the agent decides.

    Parameters
    ----------
    game
        The game; nothing may have been opened or flagged yet, unless it may have begun.
    agent
        The player; it sees nothing but observations.
    seed
        The seed of the agent's randomness.
    watch
        Called after every turn, while the agent's `beliefs` are still those of that turn.
    begun
        Whether the game may have begun: the agent then continues it. The moves, steps, guesses and
        claims of the record are the agent's alone; other counts are those of the whole game.

    Raises
    ------
    AgentFailed
        If the agent's code raises an error, makes an illegal move or goes on for ever.

    Examples
    --------
    >>> from mineproof import Game, agents
    >>> def look(turn):
    ...     print([(move.kind, move.cell) for move in turn.moves])
    >>> record = play(Game.level("easy", seed=2), agents.get("random"), seed=13, watch=look)
    [('open', (0, 0))]
    [('open', (8, 2))]
    >>> record.outcome
    <Outcome.LOST: 'lost'>
    """
    seed = _check(game, agent, seed, begun=begun)
    moves = [] if game.begun else _open_first(game)
    steps = len(moves)
    if watch is not None and moves:
        watch(Turn(0, tuple(moves), None, game.observe()))
    try:
        played, steps, seconds = _play_on(game, Seat(agent), seed, steps, watch)
    except AgentFailed as error:
        error.seed = game.seed
        raise
    moves += played
    return _record(
        game,
        agent,
        seed,
        moves,
        steps=steps,
        actions=sum(move.kind != "wait" for move in moves),
        guesses=sum(move.is_guess for move in moves),
        certain=sum(move.certain for move in moves),
        seconds=seconds,
    )


def _play_on(
    game: Game, seat: Seat, seed: int, steps: int, watch: Callable[[Turn], None] | None
) -> tuple[list[Move], int, float]:
    """Let an agent play to the end; return its moves, all decisions, and the time that it took."""
    moves: list[Move] = []
    started = perf_counter()
    seat.begin(agent_seed(seed))
    seconds = perf_counter() - started
    idle, patience = 0, 2 * game.topology.cells
    while game.outcome is None:
        now = game.observe(since=seat.seen)
        started = perf_counter()
        decision = seat.decide(now)
        seconds += perf_counter() - started
        seen = seat.seen
        assert seen is not None
        if decision is None:
            pending = seen.pending_cells()
            if not pending:
                break
            made = [_make(game, "wait", pending[0], seat.agent.name, Claim(reason=_WAITED))]
        else:
            try:
                made = carry_out(game, decision, seen, seat.agent.name)
            except ValueError as error:  # the game refuses it
                raise refused(seat.agent, "decide", f"illegal move: {error}") from None
            idle += 1
            for move in made:
                if move.opened or move.hits:
                    idle = 0
            if idle > patience:
                reason = f"{idle} decisions without opening a cell"
                raise refused(seat.agent, "decide", reason, "idle")
        moves += made
        if watch is not None:
            watch(Turn(steps, tuple(made), seen, game.observe()))
        steps += decision is not None
    return moves, steps, seconds


def play_many(
    games: Iterable[Game], agent: Agent, *, seeds: Iterable[int], moves: bool = False
) -> list[GameRecord]:
    """Play many games to their ends, natively if the agent can.

    The records are those of `play`, except for the agent's time.

    Parameters
    ----------
    games
        The games, as for `play`.
    agent
        Who plays all of them.
    seeds
        The seed of the agent's randomness for each game.
    moves
        Whether the records hold the moves.

    Examples
    --------
    >>> from mineproof import Game, agents
    >>> games = [Game.level("easy", seed=seed) for seed in range(3)]
    >>> [record.won for record in play_many(games, agents.get("exact"), seeds=range(3))]
    [False, False, True]
    """
    check_agent(agent)
    native = native_of(agent)
    records = []
    for game, seed in _seeded(games, seeds):
        # Native players take all flags for their own.
        if native is not None and not game.native.flagged:
            records.append(_play_natively(game, agent, native, seed, moves))
        else:
            record = play(game, agent, seed=seed)
            records.append(record if moves else replace(record, moves=()))
    return records


def _seeded(games: Iterable[Game], seeds: Iterable[int]) -> Iterator[tuple[Game, int]]:
    """Yield each game with its seed, and refuse what is left over."""
    rest, count = iter(seeds), 0
    for count, game in enumerate(games, 1):
        try:
            yield game, next(rest)
        except StopIteration:
            raise ValueError(f"seeds: {count - 1}, but there are more games") from None
    if next(rest, None) is not None:
        raise ValueError(f"seeds: more than {counted(count, 'game')}")


def _play_natively(
    game: Game, agent: Agent, player: _core.Player, seed: int, with_moves: bool
) -> GameRecord:
    seed = _check(game, agent, seed)
    told = agent.told
    first = _open_first(game)
    started = perf_counter()
    played = game.play_out(
        player,
        total=told.total,
        channel=told.channel,
        seed=agent_seed(seed),
        moves=with_moves,
    )
    seconds = perf_counter() - started
    return _record(
        game,
        agent,
        seed,
        [*first, *_native_moves(game, played, agent.name)] if with_moves else [],
        steps=len(first) + played.steps,
        actions=len(first) + played.actions,
        guesses=sum(move.is_guess for move in first) + played.guesses,
        certain=sum(move.certain for move in first) + played.certain,
        seconds=seconds,
    )


def _native_moves(game: Game, played: _core.Playthrough, by: str) -> Iterator[Move]:
    cols, last = game.topology.cols, -1
    for step, number, place, certain, risk, why, opened, hits, shown in played.moves():
        kind = KINDS[number]
        waits = kind == "wait"
        claim = Claim(certain, None if isnan(risk) else risk, _WAITED if waits else why)
        shows = tuple((divmod(each, cols), code) for each, code in shown)
        together = step == last and not waits
        yield Move.from_core(kind, divmod(place, cols), by, shows, together, opened, hits, claim)
        last = -1 if waits else step


def _check(game: Game, agent: Agent, seed: int, *, begun: bool = False) -> int:
    instance("game", game, Game, "Game.level('easy', seed=1)")
    check_agent(agent)
    if game.begun and not begun:
        raise ValueError("the game has begun already: a move was made or a flag set")
    agent.check_topology(game.topology)
    return check_seed(seed)


def check_agent(agent: Agent) -> None:
    """Raise an error if this is not an agent."""
    if not isinstance(agent, Agent):
        raise TypeError(sentence("agent", agent, "an Agent, such as agents.get('exact')"))
    check_player("agent", agent.name)


def _open_first(game: Game) -> list[Move]:
    game.lay_mines()
    if game.first is None or game.outcome is not None:
        return []
    first = Action("open", game.first, certain=game.rules.start != "any")
    return carry_out(game, Decision((first,), "the first cell by rule"), None)


def _record(
    game: Game,
    agent: Agent,
    seed: int,
    moves: list[Move],
    *,
    steps: int,
    actions: int,
    guesses: int,
    certain: int,
    seconds: float,
) -> GameRecord:
    first_row, first_col = game.first or (None, None)
    return GameRecord(
        **conditions_of(agent, game.setup),
        agent_seed=seed,
        seed=game.seed,
        first_row=first_row,
        first_col=first_col,
        outcome=game.outcome or Outcome.STUCK,
        won=game.won,
        hits=game.hits,
        opened=game.opened,
        steps=steps,
        actions=actions,
        guesses=guesses,
        certain=certain,
        identified=game.identified,
        wrong_flags=game.wrong_flags,
        score=game.score,
        seconds=seconds,
        moves=tuple(moves),
    )


def conditions_of(agent: Agent, setup: Setup) -> dict[str, Any]:
    """Return the columns of a record that are the same in all games of a setup."""
    topology, rules = setup.topology, setup.rules
    return {
        "agent": agent.name,
        "total_told": agent.told.total,
        "channel_told": agent.told.channel,
        "rows": topology.rows,
        "cols": topology.cols,
        "topology": topology.kind,
        "mines": setup.mines,
        "start": rules.start,
        "on_mine": rules.on_mine,
        "cascade": rules.cascade,
        "given_safe": rules.given_safe,
        "channel": setup.channel.name,
    }


def carry_out(game: Game, decision: Decision, seen: Observation | None, by: str = "") -> list[Move]:
    """Do the actions of one decision in order, until the game ends, and return the moves.

    Parameters
    ----------
    game
        The game in which to act.
    decision
        What to do. Actions on cells that earlier actions of it have opened are skipped.
    seen
        What the agent saw when it decided; None if nobody chose.
    by
        The name of the agent.
    """
    moves: list[Move] = []
    for action in decision.actions:
        if game.outcome is not None:
            break
        if moves and seen is not None and _is_done(game, action, seen):
            continue
        claim = Claim(action.certain, action.risk, decision.reason)
        moves.append(_make(game, action.kind, action.cell, by, claim, together=bool(moves)))
    return moves


def _make(
    game: Game, kind: Kind, cell: Cell, by: str, claim: Claim, *, together: bool = False
) -> Move:
    opened, hits = game.make(kind, cell)
    return Move.from_core(kind, cell, by, game.shown(), together, opened, hits, claim)


def _is_done(game: Game, action: Action, seen: Observation) -> bool:
    """Whether earlier actions of the same decision opened every cell of this one."""
    chord = action.kind == "chord"
    cells = game.topology.neighbours(action.cell) if chord else (action.cell,)
    before = [cell for cell in cells if is_closed(seen.code(cell))]
    return bool(before) and all(is_open(game.code(cell)) for cell in before)
