"""Answers about disputable decisions follow the records."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from fake_records import Tale, made_up

from mineproof import statistics
from mineproof.lab.findings import Findings
from mineproof.lab.run import run
from mineproof.lab.sentences import shown
from mineproof.lab.studies.playthrough import STUDY
from mineproof.lab.study import Arm
from mineproof.random import Random
from mineproof.statistics import Estimate


def disputed(numbers: dict[str, int], *present: str) -> Tale:
    """Let agents make so many disputable decisions, one more in some games."""

    def tale(arm: Arm, chances: Random) -> dict[str, Any] | None:
        if present and arm.agent not in present:
            return None
        number = numbers.get(arm.agent, 5) + chances.below(2)
        return {
            "disputable": number,
            "missed_safe": number // 2,
            "disputed_hits": min(number, 2),
            "hits": 4,
            "guesses": 9,
            "moves": [],
        }

    return tale


def answer(findings: Findings) -> list[str]:
    assert STUDY.answer is not None
    return list(STUDY.answer(findings))


def test_who_is_disputed_least_and_most(tmp_path: Path) -> None:
    for least, most in (("exact", "weights"), ("weights", "exact")):
        said = answer(made_up(STUDY, tmp_path / least, disputed({least: 0, most: 20}), 40))
        assert said[0].startswith("In the game of seed 0, components makes ")
        assert f"{least} makes the fewest disputable decisions per game: 0." in said[1]
        assert f"{most} makes the most disputable decisions per game: 20." in said[2]
        assert f"{share(80, 160)} with {most}" in said[-1]


def share(disputed: int, hits: int) -> str:
    found = statistics.share(disputed, hits)
    return shown(Estimate(100 * found.value, 100 * found.low, 100 * found.high), "%")


def test_the_first_game_is_counted_from_its_record(tmp_path: Path) -> None:
    for low in (1, 7):
        findings = made_up(STUDY, tmp_path / str(low), disputed({"components": low}), 1)
        row = findings.records(**STUDY.arms[0].at).collect().row(0, named=True)
        assert f" makes {row['disputable']} disputable decision" in answer(findings)[0]
        assert (
            f"{row['missed_safe']} of them while a cell was certainly safe" in answer(findings)[0]
        )


def test_arms_may_be_missing(tmp_path: Path) -> None:
    findings = made_up(STUDY, tmp_path, disputed({}, "border"), 1)
    said = answer(findings)
    assert said[0].startswith("In the game of seed 0, border makes ")
    assert not any(re.search(r"\) (more|fewer) than", sentence) for sentence in said)


def test_nothing_played_is_nothing_said(tmp_path: Path) -> None:
    assert answer(made_up(STUDY, tmp_path, disputed({}, "nobody"), 1)) == []


def test_the_game_to_be_told_is_worth_telling(tmp_path: Path) -> None:
    """It has disputable decisions of all kinds, a hit, and no more steps than one reads."""
    findings = Findings(STUDY, run([STUDY], tmp_path, games=1))
    game = findings.records(**STUDY.arms[0].at).collect().row(0, named=True)
    kinds = {move["dispute"] for move in game["moves"]} - {None}
    assert kinds == {
        "a cell was certainly safe",
        "a cell was less risky",
        "the mine was certain",
    }
    assert game["hits"] > 0
    assert game["steps"] <= 40
    assert answer(findings)
    exact = findings.records(agent="exact", board="easy").collect()
    assert exact["disputable"].to_list() == [0]
