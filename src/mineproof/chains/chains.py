"""Which clues settled each cell of a game, and the chains that these links form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import asdict, dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from mineproof import _core
from mineproof.arguments import instance
from mineproof.errors import BudgetExceeded, Contradiction
from mineproof.game.game import Game
from mineproof.game.move import Move, decisions
from mineproof.game.records import GameRecord
from mineproof.inference.posterior import Budget, Posterior, Solver, core_of
from mineproof.position.cells import is_closed
from mineproof.position.drawn import Drawn
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

__all__ = ["Chains", "Link", "Origin", "chains_of"]

# In the order in which the core numbers them.
Origin: TypeAlias = Literal["first", "guess", "given", "settled"]
"""How a cell became known: opened first, by a guess, given at the start, or settled by clues."""


@dataclass(frozen=True, slots=True)
class Link:
    """A cell that became known, and how.

    Parameters
    ----------
    cell
        The cell.
    status
        What it is.
    origin
        How it became known. A cell that no proof settles is a root.
    length
        The length of its chain: one more than the longest among its premises, 0 without premises.
    root
        The cell where the chain begins. If the premises leave a choice, the nearest one.
    premises
        The clues that settle it: a smallest set, and among those one with the shortest chain.
    uses_total
        Whether the mine total is needed too.
    decided
        Whether it is certain that there is no smaller set and no shorter chain.
    """

    cell: Cell
    status: Literal["safe", "mine"]
    origin: Origin
    length: int
    root: Cell
    premises: tuple[Cell, ...]
    uses_total: bool = False
    decided: bool = True

    @property
    def is_root(self) -> bool:
        """Whether the cell was opened or given without a proof."""
        return self.origin != "settled"


@dataclass(frozen=True)
class Chains(Drawn):
    """The chains of influence of a game: see `chains_of`.

    Parameters
    ----------
    seen
        The observation at the end.
    links
        The cells that became known, in that order.
    exact
        Whether every position could be judged and every link is decided.

    Examples
    --------
    >>> from mineproof import Board, Game
    >>> from mineproof.chains import chains_of
    >>> chains = chains_of(Game.on(Board.from_text("...*..")))
    >>> chains.longest, chains.path
    (3, ((0, 0), (0, 1), (0, 2), (0, 3)))
    >>> chains.guesses, chains.mean, chains.reach
    (0, 2.0, 5)
    """

    seen: Observation
    links: tuple[Link, ...]
    exact: bool = True

    @cached_property
    def by_cell(self) -> Mapping[Cell, Link]:
        """The links by cell, without the cells that never became known."""
        return MappingProxyType({link.cell: link for link in self.links})

    @cached_property
    def lengths(self) -> NDArray[np.int32]:
        """The chain length of every cell; -1 if it never became known."""
        lengths = np.full(self.seen.topology.shape, -1, np.int32)
        for link in self.links:
            lengths[link.cell] = link.length
        lengths.flags.writeable = False
        return lengths

    @cached_property
    def longest(self) -> int:
        """The length of the longest chain."""
        return max((link.length for link in self.links), default=0)

    @cached_property
    def path(self) -> tuple[Cell, ...]:
        """A longest chain from its root, each cell a premise of the next.

        Of equally long chains, the one whose last cell is first in row order; of equally deep
        premises, the nearest. It has one cell more than its length, and is empty if nothing became
        known.
        """
        if not self.links:
            return ()
        distance = self.seen.topology.distance
        link = min(self.links, key=lambda link: (-link.length, link.cell))
        path = [link.cell]
        while link.premises:
            before = link.length - 1, link.root
            premises = [self.by_cell[cell] for cell in link.premises]
            deepest = [link for link in premises if (link.length, link.root) == before]
            link = min(deepest, key=lambda link: distance(link.cell, path[-1]))
            path.append(link.cell)
        return tuple(reversed(path))

    @property
    def mean(self) -> float:
        """The mean chain length of all cells that became known, roots included."""
        lengths = [link.length for link in self.links]
        return sum(lengths) / len(lengths) if lengths else 0.0

    @property
    def reach(self) -> int:
        """The most steps from neighbour to neighbour between a cell and the root of its chain."""
        distance = self.seen.topology.distance
        return max((distance(link.cell, link.root) for link in self.links), default=0)

    @property
    def branching(self) -> float:
        """The mean number of cells that an open clue helps to settle."""
        premises = sum(len(link.premises) for link in self.links)
        clues = int(np.count_nonzero(self.seen.cells >= 0))
        return premises / clues if clues else 0.0

    @property
    def roots(self) -> tuple[Cell, ...]:
        """The cells that were opened or given without a proof, in order."""
        return tuple(link.cell for link in self.links if link.is_root)

    @property
    def guesses(self) -> int:
        """The number of cells opened without a proof after the first opening."""
        return sum(link.origin == "guess" for link in self.links)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        figures = "longest", "path", "mean", "reach", "branching", "guesses", "exact"
        cells = [asdict(link) for link in self.links]
        return {name: getattr(self, name) for name in figures} | {"cells": cells}


def chains_of(
    game: Game,
    record: GameRecord | None = None,
    *,
    posterior_of: Callable[[Observation], Posterior | None] | None = None,
) -> Chains:
    """Return the chains of influence of a game.

    A cell is settled in the first position in which it is certain, by a smallest set of clues that
    entails it. Without a record, the game is solved from its first cell: all certainly safe cells
    are opened, round after round; if there are none, the least risky cell without a mine is opened.

    Parameters
    ----------
    game
        A game that has not begun. It is not changed. If it continues from a position, what is open
        there is given.
    record
        How it was played, with its moves. What the agent was told decides what is certain.
    posterior_of
        Returns the exact posterior of a position of the record, or None if it is not known. Pass
        one to share posteriors; by default they are inferred.

    Raises
    ------
    BudgetExceeded
        If there is no record and a position is too wide for an exact answer. Such positions of a
        recorded game are skipped, and the chains are not `exact`.

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
    game = copy(game)
    game.lay_mines()
    if record is None:
        for cell in game.observation.flagged_cells():
            game.unflag(cell)
        budget = Budget()
        first = None if game.first is None else game.topology.index(game.first)
        native = _core.solve(game.native, first, game.channel.native, budget.nodes, budget.bytes)
        return _from_native(native, game.observation, judged=True)
    instance("record", record, GameRecord, "play(game, agent)")
    if record.actions and not record.moves:
        raise ValueError("the record does not hold the moves")
    return _played(game, record, posterior_of or _exact_posteriors())


def _exact_posteriors() -> Callable[[Observation], Posterior | None]:
    solver = Solver(require_exact=True)

    def posterior_of(seen: Observation) -> Posterior | None:
        try:
            return solver.infer(seen)
        except (BudgetExceeded, Contradiction):
            return None

    return posterior_of


def _played(
    game: Game, record: GameRecord, posterior_of: Callable[[Observation], Posterior | None]
) -> Chains:
    topology = game.topology
    native = _core.Chains(topology.native, game.channel.is_exact)
    native.start_from(game.observation.cells)

    def look() -> Observation:
        return game.observe(total=record.total_told, channel=record.channel_told)

    def settle(seen: Observation) -> bool:
        """Settle what is certain; return whether the position could be judged."""
        posterior = posterior_of(seen)
        if posterior is not None:
            native.settle(core_of(posterior))
        return posterior is not None

    judged, seen = True, look()
    for step, moves in enumerate(decisions(record.moves)):
        # If a rule chose the first cell, nobody judged the position before it.
        if record.first_row is None or step > 0:
            judged &= settle(seen)
        for move in moves:
            game.make(move.kind, move.cell)
        before, seen = seen, look()
        native.open([topology.index(cell) for cell in _opened(moves, before, seen)], seen.cells)
    judged &= settle(seen)
    return _from_native(native, seen, judged=judged)


def _opened(moves: tuple[Move, ...], before: Observation, after: Observation) -> Iterator[Cell]:
    """Yield the cells that a step opened itself, not by a cascade, in order."""
    for move in moves:
        if move.kind == "open":
            yield move.cell
        elif move.kind == "chord":
            for other in after.topology.neighbours(move.cell):
                if is_closed(before.code(other)) and not is_closed(after.code(other)):
                    yield other


def _from_native(native: _core.Chains, seen: Observation, *, judged: bool) -> Chains:
    origins: tuple[Origin, ...] = get_args(Origin)
    cell = seen.topology.cell
    links = tuple(
        Link(
            cell=cell(place),
            status="mine" if mine else "safe",
            origin=origins[origin],
            length=length,
            root=cell(root),
            premises=tuple(map(cell, premises)),
            uses_total=uses_total,
            decided=decided,
        )
        for place, origin, mine, uses_total, decided, length, root, premises in native.links()
    )
    return Chains(seen, links, judged and all(link.decided for link in links))
