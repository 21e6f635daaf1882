"""Answers about strength follow the records."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from fake_records import Tale, made_up

from mineproof.lab.findings import Findings
from mineproof.lab.run import run
from mineproof.lab.studies.strength import STUDY
from mineproof.lab.study import Arm
from mineproof.random import Random


def winning(safe: float, zero: float, *present: str) -> Tale:
    """Let everybody win the same share under each start rule."""

    def tale(arm: Arm, chances: Random) -> dict[str, Any] | None:
        if present and arm.at["level"] not in present:
            return None
        return {"won": chances.uniform() < (safe if arm.at["start"] == "safe" else zero)}

    return tale


def answer(findings: Findings) -> list[str]:
    assert STUDY.answer is not None
    return list(STUDY.answer(findings))


def test_the_strong_are_ahead_of_all_figures(tmp_path: Path) -> None:
    said = answer(made_up(STUDY, tmp_path, winning(1.0, 1.0), 300))
    assert said[0].startswith("Under start safe, exact wins 100.00% (")
    assert "higher on 8×8 (against 81.771% by Tu 2017 (PSEQ-D256)), beginner" in said[1]
    assert "lower" not in said[1]
    assert "0 of 14 published figures agree with ours; 14 are lower;" in said[4]
    assert "0 of 7 published figures agree with ours; 7 are lower;" in said[5]
    assert "wins differs by at most" in said[6]


def test_the_weak_are_behind_all_figures(tmp_path: Path) -> None:
    said = answer(made_up(STUDY, tmp_path, winning(0.1, 0.0), 300))
    assert "lower on 8×8 (against 90.345% by Tu 2017 (PSEQ-D256)), beginner" in said[3]
    assert "higher" not in said[3]
    assert "0 of 14 published figures agree with ours; 14 are higher;" in said[4]
    assert "wins is lower on 8×8, beginner, intermediate and expert" in said[6]


def test_the_like_are_not_told_apart(tmp_path: Path) -> None:
    said = answer(made_up(STUDY, tmp_path, winning(0.41, 0.545, "expert"), 100))
    for sentence, figure in ((said[1], "41.12%"), (said[3], "54.48%")):
        assert re.search("is undecided|differs by at most", sentence)
        assert f"on expert (against {figure} by Hill's solver (measured))" in sentence
    assert not any("beginner" in sentence for sentence in said)


def test_nothing_played_is_nothing_said(tmp_path: Path) -> None:
    assert answer(made_up(STUDY, tmp_path, winning(0, 0, "none"), 1)) == []


def test_games_are_played(tmp_path: Path) -> None:
    findings = Findings(STUDY, run([STUDY], tmp_path, games=20))
    assert findings.complete
    assert len(answer(findings)) == 7
    for chart in STUDY.charts:
        levels = [point.x for point in findings.points(chart)]
        assert levels == ["8×8", "beginner", "intermediate", "expert"]
        assert all(figures.keys() <= set(levels) for figures in chart.published.values())
