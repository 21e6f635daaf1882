"""Lays the boards of many seeds, and trusts one that fits."""

from __future__ import annotations

from mineproof import Agent, Board, Decision, Observation, Setup


class GuessesSeed(Agent):
    """Lays the boards of many seeds, and trusts one that fits."""

    name = "guesses-seed"

    def decide(self, observation: Observation) -> Decision | None:
        assert observation.mines is not None
        for seed in range(200):
            board = Board.random(Setup(observation.topology, observation.mines), seed=seed)
            shown = observation.cells >= 0
            if (board.counts[shown] == observation.cells[shown]).all():
                safe = [c for c in observation.closed_cells() if not board.layout[c]]
                return Decision.guess(safe[0], "that seed fits") if safe else None
        cells = [cell for cell in observation.closed_cells() if observation.openable[cell]]
        return Decision.guess(self.random.pick(cells), "any cell") if cells else None
