"""Looks for the board among all objects."""

from __future__ import annotations

import gc

from mineproof import Agent, Board, Decision, Observation


class Peeks(Agent):
    """Looks for the board among all objects."""

    name = "peeks"

    def decide(self, observation: Observation) -> Decision | None:
        boards = [each for each in gc.get_objects() if isinstance(each, Board)]
        for board in boards:
            for row, col in observation.closed_cells():
                if not board.layout[row, col]:
                    return Decision.certain("it can be seen", safe=[(row, col)])
        cells = [cell for cell in observation.closed_cells() if observation.openable[cell]]
        return Decision.guess(self.random.pick(cells), "any cell") if cells else None
