"""`mineproof records`: what there is, and what SQL asks of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from commands import done, failed
from small_study import STUDY

from mineproof import cli
from mineproof.arena import signatures
from mineproof.lab import studies
from mineproof.lab.run import run


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "registered", lambda: {"small": STUDY})


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("records")
    run([STUDY], directory, quick=True)
    return directory


def test_records(
    directory: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    heading, _, *rows, last = done(capsys, "records", directory).splitlines()
    settings = ["size", "mines", "start", "on_mine", "cascade", "given_safe", "channel"]
    assert heading.split() == ["agent", *settings, "games", "won", "studies"]
    # Arms with probes play the games of others, which count once.
    assert len(rows) == 6
    assert rows[0].split()[:6] == ["noisy-or", "6", "x", "6", "6", "safe"]
    assert rows[0].split()[-1] == "small"
    size = sum(file.stat().st_size for file in directory.rglob("*.parquet"))
    assert last == f"120 games in 6 files, {size:,} bytes"
    found = json.loads(done(capsys, "records", directory, "--json"))
    assert {name: found[name] for name in ("files", "bytes", "studies")} == {
        "files": 6,
        "bytes": size,
        "studies": {"small": 20},
    }
    assert sum(row["games"] for row in found["games"]) == 120
    assert [row["studies"] for row in found["games"]] == [["small"]] * 6


def test_records_of_fewer_and_more_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for games in (10, 60):
        run([STUDY], tmp_path, games=games)
    found = json.loads(done(capsys, "records", tmp_path, "--json"))
    assert [row["games"] for row in found["games"]] == [60] * 6


@pytest.mark.usefixtures("wide")
def test_records_of_two_codes_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run([STUDY], tmp_path, games=10)
    before = signatures.code_of("random")
    monkeypatch.setattr(signatures, "SIGNATURES", {**signatures.SIGNATURES, "random": "01234567"})
    run([STUDY], tmp_path, games=10)
    assert cli.main(["records", str(tmp_path), "--json"]) == 0
    out, err = capsys.readouterr()
    rows = [row for row in json.loads(out)["games"] if row["agent"] == "random"]
    assert [row["games"] for row in rows] == [10] * 6
    codes = {"38976c59+01234567", before}
    assert {row["code"] for row in rows} == codes
    assert all(code in done(capsys, "records", tmp_path) for code in codes)
    assert err == (
        f"mineproof: {tmp_path}: holds records of random under 2 codes; the column `code` tells "
        "them apart\n"
    )


def test_sql(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    query = (
        "select agent, count(*) as games, avg(score) as score, max(first_row) as first, "
        "min(won) as all_won from records where mines = 8 group by agent order by agent"
    )
    noisy, random = json.loads(done(capsys, "records", directory, "--sql", query, "--json"))
    assert (noisy["agent"], noisy["games"], noisy["first"]) == ("noisy-or", 20, None)
    heading, _, first, second = done(capsys, "records", directory, "--sql", query).splitlines()
    assert heading.split() == ["agent", "games", "score", "first", "all_won"]
    assert first.split() == ["noisy-or", "20", f"{noisy['score']:.6g}", "false"]
    assert second.split()[0] == random["agent"] == "random"


def test_sql_is_one_query(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for query in (
        "select count(*) as n from records;",
        " SELECT count(*) as n from records where agent != ';' ",
        "with some as (select * from records) select count(*) as n from some",
    ):
        assert json.loads(done(capsys, "records", directory, "--sql", query, "--json")) == [
            {"n": 120}
        ]


@pytest.mark.usefixtures("wide")
def test_what_all_games_share_is_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = replace(STUDY, arms=STUDY.arms[:2])
    run([study], tmp_path, games=5)
    shared, _, heading, _, *rows, _ = done(capsys, "records", tmp_path).splitlines()
    assert shared == (
        "All games: size 6 x 6, mines 6, start safe, on_mine end, cascade true, given_safe 0, "
        "channel exact."
    )
    assert heading.split() == ["agent", "games", "won", "studies"]
    assert [row.split()[0] for row in rows] == ["noisy-or", "random"]


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_tables_fit(
    columns: int,
    directory: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for words in ((), ("--sql", "select * from records limit 2")):
        out = done(capsys, "records", directory, *words)
        assert max(map(len, out.splitlines())) <= columns
        assert "…" not in out
        assert "studies" in out or "identified" in out


def test_sql_with_a_long_or_empty_answer(
    directory: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mineproof.cli.records._MOST_ROWS", 5)
    out = done(capsys, "records", directory, "--sql", "select seed from records")
    assert out.splitlines()[-1] == "and 115 more rows; --json prints all"
    assert len(out.splitlines()) == 8
    none = "select agent, seconds from records where mines > 100"
    assert done(capsys, "records", directory, "--sql", none).split()[:2] == ["agent", "seconds"]
    assert done(capsys, "records", directory, "--sql", none, "--json") == "[]\n"
    odd = "select 1 / (score - score) as a, (score - score) / (score - score) as b, 'x' as c "
    odd += "from records limit 1"
    assert json.loads(done(capsys, "records", directory, "--sql", odd, "--json")) == [
        {"a": None, "b": None, "c": "x"}
    ]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("", "--sql: must be one query, which begins with select or with"),
        ("play on", "--sql: must be one query, which begins with select or with"),
        ("drop table records", "--sql: must be one query, which begins with select or with"),
        ("select 1; drop table records", "--sql: must be one query, which begins with select"),
        ("selection", "--sql: must be one query, which begins with select or with"),
        ("select from where", "--sql: "),
        ("select luck from records", '--sql: unable to find column "luck"'),
        ("select * from games", "--sql: relation 'games' was not found"),
        ("select sum(agent) from records", "--sql: "),
        ("select lucky(agent) from records", "--sql: "),
    ],
)
def test_wrong_sql(
    query: str, sentence: str, directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert failed(capsys, "records", directory, "--sql", query).startswith(sentence)


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    out = " ".join(done(capsys, "records", "--help").split())
    assert "--sql" in out
    assert "--json" in out
    assert "group by agent" in out
