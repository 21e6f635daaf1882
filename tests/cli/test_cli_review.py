"""`mineproof review`: in the terminal, as JSON, as a page, and of replays."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from commands import done, failed

from mineproof import Board, Game, Rules, Transcript, cli, search
from mineproof.cli import progress
from mineproof.formats import write_entry
from mineproof.search import Review, review


def transcript() -> Transcript:
    """A forced guess, and then a needless one that costs the game."""
    game = Game.on(Board.from_cells(1, 5, [(0, 2)]), Rules(start="any"))
    for cell in ((0, 1), (0, 2)):
        game.open(cell)
    return Transcript.of(game, by="Ada <b>")


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    file = tmp_path / "game.txt"
    file.write_text(transcript().to_text())
    return file


def test_the_text_is_that_of_the_review(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown = done(capsys, "review", saved)
    found = review(transcript(), samples=100)
    assert shown.startswith("Ada <b>: 1 row, 5 columns, 1 mine, start any; lost\n")
    for line in (str(found).splitlines()[0], "Move 0, Ada <b>: (0, 1): a forced guess"):
        assert line in shown
    assert "Move 1, Ada <b>: (0, 2): " in shown
    assert "points" in shown
    by_risk = done(capsys, "review", saved, "--samples", 0)
    assert str(review(transcript())).splitlines()[-1] in by_risk
    assert "points" not in by_risk


def test_json_has_the_fields_of_the_page(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(done(capsys, "review", saved, "--json"))
    assert told["outcome"] == "lost"
    assert told["conditions"]["cols"] == 5
    assert [one["verdict"] for one in told["judged"]] == ["forced", "needless"]
    assert told["judged"][1]["hit"]
    assert told["judged"][1]["cost"] > 0
    assert told["by_champion"]
    assert told["text"] == str(review(transcript(), samples=100)).splitlines()


def test_the_page_draws_guesses(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "review.html"
    done(capsys, "review", saved, "--html", page)
    text = page.read_text()
    assert text.count("<svg") == 2
    assert "<b>" not in text
    assert "Ada &lt;b&gt;" in text
    assert text.count("<h2>Move") == 2


def test_certain_moves_are_shown_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game.on(Board.from_cells(1, 5, [(0, 4)]))
    game.open((0, 0))
    file = tmp_path / "game.rawvf"
    file.write_bytes(write_entry(Transcript.of(game), "rawvf"))
    shown = done(capsys, "review", file)
    assert "Move" not in shown
    assert "A game: 1 row, 5 columns, 1 mine, start safe; won" in shown
    assert "Move 0: (0, 0): the first cell." in done(capsys, "review", file, "--all")


def test_what_is_not_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "board.txt"
    file.write_text("..*\n...\n")
    assert failed(capsys, "review", file) == f"{file}: entry 0: a board, not a game"
    file.write_text("2x1x1\n.1\n")
    assert failed(capsys, "review", file) == f"{file}: entry 0: a position, not a game"
    file.write_text(f"{transcript()}\n\n{transcript()}\n")
    assert "--number" in failed(capsys, "review", file, "--html", tmp_path / "x.html")
    assert "Entry 1:" in done(capsys, "review", file, "--samples", 0)


def test_a_long_review_tells_how_far_it_is(
    saved: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Event()

    def slow(game: Transcript, *, samples: int, progress: Callable[[int, int], None]) -> Review:
        progress(1, 2)
        assert told.wait(20)
        return review(game, samples=samples)

    class Told(io.StringIO):
        def write(self, text: str) -> int:
            told.set()
            return super().write(text)

    err = Told()
    monkeypatch.setattr(search, "review", slow)
    monkeypatch.setattr(progress, "_FIRST", 0.01)
    monkeypatch.setattr(sys, "stderr", err)
    assert cli.main(["review", str(saved)]) == 0
    assert err.getvalue().startswith("1 of 2 moves\n")
    assert "Move 1, " in capsys.readouterr().out
