"""Slow, exact answers from the definitions alone, to keep the fast engine honest.

Nothing here imports the package. A `Question` says what a player sees and what is believed about
the making of the board; `answer` walks through every assignment of mines to the cells that could
hold one, weighs each by prior times likelihood in whole fractions, and adds up. `count_by_total`
counts the layouts of positions too large for that, under exact clues, by plain backtracking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations, product
from math import comb, lcm

Cell = tuple[int, int]

CLOSED, FLAGGED, NO_CLUE, EXPLODED, KNOWN_SAFE = -1, -2, -3, -4, -5
NOTHING = 9
"""What a cell shows when it shows no clue."""


# --------------------------------------------------------------------------------------- channels


@dataclass(frozen=True)
class Channel:
    """P(seen | true count k, d neighbours), as a fraction; `seen` is 0..8 or NOTHING."""

    name: str
    chance: Callable[[int, int, int], Fraction]
    shows_nothing: bool = False


def exact() -> Channel:
    return Channel("exact", lambda seen, k, d: Fraction(seen == k))


def lost(p: Fraction) -> Channel:
    def chance(seen: int, k: int, d: int) -> Fraction:
        if seen == NOTHING:
            return p
        return 1 - p if seen == k else Fraction(0)

    return Channel("lost", chance, shows_nothing=p > 0)


def optimistic() -> Channel:
    return Channel("optimistic", lambda seen, k, d: Fraction(seen <= k, k + 1))


def cautious() -> Channel:
    return Channel("cautious", lambda seen, k, d: Fraction(k <= seen <= d, d - k + 1))


def table(rows: Mapping[tuple[int, int], Sequence[Fraction]]) -> Channel:
    """Any channel: `rows[d, k]` lists the chances of seeing 0..8 and then nothing."""
    assert all(sum(row) == 1 for row in rows.values())
    return Channel(
        "table",
        lambda seen, k, d: rows[d, k][seen],
        shows_nothing=any(row[NOTHING] > 0 for row in rows.values()),
    )


# --------------------------------------------------------------------------------------- topology

TOPOLOGIES = ("square", "torus", "hex")


def touch(topology: str, rows: int, cols: int, one: Cell, other: Cell) -> bool:
    """Whether two cells of a board touch, by where their centres are."""
    down, right = abs(one[0] - other[0]), abs(one[1] - other[1])
    if topology == "hex":
        # In halves of a hexagon's width; rows are the square root of 3 of them apart.
        across = 2 * (one[1] - other[1]) + one[0] % 2 - other[0] % 2
        return across**2 + 3 * down**2 == 4
    if topology == "torus":
        down, right = min(down, rows - down), min(right, cols - right)
    return max(down, right) == 1


@cache
def touching(topology: str, rows: int, cols: int) -> Mapping[Cell, list[Cell]]:
    """Return the cells that touch each cell of a board, in row order."""
    cells = list(product(range(rows), range(cols)))
    return {
        one: [other for other in cells if touch(topology, rows, cols, one, other)] for one in cells
    }


# --------------------------------------------------------------------------------------- question


@dataclass(frozen=True)
class Question:
    """What is seen (rows of cell codes), how mines are laid, how clues are made."""

    cells: tuple[tuple[int, ...], ...]
    prior: str = "unknown"
    value: Fraction | int | None = None
    channel: Channel = field(default_factory=exact)
    trust: bool = False
    topology: str = "square"

    @property
    def rows(self) -> int:
        return len(self.cells)

    @property
    def cols(self) -> int:
        return len(self.cells[0])

    def places(self) -> Iterator[Cell]:
        return ((r, c) for r in range(self.rows) for c in range(self.cols))

    def code(self, cell: Cell) -> int:
        return self.cells[cell[0]][cell[1]]

    def neighbours(self, cell: Cell) -> list[Cell]:
        return touching(self.topology, self.rows, self.cols)[cell]

    def is_closed(self, cell: Cell) -> bool:
        return self.code(cell) in (CLOSED, FLAGGED, KNOWN_SAFE)

    def is_known_mine(self, cell: Cell) -> bool:
        return self.code(cell) == EXPLODED or (self.trust and self.code(cell) == FLAGGED)

    def unknown(self) -> list[Cell]:
        """The cells that may or may not hold a mine."""
        codes = (CLOSED,) if self.trust else (CLOSED, FLAGGED)
        return [cell for cell in self.places() if self.code(cell) in codes]

    def clues(self) -> list[Cell]:
        """The open cells that are evidence about their neighbours."""
        return [
            cell
            for cell in self.places()
            if self.code(cell) >= 0 or (self.code(cell) == NO_CLUE and self.channel.shows_nothing)
        ]

    def seen(self, cell: Cell) -> int:
        return NOTHING if self.code(cell) == NO_CLUE else self.code(cell)

    def prior_of(self, mines: int) -> Fraction:
        """The weight of one layout with this many mines on the whole board."""
        cells = self.rows * self.cols
        if self.prior == "total":
            return Fraction(mines == self.value)
        if self.prior == "density":
            assert isinstance(self.value, Fraction)
            return self.value**mines * (1 - self.value) ** (cells - mines)
        return Fraction(1, (cells + 1) * comb(cells, mines))


# ----------------------------------------------------------------------------------------- answer


@dataclass(frozen=True)
class Answer:
    """Every layout that fits, with its whole-number weight, and what follows from the list."""

    question: Question
    layouts: tuple[tuple[frozenset[Cell], int], ...]

    @cached_property
    def weight(self) -> int:
        return sum(weight for _, weight in self.layouts)

    def share(self, weight: int) -> Fraction:
        return Fraction(weight, self.weight)

    def risk(self, cell: Cell) -> Fraction:
        return self.share(sum(weight for mines, weight in self.layouts if cell in mines))

    def risks(self) -> dict[Cell, Fraction]:
        closed = [cell for cell in self.question.places() if self.question.is_closed(cell)]
        return {cell: self.risk(cell) for cell in closed}

    def safe(self) -> tuple[Cell, ...]:
        return tuple(cell for cell, risk in self.risks().items() if risk == 0)

    def mined(self) -> tuple[Cell, ...]:
        return tuple(cell for cell, risk in self.risks().items() if risk == 1)

    def totals(self) -> dict[int, Fraction]:
        weights: dict[int, int] = {}
        for mines, weight in self.layouts:
            weights[len(mines)] = weights.get(len(mines), 0) + weight
        return {total: self.share(weight) for total, weight in weights.items()}

    def expected_mines(self) -> Fraction:
        return self.share(sum(len(mines) * weight for mines, weight in self.layouts))

    def clue_chances(self, cell: Cell) -> list[Fraction]:
        """The chance that the cell is safe and shows 0..8, or shows nothing."""
        around = self.question.neighbours(cell)
        by_count = [0] * (len(around) + 1)
        for mines, weight in self.layouts:
            if cell not in mines:
                by_count[sum(near in mines for near in around)] += weight
        return [
            sum(
                (
                    self.share(weight) * self.question.channel.chance(seen, count, len(around))
                    for count, weight in enumerate(by_count)
                ),
                Fraction(0),
            )
            for seen in range(10)
        ]


def answer(question: Question) -> Answer:
    """Walk through every assignment of mines to the unknown cells."""
    fitting = list(_weighted(question, question.clues(), use_prior=True))
    scale = lcm(*(weight.denominator for _, weight in fitting)) if fitting else 1
    return Answer(question, tuple((mines, int(weight * scale)) for mines, weight in fitting))


def satisfiable(question: Question, clues: Iterable[Cell], use_total: bool) -> bool:
    """Whether any layout fits these clues alone, with or without the prior."""
    return any(True for _ in _weighted(question, list(clues), use_total))


def layouts(question: Question) -> Iterator[frozenset[Cell]]:
    """Every assignment of mines to the unknown cells, whether it fits or not."""
    known = frozenset(cell for cell in question.places() if question.is_known_mine(cell))
    unknown = question.unknown()
    assert len(unknown) <= 16, "too many cells to walk through"
    for choice in product((False, True), repeat=len(unknown)):
        yield known.union(cell for cell, mined in zip(unknown, choice, strict=True) if mined)


def _weighted(
    question: Question, clues: list[Cell], use_prior: bool
) -> Iterator[tuple[frozenset[Cell], Fraction]]:
    around = [(question.seen(clue), question.neighbours(clue)) for clue in clues]
    for mines in layouts(question):
        weight = question.prior_of(len(mines)) if use_prior else Fraction(1)
        for seen, cells in around:
            if not weight:
                break
            count = sum(cell in mines for cell in cells)
            weight *= question.channel.chance(seen, count, len(cells))
        if weight:
            yield mines, weight


def smallest_clash(question: Question, clues: Sequence[Cell], use_total: bool) -> int | None:
    """The size of a smallest set among these clues that no layout fits, or None."""
    for size in range(len(clues) + 1):
        if any(not satisfiable(question, some, use_total) for some in combinations(clues, size)):
            return size
    return None


# ------------------------------------------------------------------------------ larger positions


def count_by_total(question: Question) -> dict[int, int]:
    """Count the layouts by mine total, under exact clues: backtracking cell by cell.

    Cells that meet in a clue are searched together, other groups apart; the groups' counts are
    convolved, and the cells next to no clue take any of the mines left.
    """
    known = {cell for cell in question.places() if question.is_known_mine(cell)}
    unknown = set(question.unknown())
    scopes: dict[Cell, list[Cell]] = {}
    wanted: dict[Cell, int] = {}
    for clue in question.clues():
        around = question.neighbours(clue)
        scopes[clue] = [cell for cell in around if cell in unknown]
        wanted[clue] = question.code(clue) - sum(cell in known for cell in around)
    counts = {len(known): 1}
    if any(wanted[clue] != 0 for clue, scope in scopes.items() if not scope):
        return {}
    touched: set[Cell] = set()
    for group in _groups(scopes):
        touched.update(cell for clue in group for cell in scopes[clue])
        counts = _convolve(counts, _backtrack(group, scopes, wanted))
    rest = len(unknown - touched)
    counts = _convolve(counts, {mines: comb(rest, mines) for mines in range(rest + 1)})
    return {
        total: count
        for total, count in sorted(counts.items())
        if count and question.prior_of(total)
    }


def mined_at(question: Question, cell: Cell) -> Question:
    """The same question with a mine known at one cell; its share of the weight is the risk."""
    cells = [list(row) for row in question.cells]
    cells[cell[0]][cell[1]] = EXPLODED
    return replace(question, cells=tuple(map(tuple, cells)))


def _groups(scopes: dict[Cell, list[Cell]]) -> Iterator[list[Cell]]:
    """The clues in groups that share no cell, each group in the order of a walk through it."""
    clues_at: dict[Cell, list[Cell]] = {}
    for clue, scope in scopes.items():
        for cell in scope:
            clues_at.setdefault(cell, []).append(clue)
    left = {clue for clue, scope in scopes.items() if scope}
    while left:
        queue, group = [min(left)], []
        left.remove(queue[0])
        while queue:
            clue = queue.pop(0)
            group.append(clue)
            for cell in scopes[clue]:
                for other in clues_at[cell]:
                    if other in left:
                        left.remove(other)
                        queue.append(other)
        yield group


def _backtrack(
    group: list[Cell], scopes: dict[Cell, list[Cell]], wanted: dict[Cell, int]
) -> dict[int, int]:
    cells = list(dict.fromkeys(cell for clue in group for cell in scopes[clue]))
    clues_at = {cell: [clue for clue in group if cell in scopes[clue]] for cell in cells}
    mines_left = {clue: wanted[clue] for clue in group}
    cells_left = {clue: len(scopes[clue]) for clue in group}
    counts: dict[int, int] = {}

    def walk(depth: int, mines: int) -> None:
        if depth == len(cells):
            counts[mines] = counts.get(mines, 0) + 1
            return
        clues = clues_at[cells[depth]]
        for mined in (0, 1):
            for clue in clues:
                mines_left[clue] -= mined
                cells_left[clue] -= 1
            if all(0 <= mines_left[clue] <= cells_left[clue] for clue in clues):
                walk(depth + 1, mines + mined)
            for clue in clues:
                mines_left[clue] += mined
                cells_left[clue] += 1

    walk(0, 0)
    return counts


def _convolve(left: dict[int, int], right: dict[int, int]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for a, ways in left.items():
        for b, more in right.items():
            counts[a + b] = counts.get(a + b, 0) + ways * more
    return counts
