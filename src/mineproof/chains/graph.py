"""The graph of influence: which clues settled each cell, and the chains that this makes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof import _core
from mineproof.position.drawn import Drawn
from mineproof.position.observation import Observation
from mineproof.position.topology import Cell

__all__ = ["Chains", "Link", "Origin", "kings_moves"]

Origin: TypeAlias = Literal["first", "guess", "given", "settled"]
"""How a cell came to be known: opened first or by a guess, given at the start, or settled."""

_ORIGINS: Final[tuple[Origin, ...]] = ("first", "guess", "given", "settled")
"""In the order in which the core numbers them."""


def kings_moves(one: Cell, other: Cell) -> int:
    """Return how many moves of a king lead from one cell to another.

    Examples
    --------
    >>> kings_moves((0, 0), (2, 5))
    5
    """
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


@dataclass(frozen=True, slots=True)
class Link:
    """A cell that came to be known, and by what.

    Parameters
    ----------
    cell
        The cell.
    status
        What it holds.
    origin
        How it came to be known. What is not settled by a proof is a root.
    length
        The length of its chain: one more than the longest among its premises, 0 without any.
    root
        Where that chain begins; the nearest such cell where its premises leave a choice.
    premises
        The clues that settle it: a smallest set, and among those one with the shortest chain.
    uses_total
        Whether the mine total is needed beside them.
    decided
        Whether it was decided that no smaller set and no shorter chain will do.
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
        """Whether it was opened or given without a proof."""
        return self.origin != "settled"

    @property
    def reach(self) -> int:
        """How many king's moves it is away from its root."""
        return kings_moves(self.cell, self.root)

    def to_dict(self) -> dict[str, Any]:
        """Return the link as plain values."""
        return {
            "cell": list(self.cell),
            "status": self.status,
            "origin": self.origin,
            "length": self.length,
            "root": list(self.root),
            "premises": [list(cell) for cell in self.premises],
            "uses_total": self.uses_total,
            "decided": self.decided,
        }


@dataclass(frozen=True)
class Chains(Drawn):
    """The chains of influence of a game: see `chains_of`.

    Parameters
    ----------
    seen
        What was to be seen in the end.
    links
        What came to be known, in that order.
    exact
        Whether every position could be judged and every link was decided.

    Examples
    --------
    >>> from mineproof import Board, Game
    >>> from mineproof.chains import chains_of
    >>> chains = chains_of(Game(Board.from_text("...*..")))
    >>> chains.longest, chains.path
    (3, ((0, 0), (0, 1), (0, 2), (0, 3)))
    >>> chains.guesses, chains.mean, chains.reach
    (0, 2.0, 5)
    """

    seen: Observation
    links: tuple[Link, ...]
    exact: bool = True

    @classmethod
    def from_native(cls, native: _core.Chains, seen: Observation, *, judged: bool) -> Chains:
        """Take over what the core has gathered; say whether it could judge every position."""

        def cell(place: int) -> Cell:
            return divmod(place, seen.cols)

        links = tuple(
            Link(
                cell=cell(place),
                status="mine" if mine else "safe",
                origin=_ORIGINS[origin],
                length=length,
                root=cell(root),
                premises=tuple(map(cell, premises)),
                uses_total=uses_total,
                decided=decided,
            )
            for place, origin, mine, uses_total, decided, length, root, premises in native.links()
        )
        return cls(seen, links, judged and all(link.decided for link in links))

    @cached_property
    def by_cell(self) -> Mapping[Cell, Link]:
        """The links by cell; those that were never settled are not among them."""
        return MappingProxyType({link.cell: link for link in self.links})

    @cached_property
    def lengths(self) -> NDArray[np.int32]:
        """The chain length of every cell; -1 where it was never settled."""
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
        """A longest chain from its root on, each cell a premise of the next.

        The first of equals in row order, and on the way back the nearest. It has one cell more
        than its length, and none only where nothing came to be known.
        """
        if not self.links:
            return ()
        link = min(self.links, key=lambda link: (-link.length, link.cell))
        path = [link.cell]
        while link.premises:
            before = link.length - 1, link.root
            premises = [self.by_cell[cell] for cell in link.premises]
            deepest = [link for link in premises if (link.length, link.root) == before]
            link = min(deepest, key=lambda link: kings_moves(link.cell, path[-1]))
            path.append(link.cell)
        return tuple(reversed(path))

    @property
    def mean(self) -> float:
        """The mean chain length of all cells that came to be known, roots included."""
        lengths = [link.length for link in self.links]
        return sum(lengths) / len(lengths) if lengths else 0.0

    @property
    def reach(self) -> int:
        """The most king's moves between a cell and the root of its chain."""
        return max((link.reach for link in self.links), default=0)

    @property
    def branching(self) -> float:
        """How many cells a clue helps to settle, on average over all clues that were open."""
        premises = sum(len(link.premises) for link in self.links)
        clues = int(np.count_nonzero(self.seen.cells >= 0))
        return premises / clues if clues else 0.0

    @property
    def roots(self) -> tuple[Cell, ...]:
        """The cells that were opened or given without a proof, in order."""
        return tuple(link.cell for link in self.links if link.is_root)

    @property
    def guesses(self) -> int:
        """How many cells were opened without a proof after the first opening."""
        return sum(link.origin == "guess" for link in self.links)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "longest": self.longest,
            "path": [list(cell) for cell in self.path],
            "mean": self.mean,
            "reach": self.reach,
            "branching": self.branching,
            "guesses": self.guesses,
            "exact": self.exact,
            "cells": [link.to_dict() for link in self.links],
        }
