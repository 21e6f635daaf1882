"""Whether everything is deduced, how knowledge is kept, and what time it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fake_records import made_up, said

from mineproof import Game, Rules, Setup, Topology, agents, play
from mineproof.lab import studies
from mineproof.lab.findings import Findings
from mineproof.lab.probes import PROBES
from mineproof.lab.run import run
from mineproof.lab.study import Arm
from mineproof.random import Random

KEEP_GOING = Rules("any", "continue")


def measured(probe: str, agent: str, game: Game) -> Mapping[str, Any]:
    record = play(game.restarted(), agents.get(agent))
    return PROBES[probe].measure(game, record)


def test_an_agent_that_stops_beside_a_safe_cell_has_overlooked_it() -> None:
    """The golden game of logic: two sentences that overlap prove a safe cell together."""
    game = Game(Setup(Topology(5, 5), 4, Rules("zero"), first=(3, 3)), seed=684)
    logic, exact = (measured("deduced", name, game) for name in ("logic", "exact:untold"))
    assert logic["missed"] == 1
    assert logic["overlooked"]
    assert exact["chances"] > 0
    assert not exact["overlooked"]


def test_random_play_overlooks_much() -> None:
    game = Game(Setup(Topology(6, 6), 4, KEEP_GOING, first=(0, 0)), seed=3)
    found = measured("deduced", "random", game)
    assert 0 < found["missed"] <= found["chances"]
    assert found["overlooked"]


def test_knowledge_is_measured_while_an_agent_plays() -> None:
    game = Game(Setup(Topology(8, 8), 10, KEEP_GOING), seed=1)
    numbers, sentences = (measured("knowledge", name, game) for name in ("weights", "logic"))
    for found in (numbers, sentences):
        assert len(found["entries"]) == len(found["bytes"]) == 10
        assert found["most_entries"] >= max(found["entries"])
        assert found["most_bytes"] > 100
        assert found["clue_seconds"] > 0
    assert numbers["most_entries"] == 64


def overlooking(arm: Arm, chances: Random) -> dict[str, Any]:
    missed = 0 if arm.agent == "exact" else round(8 * chances.uniform())
    return {"chances": 9, "missed": missed, "overlooked": missed > 0}


def test_what_is_overlooked_follows_the_records(tmp_path: Path) -> None:
    lines = said(made_up(studies.get("deduced"), tmp_path, overlooking, 50))
    assert "overlooked is 0.0% (0.0 to 7.1) with exact," in lines[0]
    assert lines[-1].endswith("always 0 with exact.")


def growing(arm: Arm, chances: Random) -> dict[str, Any]:
    cells = arm.setup.topology.rows * arm.setup.topology.cols
    kept = round(cells * (0.9 + 0.2 * chances.uniform()))
    return {
        "entries": [kept] * 10,
        "bytes": [100] * 10,
        "most_entries": kept,
        "most_bytes": 100,
        "clue_seconds": 0.001,
        "seconds": cells**2 * 1e-6 * (0.9 + 0.2 * chances.uniform()),
    }


def test_growth_follows_the_records(tmp_path: Path) -> None:
    knowledge, time = studies.get("knowledge"), studies.get("time")
    found = made_up(knowledge, tmp_path / "knowledge", growing, 50)
    lines = " ".join(said(found))
    assert "the largest number of entries grows in proportion to the number of cells" in lines
    assert all(found.points(chart) for chart in knowledge.charts)

    def slow(arm: Arm, chances: Random) -> dict[str, Any]:
        return {"seconds": growing(arm, chances)["seconds"]}

    found = made_up(time, tmp_path / "time", slow, 50)
    lines = " ".join(said(found))
    assert "the time of a game grows faster than the number of cells with random" in lines
    assert "R3: compared with border, the time of border:nosplit per game" in lines


@pytest.mark.parametrize("name", ["deduced", "knowledge", "time"])
def test_some_games_are_played(name: str, tmp_path: Path) -> None:
    study = studies.get(name)
    some = replace(study, arms=study.arms[:: max(1, len(study.arms) // 6)])
    findings = Findings(some, run([some], tmp_path / "records", games=1))
    assert findings.complete
    said(findings)
