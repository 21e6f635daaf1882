"""The rules once more, slowly: sets of cells and recursion over words, to check the fast ones.

Nothing here imports the package.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from oracle import touching

Cell = tuple[int, int]


class Refused(Exception):
    """The rules forbid the move."""


@dataclass
class Referee:
    rows: int
    cols: int
    mines: set[Cell]
    keep_going: bool = False
    cascade: bool = True
    known_safe: set[Cell] = field(default_factory=set)
    open_cells: set[Cell] = field(default_factory=set)
    exploded: set[Cell] = field(default_factory=set)
    flags: set[Cell] = field(default_factory=set)
    topology: str = "square"

    @property
    def all_cells(self) -> set[Cell]:
        return {(row, col) for row in range(self.rows) for col in range(self.cols)}

    def near(self, cell: Cell) -> set[Cell]:
        return set(touching(self.topology, self.rows, self.cols)[cell])

    def clue(self, cell: Cell) -> int:
        return len(self.near(cell) & self.mines)

    @property
    def outcome(self) -> str | None:
        if self.keep_going:
            done = self.open_cells | self.exploded | self.flags
            return "finished" if done == self.all_cells else None
        if self.exploded:
            return "lost"
        return "won" if self.open_cells == self.all_cells - self.mines else None

    @property
    def closed(self) -> set[Cell]:
        return self.all_cells - self.open_cells - self.exploded - self.flags

    def open(self, cell: Cell) -> None:
        if self.outcome or cell not in self.closed:
            raise Refused
        self.step_on(cell)

    def step_on(self, cell: Cell) -> None:
        if cell in self.mines:
            self.exploded.add(cell)
            return
        self.open_cells.add(cell)
        if self.cascade and self.clue(cell) == 0:
            for other in self.near(cell):
                if other in self.closed:
                    self.step_on(other)

    def flag(self, cell: Cell) -> None:
        if self.outcome or cell not in self.closed - self.known_safe:
            raise Refused
        self.flags.add(cell)

    def unflag(self, cell: Cell) -> None:
        if self.outcome or cell not in self.flags:
            raise Refused
        self.flags.remove(cell)

    def chord(self, cell: Cell) -> None:
        marked = self.near(cell) & (self.flags | self.exploded)
        closed = self.near(cell) & self.closed
        if self.outcome or cell not in self.open_cells or len(marked) != self.clue(cell):
            raise Refused
        if not closed:
            raise Refused
        for other in sorted(closed):
            if not self.outcome and other in self.closed:
                self.step_on(other)

    def seen(self) -> list[list[int]]:
        def code(cell: Cell) -> int:
            if cell in self.open_cells:
                return self.clue(cell)
            if cell in self.flags:
                return -2
            if cell in self.exploded:
                return -4
            return -5 if cell in self.known_safe else -1

        return [[code((row, col)) for col in range(self.cols)] for row in range(self.rows)]
