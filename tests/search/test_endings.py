"""Endings solved by the core, against exhaustive play on all layouts that fit."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from exhaustive_play import ExhaustivePlay, Layout

from mineproof import Observation, Topology, _core, infer
from mineproof.inference.posterior import core_of
from mineproof.position import Cell

MOST_CLOSED = 9
WORK = 10**7


def ending(seed: int) -> tuple[Observation, frozenset[Layout]] | None:
    """Return a position of a random board with few closed cells, and the layouts that fit."""
    random = Random(seed)
    rows, cols = random.randint(1, 5), random.randint(2, 6)
    topology = Topology(rows, cols)
    cells = [topology.cell(place) for place in range(topology.cells)]
    mines = random.randint(1, max(1, min(6, len(cells) // 2)))
    truth = frozenset(random.sample(cells, mines))
    safe = [cell for cell in cells if cell not in truth]
    closed = random.randint(0, max(0, min(MOST_CLOSED - mines, len(safe) - 1)))
    opened = safe[:0] if not safe else random.sample(safe, len(safe) - closed)
    if len(cells) - len(opened) > MOST_CLOSED:
        return None

    def clues(layout: Layout) -> list[int]:
        return [sum(near in layout for near in topology.neighbours(cell)) for cell in opened]

    shown = dict(zip(opened, map(str, clues(truth)), strict=True))
    text = "\n".join("".join(shown.get((r, c), ".") for c in range(cols)) for r in range(rows))
    left = [cell for cell in cells if cell not in shown]
    fitting = frozenset(
        layout
        for layout in map(frozenset, combinations(left, mines))
        if clues(layout) == clues(truth)
    )
    return Observation.from_text(text, mines=mines), fitting


def check(seed: int) -> int:
    """Compare one ending; return how many there were."""
    found = ending(seed)
    if found is None:
        return 0
    seen, layouts = found
    endings, complete = _core.endings(core_of(infer(seen)), 10_000, WORK)
    assert complete
    play = ExhaustivePlay(seen.topology, cascade=False)
    closed = frozenset(seen.closed_cells())
    opened = play.cells - closed
    won = play.won(layouts, opened)
    share = 1.0
    for _, fit, wins, place in endings:
        share *= wins / fit
        # Parts are independent, so the best cell of each is a best cell of all.
        cell: Cell = seen.topology.cell(place)
        assert play.won_by(layouts, opened, cell) == won, (seed, cell)
    assert abs(share * len(layouts) - won) < 1e-9, seed
    return 1


def test_endings_equal_exhaustive_play() -> None:
    assert sum(check(seed) for seed in range(120)) > 70


@pytest.mark.long
def test_thousands_of_endings_equal_exhaustive_play() -> None:
    assert sum(check(seed) for seed in range(1000, 9000)) > 4000


def test_isolated_parts_are_found() -> None:
    # Two 50/50s far apart, and nothing else.
    seen = Observation.from_text("..??..\n11??11", mines=2)
    endings, complete = _core.endings(core_of(infer(seen)), 100, WORK)
    assert complete
    assert [(isolated, layouts, won) for isolated, layouts, won, _ in endings] == [
        (True, 2, 1),
        (True, 2, 1),
    ]


def test_too_many_layouts_or_too_little_work_say_so() -> None:
    seen = Observation.from_text("1.....\n......\n......", mines=4)
    posterior = core_of(infer(seen))
    assert _core.endings(posterior, 10, WORK) == ([], False)
    assert _core.endings(posterior, 10_000, 100) == ([], False)
    assert _core.endings(posterior, 10_000, 10**9)[1]


def test_a_part_as_large_as_a_board_is_given_up() -> None:
    side = 600
    seen = Observation.from_text("\n".join(["." * side] * side), mines=side * side // 5)
    assert _core.endings(core_of(infer(seen)), 1000, WORK) == ([], False)
