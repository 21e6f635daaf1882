import re
from dataclasses import replace
from pickle import dumps, loads

import numpy as np
import pytest

from mineproof import CellCode, Channel, Game, Observation, Rules, Topology
from mineproof.position.cells import is_closed, is_open


def observe(rows: list[list[int]], mines: int | None = None) -> Observation:
    return Observation(Topology(len(rows), len(rows[0])), np.array(rows, np.int8), mines)


def test_masks() -> None:
    seen = observe(
        [
            [1, CellCode.CLOSED, CellCode.FLAGGED],
            [CellCode.NO_CLUE, CellCode.EXPLODED, CellCode.KNOWN_SAFE],
        ]
    )
    assert seen.closed.tolist() == [[False, True, True], [False, False, True]]
    assert seen.openable.tolist() == [[False, True, False], [False, False, True]]
    assert seen.known_safe_cells() == [(1, 2)]
    assert seen.exploded == 1
    assert seen.code((1, 2)) == CellCode.KNOWN_SAFE
    assert [is_open(int(code)) for code in seen.cells.ravel()] == [
        True,
        *[False] * 2,
        True,
        *[False] * 2,
    ]
    assert [is_closed(int(code)) for code in seen.cells.ravel()] == seen.closed.ravel().tolist()


def test_it_cannot_be_changed() -> None:
    cells = np.full((2, 2), CellCode.CLOSED, np.int8)
    seen = Observation(Topology(2, 2), cells)
    cells[0, 0] = 3
    assert seen.cells[0, 0] == CellCode.CLOSED
    with pytest.raises(ValueError, match="read-only"):
        seen.cells[0, 0] = 0
    with pytest.raises(ValueError, match="WRITEABLE"):
        seen.cells.flags.writeable = True
    with pytest.raises(AttributeError):
        seen.mines = 4  # type: ignore[misc]


def test_it_is_a_value() -> None:
    seen = Observation(Topology(1, 2), np.array([[1, -1]], np.int8), 1, Channel.lost(0.5))
    same = Observation(Topology(1, 2), np.array([[1, -1]], np.int64), 1, Channel.lost(0.5))
    assert seen == same
    assert hash(seen) == hash(same)
    assert loads(dumps(seen)) == seen
    assert seen != observe([[1, -1]], 1)


@pytest.mark.parametrize(
    ("rows", "mines", "message"),
    [
        ([[0, 9]], None, "(0, 1): 9 is not the code of a cell"),
        ([[0], [-7]], None, "(1, 0): -7 is not the code of a cell"),
        ([[1, 2]], None, "(0, 1): clue 2, but the cell has 1 neighbour"),
        ([[CellCode.CLOSED, CellCode.EXPLODED]], 0, "0 mines, but 1 exploded"),
        (
            [[CellCode.CLOSED, CellCode.EXPLODED, CellCode.KNOWN_SAFE]],
            3,
            "3 mines, but room for only 2",
        ),
    ],
)
def test_wrong_cells_are_named(rows: list[list[int]], mines: int | None, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        observe(rows, mines)


def test_wrong_arrays() -> None:
    with pytest.raises(ValueError, match=r"shape \(1, 2\), expected \(2, 1\)"):
        Observation(Topology(2, 1), np.array([[1, 1]], np.int8))
    with pytest.raises(ValueError, match="whole numbers"):
        Observation(Topology(1, 2), np.array([[0.5, 1.0]]))


def test_a_player_knows_the_rules() -> None:
    rules = Rules(on_mine="continue", cascade=False)
    seen = Game.level("easy", seed=1, rules=rules).observation
    assert seen.rules == rules
    assert loads(dumps(seen)) == seen
    assert seen != replace(seen, rules=None)
    assert Observation.from_text(".").rules is None
    with pytest.raises(TypeError, match="rules 'end': must be a Rules"):
        replace(seen, rules="end")  # type: ignore[arg-type]
