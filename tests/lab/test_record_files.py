"""Files of records: what is written is read again, and nothing damaged passes for whole."""

from __future__ import annotations

from dataclasses import fields, replace

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_records import CODE, TASK, data, record

from mineproof import GameRecord
from mineproof.lab.record_files import SHARED, Holding, encode

_VALUES = {
    "str": st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    "int": st.integers(-(2**63), 2**63 - 1),
    "int | None": st.none() | st.integers(0, 100),
    "float": st.floats(allow_nan=False),
    "bool": st.booleans(),
}
RECORDS = st.builds(
    GameRecord,
    **{
        field.name: st.integers(0, 2**64 - 1)
        if field.name.endswith("seed")
        else _VALUES[str(field.type)]
        for field in fields(GameRecord)
        if field.name != "moves"
    },
    moves=st.just(()),
)


@given(st.lists(RECORDS, min_size=1, max_size=5))
def test_what_is_written_is_read(games: list[GameRecord]) -> None:
    shared = {name: getattr(games[0], name) for name in SHARED}
    records = [replace(game, **shared) for game in games]
    task = replace(TASK, games=len(records))
    file = encode(task, CODE, records)
    columns = [field.name for field in fields(GameRecord) if field.name != "moves"]
    rows = pl.read_parquet(file).to_dicts()
    assert rows == [
        {name: getattr(record, name) for name in columns} | {"code": CODE} for record in records
    ]
    assert Holding.read(file) == Holding(task.description, CODE, len(file))


def test_the_columns_of_a_probe_come_last() -> None:
    extra = pl.DataFrame({"risks": [[0.1], []]})
    file = encode(TASK, CODE, [record()] * 2, extra)
    assert pl.read_parquet(file)["risks"].to_list() == [[0.1], []]
    assert Holding.read(file) is not None


def test_a_file_holds_all_games_of_its_task() -> None:
    with pytest.raises(ValueError, match="1 record of 2 games"):
        encode(TASK, CODE, [record()])


def test_no_flipped_bit_passes() -> None:
    whole = data()
    for place in range(len(whole)):
        for bit in range(8):
            damaged = bytearray(whole)
            damaged[place] ^= 1 << bit
            assert Holding.read(bytes(damaged)) is None, (place, bit)


def test_no_part_passes() -> None:
    whole = data()
    for length in range(len(whole)):
        assert Holding.read(whole[:length]) is None, length
        assert Holding.read(whole[length:]) is None or length == 0, length
    assert Holding.read(whole + b"\0") is None
    assert Holding.read(whole + whole) is None


@given(st.binary(max_size=300) | st.binary(max_size=300).map(lambda tail: b"sha256:" + tail))
def test_no_noise_passes(noise: bytes) -> None:
    assert Holding.read(noise) is None
