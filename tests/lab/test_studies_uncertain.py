"""Answers about uncertain clues follow the records."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fake_records import Tale, made_up

from mineproof import Channel
from mineproof.lab.findings import Findings
from mineproof.lab.run import run
from mineproof.lab.studies.uncertain import STUDY
from mineproof.lab.study import Arm
from mineproof.random import Random

OPENED = {"exact": 60, "exact:naive": 30, "border": 50, "weights": 20, "basic": 40}


def opening(numbers: Mapping[str, int], *present: str) -> Tale:
    """Let agents open so many cells, and win and score by that; all agents, or those named."""

    def tale(arm: Arm, chances: Random) -> dict[str, Any] | None:
        if present and arm.agent not in present:
            return None
        opened, lost = numbers.get(arm.agent, 10), float(arm.at.get("lost", 0.5))
        return {
            "opened": max(opened - round(20 * lost), 0),
            "won": chances.uniform() < (1 - lost) * opened / 60,
            "score": opened / 100,
            "wrong_flags": 7 if arm.agent == "basic" else 0,
        }

    return tale


def answer(findings: Findings) -> str:
    assert STUDY.answer is not None
    return "\n".join(STUDY.answer(findings))


def test_all_channels_are_there() -> None:
    channels = {arm.setup.channel.name for arm in STUDY.arms}
    assert {"exact", "lost:0.1", "lost:0.9", "optimistic", "cautious"} <= channels
    for arm in STUDY.arms:
        if "lost" in arm.at:
            assert arm.setup.channel == Channel.lost(float(arm.at["lost"]))


def test_the_right_model_leads(tmp_path: Path) -> None:
    said = answer(made_up(STUDY, tmp_path, opening(OPENED), 50))
    assert said.startswith("Half of the games are won up to a share of lost clues of 0.")
    assert re.search(
        r"exact opens the most safe cells: 50\.0+ safe cells \([\d. to]+\), 10.000 safe cells", said
    )
    assert "more than border" in said
    assert re.search("that it opens is lower under optimistic .* 30.000 safe", said)
    assert "of the reports' agents, border opens the most safe cells" in said
    assert re.search("exact:naive opens is lower under optimistic .* 10.000 safe", said)


def test_the_wrong_model_may_be_the_better_one(tmp_path: Path) -> None:
    swapped = {**OPENED, "exact": 30, "exact:naive": 60, "basic": 70}
    said = answer(made_up(STUDY, tmp_path, opening(swapped), 50))
    assert re.search(r"that it opens is higher under optimistic .* 30.000 safe", said)
    assert "basic opens the most safe cells: 60.0" in said
    assert re.search("exact:naive opens is lower under optimistic .* 10.000 safe", said)
    assert re.search(r"basic has the highest score: 70\.0+%", said)
    assert re.search(r"there are 7\.0+ \([\d. to]+\) wrong flags with basic", said)


def test_a_model_may_change_nothing(tmp_path: Path) -> None:
    alike = {**OPENED, "exact:naive": OPENED["exact"]}
    said = answer(made_up(STUDY, tmp_path, opening(alike), 50))
    same = "If exact takes all clues at face value, the number of cells that it opens"
    assert re.search(f"{same} (does not clearly differ|differs by at most)", said)
    assert "is lower" not in said.partition(same)[2].partition("\n")[0]


@pytest.mark.parametrize("present", ["exact", "basic", "exact:naive"])
def test_arms_may_be_missing(tmp_path: Path, present: str) -> None:
    findings = made_up(STUDY, tmp_path, opening(OPENED, present), 1)
    assert "Compared with basic" not in answer(findings)
    assert [findings.points(chart) for chart in STUDY.charts]


def test_nothing_played_is_nothing_said(tmp_path: Path) -> None:
    assert answer(made_up(STUDY, tmp_path, opening(OPENED, "nobody"), 1)) == ""


def test_games_are_played(tmp_path: Path) -> None:
    arms = tuple(arm for arm in STUDY.arms if arm.agent in ("exact", "basic"))
    some = replace(STUDY, arms=arms)
    findings = Findings(some, run([some], tmp_path, games=1))
    assert findings.complete
    assert answer(findings)
