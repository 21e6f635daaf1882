"""Agents from files and from modules, by reference, as classes, and as they are."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from copy import deepcopy
from pathlib import Path
from pickle import dumps, loads
from typing import Any

import pytest
from commands import done, failed

from mineproof import Agent, Decision, Observation, RandomBoards, Setup, agents, compare
from mineproof.agents import registry
from mineproof.agents.exact import ExactAgent
from mineproof.arena import broken_promises, code_of
from mineproof.lab import Arm, Study, grid
from mineproof.lab.run import run

SOURCE = """
from mineproof import Agent, Decision

class Corner(Agent):
    name = "corner"
    options = {"first": "opens the first cell"}

    def decide(self, observation):
        cells = observation.openable_cells()
        return Decision.guess(cells[0 if "first" in self.chosen else -1], "it is in the corner")

class Nameless(Agent):
    decide = Corner.decide
"""
EASY = RandomBoards(Setup.level("easy"), count=12)


class Last(Agent):
    """Opens the last cell."""

    name = "last"

    def decide(self, observation: Observation) -> Decision | None:
        return Decision.guess(observation.openable_cells()[-1], "it comes last")


class Built(Last):
    """Takes more than options."""

    def __init__(self, cell: int) -> None:
        self.cell = cell
        super().__init__()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "my agents.py"
    file.write_text(SOURCE)
    return file


def without_time(results: list[Any]) -> list[Any]:
    return [{**result.to_dict(), "ms_per_game": None} for result in results]


def test_an_agent_from_a_file_is_an_agent(file: Path) -> None:
    agent = agents.get(f"{file}:Corner:first+total")
    assert (agent.name, agent.told.total) == ("corner:first+total", True)
    assert repr(agent) == "<Corner 'corner:first+total'>"
    assert registry.reference(agent) == f"{file}:Corner:first+total"
    assert list(broken_promises(f"{file}:Corner")) == []
    agent.random.below(9)
    for copied in (loads(dumps(agent)), deepcopy(agent)):
        assert copied.name == agent.name
        assert copied.random.below(10**9) == deepcopy(agent).random.below(10**9)


def test_workers_load_the_file(file: Path) -> None:
    names = ["exact", f"{file}:Corner", f"{file}:Corner:first"]
    alone = without_time(compare(names, EASY))
    assert [result["agent"] for result in alone] == ["exact", "corner", "corner:first"]
    assert without_time(compare(names, EASY, workers=2)) == alone
    assert alone[1] != {**alone[2], "agent": "corner"}


def test_the_code_is_that_of_the_file(file: Path) -> None:
    before, agent = code_of(f"{file}:Corner"), agents.get(f"{file}:Corner")
    assert before == code_of(f"{file}:Corner:first")
    assert before.partition("+")[2].startswith("my_agents_")
    file.write_text(SOURCE.replace('"corner"', '"edge"'))
    assert code_of(f"{file}:Corner") != before
    assert agents.get(f"{file}:Corner").name == "edge"
    assert agent.name == "corner"


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("none.py:Corner", "none.py: no such file or directory"),
        ("my agents.py:Edge", "my agents.py has no class Edge, only Corner and Nameless"),
        (
            "my agents.py:Decision",
            "Decision is not a subclass of Agent; my agents.py has Corner and",
        ),
        ("my agents.py:Nameless", "Nameless has no name"),
        ("my agents.py:Corner:lucky", "option of corner 'lucky': must be first, total or untold"),
        (
            "bad.py:Corner",
            "cannot be loaded: ZeroDivisionError: division by zero (bad.py, line 1: 1 / 0)",
        ),
        ("my agents.py", "must be a file and a class in it, as in "),
    ],
)
def test_what_is_wrong_is_one_sentence(
    place: str, sentence: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file.parent / "bad.py").write_text("1 / 0")
    assert sentence in failed(capsys, "watch", "--agent", file.parent / place)
    assert sentence in failed(capsys, "compare", "--agents", f"exact,{file.parent / place}")


def test_a_name_is_printable(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open(file, "a") as source:
        source.write('Nameless.name = "\\x07"\n')
    sentence = r"Nameless has name '\x07': must be printable"
    assert sentence in failed(capsys, "watch", "--agent", f"{file}:Nameless")


def test_commands_take_files(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    words = ("compare", "--agents", f"exact,{file.name}:Corner:first", "--games", 4, "--json")
    compared = json.loads(done(capsys, *words, "--workers", 2))["agents"]
    assert [result["agent"] for result in compared] == ["exact", "corner:first"]
    assert done(capsys, "watch", "--agent", f"{file.name}:Corner").startswith("corner: 9 rows")
    assert done(capsys, "chains", "--agent", f"{file.name}:Corner")


def test_classes_and_agents() -> None:
    names = without_time(compare(["exact", "exact:untold"], EASY))
    assert without_time(compare([ExactAgent, ExactAgent("untold")], EASY, workers=2)) == names
    assert compare([Last], EASY)[0].agent == "last"
    assert list(broken_promises(Last)) == list(broken_promises(Last())) == []


def test_modules() -> None:
    assert registry.reference(Last("total")) == f"{__name__}:Last:total"
    assert isinstance(agents.get(f"{__name__}:Last"), Last)
    for name in ("lucky:Last", "no.such.module:Last", "exact.txt"):
        with pytest.raises(ValueError, match=f"^agent '{name.split(':')[0]}': must be random, "):
            agents.get(name)
    with pytest.raises(ValueError, match="loads is not a subclass of Agent"):
        agents.get("json:loads")
    with pytest.raises(TypeError, match="agent 5: must be an Agent, its class, or a name such as"):
        registry.make(5)  # type: ignore[arg-type]


def test_an_agent_that_cannot_be_made_again() -> None:
    class Local(Last):
        """Is known only here."""

    again = "to be made again, its class must be at the top of a module and have no constructor"
    for agent in (Local, Built(3)):
        with pytest.raises(ValueError, match=again):
            Arm(agent, EASY.setup)
    assert compare([Local, Built(3)], EASY)[1].games == 12
    with pytest.raises(ValueError, match="'last': other processes cannot import its class"):
        compare([Local], EASY, workers=2)


def test_studies(file: Path, tmp_path: Path) -> None:
    arms = grid(
        [Last, ExactAgent("untold"), f"{file}:Corner:first"], [EASY.setup], at=lambda setup: {}
    )
    assert [arm.at["agent"] for arm in arms] == ["last", "exact:untold", "corner:first"]
    assert [arm.agent for arm in arms][1:] == ["exact:untold", f"{file}:Corner:first"]
    study = Study("mine", "Mine", "Who wins?", arms, games=100, quick=4)
    archive = run([study], tmp_path / "out", quick=True, workers=2)
    held = archive.scan(study.tasks(4))
    assert held is not None
    frame = held.collect()
    assert sorted(set(frame["agent"])) == ["corner:first", "exact:untold", "last"]
    codes = dict(zip(frame["agent"], frame["code"], strict=True))
    assert codes["corner:first"] == code_of(f"{file}:Corner")
    # Where the file is makes no other records.
    moved = file.rename(file.parent / "my_agents.py")
    again = Study("mine", "Mine", "Who wins?", (Arm(f"{moved}:Corner:first", EASY.setup),), 4, 4)
    held = archive.scan(again.tasks(4))
    assert held is not None
    assert held.collect().height == 4


SCRIPT = """
from mineproof import Agent, Decision, RandomBoards, Setup, compare
from mineproof.lab import Arm, Study
from mineproof.lab.run import run

class Last(Agent):
    name = "last"

    def decide(self, observation):
        return Decision.guess(observation.openable_cells()[-1], "it comes last")

if __name__ == "__main__":
    games = RandomBoards(Setup.level("easy"), count=4)
    print(compare([Last], games)[0].games)
    study = Study("mine", "Mine", "Who wins?", (Arm(Last, Setup.level("easy")),), 4, 4)
    for play in (lambda: compare([Last], games, workers=2), lambda: run([study], "x", workers=2)):
        try:
            play()
        except ValueError as error:
            print(error)
"""


def test_a_class_of_a_script_plays_in_one_process(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    ended = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    sentence = (
        "agent 'last': other processes cannot import its class; put it into a file of its own, "
        "or play with one worker"
    )
    assert ended.stdout.splitlines() == ["4", sentence, sentence]
    assert os.listdir(tmp_path) == ["script.py"]
