"""Random small questions for the oracle and the engine: played positions and arbitrary ones.

Like the oracle, this module knows nothing of the package.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

import oracle
from oracle import (
    CLOSED,
    EXPLODED,
    FLAGGED,
    KNOWN_SAFE,
    NO_CLUE,
    NOTHING,
    TOPOLOGIES,
    Cell,
    Question,
)

SMALL = [(1, 1), (1, 2), (1, 6), (6, 1), (2, 2), (2, 5), (3, 3)]
LARGE = [(3, 4), (4, 4), (3, 5), (5, 3), (4, 5), (5, 5)]
PRIORS = ["total", "density", "unknown"]
DENSITIES = [1e-6, 0.05, 0.2, 0.5, 0.9, 1 - 1e-6]

Rows = dict[tuple[int, int], list[Fraction]]


def identity_rows() -> Rows:
    """The table of the exact channel."""
    return {
        (d, k): [Fraction(seen == k) for seen in range(10)] for d in range(9) for k in range(d + 1)
    }


def random_rows(rng: Random) -> Rows:
    """A table with many zero entries; every second one sometimes shows no clue."""
    nothing = rng.random() < 0.5
    rows = {}
    for d in range(9):
        for k in range(d + 1):
            weights = [rng.choice((0, 0, 1, 2, 3)) if seen <= d else 0 for seen in range(10)]
            weights[NOTHING] = rng.choice((0, 1, 2)) if nothing else 0
            weights[k] += not any(weights)
            rows[d, k] = [Fraction(weight, sum(weights)) for weight in weights]
    return rows


CHANNELS: dict[str, Callable[[Random], oracle.Channel]] = {
    "exact": lambda rng: oracle.exact(),
    "lost": lambda rng: oracle.lost(Fraction(3, 10)),
    "optimistic": lambda rng: oracle.optimistic(),
    "cautious": lambda rng: oracle.cautious(),
    "table": lambda rng: oracle.table(random_rows(rng)),
    "identity": lambda rng: oracle.table(identity_rows()),
}


def played(
    rng: Random, prior: str, channel: oracle.Channel, trust: bool, *, most: int = 10
) -> Question:
    """A position that play could reach, with at most `most` cells that may hold a mine.

    Safe cells open in random order, some with cascades; clues go through the channel; then some
    clues are rubbed out, some mines explode, some safe cells are known, and some cells are
    flagged: rightly or wrongly where flags are ignored, nearly always rightly where trusted.
    """
    rows, cols = rng.choice(SMALL if rng.random() < 0.25 else LARGE)
    topology = any_topology(rng, rows, cols)
    places = [(r, c) for r in range(rows) for c in range(cols)]
    mines = set(rng.sample(places, rng.randint(0, rng.choice((len(places), len(places) // 2)))))
    blank = Question(tuple((CLOSED,) * cols for _ in range(rows)), topology=topology)
    codes = dict.fromkeys(places, CLOSED)
    cascade = channel.name == "exact" and rng.random() < 0.5

    def true_count(cell: Cell) -> int:
        return sum(near in mines for near in blank.neighbours(cell))

    def open_cell(cell: Cell) -> None:
        if codes[cell] != CLOSED:
            return
        codes[cell] = draw_clue(rng, channel, true_count(cell), len(blank.neighbours(cell)))
        if cascade and true_count(cell) == 0:
            for near in blank.neighbours(cell):
                open_cell(near)

    safe = [cell for cell in places if cell not in mines]
    rng.shuffle(safe)
    for cell in safe[: rng.randint(0, len(safe))]:
        open_cell(cell)
    for cell in mines:
        if rng.random() < 0.15:
            codes[cell] = EXPLODED
    for cell in places:
        if codes[cell] >= 0 and rng.random() < 0.05:
            codes[cell] = NO_CLUE
        if codes[cell] == CLOSED and cell not in mines and rng.random() < 0.1:
            codes[cell] = KNOWN_SAFE
        wrong = 0.01 if trust else 0.1
        if codes[cell] == CLOSED and rng.random() < (0.3 if cell in mines else wrong):
            codes[cell] = FLAGGED
    settle(rng, codes, trust, most, lambda cell: EXPLODED if cell in mines else KNOWN_SAFE)
    made = question(rows, cols, codes, prior, channel, trust, rng, total=len(mines))
    return replace(made, topology=topology)


def arbitrary(
    rng: Random, prior: str, channel: oracle.Channel, trust: bool, *, most: int = 8
) -> Question:
    """Any valid observation; its clues may contradict each other."""
    rows, cols = rng.choice(SMALL if rng.random() < 0.25 else LARGE)
    topology = any_topology(rng, rows, cols)
    places = [(r, c) for r in range(rows) for c in range(cols)]
    blank = Question(tuple((CLOSED,) * cols for _ in range(rows)), topology=topology)
    codes = {}
    share = rng.random()
    for cell in places:
        if rng.random() < share:
            codes[cell] = min(rng.randint(0, 4), rng.randint(0, len(blank.neighbours(cell))))
        else:
            others = (CLOSED,) * 6 + (FLAGGED, NO_CLUE, EXPLODED, KNOWN_SAFE)
            codes[cell] = rng.choice(others)
    settle(rng, codes, trust, most, lambda cell: rng.choice((NO_CLUE, KNOWN_SAFE)))
    made = question(rows, cols, codes, prior, channel, trust, rng, total=None)
    return replace(made, topology=topology)


def opened(
    rng: Random, rows: int, cols: int, mines: int, openings: int, *, cascade: bool = True
) -> Question:
    """A larger board with exact clues, some open safe cells and a known total."""
    blank = Question(tuple((CLOSED,) * cols for _ in range(rows)))
    places = list(blank.places())
    mined = set(rng.sample(places, mines))
    codes = dict.fromkeys(places, CLOSED)
    queue = rng.sample([cell for cell in places if cell not in mined], openings)
    while queue:
        cell = queue.pop()
        if codes[cell] == CLOSED:
            codes[cell] = sum(near in mined for near in blank.neighbours(cell))
            queue.extend(blank.neighbours(cell) if cascade and codes[cell] == 0 else ())
    return question(rows, cols, codes, "total", oracle.exact(), False, rng, total=mines)


def any_topology(rng: Random, rows: int, cols: int) -> str:
    """Return a topology that a board of this size can have."""
    return rng.choice([kind for kind in TOPOLOGIES if kind != "torus" or min(rows, cols) >= 3])


def draw_clue(rng: Random, channel: oracle.Channel, true: int, neighbours: int) -> int:
    chances = [float(channel.chance(seen, true, neighbours)) for seen in range(10)]
    seen = rng.choices(range(10), chances)[0]
    return NO_CLUE if seen == NOTHING else seen


def settle(
    rng: Random, codes: dict[Cell, int], trust: bool, most: int, code: Callable[[Cell], int]
) -> None:
    """Make some closed cells known, so that few enough unknown cells are left to enumerate."""
    closed = [cell for cell in codes if codes[cell] in ((CLOSED,) if trust else (CLOSED, FLAGGED))]
    rng.shuffle(closed)
    for cell in closed[most:]:
        codes[cell] = code(cell)


def question(
    rows: int,
    cols: int,
    codes: dict[Cell, int],
    prior: str,
    channel: oracle.Channel,
    trust: bool,
    rng: Random,
    *,
    total: int | None,
) -> Question:
    value: Fraction | int | None = None
    if prior == "density":
        value = Fraction(rng.choice(DENSITIES))
    elif prior == "total":
        exploded = sum(code == EXPLODED for code in codes.values())
        closed = sum(code in (CLOSED, FLAGGED) for code in codes.values())
        value = rng.randint(exploded, exploded + closed) if total is None else total
    cells = tuple(tuple(codes[r, c] for c in range(cols)) for r in range(rows))
    return Question(cells, prior, value, channel, trust)
