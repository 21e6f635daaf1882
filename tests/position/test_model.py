from pickle import dumps, loads

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof import Channel, Prior
from mineproof.position.model import NOTHING

CHANNELS = [
    Channel.exact(),
    Channel.lost(0.3),
    Channel.lost(1),
    Channel.optimistic(),
    Channel.cautious(),
]


@pytest.mark.parametrize("channel", CHANNELS, ids=lambda channel: channel.name)
def test_rows_are_distributions(channel: Channel) -> None:
    for neighbours in range(9):
        for true in range(9):
            row = channel.weights[neighbours, true]
            assert row.sum() == pytest.approx(float(true <= neighbours))
            assert not row[neighbours + 1 : NOTHING].any()


def test_what_channels_show() -> None:
    assert Channel.exact().likelihood(2, true=2, neighbours=5) == 1
    assert Channel.lost(0.3).likelihood(None, true=2, neighbours=5) == 0.3
    assert Channel.optimistic().likelihood(0, true=2, neighbours=5) == 1 / 3
    assert Channel.optimistic().likelihood(3, true=2, neighbours=5) == 0
    assert Channel.cautious().likelihood(5, true=2, neighbours=5) == 1 / 4
    assert Channel.cautious().likelihood(1, true=2, neighbours=5) == 0


@pytest.mark.parametrize("channel", CHANNELS, ids=lambda channel: channel.name)
def test_a_name_is_read_back(channel: Channel) -> None:
    assert Channel.parse(channel.name) == channel
    assert Channel.parse(channel.name).name == channel.name


@given(st.floats(0, 1))
def test_any_lost_chance_is_read_back(p: float) -> None:
    assert Channel.parse(Channel.lost(p).name) == Channel.lost(p)


@pytest.mark.parametrize("text", ["", "lost", "lost:", "lost:2", "lost:nan", "exact:1", "noisy"])
def test_unknown_channels(text: str) -> None:
    with pytest.raises(ValueError, match=f"channel {text!r}: must be exact, lost:P"):
        Channel.parse(text)


def test_channels_are_their_tables() -> None:
    table = Channel.table(Channel.exact().weights, name="mine")
    assert table == Channel.exact()
    assert hash(table) == hash(Channel.exact())
    assert table.is_exact
    assert Channel.lost(0).is_exact
    assert not Channel.lost(0.1).is_exact
    assert loads(dumps(Channel.lost(0.1))) == Channel.lost(0.1)


def test_tables_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="WRITEABLE"):
        Channel.exact().weights.flags.writeable = True


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        ((5, 2, 2), 0.5, "5 neighbours, true count 2: chances sum to 0.5, expected 1"),
        ((5, 2, 2), -1.0, "5 neighbours, true count 2: a chance is negative or not a number"),
        ((5, 2, 2), np.nan, "5 neighbours, true count 2: a chance is negative or not a number"),
        (
            (5, 2, 7),
            0.5,
            "5 neighbours, true count 2: shows a clue larger than the number of neighbours",
        ),
        ((5, 6, 2), 0.5, "5 neighbours, true count 6: chances sum to 0.5, expected 0"),
    ],
)
def test_wrong_tables(place: tuple[int, int, int], value: float, message: str) -> None:
    weights = Channel.exact().weights.copy()
    weights[place] = value
    with pytest.raises(ValueError, match=f"channel table: {message}"):
        Channel.table(weights)


def test_wrong_shape() -> None:
    with pytest.raises(ValueError, match=r"shape \(2, 2\), expected \(9, 9, 10\)"):
        Channel.table(np.eye(2))


@pytest.mark.parametrize(
    ("kind", "value"),
    [("total", -1), ("density", 1.5), ("unknown", 3), ("other", None)],
)
def test_wrong_priors(kind: str, value: float | None) -> None:
    with pytest.raises(ValueError, match=kind):
        Prior(kind, value)  # type: ignore[arg-type]
