"""The contract of agents, checked by letting an agent play: helpful when you write one.

An agent makes only legal decisions and gives reasons, plays the same game for the same seed, comes
to an end on every board under every rule and channel, has beliefs about closed cells only, and
never opens a cell that it has proved to be a mine. What it calls certain is true if clues are
exact, even on a board where somebody else has set wrong flags.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Final, get_args

from mineproof.agents import Agent, registry
from mineproof.agents.asking import run, told
from mineproof.agents.seat import beliefs_of
from mineproof.arena.play import Turn, play
from mineproof.errors import AgentFailed
from mineproof.game.board import Board
from mineproof.game.game import Game
from mineproof.position.cells import is_closed
from mineproof.position.model import Channel
from mineproof.position.rules import OnMine, Rules, Start
from mineproof.position.setup import Setup
from mineproof.position.topology import Cell, Topology
from mineproof.random import Random

__all__ = ["broken_promises"]

_RULES: Final = tuple(
    Rules(start, on_mine, cascade, given)
    for on_mine, start, cascade, given in product(
        get_args(OnMine), get_args(Start), (True, False), (0, 2)
    )
)
_CHANNELS: Final = tuple(
    map(Channel.parse, ("exact", "lost:0.4", "late:0.4", "optimistic", "cautious"))
)
_BOARDS: Final = ((6, 6, 7), (5, 8, 12), (1, 9, 2), (7, 1, 1), (4, 5, 0), (5, 5, 20), (1, 1, 0))


def broken_promises(
    agent: str | Agent | Callable[[], Agent], *, thorough: bool = False
) -> Iterator[str]:
    """Let an agent play, and yield a sentence for every promise that it breaks.

    Parameters
    ----------
    agent
        Its name, its class, the agent itself, or a function that makes a new one.
    thorough
        Whether to play every board under all rules and channels instead of a sample.

    Examples
    --------
    >>> list(broken_promises("random"))
    []
    """
    make = agent if callable(agent) else partial(deepcopy, registry.make(agent))
    conditions = list(product(_RULES, _CHANNELS, _BOARDS))
    # 11 divides none of their numbers, so this step meets all rules, channels and boards.
    for number in range(0, len(conditions), 1 if thorough else 11):
        yield from _check(make, partial(_deal, *conditions[number], number), number)
    for on_mine in get_args(OnMine):
        yield from _check(make, partial(_deal_mines_only, on_mine), 0)
        for seed in range(8 if thorough else 2):
            yield from _check(make, partial(_deal_flagged, on_mine, seed), seed)


def _deal(rules: Rules, channel: Channel, shape: tuple[int, int, int], seed: int) -> Game:
    rows, cols, mines = shape
    given = min(rules.given_safe, rows * cols - mines)
    rules = replace(rules, given_safe=given)
    return Game(Setup(Topology(rows, cols), mines, rules, channel), seed)


def _deal_mines_only(on_mine: OnMine) -> Game:
    board = Board.from_cells(3, 3, [divmod(place, 3) for place in range(9)])
    return Game.on(board, Rules("any", on_mine))


def _deal_flagged(on_mine: OnMine, seed: int) -> Game:
    """Start a game in which somebody has opened a cell and set some flags, right and wrong."""
    game = Game(Setup(Topology(6, 6), 7, Rules("zero", on_mine)), seed)
    game.open((3, 3))
    random = Random(seed)
    for cell in game.observation.openable_cells():
        if game.outcome is None and random.uniform() < 0.2:
            game.flag(cell)
    return game


def _check(make: Callable[[], Agent], deal: Callable[[], Game], seed: int) -> Iterator[str]:
    game = deal()
    where = f"{game.rules}, {game.channel}, {game!r}, agent seed {seed}"
    try:
        watcher = _Watcher(_made(make), game)
        record = play(game, watcher.agent, seed=seed, watch=watcher.look, begun=True)
        again = play(deal(), _made(make), seed=seed, begun=True)
    except AgentFailed as error:
        yield f"{where}: {error.why}"
        return
    except ValueError as error:  # its rules are not made for such boards
        yield f"{where}: {error}"
        return
    for sentence in watcher.sentences:
        yield f"{where}: {sentence}"
    if record != replace(again, seconds=record.seconds):
        yield f"{where}: the same seed gives another game"


def _made(make: Callable[[], Agent]) -> Agent:
    """Return a new agent to play with."""

    def unusable(error: BaseException) -> AgentFailed:
        kind = make if isinstance(make, type) else None
        return AgentFailed(getattr(make, "__name__", ""), told(error, kind, "__init__"))

    return run(make, error=unusable)


class _Watcher:
    """Notes what an agent does that it should not."""

    def __init__(self, agent: Agent, game: Game) -> None:
        self.agent = agent
        self.game = game
        self.proved: set[Cell] = set()
        self.sentences: list[str] = []

    def look(self, turn: Turn) -> None:
        if turn.before is None:
            return
        for move in turn.moves:
            cell = move.cell
            if move.kind == "unflag":
                self.proved.discard(cell)
            if move.kind == "flag" and move.certain:
                self.proved.add(cell)
            if move.kind == "open" and cell in self.proved:
                self.sentences.append(f"opens {cell}, which it has proved to be a mine")
            if move.certain and self.game.channel.is_exact:
                mine = bool(self.game.board.layout[cell])
                if move.kind in ("open", "flag") and mine == (move.kind == "open"):
                    truth = "a mine" if mine else "safe"
                    self.sentences.append(f"is certain to {move.kind} {cell}, which is {truth}")
            if not move.reason:
                self.sentences.append(f"gives no reason for what it does to {cell}")
        for cell in beliefs_of(self.agent, turn.before).numbers:
            if not is_closed(turn.before.code(cell)):
                self.sentences.append(f"believes something of {cell}, which was not closed")
