"""Errors say what really clashes, and can be pickled."""

from __future__ import annotations

from dataclasses import replace
from pickle import dumps, loads
from typing import Any

import numpy as np
import pytest

from mineproof import BudgetExceeded, Contradiction, Observation, Prior, infer
from mineproof.inference import fits
from mineproof.position import CellCode


def clash(text: str, **options: Any) -> Contradiction:
    with pytest.raises(Contradiction) as caught:
        infer(Observation.from_text(text), **options)
    return caught.value


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("1.0", {}, "the clues at (0, 0) and (0, 2)"),
        ("3x1x2\n.1.", {}, "the clue at (0, 1) with the mine total of 2"),
        ("...", {"prior": Prior.total(7)}, "the mine total of 7"),
        (".1.", {"prior": Prior.density(0)}, "the clue at (0, 1) with a density of 0"),
        (".1.", {"prior": Prior.density(1)}, "a density of 1"),
        ("*..", {"prior": Prior.density(0)}, "a density of 0 and 1 exploded mine"),
        (
            "3x1x1\nFF.",
            {"flags": "trust"},
            "the mine total of 1 and the trusted flags at (0, 0) and (0, 1)",
        ),
        (
            "F1F",
            {"flags": "trust"},
            "the clue at (0, 1) with the trusted flags at (0, 0) and (0, 2)",
        ),
        (
            "*1F.F",
            {"flags": "trust"},
            "the clue at (0, 1) with 1 exploded mine and the trusted flag at (0, 2)",
        ),
        ("*1*F", {}, "the clue at (0, 1) with 2 exploded mines"),
    ],
)
def test_a_contradiction_names_what_clashes(
    text: str, options: dict[str, Any], sentence: str
) -> None:
    assert str(clash(text, **options)) == f"no layout fits {sentence}"


def test_errors_can_be_pickled() -> None:
    error = clash("3x1x2\n.1.")
    same = loads(dumps(error))
    assert str(same) == str(error)
    assert (same.clues, same.uses_total, same.irreducible) == (((0, 1),), True, True)
    assert str(loads(dumps(BudgetExceeded("too wide")))) == "too wide"


@pytest.mark.parametrize(
    "text", ["1F.\nFF.\n..0", "F1F", "3x2x1\n1F.\n..F", "4x1x2\nFFFF", "1F0F1"]
)
def test_each_flag_of_a_contradiction_is_needed(text: str) -> None:
    found = clash(text, flags="trust")
    seen = Observation.from_text(text)
    others = [cell for cell in seen.flagged_cells() if cell not in found.flags]
    cells = seen.without(flags=others).cells.copy()
    for cell in zip(*np.nonzero(seen.opened), strict=True):
        if cell not in found.clues:
            cells[cell] = CellCode.KNOWN_SAFE
    named = replace(seen, cells=cells)
    total = None if found.uses_total else Prior.unknown()
    assert not fits(named, total, flags="trust")
    for flag in found.flags:
        assert fits(named.without(flags=[flag]), total, flags="trust")


def test_flags_far_from_a_contradiction_are_not_named() -> None:
    assert clash("1.0..F", flags="trust").flags == ()
    assert clash("F1.\n...\n...\nF1F", flags="trust").flags == ((3, 0), (3, 2))


def test_many_flags_are_counted() -> None:
    assert str(clash("4x5x3\n" + "FFFF\n" * 5, flags="trust")) == (
        "no layout fits the mine total of 3 and the trusted flags at "
        "(0, 0), (0, 1), (0, 2) and (0, 3)"
    )
    assert "99 trusted flags" in str(clash("100x1x98\n" + "F" * 99 + ".", flags="trust"))
