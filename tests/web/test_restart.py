"""A server that is killed and started again: moves and the memory of agents are there."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest
from web_server import Process, client

from mineproof import Game, Setup, agents, play

REMEMBERING = ("weights", "noisy-or")
"""`weights` adds up weights over all turns, and `noisy-or` picks cells at random."""


def install(folder: Path) -> None:
    """Install a package with an agent, as pip would."""
    (folder / "corner.py").write_text(
        "from mineproof import Agent, Decision\n"
        "class Corner(Agent):\n"
        "    name = 'corner'\n"
        "    def decide(self, observation):\n"
        "        return Decision.guess(observation.openable_cells()[0], 'the first one')\n",
        encoding="utf-8",
    )
    info = folder / "corner-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: corner\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[mineproof.agents]\ncorner = corner:Corner\n")


def post(api: httpx.Client, path: str, **body: Any) -> dict[str, Any]:
    answer = api.post(path, json=body)
    assert answer.is_success, answer.text
    state: dict[str, Any] = answer.json()
    return state


def without_time(state: dict[str, Any]) -> dict[str, Any]:
    return {**state, "seconds": 0}


def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    moves: dict[str, list[tuple[str, int, int]]] = {name: [] for name in REMEMBERING}
    games: dict[str, str] = {}

    def once(api: httpx.Client, name: str) -> bool:
        turn = post(api, f"/games/{games[name]}/step", agent=name)
        moves[name] += [(move["kind"], *move["cell"]) for move in turn["moves"]]
        return turn["game"]["outcome"] is None

    install(tmp_path)
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    server = Process(file, env={"PYTHONPATH": path})
    with client(server.address) as api:
        for name in REMEMBERING:
            games[name] = post(api, "/games", level="easy", seed=5)["id"]
            assert all(once(api, name) for _ in range(3))
        # An agent of an installed package is offered by its name.
        turn = post(
            api, f"/games/{post(api, '/games', start='any', seed=2)['id']}/step", agent="corner"
        )
        assert (turn["moves"][0]["cell"], turn["reason"]) == ([0, 0], "The first one")
        played = [post(api, "/games", level="expert", seed=seed)["id"] for seed in range(5)]
        last = {game: act(api, game, "open", 3, 3) for game in played}
        for round_ in range(20):
            for game in played:
                place = last[game]["cells"].index(".", round_ * 7)
                last[game] = act(api, game, "flag", *divmod(place, 30))
        post(api, f"/games/{played[0]}/undo")
        last[played[0]] = api.get(f"/games/{played[0]}").json()
        server.kill()
    with Process(file) as server, client(server.address) as api:
        for game, state in last.items():
            assert without_time(api.get(f"/games/{game}").json()) == without_time(state)
        for name in REMEMBERING:
            while once(api, name):
                pass
    for name in REMEMBERING:
        record = play(Game(Setup.level("easy"), 5), agents.get(name), seed=5)
        assert moves[name] == [(move.kind, *move.cell) for move in record.moves]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_agents_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    file, begun = tmp_path / "loops.py", tmp_path / "begun"
    file.write_text(
        "from pathlib import Path\n"
        "from mineproof import Agent\n"
        "class Loops(Agent):\n"
        "    name = 'loops'\n"
        "    def decide(self, observation):\n"
        f"        Path({str(begun)!r}).touch()\n"
        "        while True:\n"
        "            pass\n",
        encoding="utf-8",
    )
    server = Process(tmp_path / "games.sqlite", "--agent", f"{file}:Loops")
    with client(server.address) as api, ThreadPoolExecutor(1) as thread:
        game = post(api, "/games", level="easy", start="any")["id"]
        choice = {"agent": f"{file}:Loops"}
        turn = thread.submit(api.post, f"/games/{game}/step", json=choice)
        end = monotonic() + 60
        while not begun.exists():
            assert monotonic() < end
            sleep(0.05)
        found = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text(encoding="ascii")
        children = [Path("/proc") / pid for pid in found.split()]
        assert children
        server.kill()
        while any(child.exists() for child in children):
            assert monotonic() < end
            sleep(0.05)
        assert isinstance(turn.exception(20), httpx.TransportError)


def act(api: httpx.Client, game: str, kind: str, row: int, col: int) -> dict[str, Any]:
    return post(api, f"/games/{game}/act", kind=kind, cell=[row, col])
