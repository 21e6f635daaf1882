"""Games over HTTP: moves, taking back, what may be known, what is kept."""

from __future__ import annotations

import re
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from web_server import client, serving

from mineproof import Board, Game, Rules, Setup
from mineproof.game import Transcript
from mineproof.position import Cell, Topology
from mineproof.web import Settings
from mineproof.web.errors import Refused
from mineproof.web.games import Games, Session


def new(api: httpx.Client, **conditions: Any) -> dict[str, Any]:
    answer = api.post("/games", json=conditions)
    assert answer.status_code == 201, answer.text
    state: dict[str, Any] = answer.json()
    return state


def act(api: httpx.Client, game: dict[str, Any], kind: str, row: int, col: int) -> dict[str, Any]:
    answer = api.post(f"/games/{game['id']}/act", json={"kind": kind, "cell": [row, col]})
    assert answer.status_code == 200, answer.text
    state: dict[str, Any] = answer.json()
    return state


def refused(answer: httpx.Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    assert list(answer.json()) == ["detail"]
    sentence: str = answer.json()["detail"]
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def test_a_game_is_that_of_the_package(api: httpx.Client) -> None:
    game = new(api, level="intermediate", seed=7, start="zero")
    assert game["cells"] == "." * 256
    twin = Game.level("intermediate", seed=7, rules=Rules(start="zero"))
    state = act(api, game, "open", 5, 9)
    twin.open((5, 9))
    assert state["cells"] == twin.observation.to_text().partition("\n")[2].replace("\n", "")
    assert state["opened"] == twin.opened
    assert state["last"] == [[5, 9]]


def test_the_first_click_is_safe_wherever_it_is(api: httpx.Client) -> None:
    for col in range(4):
        state = act(api, new(api, rows=1, cols=4, mines=3), "open", 0, col)
        assert state["outcome"] == "won"
        assert sorted(state["board"]) == [[0, other] for other in range(4) if other != col]


def test_nothing_hidden_leaves_before_the_end(api: httpx.Client) -> None:
    game = new(api, rows=2, cols=3, mines=2, seed=123456789, start="any")
    for state in (game, act(api, game, "flag", 0, 0), api.get(f"/games/{game['id']}").json()):
        assert state["outcome"] is None
        assert state["seed"] is state["board"] is state["wrong_flags"] is state["score"] is None
        assert "123456789" not in str(state)
    act(api, game, "unflag", 0, 0)
    while state["outcome"] is None:
        cell = divmod(state["cells"].replace("F", ".").index("."), 3)
        state = act(api, game, "open", *cell)
    assert state["seed"] == 123456789
    assert len(state["board"]) == 2


def test_undo_takes_back_even_a_loss(api: httpx.Client) -> None:
    game = new(api, rows=1, cols=2, mines=1, start="any", seed=1)
    state = act(api, game, "open", 0, 0)
    if state["outcome"] == "won":
        api.post(f"/games/{game['id']}/reset")
        state = act(api, game, "open", 0, 1)
    assert state["outcome"] == "lost"
    back = api.post(f"/games/{game['id']}/undo").json()
    assert (back["outcome"], back["moves"], back["cells"]) == (None, 0, "..")
    assert back["taken_back"] > 0
    assert refused(api.post(f"/games/{game['id']}/undo"), 409) == "There is no move to take back."


def test_reset_is_the_same_board(api: httpx.Client) -> None:
    game = new(api, level="expert", seed=3)
    first = act(api, game, "open", 8, 8)["cells"]
    again = api.post(f"/games/{game['id']}/reset").json()
    assert again["moves"] == 0
    assert act(api, game, "open", 8, 8)["cells"] == first


def test_the_board_of_a_game_that_is_over_can_be_played_again(api: httpx.Client) -> None:
    game = new(api, level="expert", channel="lost:0.3")
    first = act(api, game, "open", 2, 2)["cells"]
    running = refused(api.post("/games", json={"like": game["id"]}), 409)
    assert running == "The game is not over: its board can be played again after its end."
    while (state := step(api, game)["game"])["outcome"] is None:
        pass
    twin = new(api, like=game["id"])
    assert twin["id"] != game["id"]
    assert act(api, twin, "open", 2, 2)["cells"] == first
    refused(api.post("/games", json={"like": game["id"], "rows": 3}), 422)
    # Its board is known, but another game that is not over may be played on that board too.
    refused(api.post("/games", json={"like": twin["id"]}), 409)
    api.post(f"/games/{game['id']}/undo")
    assert state["board"] is not None
    refused(api.post("/games", json={"like": game["id"]}), 409)


def test_flags_and_chords(api: httpx.Client) -> None:
    game = new(api, rows=1, cols=3, mines=1, seed=0, start="any")
    board = Game(Setup(Topology(1, 3), 1, Rules(start="any")), seed=0).board
    mine = int(board.layout[0].argmax())
    clue = 1 if mine != 1 else 0
    act(api, game, "open", 0, clue)
    state = act(api, game, "flag", 0, mine)
    assert (state["mines_left"], state["flags"]) == (0, 1)
    if clue == 1:
        assert act(api, game, "chord", 0, 1)["outcome"] == "won"


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"level": "hopeless"}, "level 'hopeless': must be easy,"),
        ({"rows": 3}, "rows and cols: both are needed."),
        ({"rows": 3, "cols": 3}, "a random board needs either mines or density."),
        ({"rows": 3, "cols": 3, "mines": 9}, "size: 9 mines: the board has room for 0 to 8."),
        ({"rows": 0, "cols": 3, "mines": 1}, "rows, cols: must be from 1 to 1,000."),
        ({"rows": 900, "cols": 900, "mines": 1}, "rows, cols: at most 250,000 cells in all."),
        ({"channel": "rumour"}, "channel 'rumour': must be exact,"),
        ({"given_safe": 80}, "given_safe: 80 given safe cells: the board has 71 safe cells."),
        ({"seed": -1}, "seed -1: must be a whole number from 0"),
        ({"level": "easy", "rows": 9}, "level: cannot be used with rows, cols, mines or density."),
        ({"rowz": 9}, "rowz: extra inputs are not permitted."),
        ({"start": "lucky"}, "start: input should be 'any', 'safe' or 'zero'."),
    ],
)
def test_bad_conditions_get_one_sentence(
    api: httpx.Client, asked: dict[str, Any], sentence: str
) -> None:
    assert refused(api.post("/games", json=asked), 422).startswith(sentence)


def test_forbidden_moves_get_one_sentence(api: httpx.Client) -> None:
    game = new(api, level="easy", seed=1)
    path = f"/games/{game['id']}/act"
    act(api, game, "open", 4, 4)
    outside = refused(api.post(path, json={"kind": "open", "cell": [9, 0]}), 422)
    assert outside == "cell (9, 0): the board has 9 rows and 9 columns."
    assert "open already" in refused(api.post(path, json={"kind": "open", "cell": [4, 4]}), 409)
    refused(api.post(path, json={"kind": "dig", "cell": [4, 4]}), 422)
    refused(api.post(path, content=b"{"), 422)
    assert refused(api.get("/games/nowhere"), 404) == "There is no game with this id."
    assert refused(api.get("/nowhere"), 404) == "There is nothing here."
    assert refused(api.delete("/games"), 405) == "The method is not allowed here."
    large = api.post("/games", content=b" " * 3_000_000)
    assert refused(large, 413) == "The request is larger than 2,000,000 bytes."


def test_foreign_names_and_pages_are_refused(api: httpx.Client) -> None:
    refused(api.get("/offer", headers={"Host": "rebound.example"}), 403)
    assert api.get("/offer", headers={"Host": "localhost:99"}).status_code == 200
    for origin in ("http://rebound.example", "null", "http://127.0.0.1:1"):
        refused(api.post("/games", json={}, headers={"Origin": origin}), 403)
    own = f"http://{api.base_url.host}:{api.base_url.port}"
    assert api.post("/games", json={}, headers={"Origin": own}).status_code == 201


def test_the_page_may_load_nothing_from_elsewhere(api: httpx.Client) -> None:
    answer = httpx.get(f"http://{api.base_url.host}:{api.base_url.port}/")
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self';" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_boards_without_guesses_are_laid_around_the_first_cell(api: httpx.Client) -> None:
    for seed, cell in enumerate([(0, 0), (8, 15), (15, 29)]):
        game = new(api, level="expert", start="zero", no_guess=True, seed=seed)
        assert game["no_guess"]
        assert game["cells"] == "." * 480
        first = act(api, game, "open", *cell)
        again = api.post(f"/games/{game['id']}/reset").json()
        assert again["cells"].count(".") < 480  # Its board stays, so the first cell is known safe.
        assert act(api, game, "open", *cell)["cells"] == first["cells"]
        while (turn := step(api, game))["game"]["outcome"] is None:
            assert all(move["certain"] for move in turn["moves"])
        assert (turn["game"]["outcome"], turn["game"]["hits"]) == ("won", 0)
        assert not turn["game"]["alone"]


def test_an_agent_may_begin_a_game_without_guesses(api: httpx.Client) -> None:
    game, twin = (new(api, level="easy", no_guess=True, seed=5) for _ in range(2))
    assert step(api, game)["game"]["cells"] == step(api, twin)["game"]["cells"]


def test_flags_on_cells_that_become_known_safe_are_gone(api: httpx.Client) -> None:
    game = new(api, level="easy", start="zero", no_guess=True, seed=5)
    act(api, game, "flag", 0, 1)
    act(api, game, "flag", 0, 0)
    path = f"/games/{game['id']}"
    flagged = api.post(f"{path}/act", json={"kind": "open", "cell": [0, 0]})
    assert refused(flagged, 409) == "(0, 0): a flagged cell cannot be opened."
    act(api, game, "unflag", 0, 0)
    act(api, game, "flag", 8, 8)
    state = act(api, game, "open", 0, 0)
    assert state["opened"] > 1
    assert (state["flags"], state["moves"], state["steps"]) == (1, 2, 2)
    assert api.post(f"{path}/undo").json()["flags"] == 1


def test_a_game_laid_after_a_flag_survives_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    setup = Setup.level("easy", rules=Rules("zero"))
    with closing(Games(file, most=10, most_live=10)) as games:
        session = games.new(Transcript.of(Game(setup, 5)), no_guess=True)
        for cell in ((0, 1), (8, 8)):
            games.act(session, "flag", cell)
        games.lay(session, Transcript.of(Game.on(Board.random(setup, 5), setup.rules)))
        games.act(session, "open", (3, 3))
        games.act(session, "flag", (0, 3))
    with closing(Games(file, most=10, most_live=10)) as games:
        again = games.get(session.id)
        assert again.moves == session.moves
        assert again.game.observation == session.game.observation


@pytest.mark.parametrize("start", ["safe", "zero"])
@pytest.mark.parametrize("no_guess", [False, True])
def test_an_agent_begins_where_a_person_has_flagged(
    api: httpx.Client, start: str, no_guess: bool
) -> None:
    conditions = {"level": "easy", "start": start, "no_guess": no_guess, "seed": 5}
    game, twin = new(api, **conditions), new(api, **conditions)
    for row in (0, 3, 4):
        act(api, game, "flag", row, row)
    flagged, plain = step(api, game)["game"], step(api, twin)["game"]
    first = 9 * 3 + 3 if start == "zero" else 0
    assert flagged["cells"][first] == plain["cells"][first] != "."
    assert flagged["opened"] > 0


@pytest.mark.parametrize("asked", [{"start": "any"}, {"channel": "lost:0.5"}])
def test_no_guess_needs_a_safe_start_and_exact_clues(
    api: httpx.Client, asked: dict[str, Any]
) -> None:
    sentence = refused(api.post("/games", json={"no_guess": True, **asked}), 422)
    assert sentence == "no_guess: needs start safe or zero, and exact clues."


def test_a_board_without_guesses_that_is_not_found_is_one_sentence(api: httpx.Client) -> None:
    game = new(api, rows=2, cols=2, mines=2, no_guess=True)
    path = f"/games/{game['id']}"
    sentence = refused(api.post(f"{path}/act", json={"kind": "open", "cell": [0, 0]}), 422)
    assert sentence.startswith("Found no board with 2 rows, 2 columns and 2 mines")
    assert api.get(path).json()["moves"] == 0


def test_moves_that_an_agent_decided_together_are_marked(api: httpx.Client) -> None:
    game = api.post("/games", json={"level": "easy", "seed": 3}).json()
    made = [step(api, game)["moves"] for _ in range(4)]
    text = api.get(f"/games/{game['id']}/notation").json()["text"]
    found = [len(moves) for moves in Transcript.from_text(text).decisions()]
    assert found == [len(actions) for actions in made]
    assert max(found) > 1


def step(api: httpx.Client, game: dict[str, Any]) -> dict[str, Any]:
    turn: dict[str, Any] = api.post(f"/games/{game['id']}/step", json={"agent": "exact"}).json()
    return turn


@pytest.mark.parametrize("version", [0, 1, 2, 3])
def test_games_of_the_first_tables_are_read(tmp_path: Path, version: int) -> None:
    file = tmp_path / "games.sqlite"
    with closing(sqlite3.connect(file)) as old:
        old.executescript(
            "CREATE TABLE games (id TEXT PRIMARY KEY, start TEXT NOT NULL, "
            "taken_back INTEGER NOT NULL DEFAULT 0, used REAL NOT NULL) WITHOUT ROWID;"
            "CREATE TABLE moves (game TEXT NOT NULL, number INTEGER NOT NULL, step INTEGER "
            "NOT NULL, move TEXT NOT NULL, by TEXT NOT NULL, at REAL NOT NULL, "
            f"PRIMARY KEY (game, number)) WITHOUT ROWID; PRAGMA user_version = {version};"
        )
        start = Transcript.of(Game.level("easy", seed=1)).to_text()
        old.execute("INSERT INTO games VALUES ('old', ?, 0, 1.0)", (start,))
        old.commit()
    with closing(Games(file, most=10, most_live=10)) as games:
        assert not games.get("old").no_guess
        assert games.new(games.get("old").start, no_guess=True).no_guess


def test_games_used_least_recently_go() -> None:
    with serving(Settings(workers=1, most_games=3, most_live=2)) as address, client(address) as api:
        games = [new(api, level="easy") for _ in range(3)]
        act(api, games[0], "open", 4, 4)
        new(api)
        gone = refused(api.get(f"/games/{games[1]['id']}"), 410)
        assert gone == "The game is gone: the server keeps 3 games."
        # It was used last, and has been read back from the file.
        assert api.get(f"/games/{games[0]['id']}").json()["moves"] == 1


def started(games: Games, client: str = "one", *moves: Cell) -> Session:
    """Start a game on an empty board, and flag some cells."""
    start = Transcript(Topology(3, 3), 0, Rules(start="any"), seed=0)
    session = games.new(start, client=client)
    for cell in moves:
        games.act(session, "flag", cell)
    return session


def is_there(games: Games, session: Session) -> bool:
    try:
        return games.get(session.id).id == session.id
    except Refused:
        return False


def test_a_flood_of_games_does_not_push_out_the_games_of_others() -> None:
    with closing(Games(None, most=20, most_live=5)) as games:
        mine = [started(games, "one"), started(games, "one", (0, 0))]
        flood = [started(games, "two", (0, 0)) for _ in range(100)]
        assert all(is_there(games, session) for session in mine)
        assert sum(is_there(games, session) for session in flood) == 18


def test_games_in_play_go_last() -> None:
    with closing(Games(None, most=4, most_live=5)) as games:
        in_play = started(games, "one", (0, 0))
        over = started(games, "one")
        games.act(over, "open", (1, 1))
        assert over.game.outcome is not None
        taken_back = started(games, "one", (0, 0))
        games.undo(taken_back)
        flood = [started(games) for _ in range(10)]
        assert [is_there(games, game) for game in (in_play, over, taken_back)] == [
            True,
            False,
            False,
        ]
        assert [is_there(games, game) for game in flood] == [False] * 7 + [True] * 3


def test_a_clock_that_is_set_back_loses_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(Games(None, most=3, most_live=5)) as games:
        monkeypatch.setattr("mineproof.web.games.time", lambda: 2e9)
        old = [started(games) for _ in range(3)]
        monkeypatch.setattr("mineproof.web.games.time", lambda: 1e9)
        new = [started(games) for _ in range(3)]
        assert all(is_there(games, session) for session in new)
        assert not any(is_there(games, session) for session in old)


@pytest.mark.skipif(sys.platform == "win32", reason="modes are those of POSIX")
@pytest.mark.parametrize("before", [None, 0o644])
def test_only_the_owner_can_read_the_games(tmp_path: Path, before: int | None) -> None:
    file = tmp_path / "data" / "games.sqlite"
    sides = [Path(f"{file}{end}") for end in ("-wal", "-shm")]
    if before is not None:
        with closing(Games(file, most=10, most_live=10)) as games:
            started(games)
            # As a server leaves them that is killed.
            copies = {part: part.read_bytes() for part in (file, *sides)}
        for part, content in copies.items():
            part.write_bytes(content)
            part.chmod(before)
    with closing(Games(file, most=10, most_live=10)) as games:
        started(games)
        assert [part.stat().st_mode & 0o777 for part in (file, *sides)] == [0o600] * 3


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("", "is a directory"),
        ("notes", "file is not a database"),
        ("notes/games.sqlite", "not a directory"),
        ("other.sqlite", "it is a database of another program"),
        ("new.sqlite", "its games were kept by another version of mineproof"),
    ],
)
def test_a_games_file_that_cannot_be_used_is_left_alone(
    tmp_path: Path, path: str, reason: str
) -> None:
    notes, other = tmp_path / "notes", tmp_path / "other.sqlite"
    notes.write_text("These are no games.\n" * 100, encoding="utf-8")
    notes.chmod(0o644)
    for name, script in (
        (other, "CREATE TABLE birds (name TEXT)"),
        (tmp_path / "new.sqlite", "PRAGMA user_version = 99"),
    ):
        with closing(sqlite3.connect(name)) as database:
            database.executescript(script)
    before = {file: (file.read_bytes(), file.stat().st_mode) for file in tmp_path.iterdir()}
    file = tmp_path / path
    sentence = re.escape(f"games file {file}: {reason}")
    with pytest.raises(ValueError, match=f"(?i){sentence}"):
        Games(file, most=10, most_live=10)
    assert {file: (file.read_bytes(), file.stat().st_mode) for file in before} == before


def test_two_servers_share_a_file(tmp_path: Path) -> None:
    settings = Settings(games=tmp_path / "games.sqlite", workers=1)
    with (
        serving(settings) as one,
        serving(settings) as other,
        client(one) as mine,
        client(other) as yours,
    ):
        game = new(mine, level="easy")
        act(yours, game, "flag", 0, 0)
        path = f"/games/{game['id']}"
        refused(mine.post(f"{path}/act", json={"kind": "flag", "cell": [1, 1]}), 409)
        assert mine.get(path).json()["flags"] == 1
        assert act(mine, game, "flag", 1, 1)["flags"] == 2
