"""Questions about positions over HTTP: answers, limits, jobs that can be cancelled."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest
from commands import done
from pydantic import BaseModel

from mineproof import Game, agents, play
from mineproof.game import Transcript
from mineproof.web.models import (
    AdviceShown,
    Analysis,
    Contradicted,
    Explanation,
    HintShown,
    ReviewShown,
    Risks,
)

POSITION = "8x2x3\n........\n?1221???"


def test_an_analysis_has_the_fields_of_solve(
    api: httpx.Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "position.txt"
    file.write_text("........\n?1221???", encoding="utf-8")
    solved = json.loads(done(capsys, "solve", file, "--mines", 3, "--json"))
    asked = {"position": "........\n?1221???", "mines": 3}
    answer = api.post("/analyse", json=asked).json()
    assert {name: answer[name] for name in solved} == solved
    assert answer["advice"]["may_guess"] is False
    assert len(answer["proofs"]) == len(answer["safe"]) + len(answer["mined"])
    assert answer["proofs"][0]["steps"][0]["clues"]


def test_the_commands_say_the_same(
    api: httpx.Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, text in enumerate((POSITION, "3x3x2\n...\n.2.\n...", "5x1x2\n*.~?.")):
        file = tmp_path / f"{number}.txt"
        file.write_text(text, encoding="utf-8")
        answer = api.post("/analyse", json={"position": text}).json()
        solved = json.loads(done(capsys, "solve", file, "--advise", "--json"))
        assert {name: answer[name] for name in solved} == solved
        assert json.loads(done(capsys, "explain", file, "--json")) == answer["proofs"]
        for row, col in product(range(answer["rows"]), range(answer["cols"])):
            why = api.post("/why", json={"position": text, "cell": [row, col]}).json()
            told = json.loads(done(capsys, "explain", file, "--cell", f"{row},{col}", "--json"))
            assert told == [why]


@pytest.mark.parametrize(
    ("path", "asked", "model"),
    [
        ("/analyse", {"position": POSITION}, Analysis),
        ("/analyse", {"position": "3x3x2\n...\n.2.\n..."}, Analysis),
        ("/analyse", {"position": "1.5.\n...."}, Contradicted),
        ("/why", {"position": POSITION, "cell": [0, 1]}, Explanation),
        ("/why", {"position": POSITION, "cell": [0, 0]}, Explanation),
        ("/why", {"position": POSITION, "cell": [1, 0]}, Explanation),
    ],
)
def test_answers_have_the_fields_of_their_model(
    api: httpx.Client, path: str, asked: dict[str, object], model: type[BaseModel]
) -> None:
    answer = api.post(path, json=asked).json()
    assert model.model_validate(answer).model_dump(mode="json") == answer


def test_help_in_a_game_has_the_fields_of_its_model(api: httpx.Client) -> None:
    game = api.post("/games", json={"level": "easy", "seed": 3}).json()["id"]
    api.post(f"/games/{game}/act", json={"kind": "open", "cell": [4, 4]})
    asked: dict[str, type[BaseModel]] = {
        "risks": Risks,
        "advice?samples=20": AdviceShown,
        "hint": HintShown,
    }
    for path, model in asked.items():
        answer = api.get(f"/games/{game}/{path}").json()
        assert model.model_validate(answer).model_dump(mode="json") == answer


def test_a_review_has_the_fields_of_its_model(api: httpx.Client) -> None:
    game = Game.level("easy", seed=2)
    play(game, agents.get("exact"), seed=1)
    answer = api.post("/review", json={"game": Transcript.of(game).to_line()}).json()
    assert ReviewShown.model_validate(answer).model_dump(mode="json") == answer


def test_advice_has_chances_to_win(api: httpx.Client) -> None:
    asked = {"position": "3x3x2\n...\n.2.\n..."}
    advice = api.post("/analyse", json=asked).json()["advice"]
    best = advice["guesses"][0]
    assert (best["cell"], best["error"]) == (advice["choice"], 0)
    assert best["win"] == pytest.approx(17 / 28)
    assert api.post("/analyse", json={**asked, "samples": 0}).json()["advice"]["guesses"] == []
    # Clues are never lost here, so that such a position cannot be played on.
    odd = api.post("/analyse", json={"position": "9x3x9\n.........\n....?....\n........."}).json()
    assert odd["advice"]["may_guess"]
    assert odd["advice"]["guesses"] == []


def test_chances_to_win_before_and_after_a_decision(api: httpx.Client) -> None:
    game = api.post("/games", json={"rows": 1, "cols": 4, "mines": 2, "start": "any", "seed": 3})
    path = f"/games/{game.json()['id']}"
    chances = api.get(f"{path}/chances").json()
    assert chances["before"] == chances["after"] == {"win": 1 / 3, "error": 0, "text": "33.3%"}
    seen = api.post(f"{path}/act", json={"kind": "open", "cell": [0, 0]}).json()
    chances = api.get(f"{path}/chances").json()
    assert chances["before"]["win"] == 1 / 3
    assert (chances["after"]["win"] == 0) == (seen["outcome"] == "lost")
    goes_on = api.post("/games", json={"level": "easy", "on_mine": "continue"}).json()["id"]
    assert api.get(f"/games/{goes_on}/chances").status_code == 409


def test_a_contradiction_names_its_clues(api: httpx.Client) -> None:
    answer = api.post("/analyse", json={"position": "1.5.\n...."})
    assert answer.status_code == 200
    assert answer.json()["contradiction"]["clues"] == [[0, 0], [0, 2]]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"position": ""}, "no cells: the text is empty."),
        ({"position": "..x"}, "(0, 2): unknown character 'x'."),
        ({"position": "3x2\n..."}, "header: "),
        ({"position": "3x1 hex\n..."}, "the page has square boards only, not hex."),
        ({"position": "..!"}, "(0, 2): unknown character '!'."),
        ({"position": "9"}, "(0, 0): unknown character '9'."),
        ({"position": "..", "mines": 3}, "3 mines, but room for only 2."),
        ({"position": "..", "channel": "gossip"}, "channel 'gossip': must be"),
        ({}, "position: field required."),
    ],
)
def test_bad_positions_get_one_sentence(
    api: httpx.Client, asked: dict[str, object], sentence: str
) -> None:
    answer = api.post("/analyse", json=asked)
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith(sentence)


def wide_position() -> str:
    """Scattered clues, which take long to count."""
    return "\n".join(
        "".join("3" if (row % 2, col % 2) == (1, 1) else "." for col in range(61))
        for row in range(61)
    )


def test_a_job_is_followed_and_cancelled(api: httpx.Client) -> None:
    job = api.post("/jobs", json={"analyse": {"position": POSITION}}).json()
    end = monotonic() + 30
    while (job := api.get(f"/jobs/{job['id']}").json())["state"] == "running":
        assert monotonic() < end
        sleep(0.02)
    assert job["state"] == "done"
    assert job["result"]["layouts"] == "2"

    job = api.post("/jobs", json={"analyse": {"position": wide_position()}}).json()
    begun = monotonic()
    cancelled = api.delete(f"/jobs/{job['id']}").json()
    assert monotonic() - begun < 10
    assert cancelled["state"] in ("cancelled", "done")
    assert api.post("/analyse", json={"position": POSITION}).status_code == 200
    assert api.get("/jobs/none").status_code == 404
    assert api.post("/jobs", json={}).status_code == 422


def test_a_long_review_reports_its_progress(api: httpx.Client) -> None:
    game = Game.level("expert", seed=4)
    play(game, agents.get("exact"), seed=1)
    line = Transcript.of(game).to_line()
    job = api.post("/jobs", json={"review": {"game": line}}).json()
    seen: list[tuple[int, int]] = []
    end = monotonic() + 200
    while not (seen and seen[-1][0] > 3):
        job = api.get(f"/jobs/{job['id']}").json()
        assert (job["state"], monotonic() < end) == ("running", True), job["detail"]
        if job["total"]:
            seen.append((job["done"], job["total"]))
        sleep(0.01)
    assert {total for _, total in seen} == {len(game.moves)}
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert api.delete(f"/jobs/{job['id']}").json()["state"] == "cancelled"


def test_the_notation_hides_the_board_until_the_end(api: httpx.Client) -> None:
    game = api.post("/games", json={"level": "easy", "seed": 987654321}).json()["id"]
    api.post(f"/games/{game}/act", json={"kind": "open", "cell": [4, 4]})
    seen = api.get(f"/games/{game}/notation").json()
    assert "987654321" not in seen["text"] + seen["line"]
    assert "seed" not in seen["line"]
    refused = api.post("/games", json={"notation": seen["line"]})
    assert refused.status_code == 422
    assert "where the mines are" in refused.json()["detail"]


def test_reports_have_a_policy_of_their_own(api: httpx.Client) -> None:
    (report,) = api.get("/reports").json()
    assert report == {"name": "density/report.html", "path": "/reports/density/report.html"}
    page = httpx.get(f"http://{api.base_url.host}:{api.base_url.port}{report['path']}")
    assert page.text == "<p>Report</p>"
    assert "sandbox" in page.headers["content-security-policy"]
