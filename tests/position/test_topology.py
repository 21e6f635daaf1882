from pickle import dumps, loads
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import touching

from mineproof import Topology
from mineproof.position import topology
from mineproof.position.topology import TOPOLOGIES, TopologyKind, plain_cell

sides = st.integers(1, 8)


@given(sides, sides)
def test_neighbours_are_the_cells_one_step_away(rows: int, cols: int) -> None:
    topology = Topology(rows, cols)
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    assert topology.cells == len(cells)
    for index, (row, col) in enumerate(cells):
        expected = tuple(
            other
            for other in cells
            if other != (row, col) and max(abs(other[0] - row), abs(other[1] - col)) == 1
        )
        assert topology.neighbours((row, col)) == expected
        assert topology.degrees[row, col] == len(expected)
        assert topology.index((row, col)) == index
        assert topology.cell(index) == (row, col)


@given(st.sampled_from(["torus", "hex"]), st.integers(3, 8), st.integers(3, 8))
def test_neighbours_are_the_cells_that_touch(kind: TopologyKind, rows: int, cols: int) -> None:
    topology = Topology(rows, cols, kind)
    for cell, expected in touching(kind, rows, cols).items():
        assert topology.neighbours(cell) == tuple(expected)
        assert topology.degrees[cell] == len(expected)
    assert topology.degrees.max() == (8 if kind == "torus" else 6)


def test_a_torus_has_no_neighbour_twice() -> None:
    for rows, cols in ((2, 3), (3, 2), (1, 9), (9, 1)):
        with pytest.raises(ValueError, match="a torus needs at least 3 rows"):
            Topology(rows, cols, "torus")
    smallest = Topology(3, 3, "torus")
    assert smallest.neighbours((0, 0)) == tuple(map(smallest.cell, range(1, 9)))


def test_a_row_of_hexagons() -> None:
    assert Topology(1, 3, "hex").neighbours((0, 1)) == ((0, 0), (0, 2))
    assert Topology(3, 1, "hex").neighbours((1, 0)) == ((0, 0), (2, 0))


def test_topologies_are_values() -> None:
    kinds = [Topology(3, 4, kind) for kind in TOPOLOGIES]
    assert len(set(kinds)) == 3
    assert loads(dumps(kinds)) == kinds
    assert list(map(str, kinds)) == ["3x4", "3x4 torus", "3x4 hex"]
    assert Topology(3, 4) == Topology(3, 4)
    assert hash(Topology(3, 4)) == hash(Topology(3, 4))
    assert Topology(3, 4) != Topology(4, 3)


@pytest.mark.parametrize("cell", [(-1, 0), (0, -1), (3, 0), (0, 4)])
def test_a_cell_beyond_the_board_is_named(cell: tuple[int, int]) -> None:
    row, col = cell
    with pytest.raises(ValueError, match=rf"\({row}, {col}\): the board has 3 rows and 4"):
        Topology(3, 4).index(cell)


def test_an_index_beyond_the_board_is_named() -> None:
    with pytest.raises(ValueError, match="place 12"):
        Topology(3, 4).cell(12)


@pytest.mark.parametrize("cell", [[1, 2], np.array([1, 2]), (np.int8(1), np.int64(2))])
def test_what_a_cell_may_be(cell: Any) -> None:
    row, col = plain_cell(cell)
    assert (row, col, type(row), type(col)) == (1, 2, int, int)
    assert Topology(3, 4).index(cell) == 6


def test_one_of_a_kind() -> None:
    with pytest.raises(ValueError, match=r"\(1, 0\): the board has 1 row and 1 column$"):
        Topology(1, 1).index((1, 0))


@pytest.mark.parametrize(("rows", "cols"), [(0, 5), (5, 0), (-1, 2)])
def test_a_board_needs_a_cell(rows: int, cols: int) -> None:
    with pytest.raises(ValueError, match="must be a whole number from 1"):
        Topology(rows, cols)


def test_degrees_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Topology(3, 4).degrees[0, 0] = np.int8(0)


def test_degrees_cannot_be_made_writeable() -> None:
    """They are shared by all boards of the same size."""
    degrees = Topology(3, 4).degrees
    with pytest.raises(ValueError, match="WRITEABLE"):
        degrees.flags.writeable = True
    assert degrees.tolist() == [[3, 5, 5, 3], [5, 8, 8, 5], [3, 5, 5, 3]]


def test_a_board_beyond_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topology, "memory", lambda: 1e8)
    with pytest.raises(ValueError, match=r"a board needs 0\.2 GB of memory, and there are 0\.1 GB"):
        Topology(5000, 5001)
    assert Topology(1001, 1001).cells == 1001**2
