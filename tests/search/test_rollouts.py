"""Rollouts estimate the chance to win, against optimal play."""

import numpy as np
import pytest

from mineproof import Observation, _core, infer
from mineproof.inference.posterior import core_of
from mineproof.search import chances_to_win

SEEN = Observation.from_text("4x4x4\n....\n.2..\n....\n....")
BOARDS = 400


def test_rollouts_agree_with_optimal_play() -> None:
    # The position has 588 layouts. After one more clue, rollouts know the exact chance.
    posterior = infer(SEEN)
    cells = [(0, 0), (0, 1), (3, 3), (1, 3)]
    places = [SEEN.topology.index(cell) for cell in cells]
    chances = _core.rollouts(core_of(posterior), places, BOARDS, 0).reshape(BOARDS, -1)
    exact = chances_to_win(posterior, [(cell,) for cell in cells], samples=1)
    for column, chance in zip(chances.T, exact, strict=True):
        assert chance.error == 0
        assert abs(column.mean() - chance.win) < 4 * column.std() / np.sqrt(BOARDS)


def test_rollouts_repeat() -> None:
    core = core_of(infer(SEEN))
    one, same, other = (_core.rollouts(core, [0, 1], 20, seed).tolist() for seed in (1, 1, 2))
    assert one == same != other


@pytest.mark.parametrize("place", [-1, 5, 16])
def test_only_closed_cells_are_tried(place: int) -> None:
    with pytest.raises(ValueError, match=f"cells: {place} cannot be opened"):
        _core.rollouts(core_of(infer(SEEN)), [place], 1, 0)
