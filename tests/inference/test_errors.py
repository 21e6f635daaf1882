"""Errors say what really clashes, and can be pickled."""

from __future__ import annotations

from pickle import dumps, loads
from typing import Any

import pytest

from mineproof import BudgetExceeded, Contradiction, Observation, Prior, infer


def clash(text: str, **options: Any) -> Contradiction:
    with pytest.raises(Contradiction) as caught:
        infer(Observation.from_text(text), **options)
    return caught.value


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("1.0", {}, "the clues at (0, 0), (0, 2)"),
        ("3x1x2\n.1.", {}, "the clue at (0, 1) with the mine total of 2"),
        ("...", {"prior": Prior.total(7)}, "the mine total of 7"),
        (".1.", {"prior": Prior.density(0)}, "the clue at (0, 1) with a density of 0"),
        (".1.", {"prior": Prior.density(1)}, "a density of 1"),
        ("*..", {"prior": Prior.density(0)}, "a density of 0 and 1 exploded mine"),
        ("3x1x1\nFF.", {"flags": "trust"}, "the mine total of 1 and 2 trusted flags"),
        ("F1F", {"flags": "trust"}, "the clue at (0, 1) with 2 trusted flags"),
        ("*1F.F", {"flags": "trust"}, "the clue at (0, 1) with 1 exploded mine and 1 trusted flag"),
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
