"""An estimate is sound or refused: its errors are as large as it says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from mineproof import (
    Budget,
    BudgetExceeded,
    Channel,
    Game,
    Observation,
    Posterior,
    Prior,
    Rules,
    Setup,
    Topology,
    _core,
    infer,
)
from mineproof.position import mines_at
from mineproof.position.cells import CellCode

NOTHING = Budget(nodes=0, bytes=0)
"""Without memory nothing is counted, so that every risk must be estimated."""

SCATTERED = Rules(start="any", on_mine="continue", cascade=False)
CHANNELS = (Channel.exact(), Channel.optimistic(), Channel.cautious(), Channel.lost(0.3))


def scattered(
    side: int, seed: int, channel: Channel, share: float = 0.4, density: float = 0.2
) -> Observation:
    """Return a board with this share of cells opened at random."""
    game = Game(
        Setup(Topology(side, side), mines_at(density, side * side), SCATTERED, channel), seed=seed
    )
    cells = sorted(np.ndindex(side, side))
    for cell in Random(seed).sample(cells, int(side * side * share)):
        game.open(cell)
    return game.observe()


def estimate(seen: Observation, prior: Prior | None = None) -> Posterior | None:
    with suppress(BudgetExceeded):
        return infer(seen, prior, budget=NOTHING)
    return None


def deviations(guess: Posterior, truth: Posterior) -> NDArray[np.float64]:
    """Return how many standard errors each uncertain risk is off; check the certain ones."""
    assert guess.standard_error is not None
    assert set(guess.safe) <= set(truth.safe)
    assert set(guess.mined) <= set(truth.mined)
    uncertain = ~np.isnan(truth.risk)
    for cell in (*guess.safe, *guess.mined):
        uncertain[cell] = False
    error = guess.standard_error[uncertain]
    assert (error > 0).all()
    off = (guess.risk - truth.risk)[uncertain]
    return np.asarray(off[np.abs(off) > 1e-9] / error[np.abs(off) > 1e-9])


@pytest.mark.parametrize("count", [8, pytest.param(300, marks=pytest.mark.long)])
def test_the_tails_match_students_t(count: int) -> None:
    """Ten walks give a standard error of nine degrees of freedom."""
    found = []
    refused = 0
    for seed in range(count):
        seen = scattered(
            12, seed, CHANNELS[seed % 4], (0.2, 0.3, 0.4, 0.5)[seed // 4 % 4], 0.15 + seed % 3 / 20
        )
        prior = (None, Prior.density(0.2), Prior.unknown())[seed // 2 % 3]
        guess = estimate(seen, prior)
        if guess is None:
            refused += 1
        elif not guess.exact:
            found.append(deviations(guess, infer(seen, prior, require_exact=True)))
    off = np.abs(np.concatenate(found))
    assert refused <= count // 50
    # The cells of a board are not independent, so a few boards vary more than many.
    slack = 1 if count > 100 else 3
    assert (off > 2).mean() <= 0.0766 * slack
    assert (off > 3).mean() <= 0.0150 * slack
    assert (off > 5).mean() <= 0.00074 * slack
    assert off.max() < 9


@pytest.mark.parametrize("length", [20, 32, 62, 83])
def test_walks_cross_between_the_two_layouts_of_a_row(length: int) -> None:
    """Between the layouts of a row of ones lie all of its cells."""
    seen = Observation.from_text("." * length + "\n" + "1" * length)
    truth = infer(seen, Prior.density(0.001), require_exact=True)
    for budget in (NOTHING, Budget(nodes=0)):
        guess = infer(seen, Prior.density(0.001), budget=budget)
        assert not guess.exact
        assert np.abs(deviations(guess, truth)).max(initial=0.0) < 5


def almost_exact(chance: float) -> Channel:
    """Return a channel that shows a wrong clue with this chance."""
    weights = np.zeros((9, 9, 10))
    for neighbours in range(9):
        for true in range(neighbours + 1):
            weights[neighbours, true, : neighbours + 1] = chance / max(neighbours, 1)
            weights[neighbours, true, true] = 1 - chance if neighbours else 1
    return Channel.table(weights)


def joined(side: int, length: int, seed: int, channel: Channel) -> Observation:
    """Return a scattered board with a row of ones attached to its right side."""
    patch = scattered(side, seed, channel)
    cells = np.full((side, side + length), CellCode.KNOWN_SAFE, np.int8)
    cells[:, :side] = patch.cells
    cells[side // 2, side:] = -1
    cells[side // 2 + 1, side:] = 1
    return Observation(Topology(*cells.shape), cells, channel=channel)


@pytest.mark.parametrize("chance", [0.02, 1e-3, 1e-6])
@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.long) for n in (0, 2))])
def test_walks_cross_in_a_row_joined_to_a_wide_patch(chance: float, seed: int) -> None:
    seen = joined(10, 32, seed, almost_exact(chance))
    prior = Prior.density(0.2)
    truth = infer(seen, prior, require_exact=True)
    guess = infer(seen, prior, budget=NOTHING)
    assert np.abs(deviations(guess, truth)).max() < 6


def row_by_parts(seen: Observation, side: int, density: float) -> NDArray[np.float64]:
    """Return the risks of a row joined to a patch, without joining them; clues are optimistic.

    Only a few cells of the patch touch the clues of the row. Their joint distribution comes from
    the patch alone. The row is then counted given each of their layouts.
    """
    middle, length = side // 2, seen.topology.cols - side
    patch = seen.cells.copy()
    patch[middle, side + 1 :] = patch[middle + 1, side:] = CellCode.KNOWN_SAFE
    touching = [(row, side - 1) for row in range(middle, middle + 3)]
    known = sum(int(patch[cell] == CellCode.EXPLODED) for cell in touching)
    border = [cell for cell in touching if patch[cell] == CellCode.CLOSED] + [(middle, side)]

    def layouts(
        cells: NDArray[np.int8], chosen: tuple[int, ...]
    ) -> Iterator[tuple[int, int, float]]:
        """Yield the mines that touch the row's first clue, its first cell, and their chance."""
        if len(chosen) == len(border):
            yield known + sum(chosen[:-1]), chosen[-1], 1.0
            return
        cell = border[len(chosen)]
        part = Observation(seen.topology, cells, channel=seen.channel)
        risk = float(infer(part, Prior.density(density)).risk[cell])
        for mine, chance in ((0, 1 - risk), (1, risk)):
            if chance > 1e-6:
                cells = cells.copy()
                cells[cell] = CellCode.EXPLODED if mine else CellCode.KNOWN_SAFE
                for near, first, rest in layouts(cells, (*chosen, mine)):
                    yield near, first, chance * rest

    def weight(near: int, first: int, at: int = -1) -> float:
        """Return the weight of all layouts of the row, or of those with a mine at this cell."""
        states = {(near, first): float(at != 0 or first)}
        for col in range(1, length + 1):
            following: dict[tuple[int, int], float] = {}
            for (before, here), so_far in states.items():
                for mine in (0, 1) if col < length else (0,):
                    around = before + here + mine
                    chance = 1.0 if col == length else density if mine else 1 - density
                    if around and (at != col or mine):
                        key = here, mine
                        more = so_far * chance / (around + 1)  # a 1 is one of `around` + 1 clues
                        following[key] = following.get(key, 0.0) + more
            states = following
        return sum(states.values())

    total, mined = 0.0, np.zeros(length)
    for near, first, chance in layouts(patch, ()):
        total += chance * weight(near, first)
        mined += [chance * weight(near, first, at) for at in range(length)]
    return mined / total


@pytest.mark.parametrize(
    ("side", "length", "seed", "density"),
    [
        (8, 12, 1, 0.05),
        (8, 12, 2, 0.05),
        *(
            pytest.param(24, length, 24, density, marks=pytest.mark.long)
            for length, density in ((20, 0.01), (62, 0.2))
        ),
    ],
)
def test_a_row_joined_to_a_patch_that_cannot_be_counted(
    side: int, length: int, seed: int, density: float
) -> None:
    """The patch is estimated with the default budget; alone, it has no row to be stuck in."""
    seen = joined(side, length, seed, Channel.optimistic())
    found = infer(seen, Prior.density(density))
    truth = row_by_parts(seen, side, density)
    off = np.abs(found.risk[side // 2, side:] - truth)
    assert found.exact == (side == 8)
    assert off.max() < (1e-12 if found.exact else 0.02)


def test_stuck_walks_are_refused() -> None:
    """Rows of clues between closed rows leave four layouts, which differ in many cells."""
    mined = np.zeros((11, 30), np.bool_)
    mined[::2] = np.random.default_rng(2).random((6, 30)) < 0.35
    cells = _core.true_counts(_core.Topology.rectangle(11, 30), mined.ravel()).reshape(11, 30)
    cells[::2] = -1
    seen = Observation(Topology(11, 30), cells)
    truth = infer(seen, Prior.density(0.3), require_exact=True)
    assert truth.layouts == 4
    guess = estimate(seen, Prior.density(0.3))
    assert guess is None or np.abs(deviations(guess, truth)).max() < 6


def test_an_estimate_depends_only_on_the_part_that_is_estimated() -> None:
    """Far cells change the risks of the patch in no digit, and cost next to nothing."""
    channel = Channel.optimistic()
    patch = scattered(20, 20, channel)
    prior = Prior.density(0.2)
    answers = []
    for side in (21, 1000):
        cells = np.full((side, side), CellCode.KNOWN_SAFE, np.int8)
        cells[:20, :20] = patch.cells
        cells[500:, 500:] = -1
        seen = Observation(Topology(side, side), cells, channel=channel)
        guess = infer(seen, prior, budget=Budget(nodes=0))
        assert not guess.exact
        assert guess.standard_error is not None
        answers.append((guess.risk[:20, :20].tobytes(), guess.standard_error[:20, :20].tobytes()))
    assert answers[0] == answers[1]


def test_a_patch_too_large_for_any_estimate_is_refused_at_once() -> None:
    seen = scattered(110, 1, Channel.optimistic())
    with pytest.raises(BudgetExceeded, match="too large to estimate"):
        infer(seen, budget=Budget(nodes=0))


def test_a_clash_with_the_total_is_found_in_an_estimate() -> None:
    seen = scattered(20, 20, Channel.optimistic())
    with pytest.raises(ValueError, match="no layout fits the mine total"):
        infer(seen, Prior.total(399), budget=Budget(nodes=0))
