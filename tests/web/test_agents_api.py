"""Agents over HTTP: they mix with people, remember, and cannot harm the server."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest
from page_fixtures import TROUBLE
from web_server import client, serving

from mineproof import Channel, Game, Setup, Topology, agents, play
from mineproof.web import Settings


def new(api: httpx.Client, **conditions: Any) -> str:
    answer = api.post("/games", json=conditions)
    assert answer.status_code == 201, answer.text
    name: str = answer.json()["id"]
    return name


def step(api: httpx.Client, game: str, agent: str) -> dict[str, Any]:
    answer = api.post(f"/games/{game}/step", json={"agent": agent})
    assert answer.status_code == 200, answer.text
    turn: dict[str, Any] = answer.json()
    return turn


def test_all_agents_are_offered(api: httpx.Client) -> None:
    offered = {kind["name"]: kind for kind in api.get("/agents").json()}
    assert set(offered) == {*agents.names(), TROUBLE}
    assert offered["border"]["options"].keys() == {"nosplit"}
    assert offered[TROUBLE]["summary"] == "Does what its option says."


@pytest.mark.parametrize(
    ("name", "channel"), [*((name, "exact") for name in agents.names()), ("logic", "late:0.2")]
)
def test_every_agent_plays_as_in_the_arena(api: httpx.Client, name: str, channel: str) -> None:
    setup = Setup(Topology(6, 6), 6, channel=Channel.parse(channel))
    record = play(Game(setup, 78), agents.get(name), seed=78)
    game = new(api, rows=6, cols=6, mines=6, seed=78, channel=channel)
    moves: list[tuple[str, int, int]] = []
    while True:
        turn = step(api, game, name)
        moves += [(move["kind"], *move["cell"]) for move in turn["moves"]]
        if turn["stuck"] or turn["game"]["outcome"] is not None:
            break
        assert not turn["failed"], turn["text"]
        assert turn["text"]
    assert moves == [(move.kind, *move.cell) for move in record.moves]
    assert turn["stuck"] == (record.outcome == "stuck")
    assert (channel == "exact") == all(move.kind != "wait" for move in record.moves)


def test_an_agent_takes_in_what_a_person_opened(api: httpx.Client) -> None:
    game = new(api, rows=2, cols=5, mines=2, start="any", seed=4, cascade=False)
    turn = step(api, game, "logic")
    assert "random cell" in turn["reason"]
    cells = turn["game"]["cells"]
    closed = next(place for place, symbol in enumerate(cells) if symbol == ".")
    answer = api.post(
        f"/games/{game}/act", json={"kind": "flag", "cell": list(divmod(closed, 5))}
    ).json()
    turn = step(api, game, "logic")
    assert turn["game"]["moves"] >= answer["moves"]
    assert turn["beliefs"]["sentences"] or turn["beliefs"]["numbers"]


def test_beliefs_are_shown_as_the_reports_print_them(api: httpx.Client) -> None:
    game = new(api, level="easy", seed=1)
    step(api, game, "noisy-or")
    numbers = step(api, game, "noisy-or")["beliefs"]["numbers"]
    assert numbers
    assert all(len(number["label"]) == 4 for number in numbers)


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("die", "died."),
        ("crash", "failed: RuntimeError: no idea at all (trouble.py, line "),
        ("cheat", "tried a forbidden move: "),
    ],
)
def test_trouble_costs_a_move_and_not_the_server(
    api: httpx.Client, option: str, sentence: str
) -> None:
    check_trouble(api, option, sentence)


def test_an_agent_that_hangs_costs_a_move_and_not_the_server() -> None:
    settings = Settings(workers=1, agents=(TROUBLE,), agent_seconds=1.5)
    with serving(settings) as address, client(address) as api:
        check_trouble(api, "hang", "took longer than 1.5 seconds.")


def check_trouble(api: httpx.Client, option: str, sentence: str) -> None:
    game = new(api, level="expert", seed=1)
    api.post(f"/games/{game}/act", json={"kind": "open", "cell": [9, 9]})
    before = api.get(f"/games/{game}").json()
    turn = step(api, game, f"{TROUBLE}:{option}")
    assert turn["failed"]
    assert sentence in turn["text"]
    assert {**turn["game"], "seconds": 0} == {**before, "seconds": 0}
    assert not step(api, game, "exact")["failed"]
    assert not step(api, game, f"{TROUBLE}:print")["failed"]


def test_only_offered_agents_are_loaded(api: httpx.Client, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("raise SystemExit", encoding="utf-8")
    game = new(api, level="easy", start="any", seed=1)
    for name in ("os:path", f"{tmp_path}/other.py:Agent", "exact:lucky", ""):
        answer = api.post(f"/games/{game}/step", json={"agent": name})
        assert answer.status_code == 422
        assert answer.json()["detail"].endswith(".")


def test_memory_is_rebuilt_after_undo(api: httpx.Client) -> None:
    game = new(api, level="easy", seed=5)
    turns = [step(api, game, "weights") for _ in range(4)]
    api.post(f"/games/{game}/undo")
    again = step(api, game, "weights")
    assert (again["moves"], again["beliefs"]) == (turns[-1]["moves"], turns[-1]["beliefs"])


def test_an_agent_stops_when_nobody_waits_for_it() -> None:
    settings = Settings(workers=1, most_waiting=0, agents=(TROUBLE,), agent_seconds=600)
    with serving(settings) as address, client(address) as api:
        games = [new(api, level="easy", start="any", seed=seed) for seed in range(2)]
        assert api.get("/agents").status_code == 200
        path = f"/games/{games[0]}/step"

        def answered(agent: str, status: int) -> httpx.Response:
            end = monotonic() + 60
            while (answer := api.post(path, json={"agent": agent})).status_code != status:
                assert monotonic() < end, answer.text
                sleep(0.05)
            return answer

        body = json.dumps({"agent": f"{TROUBLE}:hang"})
        host = address.removeprefix("http://")
        with socket.create_connection((host.split(":")[0], host.split(":")[1])) as impatient:
            head = f"POST /api{path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n"
            impatient.sendall(f"{head}Content-Type: application/json\r\n\r\n{body}".encode())
            # An unknown agent is refused for another reason until the first one is thinking.
            again = answered("nobody", 409)
            assert again.json()["detail"] == "An agent is already thinking about this game."
            busy = api.post(f"/games/{games[1]}/step", json={"agent": "exact"})
            assert (busy.status_code, busy.json()["detail"]) == (
                429,
                "The server is busy: try again in a moment.",
            )
        answered("exact", 200)
