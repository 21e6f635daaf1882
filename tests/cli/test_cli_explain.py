"""`mineproof explain`: every cell in every form, hints, pictures and refusals."""

from __future__ import annotations

import io
import json
import os
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from mineproof import BudgetExceeded, Observation, Proof, cli, explain, infer
from mineproof.cli import explain as command
from mineproof.position import Cell
from mineproof.proofs import explain_all, hints
from mineproof.search import advise

if os.name != "nt":
    from terminal import Terminal

POSITION = "5x3x3\n.....\n.12F.\n.1?.s"
KEYS = [
    *("cell", "status", "risk", "text", "premises", "uses_total", "trusted", "technique", "steps")
]


@pytest.fixture
def position(tmp_path: Path) -> Path:
    path = tmp_path / "position.txt"
    path.write_text(POSITION)
    return path


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = cli.main(["explain", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


def answer(capsys: pytest.CaptureFixture[str], *words: object) -> list[dict[str, Any]]:
    code, out, err = run(capsys, *words, "--json")
    assert (code, err) == (0, "")
    entries: list[dict[str, Any]] = json.loads(out)
    assert all(list(entry) == KEYS for entry in entries)
    return entries


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.startswith("mineproof: ")
    assert err.count("\n") == 1
    return err.removeprefix("mineproof: ").removeprefix("Invalid value for ").strip()


def cells(found: Iterable[Cell]) -> list[list[int]]:
    return [list(cell) for cell in found]


def entry_of(proof: Proof) -> dict[str, Any]:
    return {
        "cell": list(proof.cell),
        "status": proof.status,
        "risk": 1.0 if proof.status == "mine" else 0.0,
        "text": str(proof).splitlines()[0].replace(":", "."),
        "premises": cells(proof.premises),
        "uses_total": proof.uses_total,
        "trusted": cells(proof.trusted),
        "technique": str(proof.technique),
        "steps": [
            {
                "text": step.text,
                "depth": len(step.assumed),
                "clues": cells(step.clues),
                "safe": cells(step.safe),
                "mined": cells(step.mined),
                "assumed": [[list(cell), mine] for cell, mine in step.assumed],
            }
            for step in proof.steps
        ],
    }


# ------------------------------------------------------------------------------------------- JSON


def test_every_certain_cell_simplest_first(
    position: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = Observation.from_text(POSITION)
    posterior = infer(seen)
    entries = answer(capsys, position)
    assert entries == [entry_of(proof) for proof in explain_all(seen)]
    found = {tuple(entry["cell"]) for entry in entries}
    assert found == {*posterior.safe, *posterior.mined}
    assert len(entries) == len(found) > 0


def test_one_certain_cell(position: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for proof in explain_all(Observation.from_text(POSITION)):
        row, col = proof.cell
        (entry,) = answer(capsys, position, "--cell", f"{row},{col}")
        assert entry["cell"] == [row, col]
        assert entry["status"] == proof.status
        assert entry["technique"] == str(proof.technique)


def test_an_uncertain_cell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "position.txt"
    path.write_text("5x2x2\n.1...\n.....")
    (entry,) = answer(capsys, path, "--cell", "0,0")
    headline, *lines = str(explain(Observation.from_text(path.read_text()), (0, 0))).splitlines()
    plain: dict[str, Any] = {"depth": 0, "clues": [], "safe": [], "mined": [], "assumed": []}
    assert entry == {
        "cell": [0, 0],
        "status": "uncertain",
        "risk": pytest.approx(0.2),
        "text": headline,
        "premises": [[0, 1]],
        "uses_total": False,
        "trusted": [],
        "technique": None,
        "steps": [{"text": line, **plain} for line in lines],
    }
    assert "No cell is certainly safe" in lines[-1]
    assert answer(capsys, path) == []


@pytest.mark.parametrize(
    ("symbol", "status", "risk", "technique", "said"),
    [
        ("2", "open", None, None, "(0, 0) is open and shows 2."),
        ("?", "open", None, None, "(0, 0) is open and its clue was lost."),
        ("~", "open", None, None, "(0, 0) is open and its clue is late."),
        ("*", "mine", 1.0, "given", "(0, 0) is a mine that exploded."),
    ],
)
def test_a_cell_that_is_not_closed(
    symbol: str,
    status: str,
    risk: float | None,
    technique: str | None,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "position.txt"
    path.write_text(f"{symbol}..\n...")
    (entry,) = answer(capsys, path, "--cell", "0,0")
    assert (entry["status"], entry["risk"], entry["technique"]) == (status, risk, technique)
    assert (entry["text"], entry["steps"]) == (said, [])
    code, out, _ = run(capsys, path, "--cell", "0,0", "--svg", tmp_path / "open.svg")
    assert code == 0
    assert said in out
    ET.parse(tmp_path / "open.svg")


def test_options(position: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (trusted,) = answer(capsys, position, "--flags", "trust", "--cell", "1,3")
    assert (trusted["status"], trusted["technique"]) == ("mine", "given")
    assert answer(capsys, position, "--mines", "4") != answer(capsys, position)
    noisy = answer(capsys, position, "--channel", "optimistic")
    assert [2, 4] in [entry["cell"] for entry in noisy]
    assert len(noisy) < len(answer(capsys, position))


def test_the_total_is_told_from_the_header(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "position.txt"
    path.write_text("3x2x1\n1..\n.??")
    (entry,) = answer(capsys, path, "--cell", "0,2")
    assert (entry["status"], entry["uses_total"], entry["technique"]) == ("safe", True, "total")
    path.write_text("1..\n.??")
    (entry,) = answer(capsys, path, "--cell", "0,2")
    assert entry["status"] == "uncertain"


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"2x1x1\n1.\n")))
    (entry,) = answer(capsys, "-")
    assert entry["cell"] == [0, 1]


# ------------------------------------------------------------------------------------------- text


@pytest.mark.usefixtures("wide")
def test_all_cells_in_words(position: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seen = Observation.from_text(POSITION)
    code, out, err = run(capsys, position)
    assert (code, err) == (0, "")
    headings = ["Known from the start:", "By counting:", "By comparing two clues:", "By cases:"]
    found = [heading for heading in headings if heading in out]
    assert [out.index(heading) for heading in found] == sorted(map(out.index, found))
    assert all(str(proof.cell) in out for proof in explain_all(seen))
    assert out.rstrip().endswith(str(advise(seen)))
    assert "\x1b" not in out


def test_where_nothing_is_certain_a_guess_is_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "position.txt"
    path.write_text("3x2x1\n..?\n11?")
    out = run(capsys, path)[1]
    assert "You may guess" in out
    assert "50/50" in out


def test_the_end_of_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "position.txt"
    path.write_text("2x1x0\n00")
    assert "nothing left to open" in run(capsys, path)[1]
    assert answer(capsys, path) == []
    assert run(capsys, path, "--svg", tmp_path / "end.svg")[0] == 0


def test_one_cell_in_words(position: Path, capsys: pytest.CaptureFixture[str]) -> None:
    proof = explain_all(Observation.from_text(POSITION))[-1]
    row, col = proof.cell
    out = run(capsys, position, "--cell", f"{row},{col}")[1]
    assert out.startswith(str(proof).partition(":")[0])
    assert all(step.text in out for step in proof.steps)
    assert "[] the cell" in out
    assert "() a clue it rests on" in out


@pytest.mark.skipif(os.name == "nt", reason="terminals differ")
def test_on_a_terminal(position: Path) -> None:
    with Terminal("explain", str(position), "--cell", "0,0", cols=60) as terminal:
        assert terminal.wait() == 0
    assert "\x1b[1m" in terminal.output
    assert all(len(line) <= 60 for line in terminal.plain.splitlines())
    with Terminal("explain", str(position), cols=60) as terminal:
        assert terminal.wait() == 0
    assert "There is a certain move" in terminal.plain


# ------------------------------------------------------------------------------- pictures and hints


@pytest.mark.parametrize("words", [(), ("--cell", "0,0"), ("--cell", "1,1"), ("--cell", "0,4")])
def test_pictures(
    words: tuple[str, ...], position: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.svg"
    code, shown, err = run(capsys, position, *words, "--svg", out)
    assert (code, err) == (0, "")
    assert shown
    assert ET.parse(out).getroot().tag.endswith("svg")
    assert out.read_text().endswith("</svg>\n")
    assert answer(capsys, position, *words, "--svg", out)


def test_a_picture_that_cannot_be_written(
    position: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, position, "--svg", tmp_path / "missing" / "out.svg")
    assert (code, out) == (1, "")
    assert err.endswith("out.svg: no such file or directory\n")
    assert err.count("\n") == 1


def test_hints_tell_more_and_more(position: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hint = hints(Observation.from_text(POSITION))[0]
    stages = [hint.region, hint.clues, hint.cell]
    for stage in (1, 2, 3):
        code, out, _ = run(capsys, position, "--hint", stage)
        assert code == 0
        assert out.splitlines() == stages[:stage]


def test_without_a_certain_move_the_hint_is_to_guess(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "position.txt"
    path.write_text("5x2x2\n.1...\n.....")
    assert "You may guess" in run(capsys, path, "--hint", 1)[1]


# --------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize("words", [(), ("--json",), ("--cell", "0,0"), ("--hint", "1")])
@pytest.mark.parametrize(
    ("text", "cells", "with_total"),
    [("3x1x2\n.1.", ["(0, 1)"], True), ("1.0", ["(0, 0)", "(0, 2)"], False)],
)
def test_contradiction(
    words: tuple[str, ...],
    text: str,
    cells: list[str],
    with_total: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "position.txt"
    path.write_text(text)
    code, out, err = run(capsys, path, *words)
    assert (code, out) == (3, "")
    assert all(cell in err for cell in cells)
    assert ("total" in err) == with_total
    assert err.count("\n") == 1


def test_too_wide(
    position: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def narrow(*arguments: Any, **settings: Any) -> Any:
        raise BudgetExceeded("the frontier is too wide to count exactly within the budget")

    monkeypatch.setattr(command, "infer", narrow)
    code, out, err = run(capsys, position)
    assert (code, out, err.count("\n")) == (4, "", 1)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--cell", "x"], "'--cell': 'x' is not a row and a column, such as 0,3"),
        (["--cell", "1"], "'--cell': '1' is not a row and a column, such as 0,3"),
        (
            ["--cell", "9,0"],
            "'--cell': (9, 0): the board has 3 rows and 5 columns",
        ),
        (
            ["--cell", "-1,0"],
            "'--cell': (-1, 0): the board has 3 rows and 5 columns",
        ),
        (
            ["--flags", "maybe"],
            "'--flags': 'maybe' is not one of 'ignore', 'trust'",
        ),
        (["--mines", "many"], "'--mines': 'many' is not a valid whole number"),
        (["--hint", "0"], "'--hint': '0' is not one of '1', '2', '3'"),
        (["--hint", "1", "--cell", "0,0"], "--hint cannot be used with --cell"),
        (["--hint", "1", "--svg", "out.svg"], "--hint cannot be used with --svg"),
        (["--hint", "1", "--json"], "--hint cannot be used with --json"),
    ],
)
def test_bad_options(
    words: list[str], sentence: str, position: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(capsys, position, *words) == sentence


def test_bad_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "missing.txt"
    assert refused(capsys, missing) == f"{missing}: no such file or directory"
    ragged = tmp_path / "ragged.txt"
    ragged.write_text("...\n..")
    assert refused(capsys, ragged) == f"{ragged}: row 1: 2 cells, expected 3"
    assert "FILE" in refused(capsys)


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "--help")
    assert code == 0
    for word in ("FILE", "--cell", "--mines", "--channel", "--flags", "--hint", "--svg", "--json"):
        assert word in out
