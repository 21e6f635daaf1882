"""Answers about chains of influence, and about what is hard, follow the records."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET
from zlib import crc32

import pytest
from fake_records import Tale, density, made_up, said

from mineproof.lab import studies
from mineproof.lab.findings import Findings
from mineproof.lab.probes import find_probe
from mineproof.lab.run import run
from mineproof.lab.study import Arm, Study
from mineproof.random import Random

DOCS = Path(__file__).parents[2] / "docs"
NAMES = ("hard", "chains", "starts", "belief", "search", "short")


def starts_of(arm: Arm, length: Callable[[int, int], int]) -> list[dict[str, Any]]:
    return [
        {"row": row, "col": col, "opens": (row + col) % 3 == 0, "longest": length(row, col)}
        for row in range(arm.setup.topology.rows)
        for col in range(arm.setup.topology.cols)
        if (row * col) % 5 != 4
    ]


def any_game(arm: Arm, chances: Random, share: float) -> dict[str, Any]:
    """A game with all that any probe measures, the more of it the higher the share."""
    much = 1 + share + 0.4 * chances.uniform()
    side = arm.setup.topology.rows
    closed = [100] * (side - 1)
    shifted = [round(30 * much / (1 + far)) for far in range(side - 1)]
    measured = {
        "won": chances.uniform() > share,
        "guesses": round(10 * much),
        "seconds": 0.001 * much,
        "unguessed": chances.uniform() > share + 0.2,
        "posteriors": 10,
        "width": round(5 * much),
        "component": round(9 * much),
        "work": round(1000 * much),
        "longest": round(side * much),
        "mean_length": 3 * much,
        "reach": side - 2 - (chances.uniform() < share),
        "branching": 2 * much,
        "decided": chances.uniform() > share,
        "largest_cascade": round(40 * much),
        "starts": starts_of(arm, lambda row, col: round(9 * much * chances.uniform())),
        "clues": 100,
        "silent": round(40 * much),
        "closed": closed,
        "shifted_0.001": [2 * number for number in shifted],
        "shifted_0.01": shifted,
        "shifted_0.1": [number // 3 for number in shifted],
        "found": round(30 * much),
        "beside": [round(8 * much) + number % 3 for number in range(25)],
    }
    assert arm.probe is not None
    wanted = {"won", "guesses", "seconds", *find_probe(arm.probe).columns}
    return {name: value for name, value in measured.items() if name in wanted}


def fuller_is_more(arm: Arm, chances: Random) -> dict[str, Any]:
    return any_game(arm, chances, min(density(arm), 0.9))


def at_random(arm: Arm, chances: Random) -> dict[str, Any]:
    """Every arm is as it happens to be."""
    return any_game(arm, chances, Random(crc32(repr(arm.at).encode())).uniform())


@pytest.fixture(params=NAMES, scope="module")
def study(request: pytest.FixtureRequest) -> Study:
    return studies.get(request.param)


@pytest.fixture(scope="module")
def findings(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Findings:
    return made_up(study, tmp_path_factory.mktemp("one"), fuller_is_more, 30)


def test_arms_are_told_apart(study: Study) -> None:
    places = [tuple(sorted(arm.at.items())) for arm in study.arms]
    assert len(set(places)) == len(places)
    assert len({arm.setup for arm in study.arms}) == len(places) / len(
        {arm.agent for arm in study.arms}
    )


def test_every_chart_has_values(study: Study, findings: Findings) -> None:
    for chart in study.charts:
        points = findings.points(chart)
        assert points, chart.name
        places = [(point.line, point.x, point.panel) for point in points]
        assert len(set(places)) == len(places), chart.name
        for point in points:
            assert point.estimate.low <= point.estimate.value <= point.estimate.high


def test_no_sentence_is_canned(study: Study, findings: Findings, tmp_path: Path) -> None:
    one, other = said(findings), said(made_up(study, tmp_path, at_random, 30))
    assert one
    assert other
    assert set(one) & set(other) == set()


def test_stopped_runs_are_told_of(study: Study, tmp_path: Path) -> None:
    findings = made_up(study, tmp_path, fuller_is_more, 3)
    files = sorted(findings.archive.records.iterdir())
    for every in (2, 5, len(files)):
        for number, file in enumerate(files):
            if number % every:
                file.unlink(missing_ok=True)
        findings = Findings(study, findings.archive)
        said(findings)
        for chart in study.charts:
            findings.points(chart)
    files[0].unlink()
    findings = Findings(study, findings.archive)
    assert said(findings) == []
    assert not any(findings.points(chart) for chart in study.charts)


def test_a_single_game_is_no_reason_to_fail(study: Study, tmp_path: Path) -> None:
    findings = made_up(study, tmp_path, fuller_is_more, games=1)
    said(findings)
    for chart in study.charts:
        findings.points(chart)


def test_some_games_are_played(study: Study, tmp_path: Path) -> None:
    smallest = sorted(study.arms, key=lambda arm: arm.setup.topology.rows * arm.setup.topology.cols)
    some = replace(study, arms=tuple(smallest[:3]))
    findings = Findings(some, run([some], tmp_path / "records", games=1, workers=1))
    assert findings.complete
    said(findings)


def test_chains_and_what_is_hard_are_asked_of_the_same_games() -> None:
    chains, hard = ({task.id for task in studies.get(name).tasks(50)} for name in NAMES[:2])
    assert chains == hard


def told(change: Callable[[Arm, Random], dict[str, Any]]) -> Tale:
    """A tale that is usual but for some columns."""
    return lambda arm, chances: any_game(arm, chances, 0.3) | change(arm, chances)


def test_where_chains_are_longest_is_found(tmp_path: Path) -> None:
    study = studies.get("chains")
    for peak in (0.1, 0.3):

        def length(arm: Arm, chances: Random, peak: float = peak) -> dict[str, Any]:
            return {"longest": 50 - round(50 * abs(density(arm) - peak))}

        first, *_ = said(made_up(study, tmp_path / str(peak), told(length), 10))
        assert first.startswith(
            f"The longest chain of a game is longest at a density of {peak} on 10×10: 50.0"
        )


@pytest.mark.parametrize(
    ("power", "how"), [(0.5, "more slowly than"), (1.0, "in proportion to"), (1.5, "faster than")]
)
def test_chains_grow_with_the_board(tmp_path: Path, power: float, how: str) -> None:
    def length(arm: Arm, chances: Random) -> dict[str, Any]:
        farthest = max(3, arm.setup.topology.rows - 4)
        return {"longest": round(10 * farthest**power * (0.5 + chances.uniform()))}

    sentences = said(made_up(studies.get("chains"), tmp_path, told(length), 20))
    growth = f"From 6×6 to 40×40, the longest chain grows {how} the distance from the start"
    assert any(text.startswith(growth) for text in sentences)


@pytest.mark.parametrize(
    ("sign", "how"), [(1, "more"), (-1, "less"), (0, "no clear difference in")]
)
def test_long_chains_go_with_more_or_less(tmp_path: Path, sign: int, how: str) -> None:
    def paired(arm: Arm, chances: Random) -> dict[str, Any]:
        length, other = chances.below(30), chances.below(30)
        return {"longest": 40 + length, "guesses": 40 + (sign * length if sign else other)}

    study = studies.get("chains")
    findings = made_up(study, tmp_path, told(paired), 20)
    [sentence] = [text for text in said(findings) if "longer chains go with" in text]
    assert re.search(rf"(with|,|and) {how}.* guessing \(rank", sentence)
    values = [p.estimate.value for p in findings.points(study.charts[-1]) if p.panel == "guessing"]
    assert sum(values) / len(values) == pytest.approx(sign, abs=0.15)


@pytest.mark.parametrize(
    ("won", "seconds", "steps", "verdict"),
    [
        (False, 0.01, 10, "The boards are hard, not the computing: on 32 of 32 kinds"),
        (False, 9.0, 10, "Both the boards and the computing are hard"),
        (True, 0.01, 11, "The computing is hard, not the boards: on 0 of 32 kinds"),
        (True, 0.01, 10, "Neither the boards nor the computing are clearly hard"),
    ],
)
def test_what_is_hard_is_found(
    tmp_path: Path, won: bool, seconds: float, steps: int, verdict: str
) -> None:
    def change(arm: Arm, chances: Random) -> dict[str, Any]:
        return {"won": won, "seconds": seconds + 0.01 * chances.uniform(), "steps": steps}

    first, *_ = said(made_up(studies.get("hard"), tmp_path, told(change), 20))
    assert first.startswith(verdict)


def test_the_widest_component_is_found(tmp_path: Path) -> None:
    def change(arm: Arm, chances: Random) -> dict[str, Any]:
        return {"width": 17 if arm.setup.topology.rows == 28 and arm.at["density"] == 0.2 else 5}

    sentences = said(made_up(studies.get("hard"), tmp_path, told(change), 2))
    assert (
        "In 64 games no component has more than 17 open clues; the widest is on 28×28 at a density "
        "of 0.2."
    ) in sentences


def test_powers_of_the_cells_are_found(tmp_path: Path) -> None:
    def change(arm: Arm, chances: Random) -> dict[str, Any]:
        cells = arm.setup.topology.rows * arm.setup.topology.cols
        return {"guesses": 10 * cells + chances.below(5), "work": cells**2 + chances.below(5)}

    sentences = said(made_up(studies.get("hard"), tmp_path, told(change), 10))
    for name, power in {"number of guesses": 1, "work of exact inference": 2}.items():
        growth = " ".join(text for text in sentences if f"the {name} grows" in text)
        found = re.findall(r"\(power (\d\.\d+)", growth)
        assert [float(text) for text in found] == [pytest.approx(power, abs=0.01)] * 3


def test_the_start_cell_matters_or_not(tmp_path: Path) -> None:
    def lengths(edge: int, opening: int) -> Tale:
        def length(row: int, col: int) -> int:
            nearest = min(row, col, 9 - row, 9 - col)
            return 10 + edge * (4 - nearest) + opening * ((row + col) % 3 == 0)

        return told(
            lambda arm, chances: {
                "starts": starts_of(arm, lambda row, col: length(row, col) + chances.below(3))
            }
        )

    study = studies.get("starts")
    _, _, edge, opens = said(made_up(study, tmp_path / "edge", lengths(2, 0), 40))
    assert re.search(
        r"in the middle, the length of the longest chain is higher .* by (up to )?[78]\.", edge
    )
    assert "differs by at most" in opens or re.search(r"(by|up to) 0\.", opens)
    _, shortest, edge, opens = said(made_up(study, tmp_path / "opens", lengths(0, -3), 40))
    assert "of a board is 7" in shortest
    assert re.search(
        r"with a number, the length of the longest chain is lower .* by (up to )?[23]\.", opens
    )


def test_the_board_shows_the_first_game(tmp_path: Path) -> None:
    def change(arm: Arm, chances: Random) -> dict[str, Any]:
        return {"starts": starts_of(arm, lambda row, col: 10 * row + col)}

    study = studies.get("starts")
    points = made_up(study, tmp_path, told(change), 3).points(study.charts[0])
    assert {point.panel for point in points} == {10, 15, 20}
    for point in points:
        assert point.estimate.value == 10 * int(point.line) + int(point.x)
        assert point.games == 1


@pytest.mark.parametrize("reach", [3, 9])
def test_how_far_belief_travels_is_found(tmp_path: Path, reach: int) -> None:
    def change(arm: Arm, chances: Random) -> dict[str, Any]:
        shifted = [40 if far < reach else 0 for far in range(19)]
        silent = 70 if arm.at["telling"] == "told" else 20
        return {"shifted_0.01": shifted, "silent": silent}

    study = studies.get("belief")
    findings = made_up(study, tmp_path, told(change), 300)
    near, _, far, silent, _, _, _, talkative = said(findings)
    assert "40.00% (39.60 to 40.60)" in near
    assert f"up to a distance of {reach}.875" in far
    assert "Where the total is told, the share of clues that change no risk" in silent
    assert "70.00% (69.30 to 70.30)" in silent
    assert "20.00% (19.80 to 20.80)" in talkative
    by_distance = [p for p in findings.points(study.charts[0]) if p.line == 0.2]
    assert [p.estimate.value for p in by_distance[:19]] == [40.0] * reach + [0.0] * (19 - reach)


def test_distances_without_closed_cells_do_not_count(tmp_path: Path) -> None:
    def change(arm: Arm, chances: Random) -> dict[str, Any]:
        empty = chances.uniform() < 0.5
        return {
            "closed": [100] * 5 + [0 if empty else 50] + [0] * 13,
            "shifted_0.01": [10] * 5 + [0 if empty else 5] + [0] * 13,
        }

    study = studies.get("belief")
    points = made_up(study, tmp_path, told(change), 20).points(study.charts[0])
    assert {point.x for point in points} == {1, 2, 3, 4, 5, 6}
    assert all(point.estimate.value == pytest.approx(10) for point in points)
    assert all(point.games < 20 for point in points if point.x == 6)


def test_searches_find_longer_chains_or_none(tmp_path: Path) -> None:
    study = studies.get("search")
    for name, found in {"three": 30, "one": 10}.items():

        def change(arm: Arm, chances: Random, found: int = found) -> dict[str, Any]:
            lucky = None if chances.uniform() < 0.2 else found + chances.below(3) - 1
            return {"found": lucky, "beside": [9, None, *[10] * 20, 11]}

        findings = made_up(study, tmp_path / name, told(change), 20)
        first, longest = said(findings)
        figure = "(3.0|2.9)" if name == "three" else "(1.0|0.9)"
        assert re.search(rf"is {figure}\d* times \([^)]*\) as long with 5 mines, ", first)
        assert f"{found + 1} with 15 mines" in longest
        times = findings.points(study.charts[1])
        assert all(t.estimate.value == pytest.approx(found / 10, abs=0.05) for t in times)
        medians = [p for p in findings.points(study.charts[0]) if p.line == "random, median"]
        assert {point.estimate.value for point in medians} == {10.0}


def test_preferring_short_chains_helps_or_not(tmp_path: Path) -> None:
    study = studies.get("short")
    for name, gain in {"helps": 0.4, "nothing": 0.0}.items():

        def change(arm: Arm, chances: Random, gain: float = gain) -> dict[str, Any]:
            preferring = arm.agent == "exact:chains" and arm.at["board"] == "expert"
            return {"won": chances.uniform() < 0.4 + gain * preferring}

        wins, *_ = said(made_up(study, tmp_path / name, told(change), 200))
        if gain:
            assert re.search(r"share of games won is higher on expert, by \d+\.\d points", wins)
        else:
            assert "the share of games won does not clearly differ" in wins


def test_the_page_on_what_is_hard_shows_figures_of_the_study() -> None:
    page = (DOCS / "hard.md").read_text(encoding="utf-8")
    images = re.findall(r"!\[[^]]+\]\((images/[^)]+)\)", page)
    assert len(images) == 3
    for image in images:
        words = " ".join(ET.parse(DOCS / image).getroot().itertext())
        assert any(chart.title in words for chart in studies.get("hard").charts), image
    [command] = re.findall(r"^mineproof study (.*) --games 300 --out DIR$", page, re.MULTILINE)
    assert set(command.split()) <= set(studies.names())
