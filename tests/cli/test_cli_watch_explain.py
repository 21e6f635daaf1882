"""`mineproof watch --explain`: why at every move, in every form."""

from __future__ import annotations

import json
import os
from itertools import product

import pytest
from small_game import GAME, SMALL

from mineproof import (
    BudgetExceeded,
    Channel,
    Game,
    Observation,
    Proof,
    Rules,
    Setup,
    Topology,
    agents,
    cli,
    explain,
    play,
)
from mineproof.arena import narration
from mineproof.arena.narration import reasons, sentences, told_together
from mineproof.arena.play import Turn
from mineproof.cli.terminal import frame
from mineproof.game.move import Claim, Move
from mineproof.proofs import Doubt

if os.name != "nt":
    from terminal import Terminal
from mineproof.position.rules import Kind


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert cli.main(["watch", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def steps_of(setup: Setup, agent: str, seed: int) -> list[Turn]:
    steps: list[Turn] = []
    play(Game(setup, seed), agents.get(agent), seed=seed, watch=steps.append)
    return steps


def move(kind: Kind, row: int, col: int) -> Move:
    return Move(kind, (row, col), opened=1, claim=Claim(certain=True))


def deciding(text: str, *moves: Move, channel: Channel | None = None) -> Turn:
    seen = Observation.from_text(text, channel=channel)
    return Turn(1, moves, seen, seen)


# ------------------------------------------------------------------------------------------- forms


@pytest.mark.usefixtures("wide")
def test_plain_text_tells_the_same_game_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, "--agent", "exact", *SMALL, "--explain")
    lines = iter(out.splitlines())
    assert all(line in lines for line in GAME.splitlines()), "in order"
    for step in steps_of(Setup(Topology(4, 4), 4), "exact", 1):
        assert all(f"\n     {line}\n" in out for line in told_together(reasons(step)))


def test_json_explains_every_action(capsys: pytest.CaptureFixture[str]) -> None:
    words = "--agent", "exact", *SMALL, "--json"
    plain = [json.loads(line) for line in run(capsys, *words).splitlines()]
    told = [json.loads(line) for line in run(capsys, *words, "--explain").splitlines()]
    explanations = [action.pop("explanation") for action in told[1:-1]]
    for result in (told[-1], plain[-1]):
        result.pop("seconds")
    assert told == plain
    assert all(explanations)
    moves = [
        (move, found)
        for step in steps_of(Setup(Topology(4, 4), 4), "exact", 1)
        for move, found in zip(step.moves, reasons(step), strict=True)
    ]
    assert explanations == [sentences(found) for _, found in moves]
    for record, (found, *_) in moves[1:]:
        assert isinstance(found, Proof if record.certain else Doubt)


@pytest.mark.skipif(os.name == "nt", reason="terminals differ")
def test_on_a_terminal() -> None:
    words = "watch", "--agent", "exact", *SMALL, "--explain", "--delay", "0"
    with Terminal(*words) as terminal:
        assert terminal.wait() == 0
    frames = [frame.replace("\N{NO-BREAK SPACE}", " ") for frame in terminal.frames]
    assert len(frames) == GAME.count("Step")
    assert "So (2, 2) is safe." in frames[1]
    assert "its risk is 25.8%" in frames[2]
    assert "proved: true in every layout that fits" not in terminal.plain
    assert "The 2 at (2, 1) has both its mines" in " ".join(terminal.left.split())


@pytest.mark.parametrize("name", ["exact", "basic", "logic"])
def test_frames_fit_the_terminal(name: str) -> None:
    setup = Setup.level("expert", rules=Rules(on_mine="continue"))
    for step in steps_of(setup, name, 3)[:60:6]:
        explanation = told_together(reasons(step))
        for width, height in product((40, 80, 120), (14, 24, 50)):
            drawn = frame("title", step, explanation=explanation, width=width, height=height)
            lines = drawn.plain.splitlines()
            assert len(lines) <= height
            assert all(len(line) <= width for line in lines[:-1])
            assert lines[-1].startswith("opened ")


def test_what_there_is_no_room_for_is_left_out() -> None:
    setup = Setup.level("easy")
    step = steps_of(setup, "exact", 2)[2]
    told = [f"sentence {number}" for number in range(100)]
    for width in (30, 80):
        drawn = frame("title", step, explanation=told, width=width, height=24).plain
        assert "sentence 0" in drawn
        assert "...\n" in drawn
        assert "sentence 99" not in drawn
    whole = frame("title", step, explanation=told, width=80).plain
    assert "sentence 99" in whole


# ----------------------------------------------------------------------------------------- reasons


def test_every_agent_is_explained_by_what_it_saw() -> None:
    rules = Rules(on_mine="continue")
    for name in agents.names():
        for step in steps_of(Setup.level("easy", rules=rules), name, 4)[:30]:
            for found in reasons(step):
                assert sentences(found)


def test_a_claim_that_is_wrong_is_not_proved() -> None:
    seen = Observation.from_text("5x2x2\n.1...\n.....")
    (found,) = reasons(deciding("5x2x2\n.1...\n.....", move("open", 0, 0)))
    assert found == [explain(seen, (0, 0))]
    assert isinstance(found[0], Doubt)


def test_a_chord_is_explained_cell_by_cell() -> None:
    (found,) = reasons(deciding("F.1\n1.1\n...", move("chord", 1, 0)))
    cells = [reason.cell for reason in found if not isinstance(reason, str)]
    assert cells == [(0, 1), (1, 1), (2, 0), (2, 1)]


def test_what_an_agent_saw_may_fit_no_layout() -> None:
    moves = move("open", 0, 1), move("flag", 0, 1)
    assert [sentences(found) for found in reasons(deciding("1.0", *moves))] == [
        ["No layout fits the clues at (0, 0) and (0, 2)."]
    ] * 2
    (noisy,) = reasons(deciding("1.0", moves[0], channel=Channel.optimistic()))
    assert len(sentences(noisy)) >= 1


def test_what_is_too_wide_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    def narrow(*arguments: object, **settings: object) -> None:
        raise BudgetExceeded("the frontier is too wide to count exactly within the budget")

    monkeypatch.setattr(narration, "infer", narrow)
    (found,) = reasons(deciding("1..", move("open", 0, 1)))
    assert found == ["The frontier is too wide to count exactly within the budget."]


def test_what_is_common_is_told_once() -> None:
    for step in steps_of(Setup.level("expert"), "exact", 2):
        found = reasons(step)
        told = told_together(found)
        easy = [line for line in told if not line.startswith((" ", "Suppose", "So", "Of"))]
        assert len(easy) == len(set(easy))
        text = " ".join(told)
        for reason in (reason for several in found for reason in several):
            assert isinstance(reason, str) or str(reason.cell) in text
