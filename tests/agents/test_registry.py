"""Agents of other packages are found by name in every command, or rejected with one message."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "edge_agent"


def offered(folder: Path, points: dict[str, str]) -> dict[str, str]:
    """The environment of a process in which an installed package offers these agents."""
    info = folder / "offer-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: offer\nVersion: 1.0\n")
    lines = [f"{name} = {value}\n" for name, value in points.items()]
    (info / "entry_points.txt").write_text("[mineproof.agents]\n" + "".join(lines))
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(EXAMPLE)])}


def run(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mineproof", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return offered(tmp_path, project["entry-points"]["mineproof.agents"])


def test_the_example_is_short() -> None:
    lines = [file.read_text(encoding="utf-8").splitlines() for file in EXAMPLE.glob("*.*")]
    assert sum(map(len, lines)) < 40


def test_an_installed_agent_is_listed(installed: dict[str, str]) -> None:
    listed = json.loads(run(installed, "agents", "--json").stdout)
    assert listed[-1]["name"] == "edge"
    assert "fewest neighbours" in listed[-1]["summary"]


def test_an_installed_agent_plays(installed: dict[str, str]) -> None:
    watched = run(installed, "watch", "--agent", "edge", "--seed", "1", "--json")
    assert watched.returncode == 0, watched.stderr
    assert json.loads(watched.stdout.splitlines()[-1])["outcome"] in ("won", "lost")
    words = ["--agents", "random,edge", "--games", "4", "--workers", "2", "--json"]
    compared = run(installed, "compare", *words)
    assert compared.returncode == 0, compared.stderr
    assert [row["agent"] for row in json.loads(compared.stdout)["agents"]] == ["random", "edge"]


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ({"edge": "nowhere:Agent"}, "cannot be loaded"),
        ({"edge": "json:loads"}, "is not a subclass of Agent"),
        ({"ledge": "edge_agent:EdgeAgent"}, "has a different name"),
        ({"random": "edge_agent:EdgeAgent"}, "has a different name"),
    ],
)
def test_what_is_no_agent_is_refused(tmp_path: Path, points: dict[str, str], sentence: str) -> None:
    refused = run(offered(tmp_path, points), "agents")
    assert refused.returncode == 2
    assert sentence in refused.stderr
    assert "Traceback" not in refused.stderr
