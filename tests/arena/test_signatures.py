"""The games of every agent are those of its signature, and code that plays has a name."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from mineproof import agents
from mineproof.agents import registry
from mineproof.arena import code_of, signatures
from mineproof.arena.signatures import SIGNATURES, agent_signature, boards_signature


def without_revision(code: str) -> str:
    return code.partition(".")[0]


def test_boards_and_clues() -> None:
    assert boards_signature() == without_revision(SIGNATURES["boards"])


@pytest.mark.parametrize("name", [name for name in SIGNATURES if name != "boards"])
def test_agents(name: str) -> None:
    assert agent_signature(name) == without_revision(SIGNATURES[name])


def test_every_built_in_agent_has_a_signature() -> None:
    ours = {
        name for name, kind in agents.registered().items() if kind.__module__.startswith("minep")
    }
    assert set(SIGNATURES) == ours | {"boards"}


def test_a_change_of_one_agent_changes_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {name: code_of(name) for name in agents.names()}
    assert len(set(before.values())) == len(before)
    changed = {**SIGNATURES, "weights": SIGNATURES["weights"] + ".1"}
    monkeypatch.setattr(signatures, "SIGNATURES", changed)
    after = {name: code_of(name) for name in agents.names()}
    assert after.pop("weights") == before.pop("weights") + ".1"
    assert after == before
    monkeypatch.setattr(signatures, "SIGNATURES", {**SIGNATURES, "boards": "01234567"})
    assert not {code_of(name) for name in agents.names()} & set(before.values())


def test_options_are_part_of_the_name_and_not_of_the_code() -> None:
    assert code_of("exact:naive+untold") == code_of("exact")
    with pytest.raises(ValueError, match="agent 'lucky': must be"):
        code_of("lucky")


# --------------------------------------------------------------------------- agents of others

AGENT = """
from mineproof import Action, Agent, Decision

class Eager(Agent):
    name = "eager"

    def decide(self, observation):
        return Decision((Action("open", observation.openable_cells()[0]),), "it comes first")
"""


class Installation:
    """A package that offers the agent `eager`, installed in a folder of its own."""

    def __init__(self, folder: Path, package: str) -> None:
        self.source = folder / package
        self.source.mkdir()
        (self.source / "__init__.py").write_text(AGENT)
        self.info = folder / "eager_agents-1.2.dist-info"
        self.info.mkdir()
        self.release("1.2")
        (self.info / "entry_points.txt").write_text(
            f"[mineproof.agents]\neager = {package}:Eager\n"
        )

    def release(self, version: str) -> None:
        (self.info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: eager-agents\nVersion: {version}\n"
        )

    def code(self) -> str:
        registry.registered.cache_clear()
        signatures.code_of_module.cache_clear()
        return code_of("eager")


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installation:
    monkeypatch.syspath_prepend(tmp_path)
    installation = Installation(tmp_path, "eager_agents")
    monkeypatch.delitem(sys.modules, "eager_agents", raising=False)
    registry.registered.cache_clear()
    signatures.code_of_module.cache_clear()
    return installation


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    yield
    registry.registered.cache_clear()
    signatures.code_of_module.cache_clear()


def test_an_installed_agent_has_the_version_of_its_package(installation: Installation) -> None:
    assert installation.code() == "38976c59+eager-agents==1.2"
    (installation.source / "__init__.py").write_text(AGENT + "# reworded")
    assert installation.code() == "38976c59+eager-agents==1.2"
    installation.release("1.3")
    assert installation.code() == "38976c59+eager-agents==1.3"


def test_an_editable_agent_is_known_by_its_source(installation: Installation) -> None:
    url = {"url": "file:///somewhere", "dir_info": {"editable": True}}
    (installation.info / "direct_url.json").write_text(json.dumps(url))
    codes = [installation.code()]
    assert codes[0].startswith("38976c59+eager_agents@")
    assert installation.code() == codes[0]
    for name, text in (("__init__.py", AGENT + "\n"), ("tables.py", ""), ("tables.py", "A = 1")):
        (installation.source / name).write_text(text)
        codes.append(installation.code())
    (installation.source / "notes.txt").write_text("no source")
    assert installation.code() == codes[-1]
    assert len(set(codes)) == 4
    # Installed from the same folder, but as a copy.
    url["dir_info"] = {}
    (installation.info / "direct_url.json").write_text(json.dumps(url))
    assert installation.code() == "38976c59+eager-agents==1.2"


def test_a_module_of_no_package_is_known_by_its_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "lonely_module.py").write_text("A = 1")
    first = signatures.code_of_module("lonely_module")
    assert first.startswith("lonely_module@")
    (tmp_path / "lonely_module.py").write_text("A = 2")
    signatures.code_of_module.cache_clear()
    assert signatures.code_of_module("lonely_module") != first
    monkeypatch.setitem(sys.modules, "typed_in", ModuleType("typed_in"))
    with pytest.raises(ValueError, match="module 'typed_in': has no source file"):
        signatures.code_of_module("typed_in")
    # A module of an installed package needs no agent to be found.
    assert signatures.code_of_module("click.core").startswith("click==")
