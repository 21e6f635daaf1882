"""Solvers that follow a game, and many observations at once, against fresh inference."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof import (
    Board,
    Budget,
    CellCode,
    Channel,
    Contradiction,
    Game,
    Observation,
    Prior,
    Rules,
    Setup,
    Solver,
    Topology,
)
from mineproof.inference import fits, infer, infer_many
from mineproof.position.topology import TOPOLOGIES

CHANNELS = ("exact", "lost:0.3", "late:0.5", "optimistic", "cautious")


def seen_in_a_game(draw: st.DrawFn) -> list[Observation]:
    """Return what is seen while random cells of a random board are opened and flagged."""
    topology = draw(st.sampled_from(TOPOLOGIES))
    least = 3 if topology == "torus" else 1
    rows, cols = draw(st.integers(least, 7)), draw(st.integers(max(least, 2), 8))
    mines = draw(st.integers(0, rows * cols // 3))
    seed = draw(st.integers(0, 999))
    board = Board.random(Setup(Topology(rows, cols, topology), mines, Rules("any")), seed=seed)
    rules = Rules(start="any", on_mine="continue")
    channel = Channel.parse(draw(st.sampled_from(CHANNELS)))
    game = Game.on(board, rules, channel=channel, seed=draw(st.integers(0, 99)))
    seen = [game.observe()]
    for place in draw(st.lists(st.integers(0, rows * cols - 1), max_size=15)):
        cell = divmod(place, cols)
        if game.outcome is None and game.code(cell) == CellCode.CLOSED:
            (game.open if draw(st.integers(0, 4)) else game.flag)(cell)
            seen.append(game.observe())
    return seen


games = st.composite(seen_in_a_game)()


@settings(max_examples=60, deadline=None)
@given(seen=games, flags=st.sampled_from(["ignore", "trust"]))
def test_a_solver_that_moves_on_and_back_answers_like_fresh_inference(
    seen: list[Observation], flags: Literal["ignore", "trust"]
) -> None:
    solver = Solver(flags=flags)
    asked = [*seen, *seen[::-2], *seen]
    for observation in asked:
        if not fits(observation, flags=flags):
            # A wrong flag was trusted.
            with pytest.raises(Contradiction):
                infer(observation, flags=flags)
            with pytest.raises(Contradiction):
                solver.infer(observation)
            continue
        fresh = infer(observation, flags=flags)
        moved = solver.infer(observation)
        np.testing.assert_array_equal(moved.risk, fresh.risk)
        assert (moved.safe, moved.mined) == (fresh.safe, fresh.mined)
        assert (moved.layouts, moved.effort) == (fresh.layouts, fresh.effort)
        np.testing.assert_array_equal(moved.all_clue_chances(), fresh.all_clue_chances())
        np.testing.assert_array_equal(moved.sample(3, seed=1), fresh.sample(3, seed=1))


@settings(max_examples=25, deadline=None)
@given(seen=games, threads=st.integers(1, 3))
def test_many_observations_at_once_are_answered_like_one_by_one(
    seen: list[Observation], threads: int
) -> None:
    channel = seen[0].channel
    many = infer_many(
        np.stack([one.cells for one in seen]),
        channel=channel,
        mines=[one.mines or 0 for one in seen],
        threads=threads,
        topology=seen[0].topology.kind,
    )
    assert many.exact.all()
    assert many.fits.all()
    for observation, risk in zip(seen, many.risk, strict=True):
        np.testing.assert_array_equal(risk, infer(observation).risk)


def test_what_does_not_fit_has_no_risks_and_does_not_disturb_the_others() -> None:
    cells = np.array([[[1, -1, -1]], [[2, -1, -1]], [[0, -1, -1]]])
    many = infer_many(cells, Prior.density(0.25), threads=2)
    assert many.fits.tolist() == [True, False, True]
    assert np.isnan(many.risk[1]).all()
    assert many.risk[0, 0, 1:].tolist() == [1, 0.25]
    assert infer_many(cells[:0]).risk.shape == (0, 1, 3)


def test_a_question_too_wide_for_its_budget_is_estimated_among_others() -> None:
    ladder = np.full((2, 2, 13), -1)
    ladder[0, 0, 1::2] = 2
    many = infer_many(ladder, budget=Budget(nodes=20))
    assert many.exact.tolist() == [False, True]
    assert many.fits.all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cells": [[1, 2]]}, "cells"),
        ({"cells": [[[0.5]]]}, "cells"),
        ({"cells": [[[300]]]}, "code"),
        ({"cells": [[[-1]]], "mines": [1, 2]}, "mines"),
        ({"cells": [[[-1]]], "mines": 1, "prior": Prior.unknown()}, "mines"),
        ({"cells": [[[-1]]], "mines": -1}, "mines"),
        ({"cells": [[[-1]]], "threads": 0}, "threads"),
    ],
)
def test_wrong_stacks_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        infer_many(**arguments)  # type: ignore[arg-type]
