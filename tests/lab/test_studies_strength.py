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
    assert said[0].startswith("With start safe, champion wins 100.00% (")
    assert "safe is higher on 8×8, beginner, intermediate and expert" in said[1]
    assert "Tu 2017 on 8×8 (81.771%)" in said[2]
    assert "Hill's solver on intermediate (78.7%)" in said[2]
    assert all("differs by at most" in sentence for sentence in said[6:])


def test_the_weak_are_behind_all_figures(tmp_path: Path) -> None:
    said = answer(made_up(STUDY, tmp_path, winning(0.1, 0.0), 300))
    for sentence in (said[1], said[4], said[8]):
        assert "is lower on 8×8, beginner, intermediate and expert" in sentence


def test_the_like_are_not_told_apart(tmp_path: Path) -> None:
    said = answer(made_up(STUDY, tmp_path, winning(0.41, 0.545, "expert"), 100))
    for gap, best in ((said[1], said[2]), (said[4], said[5])):
        assert re.search("(does not clearly differ|differs by at most).* on expert", gap)
        assert "Hill's solver on expert (" in best
    assert not any("beginner" in sentence for sentence in said)


def test_nothing_played_is_nothing_said(tmp_path: Path) -> None:
    assert answer(made_up(STUDY, tmp_path, winning(0, 0, "none"), 1)) == []


def test_games_are_played(tmp_path: Path) -> None:
    findings = Findings(STUDY, run([STUDY], tmp_path, games=20))
    assert findings.complete
    assert len(answer(findings)) == 9
    for chart in STUDY.charts:
        points = findings.points(chart)
        levels = [point.x for point in points if point.line == "champion"]
        assert levels == ["8×8", "beginner", "intermediate", "expert"]
        assert {point.line for point in points} == {"champion", "exact"}
        for published in chart.published.values():
            assert published.values.keys() <= set(levels)
            assert published.source
