"""Answers about effort follow the records."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fake_records import Tale, made_up

from mineproof.lab.findings import Findings
from mineproof.lab.run import run
from mineproof.lab.studies.effort import STUDY
from mineproof.lab.study import Arm
from mineproof.random import Random


def hard_from(limit: float, peak: float, *present: str) -> Tale:
    """Let wins vanish at one density, those without a guess a little before, and work peak."""

    def tale(arm: Arm, chances: Random) -> dict[str, Any] | None:
        if present and arm.at["size"] not in present:
            return None
        density = float(arm.at["density"])
        chance = chances.uniform()
        near = max(10 - round(40 * abs(density - peak)), 0)
        return {
            "won": density - limit < 0.1 * (chance - 0.5),
            "unguessed": density - limit + 0.02 < 0.1 * (chance - 0.5),
            "guesses": round(100 * density),
            "width": near,
            "component": 3 * near,
            "work": 1000 * near,
            "posteriors": 5,
        }

    return tale


def answer(findings: Findings) -> list[str]:
    assert STUDY.answer is not None
    return list(STUDY.answer(findings))


def first_density(sentence: str) -> float:
    found = re.search(r"density of (0\.\d+) ", sentence)
    assert found is not None
    return float(found[1])


def test_where_it_becomes_hard_is_found(tmp_path: Path) -> None:
    for limit, side in ((0.18, "in"), (0.25, "below"), (0.12, "above")):
        won, unguessed, *rest = answer(made_up(STUDY, tmp_path / side, hard_from(limit, 0.35), 150))
        assert first_density(won) == pytest.approx(limit, abs=0.015)
        assert first_density(unguessed) == pytest.approx(limit - 0.02, abs=0.015)
        assert any(f"0.159, lies {side} our interval for 40×40" in sentence for sentence in rest)


def test_peaks_are_found(tmp_path: Path) -> None:
    for peak in (0.2, 0.35):
        said = "\n".join(answer(made_up(STUDY, tmp_path / str(peak), hard_from(0.2, peak), 20)))
        assert f"Components are widest at a density of {peak} on 10×10: 10.00 open clues" in said
        assert f"takes most work at a density of {peak} on 10×10: 10.00 thousand products" in said
        assert "Guesses are most frequent at a density of 0.9, the last, on 10×10: 90.0" in said
        assert "at a density of 0.5, the last, on 40×40: 50.0" in said


def test_sizes_may_be_missing(tmp_path: Path) -> None:
    findings = made_up(STUDY, tmp_path, hard_from(0.2, 0.35, "20×20"), 1)
    said = "\n".join(answer(findings))
    assert "our interval for 20×20" in said
    assert "10×10" not in said
    assert all(findings.points(chart) for chart in STUDY.charts)


def test_nothing_played_is_nothing_said(tmp_path: Path) -> None:
    assert answer(made_up(STUDY, tmp_path, hard_from(0.2, 0.35, "none"), 1)) == []


def test_games_are_played(tmp_path: Path) -> None:
    some = replace(STUDY, arms=STUDY.arms[:34:4])
    findings = Findings(some, run([some], tmp_path, games=2))
    assert findings.complete
    assert answer(findings)
    assert all(findings.points(chart) for chart in STUDY.charts)
