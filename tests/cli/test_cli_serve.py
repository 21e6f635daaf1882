"""The commands that start the server."""

from __future__ import annotations

import socket
from http.client import HTTPConnection
from pathlib import Path
from time import sleep

import httpx
import pytest
from commands import failed
from web_server import Process

from mineproof.cli import main
from mineproof.web import serving
from mineproof.web.serving import games_file


def test_a_taken_port_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        sentence = failed(capsys, "serve", "--port", port, "--games", tmp_path / "games.sqlite")
    assert f"cannot listen at 127.0.0.1:{port}: address already in use" in sentence


def test_bad_options_are_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "'nobody'" in failed(capsys, "play", "--agent", "nobody")
    assert "'--reports'" in failed(capsys, "play", "--reports", tmp_path / "none")
    assert "cannot listen at nowhere.invalid:8080" in failed(
        capsys, "serve", "--host", "nowhere.invalid", "--games", tmp_path / "games.sqlite"
    )


@pytest.mark.parametrize("command", [("serve", "--port=0"), ("play", "--no-browser")])
def test_a_games_file_that_cannot_be_used_is_one_sentence(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
) -> None:
    notes = tmp_path / "notes"
    notes.write_text("These are no games.\n" * 100, encoding="utf-8")
    sentence = failed(capsys, *command, "--games", notes)
    assert sentence == f"games file {notes}: file is not a database"
    for name in ("HOME", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(notes / "home"))
    assert failed(capsys, *command).startswith(f"games file {notes / 'home'}")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.delenv("LOCALAPPDATA")

    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nobody)
    sentence = failed(capsys, *command)
    assert sentence == "no games file: this user has no home, so name a file with --games"


@pytest.mark.parametrize(
    ("content", "view"),
    [
        ("..*\n...\n", "#game=mineproof+game+1;size+3x2x1;seed+0;start+any;board;..*;..."),
        ("?b=0302&m=4g", "#game=mineproof+game+1;size+3x2x2;seed+0;start+any;board;..*;.."),
        ("2x1x1\n.1\n", "#position=2x1x1/.1"),
        ("2x2x1\n?F\n~.\n", "#position=2x2x1/?F/~."),
        ("mineproof game 1\nsize 2x1x1\nseed 1\nopen 0,0", "#game=mineproof+game+1;size+2x1x1;"),
    ],
)
def test_play_shows_a_file(
    content: str, view: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(serving, "listen", lambda *_: None)
    monkeypatch.setattr(serving, "run", lambda *_, view, **__: shown.append(view))
    file = tmp_path / "file.txt"
    file.write_text(content)
    assert main(["play", str(file), "--games", str(tmp_path / "games.sqlite")]) == 0
    assert shown[0].startswith(view)


def test_play_takes_one_entry(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "file.txt"
    file.write_text("*.\n\n.*\n")
    assert failed(capsys, "play", file) == "FILE has 2 entries: choose one with --number"


def test_serve_says_where_it_is(tmp_path: Path) -> None:
    with Process(tmp_path / "games.sqlite", "--allow-host", "board.example") as server:
        offer = f"{server.address}/api/offer"
        assert httpx.get(offer).status_code == 200
        assert httpx.get(offer, headers={"Host": "board.example:80"}).status_code == 200
        assert httpx.get(offer, headers={"Host": "other.example"}).status_code == 403
        assert "<!doctype html>" in httpx.get(server.address).text
        # A connection stays open while its client thinks; many servers close it after 5 seconds.
        connection = HTTPConnection(server.address.removeprefix("http://"))
        for pause in (5.5, 0.0):
            connection.request("GET", "/api/offer")
            assert connection.getresponse().read()
            sleep(pause)
        connection.close()
    assert (tmp_path / "games.sqlite").exists()


def test_games_are_kept_with_the_data_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setenv("LOCALAPPDATA", "/data")
    assert games_file().parts[-2:] == ("mineproof", "games.sqlite")
