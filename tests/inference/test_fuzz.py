"""Arbitrary input: only the documented errors, and never a hang."""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mineproof import (
    Budget,
    BudgetExceeded,
    Channel,
    Contradiction,
    Observation,
    Posterior,
    Prior,
    Topology,
    infer,
)
from mineproof.draw import board_svg, board_text
from mineproof.game.board import Board
from mineproof.inference.counting import decimal_digits
from mineproof.position.cells import is_open
from mineproof.position.text import decode

steady = settings(
    deadline=timedelta(seconds=5),
    suppress_health_check=[HealthCheck.too_slow],
)

grids = st.text(alphabet=".F?s*0123456789x\n\r\t \ufeff", max_size=200)
headers = st.builds("{}x{}x{}\n".format, *[st.integers(-1, 10**20)] * 3)


def read_all(content: str) -> None:
    for read in (Observation.from_text, Board.from_text):
        try:
            read(content)
        except ValueError as error:
            sentence = str(error)
            assert sentence
            assert "\n" not in sentence
            assert len(sentence) < 200


@steady
@given(st.one_of(st.text(max_size=200), grids, st.tuples(headers, grids).map("".join)))
def test_the_reader_on_any_text(content: str) -> None:
    read_all(content)


@steady
@given(st.binary(max_size=200))
def test_the_reader_on_any_bytes(data: bytes) -> None:
    with contextlib.suppress(ValueError):
        read_all(decode(data))


@steady
@given(st.integers(0, 10**80))
def test_decimal_digits(number: int) -> None:
    assert int(decimal_digits(number**20)[-50:]) == number**20 % 10**50
    assert decimal_digits(number**5) == str(number**5)


@st.composite
def observations(draw: st.DrawFn) -> Observation:
    """Any valid observation, including contradictory ones."""
    rows, cols = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    topology = Topology(rows, cols)
    codes = st.lists(st.integers(-5, 8), min_size=rows * cols, max_size=rows * cols)
    mostly_closed = st.lists(
        st.sampled_from([-1, -1, -1, -1, -1, -2, -3, -4, -5, 0, 1, 1, 2, 3]),
        min_size=rows * cols,
        max_size=rows * cols,
    )
    cells = np.array(draw(codes | mostly_closed), np.int8).reshape(rows, cols)
    cells = np.minimum(cells, topology.degrees)
    exploded = int((cells == -4).sum())
    room = int(((cells == -1) | (cells == -2)).sum())
    mines = draw(st.none() | st.integers(exploded, exploded + room))
    return Observation(topology, cells, mines=mines)


channels = st.sampled_from(
    [
        Channel.exact(),
        Channel.lost(0.3),
        Channel.lost(1),
        Channel.optimistic(),
        Channel.cautious(),
    ]
)
priors = (
    st.none()
    | st.floats(0, 1, exclude_min=True, exclude_max=True).map(Prior.density)
    | st.just(Prior.unknown())
)


@steady
@given(
    observations(),
    priors,
    channels,
    st.sampled_from(["ignore", "trust"]),
    st.sampled_from([None, 1, 100, 10_000]),
)
def test_inference_on_any_observation(
    observation: Observation, prior: Prior | None, channel: Channel, flags: Any, nodes: int | None
) -> None:
    budget = Budget() if nodes is None else Budget(nodes=nodes)
    try:
        posterior = infer(observation, prior, channel, flags=flags, budget=budget)
    except Contradiction as error:
        clash = error.clues
    except BudgetExceeded:
        return
    else:
        check_posterior(observation, posterior)
        return
    assert all(is_open(observation.code(clue)) for clue in clash)


def check_posterior(observation: Observation, posterior: Posterior) -> None:
    risk = posterior.risk
    assert (np.isnan(risk) == ~observation.closed).all()
    closed = risk[observation.closed]
    assert ((closed >= 0) & (closed <= 1)).all()
    assert all(risk[cell] == 0 for cell in posterior.safe)
    assert all(risk[cell] == 1 for cell in posterior.mined)
    if posterior.exact:
        assert posterior.layouts >= 1
        sample = posterior.sample(2, seed=1)
        assert (sample[:, observation.cells == -4]).all()
        assert not sample[:, ~observation.closed & (observation.cells != -4)].any()
    board_text(observation, posterior, width=60)
    board_svg(observation, posterior)
