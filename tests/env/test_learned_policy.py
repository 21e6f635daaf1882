"""The example learns, and its agent keeps the promises of agents."""

from __future__ import annotations

import sys
from pathlib import Path
from runpy import run_path

import pytest

from mineproof import cli

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
