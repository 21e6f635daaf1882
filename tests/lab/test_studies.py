"""The built-in studies: what they declare, and that their answers say what the records say."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any
from zlib import crc32

import polars as pl
import pytest
from fake_records import density, made_up, said

from mineproof import agents
from mineproof.lab import studies
from mineproof.lab import studies as registry
from mineproof.lab.findings import Findings
from mineproof.lab.probes import PROBES
from mineproof.lab.run import run
from mineproof.lab.sentences import shown
from mineproof.lab.study import SCORE, WINS, Arm, Coordinate, Study
from mineproof.random import Random

OURS = ("levels", "density", "total", "mines", "size", "given", "reports")
ENOUGH, FEW = 50, 3
ROOT = Path(__file__).parents[2]


def strength(agent: str) -> float:
    """From 0 to 1, another for every agent, by the letters of its name."""
    return sum(map(ord, agent)) % 97 / 97


def drawn(arm: Arm, chances: Random, share: float) -> dict[str, Any]:
    """A game of an agent that finds about that share of the mines, and wins as often."""
    score = min(max(share + 0.4 * (chances.uniform() - 0.5), 0.0), 1.0)
    hits = round((1 - score) * arm.setup.mines)
    won = chances.uniform() < share
    return {"score": score, "won": won, "hits": hits, "steps": 10 + hits, "wrong_flags": hits % 3}


def fuller_is_harder(arm: Arm, chances: Random) -> dict[str, Any]:
    return drawn(arm, chances, min((0.8 + 0.5 * strength(arm.agent)) * (1 - density(arm)), 0.97))


def at_random(arm: Arm, chances: Random) -> dict[str, Any]:
    """Every arm is as good as it happens to be."""
    return drawn(arm, chances, Random(crc32(repr(arm.at).encode())).uniform())


def test_any_reader_counts_the_games_of_several_studies_once(tmp_path: Path) -> None:
    for games, names in ((2, ("total", "chains", "starts")), (3, ("effort", "chains"))):
        archive = run([studies.get(name) for name in names], tmp_path, games=games)
    plain = pl.scan_parquet(archive.records, extra_columns="ignore", missing_columns="insert")
    ours = archive.scan_all()
    of_a_game = ours.select(pl.exclude("seconds")).collect_schema().names()
    assert plain.select(of_a_game).collect().is_unique().all()
    read = [games.select(of_a_game).collect().sort(of_a_game) for games in (plain, ours)]
    assert read[0].equals(read[1])
    # What several probes measured of a game is in its row.
    assert max(len(each.probes) for each in archive.held().values()) == 3


@pytest.fixture(params=OURS, scope="module")
def study(request: pytest.FixtureRequest) -> Study:
    return studies.get(request.param)


@pytest.fixture(scope="module")
def findings(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Findings:
    return made_up(study, tmp_path_factory.mktemp("one"), fuller_is_harder, ENOUGH)


def test_arms_are_told_apart(study: Study) -> None:
    places = [tuple(sorted(arm.at.items())) for arm in study.arms]
    assert len(set(places)) == len(places)


def test_every_chart_has_values(study: Study, findings: Findings) -> None:
    for chart in study.charts:
        points = findings.points(chart)
        assert points, chart.name
        lines, places = {point.line for point in points}, {point.x for point in points}
        assert chart.published.keys() <= lines
        figures = chart.published.values()
        assert all(line.values.keys() <= places for line in figures), chart.name


def test_no_sentence_is_canned(study: Study, findings: Findings, tmp_path: Path) -> None:
    one, other = said(findings), said(made_up(study, tmp_path, at_random, ENOUGH))
    assert one
    assert other
    assert set(one) & set(other) == set()


def test_few_games_and_stopped_runs_are_told_of(study: Study, tmp_path: Path) -> None:
    findings = made_up(study, tmp_path, fuller_is_harder, FEW)
    words = r"too close to tell|not clearly|or less"
    assert re.search(words, " ".join(said(findings)))
    files = sorted(findings.archive.records.iterdir())
    for every in (2, 5, len(files)):
        for number, file in enumerate(files):
            if number % every:
                file.unlink(missing_ok=True)
        findings = Findings(study, findings.archive)
        said(findings)
        for chart in study.charts:
            assert len(findings.points(chart)) <= len(study.arms)
    files[0].unlink()
    assert said(Findings(study, findings.archive)) == []


def test_a_single_game_is_no_reason_to_fail(tmp_path: Path) -> None:
    study = studies.get("size")
    assert said(made_up(study, tmp_path, fuller_is_harder, games=1))


def test_some_games_are_played(study: Study, tmp_path: Path) -> None:
    some = replace(study, arms=study.arms[:: max(1, len(study.arms) // 12)])
    findings = Findings(some, run([some], tmp_path / "records", games=1))
    assert findings.complete
    said(findings)


def swapped(one: str, other: str, better: str) -> Any:
    """A tale in which two agents are good and less good, and all others bad."""

    def tale(arm: Arm, chances: Random) -> dict[str, Any]:
        share = 0.9 if arm.agent == better else 0.5 if arm.agent in (one, other) else 0.1
        return drawn(arm, chances, share)

    return tale


def test_density_names_who_scores_most(tmp_path: Path) -> None:
    study = studies.get("density")
    for best, second in (("border", "basic"), ("basic", "border")):
        findings = made_up(study, tmp_path / best, swapped("border", "basic", best), ENOUGH)
        sentence = f"Of all agents, {best} has the highest score at a density of 0.05 to 0.9."
        assert sentence in said(findings)
        assert findings.estimate(SCORE, agent=second, density=0.5).value < 80


def test_levels_name_who_wins_most(tmp_path: Path) -> None:
    study = studies.get("levels")
    for best, second in (("exact", "logic"), ("logic", "exact")):
        findings = made_up(study, tmp_path / best, swapped("exact", "logic", best), ENOUGH)
        _, _, safe, _, _, zero, *_ = said(findings)
        assert safe == (
            f"With start safe, {best} wins the most games on easy, medium, intermediate and expert."
        )
        assert f"more than {second}." in zero
        ahead = findings.difference(
            WINS,
            {"agent": best, "level": "expert", "start": "zero"},
            {"agent": second, "level": "expert", "start": "zero"},
        )
        assert shown(ahead, " points") in zero


def gain(findings: Findings, player: str, density: float) -> str:
    at: dict[str, Coordinate] = {"player": player, "density": density, "rules": "keep-going"}
    told, untold = ({**at, "telling": telling} for telling in ("told", "untold"))
    found = findings.difference(SCORE, told, untold)
    if found.value < 0:
        found = findings.difference(SCORE, untold, told)
    return shown(found, " points")


def test_the_total_helps_or_harms(tmp_path: Path) -> None:
    study = studies.get("total")

    def tale(arm: Arm, chances: Random) -> dict[str, Any]:
        helped = arm.at["player"] == "border" and arm.at["density"] == 0.8
        harmed = arm.at["player"] == "exact" and arm.at["density"] == 0.2
        told = arm.at["telling"] == "told"
        return drawn(arm, chances, 0.5 + told * (0.3 * helped - 0.3 * harmed))

    findings = made_up(study, tmp_path, tale, ENOUGH)
    sentences = said(findings)
    [border] = [sentence for sentence in sentences if "score of border" in sentence]
    assert re.search(r"higher at a density of [^;]*0\.8", border)
    assert gain(findings, "border", 0.8) in border
    [exact] = [sentence for sentence in sentences if "score of exact" in sentence]
    assert re.search(r"lower at a density of [^;]*0\.2", exact)
    assert gain(findings, "exact", 0.2) in exact
    [heap] = [sentence for sentence in sentences if "score of clue-heap" in sentence]
    assert re.search("does not clearly differ|differs by at most", heap)


def test_hits_grow_faster_or_more_slowly_than_mines(tmp_path: Path) -> None:
    study = studies.get("mines")
    for power, words in ((2.0, "faster"), (1.0, "in proportion"), (0.5, "more slowly")):

        def tale(arm: Arm, chances: Random, power: float = power) -> dict[str, Any]:
            hits = 0.3 * arm.setup.mines * (arm.setup.mines / 50) ** (power - 1)
            whole = int(hits) + (chances.uniform() < hits % 1)
            return drawn(arm, chances, 0.5) | {"hits": whole}

        sentences = said(made_up(study, tmp_path / words, tale, ENOUGH))
        assert any(f"hits grow {words}" in sentence for sentence in sentences)


def test_published_figures_are_compared(tmp_path: Path) -> None:
    study = studies.get("reports")
    published = {
        (chart.only["table"][0], line, x): value / 100
        for chart in study.charts
        for line, figures in chart.published.items()
        for x, value in figures.values.items()
    }

    def tale(arm: Arm, chances: Random, off: float = 0.0) -> dict[str, Any]:
        place = next(arm.at[axis] for axis in ("density", "board", "side") if axis in arm.at)
        share = published.get((arm.at["table"], arm.agent, place), 0.5)
        return drawn(arm, chances, min(max(share - off, 0.0), 1.0))

    right = said(made_up(study, tmp_path / "right", tale, ENOUGH))
    assert sum(bool(re.search("9 of 9 |(9|10) of 10 ", line)) for line in right) >= 2
    # One interval in 20 misses its figure by chance.
    assert any(re.search("2[5-7] of 27 published figures", sentence) for sentence in right)
    wrong = made_up(study, tmp_path / "wrong", partial(tale, off=0.3), ENOUGH)
    assert any("0 of 27 published figures" in sentence for sentence in said(wrong))


def test_all_agents_of_the_package_are_compared_by_level() -> None:
    assert {arm.agent for arm in studies.get("levels").arms} == set(agents.names())


def test_games_in_common_are_played_once() -> None:
    ids = [{task.id for task in studies.get(name).tasks(50)} for name in ("density", "mines")]
    assert len(ids[0] & ids[1]) > len(ids[1]) / 2


def test_declaring_a_study_needs_no_polars() -> None:
    program = """
import importlib, pkgutil, sys
sys.modules["polars"] = None
from mineproof.lab import studies, study
for module in pkgutil.iter_modules(studies.__path__):
    importlib.import_module(f"{studies.__name__}.{module.name}")
print(*studies.names())
"""
    listing = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert tuple(listing.stdout.split()) == studies.names()


def test_a_study_is_found_by_name() -> None:
    order = "levels strength density total mines size given reports uncertain deduced knowledge"
    others = "time effort hard chains starts belief search short calibration playthrough"
    assert studies.names() == (*order.split(), *others.split())
    for name, study in registry.registered().items():
        assert study.name == name
        assert study.question
    with pytest.raises(ValueError, match=r"^study 'tea': must be levels, .* or "):
        studies.get("tea")
    with pytest.raises(TypeError, match=r"^study 5: must be a str, such as 'levels'"):
        studies.get(5)  # type: ignore[arg-type]


@pytest.fixture
def offer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], None]]:
    """Lets an installed package offer a study."""
    monkeypatch.syspath_prepend(ROOT / "examples")

    def offered(name: str, value: str) -> None:
        point = EntryPoint(name, value, registry.GROUP)
        monkeypatch.setattr(registry, "entry_points", lambda *, group: [point])

    registry.registered.cache_clear()
    yield offered
    registry.registered.cache_clear()


def test_an_installed_study_is_found(offer: Callable[[str, str], None]) -> None:
    offer("corners", "own_study:STUDY")
    assert studies.names()[-1] == "corners"
    assert studies.get("corners").question


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("corners", "nowhere:STUDY", "study 'corners': nowhere:STUDY cannot be loaded: No module"),
        ("corners", "json:loads", "study 'corners': json:loads is not a Study"),
        ("edges", "own_study:STUDY", "study 'edges': own_study:STUDY has another name"),
        ("size", "mineproof.lab.studies.size:STUDY", "takes a name that is taken"),
    ],
)
def test_what_is_no_study_is_refused(
    offer: Callable[[str, str], None], name: str, value: str, sentence: str
) -> None:
    offer(name, value)
    with pytest.raises(ValueError, match=sentence):
        studies.names()


def test_the_example_of_a_study_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["own_study.py", str(tmp_path / "corners")])
    runpy.run_path(str(ROOT / "examples" / "own_study.py"), run_name="__main__")
    printed = capsys.readouterr().out
    assert "With the first cell in a corner, the share of games won " in printed
    assert (tmp_path / "corners" / "index.html").is_file()


def test_the_page_on_the_reports_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = studies.get("reports")
    charts = tuple(chart for chart in study.charts if chart.published)
    reported = {line for chart in charts for line in chart.published}
    arms = tuple(arm for arm in study.arms if arm.agent in reported)
    few = replace(study, arms=arms, charts=charts)
    monkeypatch.setattr(registry, "registered", lambda: {"reports": few})
    page = tmp_path / "page.md"
    page.write_text("Before\n<!-- tables: begin -->\nold\n<!-- tables: end -->\nAfter\n")
    words = ["reports.py", "--games", "1", "--workers", "1"]
    monkeypatch.setattr(sys, "argv", [*words, "--out", str(tmp_path / "out"), "--page", str(page)])
    runpy.run_path(str(ROOT / "examples" / "reports.py"), run_name="__main__")
    written = page.read_text(encoding="utf-8")
    assert written.startswith("Before")
    assert written.endswith("After\n")
    assert "old" not in written
    kept = (ROOT / "docs" / "reports.md").read_text(encoding="utf-8")
    assert all(f"### {chart.title}\n" in kept for chart in study.charts)
    for text in (written, kept):
        for chart in charts:
            assert f"### {chart.title}\n" in text
            for agent, published in chart.published.items():
                figures = " | ".join(f"{value:g}" for value in published.values.values())
                assert f"| `{agent}`, reported | {figures} |" in text


def test_the_page_on_studies_lists_all_studies_and_probes() -> None:
    page = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == [*studies.names(), *PROBES]
