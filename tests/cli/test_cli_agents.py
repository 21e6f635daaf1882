"""`mineproof agents`: who can play, as a table, as plain text and as JSON."""

from __future__ import annotations

import json
import os
from types import MappingProxyType
from typing import ClassVar

import pytest

from mineproof import Agent, Decision, Observation, agents, cli
from mineproof.agents import Told
from mineproof.cli import agents as command


class Foreign(Agent):
    """Plays as others do elsewhere.

    More is not listed.
    """

    name = "foreign"
    report = "Nobody, 1999"
    options: ClassVar = MappingProxyType({"bold": "dares [more]"})
    told = Told(total=True)

    def decide(self, observation: Observation) -> Decision | None:
        return None


class Silent(Foreign):
    name = "silent"
    report = ""
    options: ClassVar = MappingProxyType({})
    told = Told()


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {**agents.registered(), "foreign": Foreign, "silent": Silent}
    monkeypatch.setattr(command, "registered", lambda: kinds)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert cli.main(["agents", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_json_tells_all(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(run(capsys, "--json"))
    assert [agent["name"] for agent in listed] == list(agents.names())
    for agent in listed:
        assert list(agent) == ["name", "summary", "report", "options", "told"]
        kind = agents.registered()[agent["name"]]
        assert kind.__doc__ is not None
        assert agent["summary"] == kind.__doc__.strip().splitlines()[0]
        assert agent["summary"].endswith(".")
        assert agent["report"] == kind.report
        assert agent["options"] == dict(kind.options)
        assert agent["told"] == {"total": kind.told.total, "channel": kind.told.channel}


@pytest.mark.usefixtures("offered")
def test_agents_of_other_packages(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(run(capsys, "--json"))[-2:] == [
        {
            "name": "foreign",
            "summary": "Plays as others do elsewhere.",
            "report": "Nobody, 1999",
            "options": {"bold": "dares [more]"},
            "told": {"total": True, "channel": False},
        },
        {
            "name": "silent",
            "summary": "",
            "report": "",
            "options": {},
            "told": {"total": False, "channel": False},
        },
    ]


@pytest.mark.usefixtures("offered")
def test_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys)
    assert "\x1b" not in out
    assert (
        "foreign\n    Plays as others do elsewhere.\n    report: Nobody, 1999\n"
        "    told: total\n    foreign:bold: dares [more]\n\nsilent\n\n"
    ) in out
    for name in agents.names():
        assert f"\n{name}\n" in f"\n{out}"
    assert "total (is told the mine total)" in out


@pytest.mark.skipif(os.name == "nt", reason="terminals differ")
@pytest.mark.parametrize("cols", [50, 80, 120])
def test_a_table_on_a_terminal(cols: int) -> None:
    from terminal import Terminal

    with Terminal("agents", cols=cols) as terminal:
        assert terminal.wait() == 0
    assert "\x1b[1m" in terminal.output
    lines = terminal.plain.splitlines()
    assert all(len(line.rstrip()) <= cols for line in lines)
    firsts = [line.split()[0] for line in lines if line.strip() and line[0] != " "]
    assert firsts[: len(agents.names())] == list(agents.names())


def test_wrong_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["agents", "--colour"]) == 2
    assert cli.main(["agents", "exact"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 2
