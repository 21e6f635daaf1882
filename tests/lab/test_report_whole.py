"""A report of all studies: no impossible interval, no contradiction, and sentences as reviewed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fake_records import made_up
from whole_report import (
    GOLDEN,
    contradictions,
    everything,
    impossible,
    impossible_files,
    made,
    sentences,
)

from mineproof.lab import studies
from mineproof.lab.findings import Findings
from mineproof.lab.report import write_report
from mineproof.lab.study import WINS, Chart
from mineproof.statistics import Estimate


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> list[Findings]:
    return everything(tmp_path_factory.mktemp("whole"))


def test_no_interval_is_impossible(findings: list[Findings]) -> None:
    assert [fault for found in findings for fault in impossible(found)] == []


def test_no_two_places_differ_on_the_same_games(findings: list[Findings]) -> None:
    assert list(contradictions(findings)) == []


def test_the_checks_can_fail(findings: list[Findings], tmp_path: Path) -> None:
    levels = findings[0]
    for estimate in (Estimate(50, 60, 70), Estimate(-5, -9, 1), Estimate(99, 90, 101)):

        def points(_: Findings, chart: Chart, estimate: Estimate = estimate) -> list[object]:
            return [chart.point("exact", "easy", estimate, 9)]

        chart = Chart("wrong", "Wrong", WINS, "level", points=points)  # type: ignore[arg-type]
        study = replace(levels.study, charts=(chart,))
        assert list(impossible(Findings(study, levels.archive)))
    others = made_up(levels.study, tmp_path, made, 3)
    assert list(contradictions([levels, others]))


def test_all_sentences_are_as_reviewed(findings: list[Findings]) -> None:
    """After a change on purpose, run `python tests/support/whole_report.py` and read the diff."""
    assert "\n".join(sentences(findings)) + "\n" == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.long
def test_the_whole_page_can_be_written(findings: list[Findings]) -> None:
    archive = findings[0].archive
    known = [studies.get(name) for name in studies.names() if name != "playthrough"]
    page = write_report(archive, known, command="mineproof study")
    assert list(impossible_files(archive.path)) == []
    assert Path(page).stat().st_size < 10_000_000
