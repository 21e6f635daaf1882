"""Answers about strength follow the records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from made_up import Tale, made_up

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
    assert "on expert by exact with 100.00%" in said[0]
    assert said[1].startswith("Of 14 figures of others, 14 lie below its interval and 0 above;")
    assert "ahead of Tu 2017 (PSEQ-D256) with 81.771% on 8×8 by 18.2" in said[1]
    assert "behind" not in said[1]
    assert "Of 7 figures of others, 7 lie below" in said[3]
    assert ", which may be chance, on expert" in said[4]


def test_the_weak_are_behind_all_figures(tmp_path: Path) -> None:
    said = answer(made_up(STUDY, tmp_path, winning(0.1, 0.0), 300))
    assert said[1].startswith("Of 14 figures of others, 0 lie below its interval and 14 above;")
    assert "behind Tu 2017 (PSEQ-D256) with 90.345% on 8×8 by 90.3" in said[3]
    assert "ahead of" not in said[3]
    assert "which may be chance" not in said[4]


def test_the_like_are_not_told_apart(tmp_path: Path) -> None:
    said = answer(made_up(STUDY, tmp_path, winning(0.41, 0.545, "expert"), 100))
    assert "not to be told from Hill's solver (measured) with 41.12% on expert" in said[1]
    assert "not to be told from Hill's solver (measured) with 54.48% on expert" in said[3]
    assert not any("beginner" in sentence for sentence in said)


def test_nothing_played_is_nothing_said(tmp_path: Path) -> None:
    assert answer(made_up(STUDY, tmp_path, winning(0, 0, "none"), 1)) == []


def test_games_are_played(tmp_path: Path) -> None:
    findings = Findings(STUDY, run([STUDY], tmp_path, games=20))
    assert findings.complete
    assert len(answer(findings)) == 5
    for chart in STUDY.charts:
        levels = [point.x for point in findings.points(chart)]
        assert levels == ["8×8", "beginner", "intermediate", "expert"]
        assert all(figures.keys() <= set(levels) for figures in chart.published.values())
