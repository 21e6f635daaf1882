from pickle import dumps, loads

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from mineproof import Channel, Game, Prior, Setup, agents, play
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


def lying(chance: float) -> NDArray[np.float64]:
    """Return a table that adds one to a clue with this chance."""
    weights = np.zeros((9, 9, 10))
    for neighbours in range(9):
        for true in range(neighbours + 1):
            weights[neighbours, true, true] += 1 - chance
            weights[neighbours, true, min(true + 1, neighbours)] += chance
    return weights


@given(st.floats(0, 1), st.floats(0, 1))
def test_tables_of_one_name_differ_in_records_if_they_differ(one: float, other: float) -> None:
    for name in ("table", "own"):
        first, second = (Channel.table(lying(chance), name) for chance in (one, other))
        assert (first.name == second.name) == (first == second)
        assert first.name == Channel.table(lying(one), name).name == loads(dumps(first)).name


def test_a_table_is_recorded_under_its_own_name() -> None:
    recorded = set()
    for chance in (0.1, 0.2):
        game = Game(Setup.level("easy", channel=Channel.table(lying(chance))), seed=1)
        recorded.add(play(game, agents.get("random"), seed=1).channel)
    assert len(recorded) == 2
    assert all(name.startswith("table:") for name in recorded)


@given(st.floats(0, 1), st.sampled_from(["table", "off by one", "é"]))
def test_any_table_is_read_back(chance: float, name: str) -> None:
    channel = Channel.table(lying(chance), name)
    again = Channel.parse(channel.to_text())
    assert again == channel
    assert again.name == channel.name
    assert again.to_text() == channel.to_text()


@pytest.mark.parametrize("channel", CHANNELS, ids=lambda channel: channel.name)
def test_channels_that_have_a_name_are_written_by_it(channel: Channel) -> None:
    assert channel.to_text() == channel.name
    assert Channel.parse(Channel.table(channel.weights).to_text()).weights.tobytes() == (
        channel.weights.tobytes()
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("table:1", "table:", "0 neighbours, true count 0: chances sum to 0, expected 1"),
        ("table:1", "table:x", "0 neighbours, true count 0: chance 'x': must be a number"),
        ("table:1", "table:nan", "0 neighbours, true count 0: a chance is negative or not"),
        ("table:1,", "table:1", "0 neighbours, true count 0: 1 chance, expected 2"),
        ("table:1,/", "table:", "44 rows, expected 45"),
    ],
)
def test_damaged_tables_are_refused(old: str, new: str, message: str) -> None:
    text = Channel.table(Channel.exact().weights).to_text()
    assert text.startswith("table:1,/1,,/,1,/")
    with pytest.raises(ValueError, match=f"^channel table: {message}"):
        Channel.parse(text.replace(old, new, 1))


@pytest.mark.parametrize("name", ["", " own", "a:b", "a\nb", "exact", "lost", "late"])
def test_names_that_a_table_cannot_have(name: str) -> None:
    with pytest.raises(ValueError, match=r"^name .*: must be printable, without ':', and not"):
        Channel.table(Channel.exact().weights, name)


def test_a_zero_has_no_sign() -> None:
    weights = Channel.exact().weights.copy()
    weights[3, 1, 2] = -0.0
    signed = Channel.table(weights)
    assert signed == Channel.exact()
    assert hash(signed) == hash(Channel.exact())
    assert signed.name == Channel.table(Channel.exact().weights).name


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
