"""The example learns, and its agent keeps the promises of agents."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from runpy import run_path

import numpy as np
import pytest

from mineproof import RandomBoards, Setup, cli, compare

EXAMPLE = Path(__file__).parents[2] / "examples" / "learned_policy.py"


def test_the_example_trains_and_compares(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / EXAMPLE.name
    copy.write_bytes(EXAMPLE.read_bytes())
    agent = f"{copy}:Learned"
    assert cli.main(["watch", "--agent", agent]) == 2
    assert "run python learned_policy.py first" in capsys.readouterr().err
    # Runs the copy: the original may already be imported, because its doctests are collected.
    monkeypatch.setattr(sys, "argv", [str(copy), "--steps", "30", "--games", "10"])
    with pytest.raises(SystemExit, match=r"^0$"):
        run_path(str(copy), run_name="__main__")
    table = capsys.readouterr().out
    assert "learned" in table
    assert "exact" in table


def shares_in_the_docs() -> tuple[float, ...]:
    """Return the shares of won games that the page states: of the policy from, to, and of exact."""
    page = " ".join((EXAMPLE.parents[1] / "docs" / "env.md").read_text(encoding="utf-8").split())
    found = re.search(
        r"After 1,200 steps, .* it won ([\d.]+)% to ([\d.]+)% of 200 beginner games, .*"
        r"`exact` won ([\d.]+)% of them and `random` none",
        page,
    )
    assert found is not None
    return tuple(float(share) / 100 for share in found.groups())


def test_the_docs_say_how_often_the_others_win() -> None:
    exact, random = compare(["exact", "random"], RandomBoards(Setup.level("beginner"), count=200))
    assert (exact.win_rate.value, random.win_rate.value) == (shares_in_the_docs()[2], 0)


@pytest.mark.long
def test_the_docs_say_how_often_the_policy_wins(tmp_path: Path) -> None:
    copy = tmp_path / EXAMPLE.name
    copy.write_bytes(EXAMPLE.read_bytes())
    names = run_path(str(copy))
    np.savez(copy.with_suffix(".npz"), *names["train"](1200).weights)
    games = RandomBoards(Setup.level("beginner"), count=200)
    [learned] = compare([f"{copy}:Learned"], games)
    least, most, _ = shares_in_the_docs()
    # Sums of floats differ by processor, and so does what is learned from them.
    assert least - 0.02 <= learned.win_rate.value <= most + 0.02, learned.win_rate
