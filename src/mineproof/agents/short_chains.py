"""The chains of influence of a game as its player sees them, for one who prefers short ones."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mineproof import _core
from mineproof.inference.posterior import Posterior
from mineproof.position.observation import CellCode, Observation
from mineproof.position.topology import Cell

__all__ = ["ShortChains"]


class ShortChains:
    r"""Follows a game from decision to decision, and knows how long the chain to a cell is.

    All that is open before the first decision has chains of length 0: who opened it where cannot
    be seen.

    Examples
    --------
    >>> from mineproof.inference.posterior import infer
    >>> chains = ShortChains()
    >>> seen = Observation.from_text("4x2x2\n1...\n1...")
    >>> chains.see(seen)
    >>> chains.judge(infer(seen))
    >>> chains.order([(0, 1), (0, 3), (1, 1), (1, 2)])
    [(0, 3), (1, 2), (0, 1), (1, 1)]
    """

    def __init__(self) -> None:
        self._native: _core.Chains | None = None
        self._seen: Observation | None = None
        self._opened: list[Cell] = []

    def see(self, observation: Observation) -> None:
        """Take note of what the last decision has opened."""
        if self._native is None:
            exact = observation.channel is None or observation.channel.is_exact
            self._native = _core.Chains(observation.topology.native, exact)
            open_at = (observation.cells >= 0) | (observation.cells == CellCode.NO_CLUE)
            self._opened = [(row, col) for row, col in np.argwhere(open_at).tolist()]
        places = [observation.topology.index(cell) for cell in self._opened]
        self._native.open(places, observation.cells)
        self._seen, self._opened = observation, []

    def judge(self, posterior: Posterior) -> None:
        """Take note of what is certain."""
        assert self._native is not None, "it has seen the position"
        if posterior.exact:
            self._native.settle(posterior.native)

    def order(self, cells: Iterable[Cell]) -> list[Cell]:
        """Sort closed cells by the length of their chains, equals as they were.

        A cell that is not settled has the chain that the clues next to it would give it.
        """
        return sorted(cells, key=self._length)

    def opens(self, cells: Iterable[Cell]) -> None:
        """Take note of what is being opened."""
        self._opened = list(cells)

    def _length(self, cell: Cell) -> int:
        assert self._native is not None, "it has seen the position"
        assert self._seen is not None, "it has seen the position"
        return self._native.likely_length(self._seen.topology.index(cell), self._seen.cells)
