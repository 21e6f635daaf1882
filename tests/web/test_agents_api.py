"""Agents over HTTP: they mix with people, remember, and cannot harm the server."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest
from web_server import Process, client, serving

from mineproof import Channel, Setup, agents, play
from mineproof.web import Settings

TROUBLE = '''
import os, time
from mineproof import Action, Agent, Decision

class Trouble(Agent):
    """Does what its option says."""
    name = "trouble"
    options = {"hang": "hangs", "die": "dies", "crash": "crashes", "cheat": "opens an open cell",
               "print": "prints"}

    def decide(self, observation):
        if "hang" in self.chosen:
            time.sleep(600)
        if "die" in self.chosen:
            os._exit(3)
        if "crash" in self.chosen:
            raise RuntimeError("no idea\\nat all")
        if "cheat" in self.chosen:
            return Decision((Action("flag", (0, 0)), Action("open", (-5, 0))))
        print("thinking aloud", flush=True)
        return Decision.guess(observation.openable_cells()[0], "it comes first")
'''


@pytest.fixture(scope="module")
def trouble(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("agents") / "trouble.py"
    file.write_text(TROUBLE, encoding="utf-8")
    return f"{file}:Trouble"


@pytest.fixture(scope="module")
def api(trouble: str) -> Iterator[httpx.Client]:
    settings = Settings(workers=2, agents=(trouble,), agent_seconds=1.5)
    with serving(settings) as address, client(address) as asking:
        yield asking


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


def test_all_agents_are_offered(api: httpx.Client, trouble: str) -> None:
    offered = {kind["name"]: kind for kind in api.get("/agents").json()}
    assert set(offered) == {*agents.names(), trouble}
    assert offered["border"]["options"].keys() == {"nosplit"}
    assert offered[trouble]["summary"] == "Does what its option says."


@pytest.mark.parametrize(
    ("name", "channel"), [*((name, "exact") for name in agents.names()), ("logic", "late:0.2")]
)
def test_every_agent_plays_as_in_the_arena(api: httpx.Client, name: str, channel: str) -> None:
    setup = Setup.level("easy", channel=Channel.parse(channel))
    record = play(setup.game(3), agents.get(name), seed=3)
    game = new(api, level="easy", seed=3, channel=channel)
    moves: list[tuple[str, int, int]] = []
    while True:
        turn = step(api, game, name)
        moves += [(move["kind"], *move["cell"]) for move in turn["moves"]]
        if turn["stuck"] or turn["game"]["outcome"] is not None:
            break
        assert not turn["failed"], turn["text"]
        assert turn["text"]
    assert moves == [(move.kind, move.row, move.col) for move in record.moves]
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
        ("hang", "took longer than 1.5 seconds."),
        ("die", "died."),
        ("crash", "failed: RuntimeError: no idea at all."),
        ("cheat", "tried a forbidden move: "),
    ],
)
def test_trouble_costs_a_move_and_not_the_server(
    api: httpx.Client, trouble: str, option: str, sentence: str
) -> None:
    game = new(api, level="expert", seed=1)
    api.post(f"/games/{game}/act", json={"kind": "open", "cell": [9, 9]})
    before = api.get(f"/games/{game}").json()
    turn = step(api, game, f"{trouble}:{option}")
    assert turn["failed"]
    assert sentence in turn["text"]
    assert {**turn["game"], "seconds": 0} == {**before, "seconds": 0}
    assert not step(api, game, "exact")["failed"]
    assert not step(api, game, f"{trouble}:print")["failed"]


def test_only_offered_agents_are_loaded(api: httpx.Client, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("raise SystemExit", encoding="utf-8")
    game = new(api, level="easy", start="any", seed=1)
    for name in ("os:path", f"{tmp_path}/other.py:Agent", "exact:lucky", ""):
        answer = api.post(f"/games/{game}/step", json={"agent": name})
        assert answer.status_code == 422
        assert answer.json()["detail"].endswith(".")


def test_memory_is_rebuilt_after_a_restart(tmp_path: Path) -> None:
    """`weights` adds up weights over all turns, and `noisy-or` picks cells at random."""
    names = "weights", "noisy-or"
    moves: dict[str, list[tuple[str, int, int]]] = {name: [] for name in names}
    games: dict[str, str] = {}

    def once(api: httpx.Client, name: str) -> bool:
        turn = step(api, games[name], name)
        moves[name] += [(move["kind"], *move["cell"]) for move in turn["moves"]]
        return turn["game"]["outcome"] is None

    server = Process(tmp_path / "games.sqlite")
    with client(server.address) as api:
        for name in names:
            games[name] = new(api, level="easy", seed=5)
            assert all(once(api, name) for _ in range(3))
        server.kill()
    with Process(tmp_path / "games.sqlite") as server, client(server.address) as api:
        for name in names:
            while once(api, name):
                pass
    for name in names:
        record = play(Setup.level("easy").game(5), agents.get(name), seed=5)
        assert moves[name] == [(move.kind, move.row, move.col) for move in record.moves]


def test_memory_is_rebuilt_after_undo(api: httpx.Client) -> None:
    game = new(api, level="easy", seed=5)
    turns = [step(api, game, "weights") for _ in range(4)]
    api.post(f"/games/{game}/undo")
    again = step(api, game, "weights")
    assert (again["moves"], again["beliefs"]) == (turns[-1]["moves"], turns[-1]["beliefs"])


def test_an_agent_stops_when_nobody_waits_for_it(trouble: str) -> None:
    settings = Settings(workers=1, most_waiting=0, agents=(trouble,), agent_seconds=600)
    with serving(settings) as address, client(address) as api:
        games = [new(api, level="easy", start="any", seed=seed) for seed in range(2)]
        assert api.get("/agents").status_code == 200
        with client(address) as impatient, ThreadPoolExecutor(1) as waiting:
            path, hang = f"/games/{games[0]}/step", {"agent": f"{trouble}:hang"}
            asked = waiting.submit(impatient.post, path, json=hang, timeout=3)
            sleep(1)
            busy = api.post(f"/games/{games[1]}/step", json={"agent": "exact"})
            assert (busy.status_code, busy.json()["detail"]) == (
                429,
                "The server is busy: try again in a moment.",
            )
            again = api.post(path, json={"agent": "exact"})
            assert again.status_code == 409
            assert again.json()["detail"] == "An agent is already thinking about this game."
            assert isinstance(asked.exception(), httpx.ReadTimeout)
        end = monotonic() + 30
        while (answer := api.post(path, json={"agent": "exact"})).status_code != 200:
            assert monotonic() < end, answer.text
            sleep(0.1)
