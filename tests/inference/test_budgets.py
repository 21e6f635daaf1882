"""Questions that exceed their budget get an estimate marked as one, or an error."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from random import Random

import numpy as np
import pytest
import questions
from engine import observation

from mineproof import (
    Budget,
    BudgetExceeded,
    Channel,
    Game,
    Observation,
    Posterior,
    Rules,
    Setup,
    Solver,
    Topology,
    infer,
)
from mineproof.position import mines_at

OPTIMISTIC = Channel.optimistic()
SCARCE = Budget(nodes=1_000, bytes=0)
SCATTERED = Rules(start="any", on_mine="continue", cascade=False)


def wide(seed: int, side: int = 13) -> Observation:
    """A board with scattered clues; optimistic ones make it a wide question."""
    cells = side * side
    board = questions.opened(Random(seed), side, side, cells // 4, cells * 3 // 10, cascade=False)
    return observation(board)


def estimate(seen: Observation, channel: Channel | None = OPTIMISTIC) -> Posterior | None:
    """The answer with a budget that is too small, if there is one."""
    with suppress(BudgetExceeded):
        return infer(seen, channel=channel, budget=SCARCE)
    return None


@pytest.mark.parametrize("count", [6, pytest.param(60, marks=pytest.mark.long)])
def test_estimates_are_marked_and_calibrated(count: int) -> None:
    deviations = []
    for seed in range(count):
        guess = estimate(wide(seed))
        assert guess is not None
        assert not guess.exact
        truth = infer(wide(seed), channel=OPTIMISTIC, require_exact=True)
        error = guess.standard_error
        assert error is not None
        assert (np.isnan(error) == np.isnan(truth.risk)).all()
        assert set(guess.safe) <= set(truth.safe)
        assert set(guess.mined) <= set(truth.mined)
        assert abs(guess.expected_mines - np.nansum(guess.risk)) < 1e-9
        rounding = 1e-12  # some cells are settled, with an error of next to nothing
        off = (guess.risk - truth.risk) / (error + rounding)
        deviations.append(float(np.sqrt(np.nanmean(off**2))))
    assert np.median(deviations) < 1.5
    assert max(deviations) < 4


@pytest.mark.parametrize("channel", [OPTIMISTIC, Channel.cautious(), Channel.lost(0.3)])
@pytest.mark.parametrize("side", [14, *(pytest.param(n, marks=pytest.mark.long) for n in (20, 40))])
def test_a_wide_question_gets_an_answer(channel: Channel, side: int) -> None:
    game = Game(
        Setup(Topology(side, side), mines_at(0.2, side * side), SCATTERED, channel), seed=side
    )
    for cell in Random(side).sample(sorted(np.ndindex(side, side)), side * side * 2 // 5):
        game.open(cell)
    posterior = infer(game.observe(), budget=SCARCE)
    assert not posterior.exact
    assert posterior.standard_error is not None
    assert np.nanmax(posterior.standard_error) < 0.1
    assert np.isnan(posterior.log10_layouts)


def test_an_estimate_has_no_layouts_to_count_or_draw() -> None:
    guess = estimate(wide(1))
    assert guess is not None
    with pytest.raises(BudgetExceeded):
        _ = guess.layouts
    with pytest.raises(BudgetExceeded):
        guess.sample(1, seed=1)
    with pytest.raises(BudgetExceeded):
        _ = guess.total_distribution


def test_an_uncertain_cell_of_an_estimate_has_an_error() -> None:
    for seed in range(6):
        guess = estimate(wide(seed, side=10))
        if guess is None or guess.exact:
            continue
        assert guess.standard_error is not None
        certain = {*guess.safe, *guess.mined}
        for cell, risk in np.ndenumerate(guess.risk):
            if not np.isnan(risk) and cell not in certain:
                assert 0 < risk < 1


def test_what_a_small_component_proves_survives_a_wide_one() -> None:
    scattered = wide(3).to_text().splitlines()[1:]
    # Far to the right, beyond a closed strip, a 1-2-1: no single clue settles it.
    corner = [".....", "?121?", "?????"] + ["....."] * 10
    rows = [left + "....." + right for left, right in zip(scattered, corner, strict=True)]
    seen = Observation.from_text("\n".join(rows))
    truth = infer(seen, require_exact=True)
    guess = infer(seen, budget=Budget(nodes=600))
    assert not guess.exact
    assert {(0, 19), (0, 21)} <= set(truth.mined) & set(guess.mined)
    assert (0, 20) in guess.safe


def test_exactness_can_be_demanded() -> None:
    with pytest.raises(BudgetExceeded):
        infer(wide(1), channel=OPTIMISTIC, budget=SCARCE, require_exact=True)
    assert infer(wide(1), channel=OPTIMISTIC, require_exact=True).exact


@pytest.mark.parametrize("nodes", [0, 1_000, 3_000, 10_000, 30_000, 100_000])
def test_what_a_solver_remembers_does_not_stretch_its_budget(nodes: int) -> None:
    for seed in range(3):
        seen = wide(seed, side=10)
        solver = Solver(budget=Budget(nodes=nodes))
        plain = infer(seen, budget=Budget(nodes=nodes))
        for _ in range(2):
            again = solver.infer(seen)
            assert again.exact == plain.exact
            assert again.risk.tobytes() == plain.risk.tobytes()


def test_nonsense_is_refused_in_a_sentence() -> None:
    posterior = infer(Observation.from_text("1.."))
    with pytest.raises(ValueError, match="layouts of 3 cells"):
        posterior.sample(2**60, seed=0)
    with pytest.raises(ValueError, match="count -1"):
        posterior.sample(-1, seed=0)
    with pytest.raises(ValueError, match="seed -1"):
        posterior.sample(1, seed=-1)
    with pytest.raises(ValueError, match="nodes 1180591620717411303424: must be a whole number"):
        Budget(nodes=2**70)


MEASURE = """
import sys
from pathlib import Path
sys.path[:0] = {path!r}
from test_budgets import Budget, BudgetExceeded, OPTIMISTIC, infer, wide
seen = wide(1, side=24)
infer(wide(1))


def peak():
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])


used = peak()
try:
    infer(seen, channel=OPTIMISTIC, budget=Budget(10**12, {limit}), require_exact=True)
except BudgetExceeded:
    print(peak() - used)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="measures memory as Linux does")
def test_counting_keeps_to_its_memory() -> None:
    limit = 2**27
    path = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "support")]
    program = MEASURE.format(path=path, limit=limit)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert limit / 4 < int(done.stdout) < limit * 1.1
