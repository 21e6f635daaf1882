"""Every benchmark runs, says what it found, and needs no other engine to do so."""

import doctest
import json
import sys
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from benchmarks import __main__ as command
from benchmarks import growth, lab, peer, report, timing
from benchmarks.positions import scattered, stuck
from benchmarks.report import Report, T, Target, draw
from benchmarks.signature import signature
from rich.console import Console

from mineproof import infer

DOCS = Path(__file__).parents[1] / "docs" / "benchmarks.md"


def track(items: Sequence[T], what: str, /) -> Iterable[T]:
    assert what
    return items


def drawn(found: Report) -> str:
    console = Console(file=StringIO(), width=200)
    draw(found, console)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("name", command.BENCHMARKS)
def test_a_benchmark_runs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for other in ("ms_toollib", "gym_minesweeper", "jumanji"):
        monkeypatch.setitem(sys.modules, other, None)
    found = command.BENCHMARKS[name](track, True)
    text = drawn(found)
    assert name in found.title
    assert found.title in text
    for row in found.rows:
        assert len(row) == len(found.columns)
    for target in found.targets:
        assert target.what in text
        assert target.timed or target.met is not False, target


@pytest.mark.parametrize("name", ["expert", "scattered"])
def test_without_the_other_engine_comparisons_are_skipped(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ms_toollib", None)
    found = command.BENCHMARKS[name](track, True)
    assert None in {target.met for target in found.targets}
    assert not found.missed
    assert "SKIP" in drawn(found)
    assert "ms-toollib is not installed" in drawn(found)


def test_the_other_engine_agrees() -> None:
    pytest.importorskip("ms_toollib")
    found = peer.duel([scattered(9, 9, 10, 0.3, seed=1)], "one", track, turns=1, calls=1)
    assert found.gap < 1e-9
    assert all(target.met for target in found.targets())


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.json"
    assert command.main(["signature", "solver", "--quick", "--json", str(out)]) == 0
    written = json.loads(out.read_text(encoding="utf-8"))
    assert list(written["reports"]) == ["signature", "solver"]
    assert written["machine"]["processors"] > 0
    assert "signature" in capsys.readouterr().out


def test_a_missed_target_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    met, missed = (Target("speed", 1.0, "≥ 2", held) for held in (None, False))
    assert not Report("", (), (), (met,)).missed
    found = Report("", (), (), (met, missed))
    assert "MISS" in drawn(found)
    monkeypatch.setitem(command.BENCHMARKS, "solver", lambda track, quick: found)
    assert command.main(["solver"]) == 1


def test_an_unknown_benchmark_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        command.main(["fast"])
    assert stop.value.code == 2
    assert "benchmark 'fast': must be one of expert" in capsys.readouterr().err


def test_what_is_not_a_number_is_nothing_in_json() -> None:
    assert command.plain({"a": ((float("nan"), 1.0), "x")}) == {"a": [[None, 1.0], "x"]}


def test_the_signature_stands_in_the_docs() -> None:
    assert f"`{signature()}`" in DOCS.read_text(encoding="utf-8")


def test_stuck_positions_are_stuck() -> None:
    for seen in stuck("expert", "zero", 3, 100):
        assert np.count_nonzero(seen.cells >= 0) >= 100
        assert not infer(seen).safe


def test_scattered_reveals_are_as_many_as_asked_for() -> None:
    seen = scattered(16, 30, 99, 0.25, seed=3)
    assert np.count_nonzero(seen.cells >= 0) == 120
    assert infer(seen).exact


def test_a_slow_call_is_not_repeated() -> None:
    calls = []
    timing.side_by_side(lambda: calls.append("a"), lambda: calls.append("b"), turns=2, calls=2)
    assert calls == ["a", "a", "b", "b"] * 2
    calls.clear()
    timing.side_by_side(lambda: calls.append("a"), lambda: calls.append("b"), patience=-1)
    assert calls == ["a", "b"]


@pytest.mark.parametrize("module", [growth, lab, report])
def test_the_examples(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]
