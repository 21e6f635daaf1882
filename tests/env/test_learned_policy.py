"""The example learns, and its agent keeps the promises of agents."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from mineproof import cli

EXAMPLE = Path(__file__).parents[2] / "examples" / "learned_policy.py"


def test_the_example_trains_and_compares(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / EXAMPLE.name
    copy.write_bytes(EXAMPLE.read_bytes())
    agent = f"{copy}:Learned"
    assert cli.main(["watch", "--agent", agent]) == 2
    assert "run python learned_policy.py first" in capsys.readouterr().err
    sys.path.insert(0, str(tmp_path))
    try:
        assert import_module("learned_policy").main(["--steps", "60", "--games", "10"]) == 0
    finally:
        sys.path.remove(str(tmp_path))
        sys.modules.pop("learned_policy", None)
    table = capsys.readouterr().out
    assert "learned" in table
    assert "exact" in table
