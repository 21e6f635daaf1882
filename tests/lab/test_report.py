"""The report: what it writes, that it says what the records say, and that it copes with little."""

from __future__ import annotations

import csv
import json
import re
import struct
import time
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import polars as pl
import pytest
from report_studies import CURVES, GAME, NAMES, ODD, STUDIES
from small_study import STUDY

from mineproof import Setup, Topology
from mineproof.agents import registered
from mineproof.errors import CannotWrite
from mineproof.lab import studies
from mineproof.lab.archive import Archive
from mineproof.lab.findings import Findings
from mineproof.lab.report import write_report
from mineproof.lab.report.figure import draw
from mineproof.lab.report.look import styles
from mineproof.lab.report.plot import Plot
from mineproof.lab.run import run
from mineproof.lab.study import STEPS, WINS, Arm, Chart, Measure, Study
from mineproof.statistics import Estimate

CHARTS = [(study, chart) for study in STUDIES for chart in study.charts]
SVG = "{http://www.w3.org/2000/svg}"


class Reader(HTMLParser):
    """Reads a page: its elements in order, and all its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.said = ""  # without scripts
        self._tag = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))
        self._tag = tag

    def handle_data(self, data: str) -> None:
        self.words += data
        if self._tag not in ("script", "style"):
            self.said += data

    def values(self, attribute: str) -> list[str]:
        return [value for _, found in self.elements if (value := found.get(attribute))]


@pytest.fixture(scope="module")
def archive(reported: Archive) -> Archive:
    return reported


@pytest.fixture(scope="module")
def page(archive: Archive) -> Reader:
    return Reader((archive.path / "index.html").read_text(encoding="utf-8"))


def files(archive: Archive) -> dict[str, bytes]:
    found = (path for path in archive.path.rglob("*") if path.is_file())
    return {str(path.relative_to(archive.path)): path.read_bytes() for path in found}


def table(archive: Archive, name: str) -> list[dict[str, str]]:
    with open(archive.path / "tables" / f"{name}.csv", encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_all_files_are_there(archive: Archive) -> None:
    names = [f"{study.name}-{chart.name}" for study, chart in CHARTS]
    wanted = {"index.html", "studies.json", ".lock"}
    wanted |= {f"figures/{name}.{kind}" for name in names for kind in ("svg", "png", "json")}
    wanted |= {f"tables/{name}.csv" for name in [*names, *(study.name for study in STUDIES)]}
    assert {name for name in files(archive) if not name.startswith("records/")} == wanted


def test_the_same_records_give_the_same_bytes(archive: Archive) -> None:
    before = files(archive)
    write_report(archive, STUDIES)
    assert files(archive) == before


@pytest.mark.parametrize(("study", "chart"), CHARTS, ids=lambda value: str(value.name))
def test_tables_hold_what_was_found(archive: Archive, study: Study, chart: Chart) -> None:
    points = Findings(study, archive).points(chart)
    found = {
        (row[chart.lines], row[chart.x], row.get(chart.panels or "")): row
        for row in table(archive, f"{study.name}-{chart.name}")
    }
    ours = {place: row for place, row in found.items() if row["value"]}
    assert len(ours) == len(points) > 0
    for point in points:
        panel = None if point.panel is None else str(point.panel)
        row = ours[str(point.line), str(point.x), panel]
        estimate = point.estimate
        assert float(row["value"]) == estimate.value
        assert (float(row["low"]), float(row["high"])) == (estimate.low, estimate.high)
        assert (int(row["games"]), row["wide"] == "yes") == (point.games, point.wide)
    figures = sum(len(line.values) for line in chart.published.values())
    assert sum(bool(row["published"]) for row in found.values()) == figures


def test_the_page_says_what_was_found(archive: Archive, page: Reader) -> None:
    for study in STUDIES:
        findings = Findings(study, archive)
        assert study.title in page.words
        assert study.question in page.words
        for sentence in study.answer(findings) if study.answer else ():
            assert sentence in page.words
        assert f"0 to {study.games - 1}" in page.words or study.games == 1
        assert findings.code[0] in page.words
    assert "92" in page.words  # published
    assert "nobody else, published" in page.words
    least = min(p.estimate.value for p in Findings(CURVES, archive).points(CURVES.charts[2]))
    assert ("no place on a logarithmic axis" in page.words) == (least == 0)


def test_cells_of_a_board_are_counted_and_not_estimated(archive: Archive, page: Reader) -> None:
    caption = "Number of a cell, cell by cell; cells without a number have a mine."
    assert caption in page.words
    picture = ET.parse(archive.path / "figures" / "curves-board.svg")
    written = [element.text for element in picture.iter(f"{SVG}text")]
    cells = [5 * row + col for row in range(5) for col in range(5) if (row + col) % 4]
    for cell in cells:
        assert str(cell) in written
    assert "5.0–5.0" not in page.words


def test_it_tells_how_to_play_the_games_again(tmp_path: Path) -> None:
    study = replace(CURVES, charts=())
    archive = run([study], tmp_path, quick=True)
    words = write_report(archive, [study]).read_text(encoding="utf-8")
    assert "mineproof.lab.run.run([study], &#34;DIR&#34;, games=2)" in words
    words = write_report(archive, [study], command="mineproof study").read_text(encoding="utf-8")
    assert "mineproof study curves --quick --out DIR" in words


def test_odd_names_stay_names(archive: Archive, page: Reader) -> None:
    assert not any("onclick" in found for _, found in page.elements)
    for name in ODD:
        assert name in page.words
    picture = ET.parse(archive.path / "figures" / "names-wins.svg")
    written = {element.text for element in picture.iter(f"{SVG}text")}
    assert set(ODD) <= written


def test_every_link_leads_somewhere(archive: Archive, page: Reader) -> None:
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    links = [link for link in page.values("href") if link != "data:,"]
    some = {"records/", "figures/curves-score.png", "tables/game.csv", "#study_curves"}
    assert some <= set(links)
    for link in links:
        assert link[1:] in ids if link.startswith("#") else (archive.path / unquote(link)).exists()
    for reference in re.findall(r"url\(#([^)]+)\)", str(page.elements)):
        assert reference in ids
    labels = [label for value in page.values("aria-labelledby") for label in value.split()]
    assert set(labels) <= set(ids)


def test_the_page_asks_for_nothing(archive: Archive) -> None:
    text = (archive.path / "index.html").read_text(encoding="utf-8")
    before, _, rest = text.partition('id="library">')
    ours = before + rest.partition("</script>")[2]
    assert "vegaEmbed" in rest
    assert text.count('id="library"') == 1
    links = re.sub(r"http://www\.w3\.org/\S+|https://vega\.github\.io/schema/\S+", "", ours)
    assert not re.search(r"https?:|@import|url\((?!#)|src=", links)


def test_headings_tables_and_figures_speak_to_all(page: Reader) -> None:
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    tags = [tag for tag, _ in page.elements]
    assert tags.count("table") == tags.count("caption")
    assert all("scope" in found for tag, found in page.elements if tag == "th")
    for tag, found in page.elements:
        if tag == "svg" and found.get("aria-hidden") != "true":
            assert found["role"] == "img"
            assert found.get("aria-label")
    assert ("html", {"lang": "en"}) in page.elements


def test_every_agent_has_a_look_of_its_own() -> None:
    names = [name for study in map(studies.get, studies.names()) for name in _agents(study)]
    looks = styles([*registered(), *names])
    plain = [looks[name] for name in registered()]
    for of in ("colour", "marker"):
        assert len({getattr(look, of) for look in plain}) == len(plain)
    assert len(set(looks.values())) == len(looks)


def test_published_players_look_the_same_in_every_figure() -> None:
    one, other = (
        styles(["champion", *chart.published], chart.published)
        for chart in studies.get("strength").charts
    )
    assert len(set(one.values())) == len(one)
    assert all(one[name] == look for name, look in other.items())


def _agents(study: Study) -> set[str]:
    return {str(arm.at["agent"]) for arm in study.arms}


def test_axes_fit_their_values() -> None:
    def plot(*values: float, measure: Measure = STEPS) -> Plot:
        chart = Chart("c", "Chart", measure, "x")
        found = (Estimate(value, value * 0.9, value * 1.1) for value in values)
        points = (chart.point("exact", x, e, 9) for x, e in enumerate(found))
        return Plot(chart, tuple(points))

    assert plot(1, 20, 400).is_log
    assert not plot(10, 20, 40).is_log
    assert not plot(0, 0, 0, 1, 400).is_log  # zeros have no place on it
    assert not plot(1, 90, measure=WINS).is_log
    spec = json.loads(draw(plot(60.0, 62.0, 64.0, measure=WINS), "title", "words").source)
    assert spec["layer"][0]["encoding"]["y"]["scale"]["domain"] == [50, 75]


def test_a_right_risk_lies_on_a_line(archive: Archive) -> None:
    figure = archive.path / "figures" / "curves-calibration.svg"
    lines = ET.parse(figure).getroot().iter(f"{SVG}line")
    dashed = [line for line in lines if line.get("stroke-dasharray") == "3,3"]
    assert dashed
    assert all(abs(float(line.get(end, "0"))) > 100 for line in dashed for end in ("x2", "y2"))


def test_figures_stand_alone(archive: Archive) -> None:
    for study, chart in CHARTS:
        path = archive.path / "figures" / f"{study.name}-{chart.name}"
        root = ET.parse(path.with_suffix(".svg")).getroot()
        assert root.find(f"{SVG}title") is not None
        assert root.find(f"{SVG}desc") is not None
        text = path.with_suffix(".svg").read_text(encoding="utf-8")
        assert "var(" not in text
        assert "#ffffff" in text
        data = path.with_suffix(".png").read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n"
        assert struct.unpack(">I", data[16:20])[0] == pytest.approx(
            2 * float(root.attrib["width"]), abs=1
        )


def test_the_list_of_files_reads_the_records(archive: Archive, page: Reader) -> None:
    rows = table(archive, "curves")
    assert {row["agent"] for row in rows} == {"exact", "basic", "random"}
    games = pl.scan_parquet([archive.path / row["file"] for row in rows]).collect()
    assert games.height == sum(int(row["games"]) for row in rows) == 72
    assert 'pl.read_csv("tables/curves.csv")["file"]' in page.words


def test_the_lines_that_read_the_records_count_each_game_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of a study whose arms share games, with and without a probe."""
    few = [replace(STUDY, name=f"few{games}", quick=games) for games in (3, 5)]
    run(few[:1], tmp_path, quick=True)
    archive = run(few, tmp_path, quick=True)
    text = write_report(archive, few).read_text(encoding="utf-8")
    lines = re.findall(r"<code>(files = .*?)</code>", text, re.DOTALL)
    monkeypatch.chdir(archive.path)
    for study, snippet in zip(few, lines, strict=True):
        names: dict[str, Any] = {"pl": pl}
        exec(unescape(snippet), names)
        kinds = {(arm.agent, arm.setup) for arm in study.arms}
        games = names["games"].collect()
        assert len(kinds) < len(study.arms)
        assert games.height == study.quick * len(kinds)
        assert games.select("agent", "mines", "seed").is_unique().all()


def test_games_are_told_move_by_move(archive: Archive, page: Reader) -> None:
    findings = Findings(GAME, archive)
    [record] = findings.records(agent="components").collect().iter_rows(named=True)
    assert record["disputable"] >= 3
    assert f"{record['disputable']} disputable" in page.words
    boards = [found for tag, found in page.elements if "The board at" in str(found)]
    assert len(boards) == record["disputable"] + 1  # the worst one opens the page
    for move in record["moves"]:
        if move["dispute"]:
            assert f"Step {move['step']}." in page.words
        assert move["reason"] in page.words
    assert "though (" in page.words
    assert "No decision is disputable." in page.words  # of exact


def test_a_long_game_is_told_by_its_worst_decisions(tmp_path: Path) -> None:
    study = replace(
        GAME,
        arms=(
            Arm("weights", Setup(Topology(12, 12), 30, GAME.arms[0].setup.rules), probe="moves"),
        ),
    )
    archive = run([study], tmp_path)
    page = Reader(write_report(archive, [study]).read_text(encoding="utf-8"))
    [record] = Findings(study, archive).records().collect().iter_rows(named=True)
    drawn = sum("The board at" in str(found) for _, found in page.elements)
    assert drawn - 1 == 12 < record["disputable"]
    assert f"{record['disputable'] - 12} more are marked in the list of steps" in page.words


def test_a_part_of_the_games_is_shown_as_that(tmp_path: Path) -> None:
    study = replace(CURVES, charts=CURVES.charts[:2])
    archive = run([study], tmp_path)
    for file in sorted(archive.records.iterdir())[:7]:
        file.unlink()
    words = Reader(write_report(archive, [study, NAMES]).read_text(encoding="utf-8")).words
    assert "Only 30 of 72 games are there" in words
    assert "Only 0 of 72 games are there" in words
    assert "Games of 2 of 2 questions are missing" in words
    assert "Nothing can be said yet." in words


def test_answers_go_as_far_as_the_records(tmp_path: Path) -> None:
    def answer(findings: Findings) -> list[str]:
        return [str(findings.estimate(WINS, agent="exact", density=0.99))]

    study = replace(CURVES, answer=answer, charts=())
    words = Reader(write_report(run([study], tmp_path), [study]).read_text(encoding="utf-8")).words
    assert "More can be said when all arms have games." in words


def test_one_game_has_no_interval(tmp_path: Path) -> None:
    numbers = replace(CURVES, charts=CURVES.charts[2:3])
    names = replace(NAMES, charts=NAMES.charts[1:2])
    studies = [numbers, names, GAME]
    archive = run(studies, tmp_path, games=1)
    page = Reader(write_report(archive, studies).read_text(encoding="utf-8"))
    assert "one game, no interval" in page.words
    said = re.findall(r"\w+", page.said)
    assert "inf" not in said
    assert "nan" not in said


def test_many_arms_do_not_take_long(tmp_path: Path) -> None:
    setup = Setup(Topology(3, 3), 1)
    study = Study(
        "many",
        "Many",
        "How many?",
        tuple(Arm("random", setup, {"x": n % 10, "line": n // 10}) for n in range(120)),
        games=1,
        quick=1,
        charts=(
            Chart("curves", "Curves", WINS, x="x", lines="line"),
            Chart("dots", "Dots", WINS, x="agent", lines="line", only={"x": (1,)}),
        ),
    )
    archive = run([study], tmp_path)
    begin = time.process_time()
    write_report(archive, [study])
    assert time.process_time() - begin < 15


def test_two_charts_cannot_share_a_file(tmp_path: Path) -> None:
    one = replace(CURVES, name="a", charts=(replace(CURVES.charts[0], name="b-c"),))
    other = replace(CURVES, name="a-b", charts=(replace(CURVES.charts[0], name="c"),))
    with pytest.raises(ValueError, match="'a-b-c'"):
        write_report(Archive(tmp_path), [one, other])


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    study = replace(CURVES, charts=CURVES.charts[:1])
    archive = run([study], tmp_path, games=1)
    (tmp_path / "figures").write_text("in the way")
    with pytest.raises(CannotWrite, match=r"cannot write .*curves-score.svg"):
        write_report(archive, [study])
    assert not (tmp_path / "index.html").exists()
