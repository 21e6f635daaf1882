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
