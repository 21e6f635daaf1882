"""Answers about calibration follow the records."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fake_records import Tale, made_up

from mineproof.lab.findings import Findings
from mineproof.lab.run import run
from mineproof.lab.studies.calibration import STUDY
from mineproof.lab.study import Arm
from mineproof.random import Random

AGENTS, MODELS = STUDY.charts


def stating(off: float, *present: str, sure_exploded: int = 0) -> Tale:
    """Let guesses explode more often than they are said to, with noisy-or less often."""

    def tale(arm: Arm, chances: Random) -> dict[str, Any] | None:
        if present and arm.agent not in present:
            return None
        sign = -1 if arm.agent == "noisy-or" else 1
        risks = [0.3 * chances.uniform() + 0.3 * (number % 2) for number in range(20)]
        exploded = [chances.uniform() < risk + sign * off for risk in risks]
        sure = {"sure": 10, "sure_exploded": sure_exploded}
        return {"risks": risks, "exploded": exploded, **sure}

    return tale


def answer(findings: Findings) -> list[str]:
    assert STUDY.answer is not None
    return list(STUDY.answer(findings))


def test_risks_that_are_right_lie_on_the_diagonal(tmp_path: Path) -> None:
    findings = made_up(STUDY, tmp_path, stating(0.0), 150)
    for chart in (AGENTS, MODELS):
        points = findings.points(chart)
        inside = [point.estimate.low <= float(point.x) <= point.estimate.high for point in points]
        assert sum(inside) > 0.85 * len(inside)
        assert all(point.games <= 150 for point in points)
    said = answer(findings)
    assert "explode under exact clues differs by at most" in said[0]
    assert not any("called certain" in sentence for sentence in said)


def test_risks_that_are_wrong_do_not(tmp_path: Path) -> None:
    said = answer(made_up(STUDY, tmp_path, stating(0.25, sure_exploded=3), 100))
    assert "is higher with exact, exact:untold, border:total and border and lower with" in said[0]
    assert "0 of 7 tenths with exact" in said[1]
    assert re.search(r"called certain that explode is 30\.0% \([^)]+\) with exact,", said[2])
    assert said[-1].startswith(
        "In the tenth that is farthest off, the share of guesses that explode is "
    )


def test_bins_hold_what_was_stated(tmp_path: Path) -> None:
    def tale(arm: Arm, chances: Random) -> dict[str, Any]:
        return {"risks": [0.18, 0.22, 0.5], "exploded": [False, True, True], "sure": 0}

    points = made_up(STUDY, tmp_path, tale, 10).points(AGENTS)
    exact = [point for point in points if point.line == "exact"]
    assert [point.x for point in exact] == [20.0, 50.0]
    assert [point.estimate.value for point in exact] == [50.0, 100.0]
    assert [point.games for point in exact] == [10, 10]


@pytest.mark.parametrize("present", ["exact", "noisy-or"])
def test_arms_may_be_missing(tmp_path: Path, present: str) -> None:
    findings = made_up(STUDY, tmp_path, stating(0.0, present), 20)
    assert present in answer(findings)[0]
    assert {point.line for point in findings.points(AGENTS)} == {present}


def test_few_guesses_are_not_judged(tmp_path: Path) -> None:
    findings = made_up(STUDY, tmp_path, stating(0.25), 1)
    assert "0 of 0 tenths with exact" in answer(findings)[1]
    assert findings.points(MODELS) == ()


def test_games_without_guesses_are_no_trouble(tmp_path: Path) -> None:
    quiet: dict[str, Any] = {"risks": [], "exploded": [], "sure": 4, "sure_exploded": 0}
    findings = made_up(STUDY, tmp_path, lambda arm, chances: quiet, 3)
    assert answer(findings) == []
    assert findings.points(AGENTS) == ()


def test_nothing_played_is_nothing_said(tmp_path: Path) -> None:
    assert answer(made_up(STUDY, tmp_path, stating(0.0, "nobody"), 1)) == []


def test_games_are_played(tmp_path: Path) -> None:
    some = replace(STUDY, arms=tuple(arm for arm in STUDY.arms if arm.at["clues"] != "cautious"))
    findings = Findings(some, run([some], tmp_path, games=10))
    assert findings.complete
    assert answer(findings)
    assert {point.line for point in findings.points(AGENTS)} == {
        arm.agent for arm in some.arms if arm.at["clues"] == "exact"
    }
    assert {point.panel for point in findings.points(MODELS)} == {"optimistic"}
