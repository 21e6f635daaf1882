"""The text format: what is read, what is rejected, and with which messages."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from mineproof import Setup
from mineproof.formats.files import read_entries, read_positions
from mineproof.game.board import Board
from mineproof.position.cells import CellCode
from mineproof.position.model import Channel
from mineproof.position.observation import Observation
from mineproof.position.text import MAX_BYTES, MAX_CELLS, decode
from mineproof.position.topology import Topology, TopologyKind

ALL = "5x3x4\n.F?s*\n01210\n....."


def test_every_symbol() -> None:
    observation = Observation.from_text(ALL)
    assert observation.mines == 4
    assert observation.cells.tolist() == [
        [-1, -2, -3, -5, -4],
        [0, 1, 2, 1, 0],
        [-1, -1, -1, -1, -1],
    ]
    assert Observation.to_text(observation) == ALL


def test_large_clues() -> None:
    text = ".....\n.678.\n.345.\n....."
    assert Observation.from_text(text).to_text() == text


def test_arguments_override_the_header() -> None:
    observation = Observation.from_text("3x1x1\n.1.", mines=2, channel=Channel.optimistic())
    assert (observation.mines, observation.channel) == (2, Channel.optimistic())
    assert Observation.from_text(".1.").mines is None


@pytest.mark.parametrize(
    "text",
    [
        "3x2x1\r\n.1.\r\n111\r\n",
        "3x2x1\r.1.\r111\r",
        "\ufeff3x2x1\n.1.\n111",
        "\n\n3x2x1\n\n.1.\n111\n\n\n",
        "3x2x1  \n.1. \n111\t\n \n",
    ],
)
def test_what_is_tolerated(text: str) -> None:
    assert Observation.from_text(text) == Observation.from_text("3x2x1\n.1.\n111")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "no cells: the text is empty"),
        (" \r\n\t\n", "no cells: the text is empty"),
        ("3x2x1\n\n", "no cells: only a header"),
        ("...\n....\n...", "row 1: 4 cells, expected 3"),
        ("...\n\n...", "row 1: 0 cells, expected 3"),
        ("...\n.", "row 1: 1 cell, expected 3"),
        ("..\n.#", "(1, 1): unknown character '#'"),
        ("..\n.9", "(1, 1): unknown character '9'"),
        ("..\n.f", "(1, 1): unknown character 'f'"),
        ("..\n.é", "(1, 1): unknown character '\\xe9'"),
        ("..\n.\u2028", "(1, 1): unknown character '\\u2028'"),
        ("..\n.\x00", "(1, 1): unknown character '\\x00'"),
        ("3x2x1\n....\n....", "row 0: 4 cells, expected 3"),
        ("3x2x1\n...", "header: 2 rows, but the grid has 1"),
        ("3x2\n...\n...", "header: '3x2' is not COLSxROWSxMINES, as in 30x16x99"),
        ("3x2x-1\n...\n...", "header: '3x2x-1' is not COLSxROWSxMINES, as in 30x16x99"),
        ("3x2x\n...\n...", "header: '3x2x' is not COLSxROWSxMINES, as in 30x16x99"),
        (
            "٣x٢x١\n...\n...",
            "header: '\\u0663x\\u0662x\\u0661' is not COLSxROWSxMINES, as in 30x16x99",
        ),
        ("0x2x0\n..\n..", "header: '0x2x0' has no cells"),
        ("3x2x7\n...\n...", "header: 7 mines in 6 cells"),
        ("3000x3000x5\n...", "header: '3000x3000x5' is more than 4,000,000 cells"),
        (
            "1x1x99999999999999999999\n.",
            "header: '1x1x99999999999999999999' is more than 4,000,000 cells",
        ),
        ("3x1x3\n.1.", "3 mines, but room for only 2"),
        ("3x1x0\n*1.", "0 mines, but 1 exploded"),
        ("3x1x2\ns1.", "2 mines, but room for only 1"),
        ("...\n.6.", "(1, 1): clue 6, but the cell has 5 neighbours"),
        ("4..\n...", "(0, 0): clue 4, but the cell has 3 neighbours"),
    ],
)
def test_what_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        Observation.from_text(text)
    assert str(caught.value) == sentence


def test_header_of_many_digits() -> None:
    with pytest.raises(ValueError, match=r"^header: '1{37}\.\.\.' is more than 4,000,000 cells$"):
        Observation.from_text("1" * 5000 + "x1x1\n.")


def test_huge_grids_are_refused() -> None:
    with pytest.raises(
        ValueError, match="4,001 rows of 1,000 cells: at most 4,000,000 cells in all"
    ):
        Observation.from_text("\n".join(["." * 1000] * 4001))
    with pytest.raises(ValueError, match="longer than 16,000,000 characters"):
        Observation.from_text("." * (MAX_BYTES + 1))
    assert Observation.from_text("\n".join(["." * 2000] * 2000)).cells.size == MAX_CELLS


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"..\x00.", "the input is binary, not text: byte 2 is NUL"),
        (b"..\xff.", "the input is not UTF-8 text: see byte 2"),
        (b"." * (MAX_BYTES + 1), "the input is larger than 16,000,000 bytes"),
    ],
)
def test_bytes_that_are_not_text(data: bytes, sentence: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        decode(data)
    assert str(caught.value) == sentence


def test_bytes_with_a_byte_order_mark() -> None:
    assert decode(b"\xef\xbb\xbf.1.") == ".1."


def test_random_observations_round_trip() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        rows, cols = (int(size) for size in rng.integers(3, 20, 2))
        cells = rng.integers(-5, 4, (rows, cols), dtype=np.int8)
        observation = Observation(Topology(rows, cols), cells)
        assert Observation.from_text(observation.to_text()) == observation


@pytest.mark.parametrize(
    ("cells", "mines", "header"),
    [
        ([[-4, -4]], 2, "2x1x2 position"),
        ([[-4, -1, 1]], 1, "3x1x1 position"),
        ([[-4, -1]], None, "2x1 position"),
        ([[-1, -1]], 0, "2x1x0 position"),
        ([[-1, -1]], None, "2x1 position"),
        ([[-4, -1]], 2, "2x1x2"),
        ([[-1, -1]], 1, "2x1x1"),
        ([[-4, -5]], 1, "2x1x1"),
    ],
)
def test_a_position_that_looks_like_a_board_says_that_it_is_none(
    cells: list[list[int]], mines: int | None, header: str
) -> None:
    seen = Observation(Topology(1, len(cells[0])), np.array(cells), mines)
    text = seen.to_text()
    assert text.partition("\n")[0] == header
    assert read_entries(text) == [seen]
    if "position" in header:
        with pytest.raises(ValueError, match=r"^header: a position, not a board$"):
            Board.from_text(text)


@pytest.mark.parametrize("kind", ["square", "torus", "hex"])
@given(
    arrays(np.int8, st.tuples(st.integers(3, 5), st.integers(3, 5)), elements=st.integers(-6, 3)),
    st.booleans(),
)
def test_every_position_is_read_as_itself(
    kind: TopologyKind, cells: NDArray[np.int8], told: bool
) -> None:
    topology = Topology(cells.shape[0], cells.shape[1], kind)
    least = int(np.count_nonzero(cells == CellCode.EXPLODED.value))
    seen = Observation(topology, np.minimum(cells, topology.degrees), least if told else None)
    assert read_entries(seen.to_text()) == read_positions(seen.to_text()) == [seen]


@pytest.mark.parametrize(
    ("row", "place"),
    [
        ("1x.", 1),
        ("1x", 1),
        ("2xs", 1),
        (".x.", 1),
        ("x.1", 0),
        ("F1x", 2),
        (" . X", 1),
        ("*x1", 1),
    ],
)
def test_a_typo_in_the_first_row_is_named_where_it_is(row: str, place: int) -> None:
    with pytest.raises(ValueError, match=rf"^\(0, {place}\): unknown character '[xX]'$"):
        Observation.from_text(f"{row}\n...")


def test_boards() -> None:
    text = "3x2x2\n*..\n..*"
    board = Board.from_text(text)
    assert board == Board.from_cells(2, 3, [(0, 0), (1, 2)])
    assert Board.to_text(board) == Board.from_text("*21\n12*").to_text() == text
    for seed in range(10):
        board = Board.random(Setup(Topology(7, 9), 12), seed=seed)
        assert Board.from_text(board.to_text()) == board


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("3x2x1\n*..\n..*", "header: 1 mine, but the grid has 2"),
        ("*F.", "(0, 1): unknown character 'F'"),
        ("*1.\n12.", "(1, 1): count 2, but 1 mine around"),
        ("*..\n..", "row 1: 2 cells, expected 3"),
    ],
)
def test_boards_that_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        Board.from_text(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    "text", [". 1 .\n1 1 1", " .1.\n\t1\t11", "3 x 2 x 1\n.1.\n111", " . 1.\n 111 "]
)
def test_spaces_between_cells(text: str) -> None:
    if " x " in text:
        with pytest.raises(ValueError, match="header"):
            Observation.from_text(text)
    else:
        assert Observation.from_text(text).to_text() == ".1.\n111"


def test_the_place_of_an_error_counts_cells_not_spaces() -> None:
    with pytest.raises(ValueError, match=r"^\(0, 2\): unknown character 'y'$"):
        Observation.from_text(". .\ty")
